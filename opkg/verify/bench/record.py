"""What is reported of a kernel: packets and stalls per 128 bytes, the floor of its algorithm, whether it is exact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from os import cpu_count
from pathlib import Path

from opkg.kernels.cost import FLOAT_UNIT, Estimate, architecture, packets
from opkg.kernels.lowered import Lowered
from opkg.kernels.sequence import Columns, Places, Scans
from opkg.kernels.tuning import Tuning
from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.spec.model import Op
from opkg.verify.bench.measure import Against, Measured, first_error, measure, objdump
from opkg.verify.bench.static import schedule
from opkg.verify.bench.subject import Subject, subjects
from opkg.verify.machines.hexagon.toolchain import ToolFailed

SIZES = (8192, 8192 + 37)
NO_TUNING = Tuning()
NO_FLOATS = "floating point on HVX"
NO_EMULATOR = f"{NO_FLOATS} does not run in the emulator, and the compiled code is not one loop"
NO_DISASSEMBLER = f"{NO_FLOATS} does not run in the emulator, and there is no llvm-objdump to read the loop"


@dataclass(frozen=True, slots=True)
class Record:
    """One kernel on one architecture with rows of n elements. Figures are per 128 bytes of the (first) output, or of the
    input where the output has one element a row.

    `problem`: why there are no figures (but for the floor). `stalls_per_128` is None where they could not be found out.
    `exact`: every element is that of the portable code; else `differs` is the part of the elements that is not, `most` by
    how many steps. `floor`: packets by the units, loads and stores that the algorithm needs; None for a file of the
    user's. `total`: packets and stalls of the whole call. `static`: figures of the schedule of the compiled loop, where no
    emulator runs the code; nothing is said of a row's length (n is 0) and of results, the floor is that of its instructions.
    """

    kernel: str
    arch: str
    n: int
    strategy: str
    problem: str
    unroll: int = 1
    packets_per_128: float = 0.0
    stalls_per_128: float | None = None
    load_stalls_per_128: float | None = None
    instructions_per_128: float = 0.0
    hvx_per_128: float = 0.0
    floor: float | None = None
    limit: str = ""
    exact: bool = False
    differs: float = 0.0
    most: int = 0
    total: int = 0
    static: bool = False

    @property
    def cost(self) -> float:
        """Packets and stalls."""
        return self.packets_per_128 + (self.stalls_per_128 or 0.0)

    @property
    def ratio(self) -> float | None:
        """The cost as a multiple of the floor."""
        return self.cost / self.floor if self.floor and not self.problem else None


@dataclass(frozen=True, slots=True)
class Options:
    """What is measured. `against`: a file of the user's with functions of the kernels' names. `tuning`: of the project."""

    archs: tuple[str, ...]
    sizes: tuple[int, ...] = SIZES
    against: Path | None = None
    tuning: Tuning = NO_TUNING


def bench(package: str, ops: Iterable[Op], options: Options, root: Path) -> list[Record]:
    """Measures every generated flat kernel of some ops, and the user's functions after them.

    Raises MissingTool (OPK430) and OpkgError (OPK610, OPK611).
    """
    made = [subject for op in ops for subject in subjects(op)]
    users = _users(made, options.against)
    found = [(s, arch, a) for s in made for arch in options.archs for a in _both(users.get(s.name))]
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        jobs = [pool.submit(_records, s, package, arch, options, root, a) for s, arch, a in found]
        return [record for job in jobs for record in job.result()]


def _users(made: Sequence[Subject], file: Path | None) -> dict[str, Against]:
    """The functions of the user's file by name. Raises OpkgError (OPK610) when it has none of the kernels' names."""
    if file is None:
        return {}
    text = file.read_text("utf-8", "replace")
    found = {s.name: Against(file, s.name) for s in made if re.search(rf"\b{re.escape(s.name)}\s*\(", text)}
    if made and not found:
        names = ", ".join(dict.fromkeys(s.name for s in made))
        hint = 'extern "C" void NAME(const void* const* in, void* const* out, size_t n, const float* numbers)'
        raise OpkgError([error("OPK610", f"{file}: has no function with a name of {names}", Span(str(file)), hint)])
    return found


def _both(user: Against | None) -> tuple[Against | None, ...]:
    """The kernel itself, then the user's function if there is one."""
    return (None, user) if user is not None else (None,)


