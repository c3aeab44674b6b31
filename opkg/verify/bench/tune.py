"""Which number of steps per turn of a kernel's loop costs least: all are compiled and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path

from opkg.kernels.cost import architecture
from opkg.kernels.lowered import Lowered
from opkg.kernels.tuning import FILE, Row, Tuning, TuningError, digest, parse
from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.spec.model import Op
from opkg.verify.bench.measure import Measured, measure
from opkg.verify.bench.static import schedule
from opkg.verify.bench.subject import Subject, forms, subjects
from opkg.verify.machines.hexagon.toolchain import ToolFailed

TURNS = (1, 2, 4, 8)
TUNED_ON = ("v66", "v73")
SMALL = 12  # instructions up to which 8 steps are tried
_NAMES = frozenset(
    ("load", "store", "Q6_V_lo_W", "Q6_V_hi_W", "Q6_W_vcombine_VV")
)  # registers, and what has slots of its own
SIZE = 8192
_WORTH = 0.01  # a longer loop has to save this part


@dataclass(frozen=True, slots=True)
class Tuned:
    """A kernel and what each number of steps costs: packets and stalls per 128 output bytes, by turns, on all
    architectures together (their mean). `problem`: why it was not tuned."""

    subject: Subject
    costs: tuple[tuple[int, float], ...]
    best: int
    problem: str = ""

    def rows(self, package: str) -> list[Row]:
        """What is kept of it; nothing when it was not tuned. The best of one form of the kernel serves the other one."""
        if self.problem:
            return []
        found = dict.fromkeys(digest(lowered) for lowered in forms(self.subject))
        return [Row(package, self.subject.snippet.struct, form, self.best) for form in found]


def load(root: Path) -> Tuning:
    """The project's tuning.json; empty when there is none. Raises OpkgError (OPK612) when it cannot be read."""
    path = root / FILE
    try:
        return parse(path.read_text("utf-8"))
    except FileNotFoundError:
        return Tuning()
    except (OSError, UnicodeDecodeError, TuningError) as failure:
        hint = "delete the file and run 'opkg kernel tune'"
        raise OpkgError([error("OPK612", f"tuning that cannot be read: {failure}", Span(FILE), hint)]) from None


def tune(
    ops: Iterable[Op], archs: Sequence[str], root: Path, report: Callable[[str], None] = lambda name: None
) -> list[Tuned]:
    """Tries 1, 2, 4 and, for small kernels, 8 steps on every architecture. Raises MissingTool (OPK430)."""
    found = []
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        jobs = [(s, pool.submit(_tuned, s, archs, root)) for op in ops for s in subjects(op)]
        for subject, job in jobs:
            found.append(job.result())
            report(subject.name)
    return found


def _tuned(subject: Subject, archs: Sequence[str], root: Path) -> Tuned:
    lowered = subject.lowered
    if not isinstance(lowered, Lowered):
        return Tuned(subject, (), 1, "its loops are not unrolled" if lowered is not None else "portable code only")
    if lowered.float_unit:
        return _scheduled(subject, lowered, archs)
    costs = []
    for turns in _turns(lowered):
        try:
            found = [row for arch in archs for row in measure(subject, arch, (SIZE,), root, turns)]
        except ToolFailed:  # compilers do not schedule every loop
            continue
        if any(row.status != 0 for row in found):
            return Tuned(subject, (), lowered.unroll, "it refuses typical numbers")
        costs.append((turns, sum(_cost(row, subject) for row in found) / len(found)))
    if not costs:
        return Tuned(subject, (), lowered.unroll, "the compiler fails")
    return Tuned(subject, tuple(costs), _best(costs))


def _scheduled(subject: Subject, lowered: Lowered, archs: Sequence[str]) -> Tuned:
    """By the schedule of the loop: no emulator has floating point on HVX."""
    costs = []
    for turns in _turns(lowered):
        try:
            found = [schedule(subject, arch, turns) for arch in archs if architecture(arch) >= lowered.arch]
        except ToolFailed:
            continue
        seen = [turn.cost for turn in found if turn is not None]
        if seen and len(seen) == len(found):
            costs.append((turns, sum(seen) / len(seen)))
    if not costs:
        return Tuned(subject, (), lowered.unroll, "the compiler makes no loop of it, or there is no disassembler")
    return Tuned(subject, tuple(costs), _best(costs))


def _turns(lowered: Lowered) -> list[int]:
    return [turns for turns in TURNS if turns < 8 or _size(lowered) <= SMALL]


def _size(lowered: Lowered) -> int:
    """Instructions of a step that compute something."""
    return sum(inst.op not in _NAMES for inst in lowered.body)


def _cost(row: Measured, subject: Subject) -> float:
    return (row.packets + max(row.stalls, 0)) * 128 / (row.n * subject.bytes)


def _best(costs: Sequence[tuple[int, float]]) -> int:
    """The cheapest; of those that are as good as equal, the shortest loop."""
    least = min(cost for _, cost in costs)
    return next(turns for turns, cost in costs if cost <= least * (1 + _WORTH))
