"""A model in ExecuTorch with a project's op packages and without them: runs both and says what is different.

The runs themselves are in `harness/opkg_executorch/compare*.py`; here are the request, what comes back as data, and what of
it is a finding.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opkg.verify.machines import toolchain
from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.machines.executorch.packages import module_name

MODES = ("float", "8a8w", "16a8w")
SIDES = ("stock", "ours")
TIMEOUT = 600.0  # seconds that one run may take
CORE = "qti.aisw"
QDQ = "quantized_decomposed."
_LAST_WORDS = 30  # lines of a log


@dataclass(frozen=True, slots=True)
class Package:
    """An op package: its name, the generated Python package (`module`), and the library; none for `qti.aisw`."""

    name: str
    namespace: str
    library: Path | None

    @property
    def module(self) -> str:
        return module_name(self.namespace)


@dataclass(frozen=True, slots=True)
class Node:
    """An operator that QNN is given: its package and type, the torch op, and where in the model it comes from.

    `ours`: a builder of the packages made it.
    """

    package: str
    type: str
    name: str
    torch: str
    ours: bool
    file: str
    line: int
    module: str

    @property
    def label(self) -> str:
        """The type, with the package when it is one of ours, or another one than QNN's own."""
        return f"{self.package}::{self.type}" if self.ours or self.package != CORE else self.type


@dataclass(frozen=True, slots=True)
class Figures:
    """Differences of one output (`compare_errors.difference` says what each figure is).

    `shape` has the number of samples in front.
    """

    shape: tuple[int, ...]
    dtype: str
    max: float | None
    relative: float | None
    snr: float | None
    cosine: float | None
    unequal: int | None
    invalid: int | None
    fault: str | None

    @property
    def exact(self) -> bool:
        return self.fault is None and self.unequal == 0


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `status`: ok, fault (of the model file), failed or died, in `stage`, and then `message`, `line`, `hint`."""

    mode: str
    side: str
    status: str
    stage: str
    message: str = ""
    line: int = 1
    hint: str = ""
    log: Path | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    samples: int = 0
    outputs: tuple[float, ...] = ()
    delegates: int | None = None
    delegated: Mapping[str, int] = field(default_factory=dict)
    on_cpu: Mapping[str, int] = field(default_factory=dict)
    nodes: tuple[Node, ...] = ()
    kernels: Mapping[str, int] = field(default_factory=dict)
    slices: Mapping[str, int] = field(default_factory=dict)
    bytes: int | None = None
    warnings: tuple[str, ...] = ()
    nearly: tuple[str, ...] = ()
    decomposed: Mapping[str, int] = field(default_factory=dict)
    quantization: tuple[Figures, ...] = ()
    against_float: tuple[Figures, ...] = ()
    against_quantized: tuple[Figures, ...] = ()

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    @property
    def lowered(self) -> bool:
        return self.delegates is not None

    @property
    def operators(self) -> int:
        """Operators of the model in delegates; quantize and dequantize are none."""
        return sum(count for name, count in self.delegated.items() if not name.startswith(QDQ))

    def types(self) -> Counter[str]:
        """QNN's operators by `label`."""
        return Counter(node.label for node in self.nodes)


@dataclass(frozen=True, slots=True)
class Replacement:
    """Operators of a package that came from one place of the model, and those that stock has there instead."""

    ours: tuple[tuple[str, int], ...]
    stock: tuple[tuple[str, int], ...]
    file: str
    line: int
    module: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Both runs of a mode; None when one was not reached."""

    mode: str
    stock: Run | None
    ours: Run | None

    def replaced(self) -> tuple[Replacement, ...]:
        """What the packages' operators stand for, in the order of the program. Empty when one side was not lowered."""
        if self.stock is None or self.ours is None or not (self.stock.lowered and self.ours.lowered):
            return ()
        places = {_place(node): None for node in self.ours.nodes if node.ours}
        moved = _moved(places, self.stock.nodes, self.ours.nodes)
        before = [(moved.get(_place(node), _place(node)), node) for node in self.stock.nodes]
        return tuple(_replacement(place, before, self.ours.nodes) for place in places)

    def changed(self) -> dict[str, tuple[int, int]]:
        """Types of QNN's operators of which both sides have different numbers: stock's and ours."""
        if self.stock is None or self.ours is None:
            return {}
        before, after = self.stock.types(), self.ours.types()
        return {name: (before[name], after[name]) for name in sorted(before | after) if before[name] != after[name]}


@dataclass(frozen=True, slots=True)
class Comparison:
    """All of it. `model`: the model file as the user named it."""

    model: str
    packages: tuple[str, ...]
    environment: Environment
    pairs: tuple[Pair, ...]

    def calls(self, run: Run) -> dict[str, int]:
        """Calls of the packages' kernels in a run, by `package::Op/function`; in however many slices a call ran."""
        return {name: n for name, n in run.kernels.items() if name.partition("::")[0] in self.packages}

    def cut(self, run: Run) -> dict[str, int]:
        """Slices of the packages' kernels that did not run in one a call."""
        return {
            name: run.slices[name] for name, calls in self.calls(run).items() if run.slices.get(name, calls) != calls
        }


