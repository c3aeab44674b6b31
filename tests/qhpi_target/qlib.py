"""Projects, builds and runs for the tests of the QHPI target: everything built once and kept by its content."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import struct
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import OpPackage
from opkg.spec.reader import read, read_file
from opkg.targets.qnn_htp_qhpi import TARGET
from opkg.verify.judge.results import RawResult
from opkg.verify.machines import execute, toolchain
from opkg.verify.machines.base import RunFiles
from opkg.verify.machines.runners import runner
from opkg.verify.machines.table import MACHINES

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
INCLUDE = toolchain.INCLUDE
BASE = ROOT / "build" / ".qhpi-tests"

HEAD = """\
opkg: 1
package:
  name: {name}
  version: 1.0.0
ops:
"""


def tool(*names: str) -> str:
    """The first of these programs; without any the test is skipped, and fails in CI."""
    for name in names:
        found = shutil.which(name) or shutil.which(str(ROOT / ".venv" / "bin" / name))
        if found:
            return found
    missing(f"no {' or '.join(names)}")
    raise AssertionError


def missing(reason: str) -> None:
    """Skips; in CI that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@dataclass(frozen=True)
class Project:
    """A generated package on disk."""

    package: OpPackage
    root: Path

    @property
    def folder(self) -> Path:
        return self.root / "generated" / self.package.cpp_namespace / "qhpi"

    def sources(self) -> list[Path]:
        return sorted(self.folder.rglob("*.cpp")) + sorted((self.root / "kernels").rglob("*.cpp"))


def parse(text: str) -> OpPackage:
    """The package of a spec that must have no errors."""
    package, found = read(text.encode(), "specs/test.yaml")
    assert package is not None, "\n".join(map(str, found))
    return package


def spec_of(path: Path) -> OpPackage:
    package, found = read_file(path, f"specs/{path.name}")
    assert package is not None, "\n".join(map(str, found))
    return package


def ops_package(ops: str, name: str = "test.pkg") -> OpPackage:
    return parse(HEAD.format(name=name) + ops)


def write(root: Path, package: OpPackage, kernels: dict[str, str] | None = None) -> Project:
    """Generated files below `root`, the user's with the given texts or as stubs."""
    for path, text in (kernels or {}).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    for artifact in TARGET.render(package):
        path_ = root / artifact.path
        if artifact.ownership == "yours" and path_.exists():
            continue
        path_.parent.mkdir(parents=True, exist_ok=True)
        path_.write_text(artifact.text, encoding="utf-8")
    return Project(package, root)