def _records(
    subject: Subject, package: str, arch: str, options: Options, root: Path, against: Against | None
) -> list[Record]:
    unroll = _unroll(subject, package, options.tuning)
    floats = subject.lowered is not None and subject.lowered.float_unit
    if against is None and floats and architecture(arch) >= FLOAT_UNIT:
        return [_scheduled(subject, arch, unroll)]
    problem = _unmeasurable(subject) if against is None or subject.lowered is None else ""
    floor = floor_of(subject, arch) if against is None and not floats else None
    if not problem:
        try:
            found = measure(subject, arch, options.sizes, root, unroll, against)
            return [_record(subject, m, floor, against, unroll) for m in found]
        except ToolFailed as failed:
            problem = f"the compiler fails: {first_error(failed)}"
    blank = Record(subject.name, arch, 0, _strategy(subject, against), problem, unroll)
    blank = replace(blank, floor=_floor_per_128(subject, floor), limit=floor.limit if floor is not None else "")
    return [replace(blank, n=n) for n in options.sizes]


def _scheduled(subject: Subject, arch: str, unroll: int) -> Record:
    """A kernel that no emulator runs, by the schedule of its loop."""
    assert subject.lowered is not None
    blank = Record(subject.name, arch, 0, subject.lowered.strategy, NO_EMULATOR, unroll)
    try:
        found = schedule(subject, arch, unroll)
    except ToolFailed as failed:
        return replace(blank, problem=f"the compiler fails: {first_error(failed)}")
    if found is None:
        return blank if objdump() is not None else replace(blank, problem=NO_DISASSEMBLER)
    return replace(
        blank, problem="", packets_per_128=found.packets, stalls_per_128=found.stalls, floor=found.floor,
        limit=found.limit, static=True,
    )  # fmt: skip


def _unroll(subject: Subject, package: str, tuning: Tuning) -> int:
    """Steps of a turn: what was tuned, else what the strategy says."""
    if not isinstance(subject.lowered, Lowered):
        return subject.lowered.unroll if subject.lowered is not None else 1
    return tuning.unroll(package, subject.snippet.struct, subject.lowered) or subject.lowered.unroll


def _strategy(subject: Subject, against: Against | None) -> str:
    if against is not None:
        return against.file.name
    return subject.lowered.strategy if subject.lowered is not None else "portable"


def _unmeasurable(subject: Subject) -> str:
    if subject.lowered is None:
        return "no strategy has vector code for it"
    if isinstance(subject.lowered, Columns | Places | Scans):
        return "columns, places and running sums have shapes: --call measures them"
    return ""


def floor_of(subject: Subject, arch: str) -> Estimate | None:
    """The floor of a subject; None where there is portable code only."""
    if subject.lowered is None:
        return None
    held = [o.name for place, o in enumerate(subject.inputs) if subject.fixed >> place & 1]
    return packets(subject.lowered, arch, held)


def _record(subject: Subject, m: Measured, floor: Estimate | None, against: Against | None, unroll: int) -> Record:
    strategy = _strategy(subject, against)
    if m.status != 0:
        why = "prepare() refuses typical numbers" if m.status == 1 else "the vector code turns the row down"
        return Record(subject.name, m.arch, m.n, strategy, why)
    share = 128 / (m.n * subject.bytes)
    outputs = sum(m.n if o.name not in subject.reduced else 1 for o in subject.snippet.outputs)
    return Record(
        kernel=subject.name,
        arch=m.arch,
        n=m.n,
        strategy=strategy,
        problem="",
        unroll=unroll,
        packets_per_128=m.packets * share,
        stalls_per_128=m.stalls * share if m.stalls >= 0 else None,
        load_stalls_per_128=m.after_loads * share if m.stalls >= 0 else None,
        instructions_per_128=m.instructions * share,
        hvx_per_128=m.vectors * share,
        floor=_floor_per_128(subject, floor),
        limit=floor.limit if floor is not None else "",
        exact=m.differs == 0,
        differs=m.differs / outputs,
        most=m.most,
        total=m.packets + max(m.stalls, 0),
    )


def _floor_per_128(subject: Subject, floor: Estimate | None) -> float | None:
    """Packets of a step as packets per 128 bytes of the first output."""
    if floor is None or subject.lowered is None:
        return None
    if subject.reduced:
        return floor.per_128
    return floor.packets * 128 / (subject.lowered.step * subject.bytes)