_Place = tuple[str, int, str]


def _place(node: Node) -> _Place:
    return node.file, node.line, node.module


def _moved(places: Container[_Place], stock: Sequence[Node], ours: Sequence[Node]) -> dict[_Place, _Place]:
    """Places of stock's operators of which ours has none, and that of the package's operator that follows them.

    An op may stand for several lines of a module; it comes from the last one.
    """
    left = {_place(node) for node in ours}
    found: dict[_Place, _Place] = {}
    home: _Place | None = None
    for node in reversed(stock):
        place = _place(node)
        if place in places:
            home = place
        elif home is not None and place not in left and (place[0], place[2]) == (home[0], home[2]):
            found[place] = home
        else:
            home = None
    return found


def _replacement(place: _Place, stock: Sequence[tuple[_Place, Node]], ours: Sequence[Node]) -> Replacement:
    before = Counter(node.label for where, node in stock if where == place)
    after = Counter(node.label for node in ours if _place(node) == place)
    made = Counter(node.label for node in ours if _place(node) == place and node.ours)
    return Replacement(tuple(made.items()), tuple((before - after).items()), *place)


def compare(
    environment: Environment,
    model: Path,
    packages: Sequence[Package],
    folders: Sequence[Path],
    observer: Path,
    scratch: Path,
    modes: Sequence[str] = MODES,
    timeout: float = TIMEOUT,
    done: Callable[[str], None] = lambda _: None,
) -> tuple[Pair, ...]:
    """Lowers and runs a model file with and without packages, in each mode.

    `folders`: of the generated Python packages. `scratch`: logs and results are kept there. `done` is told of each run.
    A run that dies is a Run as any other; when nothing at all comes back, all runs are `died` with what was said.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    with toolchain.locked(scratch / ".lock"):
        return _compared(environment, model, packages, folders, observer, scratch, modes, timeout, done)


def _compared(
    environment: Environment, model: Path, packages: Sequence[Package], folders: Sequence[Path], observer: Path,
    scratch: Path, modes: Sequence[str], timeout: float, done: Callable[[str], None],
) -> tuple[Pair, ...]:  # fmt: skip
    for old in (path for mode in MODES for path in scratch.glob(f"{mode}-*")):
        old.unlink()
    request = {
        "model": str(model.resolve()), "modes": list(modes), "sides": list(SIDES), "folder": str(scratch),
        "observer": str(observer), "timeout": timeout,
        "packages": [
            {"module": each.module, "namespace": each.namespace, "library": str(each.library or "")} for each in packages
        ],
    }  # fmt: skip
    place = scratch / "request.json"
    place.write_text(json.dumps(request), "utf-8")
    command = [str(environment.python), "-P", "-m", "opkg_executorch.compare", str(place)]
    said = _run(command, environment.variables(folders, scratch=scratch), scratch / "start.log", done)
    pairs = [Pair(mode, *(_loaded(scratch, mode, side) for side in SIDES)) for mode in modes]
    if not any(pair.stock or pair.ours for pair in pairs):
        words = said.strip().splitlines()
        dead = Run(modes[0], SIDES[0], "died", "start", words[-1] if words else "the process said nothing", hint=said)
        pairs[0] = Pair(modes[0], dead, None)
    return tuple(pairs)


def _run(command: list[str], variables: dict[str, str], log: Path, done: Callable[[str], None]) -> str:
    """Runs it to its end, telling of each line; what it wrote to standard error, in the end. No process outlives this."""
    with log.open("w", encoding="utf-8") as errors, subprocess.Popen(
        command, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
        errors="replace", start_new_session=True,
    ) as process:  # fmt: skip
        try:
            for line in process.stdout or ():
                done(line.strip())
            process.wait()
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    return "\n".join(log.read_text("utf-8", errors="replace").splitlines()[-_LAST_WORDS:])


def _loaded(scratch: Path, mode: str, side: str) -> Run | None:
    file = scratch / f"{mode}-{side}.json"
    if not file.is_file():
        return None
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    except ValueError:
        return Run(mode, side, "died", "start", "its result cannot be read")
    found["nodes"] = tuple(Node(**each) for each in found.get("nodes", ()))
    for name in ("quantization", "against_float", "against_quantized"):
        figures = found.get(name, ())
        found[name] = tuple(Figures(**{**each, "shape": tuple(each["shape"])}) for each in figures)
    for name in ("outputs", "warnings", "nearly"):
        found[name] = tuple(found.get(name, ()))
    return Run(**found, log=file.with_suffix(".log"))