def make(project: Project, target: str = "x86", *settings: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs the generated Makefile."""
    command = [
        "make",
        "-j2",
        "-C",
        str(project.folder),
        f"OPKG_SIM_INCLUDE={INCLUDE}",
        *settings,
        target,
    ]
    environment = {k: v for k, v in os.environ.items() if k not in ("CXX", "MAKEFLAGS", "HEXAGON_SDK_ROOT")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment | {"LC_ALL": "C"})
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


WARNINGS = "CXXFLAGS=-O0 -Wall -Wextra -Werror"


def built(package: OpPackage, kernels: dict[str, str] | None = None, *, cxx: str = "g++") -> Project:
    """The package, generated and built without a warning; shared by content between tests and processes."""
    digest = hashlib.sha256(f"{cxx}\0{WARNINGS}\0".encode())
    for artifact in TARGET.render(package):
        digest.update(f"{artifact.path}\0{(kernels or {}).get(artifact.path, artifact.text)}\0".encode())
    root = BASE / digest.hexdigest()[:16]

    def make_it() -> None:
        tool(cxx)
        tool("make")
        make(write(root, package, kernels), "x86", WARNINGS, f"CXX={cxx}")

    _once(root, make_it)
    return Project(package, root)


def unchecked(checked: Project, changes: Sequence[tuple[str, str, str]]) -> Project:
    """The same package beside it, shared by processes, too. `changes`: header of `opkg/`, a text in it, what stands instead."""
    root = checked.root.with_name(f"{checked.root.name}-unchecked")

    def make_it() -> None:
        project = write(root, checked.package)
        for name, old, new in changes:
            header = root / "generated" / "opkg" / name
            text = header.read_text()
            assert text.count(old) == 1
            header.write_text(text.replace(old, new))
        make(project, "x86", "CXXFLAGS=-O0")

    _once(root, make_it)
    return Project(checked.package, root)


def _once(root: Path, make_it: Callable[[], None]) -> None:
    """Fills a folder that several processes share: the first one makes it, the others wait."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (root / ".done").is_file():
            make_it()
            (root / ".done").touch()


def library(project: Project) -> Path:
    return project.root / "build" / project.package.cpp_namespace / "qhpi" / project.package.library


# -- calls -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class T:
    """One tensor of a call. `quant`: (scale, offset), or (axis, ((scale, offset), ...)), or None."""

    dtype: DType
    shape: tuple[int, ...]
    quant: tuple[float, int] | tuple[int, tuple[tuple[float, int], ...]] | None = None
    static: bool = False
    null: bool = False
    data: np.ndarray | None = None

    def stored(self) -> bytes:
        if self.data is not None:
            return np.ascontiguousarray(self.data, dtype=storage(self.dtype)).tobytes()
        return bytes(int(np.prod(self.shape, dtype=np.int64)) * storage(self.dtype).itemsize)


@dataclass(frozen=True)
class P:
    """One param of a call. `shape` None: a scalar."""

    name: str
    dtype: DType
    value: object
    shape: tuple[int, ...] | None = None

    def stored(self) -> bytes:
        values = self.value if isinstance(self.value, tuple) else (self.value,)
        return (
            np.array(values, dtype=np.float64 if self.dtype.kind is Kind.FLOAT else np.int64)
            .astype(storage(self.dtype))
            .tobytes()
        )


@dataclass(frozen=True)
class Call:
    op: str
    inputs: tuple[T, ...] = ()
    outputs: tuple[T, ...] = ()
    params: tuple[P, ...] = ()

    def with_(self, **changes: object) -> Call:
        return replace(self, **changes)  # type: ignore[arg-type]


def storage(dtype: DType) -> np.dtype:
    return np.dtype("uint8") if dtype.kind is Kind.BOOL else np.dtype(dtype.numpy)


@dataclass
class _File:
    lines: list[str] = field(default_factory=lambda: ["opkg-cases 1"])
    data: bytearray = field(default_factory=bytearray)

    def add(self, raw: bytes) -> str:
        self.data.extend(b"\0" * (-len(self.data) % 64))
        start = len(self.data)
        self.data.extend(raw)
        return f"{start} {len(raw)}"

    def tensor(self, name: str, kind: str, t: T) -> None:
        dims = "".join(f" {d}" for d in t.shape)
        quant = "none"
        if t.quant is not None and isinstance(t.quant[1], tuple):
            pairs = " ".join(f"{float(s).hex()} {o}" for s, o in t.quant[1])
            quant = f"axis {t.quant[0]} {len(t.quant[1])} {pairs}"
        elif t.quant is not None:
            quant = f"so {float(t.quant[0]).hex()} {t.quant[1]}"
        place = self.add(t.stored()) if kind in ("input", "static") else "- -"
        self.lines.append(f"tensor {name} {kind} {t.dtype.qnn_value:#x} {len(t.shape)}{dims} {quant} {place}")

    def param(self, p: P, number: int) -> str:
        if p.shape is None:
            bits = int.from_bytes(p.stored(), "little")
            return f"scalar {p.name} {p.dtype.qnn_value:#x} {bits:#x}"
        name = f"param.{number}"
        dims = "".join(f" {d}" for d in p.shape)
        self.lines.append(
            f"tensor {name} static {p.dtype.qnn_value:#x} {len(p.shape)}{dims} none {self.add(p.stored())}"
        )
        return f"tensor {p.name} {name}"

    def case(self, index: int, call: Call, package: str) -> None:
        self.lines.append(f"case {index} {call.op}-{index}")
        names = []
        for number, t in enumerate(call.inputs):
            kind = "null" if t.null else "static" if t.static else "input"
            names.append(f"i{number}")
            self.tensor(names[-1], kind, replace(t, shape=()) if t.null else t)
        outs = [f"o{number}" for number in range(len(call.outputs))]
        for name, t in zip(outs, call.outputs, strict=True):
            self.tensor(name, "output", t)
        params = [self.param(p, number) for number, p in enumerate(call.params)]
        words = [len(names), *names, len(outs), *outs, len(params), *params]
        self.lines.append(f"node n0 {package} {call.op} " + " ".join(map(str, words)))
        self.lines.append("end")


def run(
    project: Project, calls: Sequence[Call], tmp: Path, machine: str = "host", *, trace: bool = False,
    env: dict[str, str] | None = None,
) -> list[RawResult]:  # fmt: skip
    """One result per call, all in one process."""
    state = MACHINES[machine].available()
    if not state.ok:
        missing(f"machine {machine}: {state.reason}")
    file = _File()
    for index, call in enumerate(calls):
        file.case(index, call, project.package.name)
    tmp.mkdir(parents=True, exist_ok=True)
    cases, data = tmp / f"{machine}.cases", tmp / f"{machine}.bin"
    cases.write_text("\n".join(file.lines) + "\n", encoding="utf-8")
    data.write_bytes(bytes(file.data))
    files = RunFiles(library(project), project.package.interface_provider, "qhpi", cases, data, 20, trace)
    binary = runner(MACHINES[machine].runner("qhpi"), ROOT)
    command = MACHINES[machine].command(binary, files)
    saved = {key: os.environ.get(key) for key in env or {}}
    os.environ.update(env or {})
    try:
        return execute.run(execute.Job(command, tmp, f"{machine}-run", len(calls), 30))
    finally:
        for key, value in saved.items():
            if value is None:
                os.environ.pop(key)
            else:
                os.environ[key] = value


def output(result: RawResult, number: int, t: T) -> np.ndarray:
    """The stored numbers of one output."""
    assert result.status == "ok", (result.status, result.stage, result.message, result.log)
    return np.frombuffer(result.outputs[number].data, dtype=storage(t.dtype)).reshape(t.shape)


def reason(result: RawResult) -> str:
    """What validateOpConfig logged."""
    return " | ".join(line.text for line in result.log)


def float32(value: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def warnings_of(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if "warning:" in line or "error:" in line]
