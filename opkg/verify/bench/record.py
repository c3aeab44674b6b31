"""What is reported of a kernel: packets and stalls per 128 bytes, the floor of its algorithm, whether it is exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path

from opkg.kernels.cost import Estimate, packets
from opkg.spec.model import Op
from opkg.verify.bench.measure import Against, Measured, measure
from opkg.verify.bench.subject import Subject, subjects

SIZES = (8192, 8192 + 37)


@dataclass(frozen=True, slots=True)
class Record:
    """One kernel on one architecture with rows of n elements. Figures are per 128 bytes of the (first) output, or of the
    input where the output has one element a row.

    `problem`: why there are no figures. `stalls_per_128` is None where they could not be found out. `exact`: every
    element is that of the portable code; else `differs` is the part of the elements that is not, `most` by how many
    steps. `floor`: packets by the units, loads and stores that the algorithm needs; None for a file of the user's.
    """

    kernel: str
    arch: str
    n: int
    strategy: str
    problem: str
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

    @property
    def cost(self) -> float:
        """Packets and stalls."""
        return self.packets_per_128 + (self.stalls_per_128 or 0.0)

    @property
    def ratio(self) -> float | None:
        """The cost as a multiple of the floor."""
        return self.cost / self.floor if self.floor and not self.problem else None


def bench(op: Op, archs: Sequence[str], sizes: Sequence[int], root: Path, against: Path | None = None) -> list[Record]:
    """Measures every generated flat kernel of an op, and with `against` the user's function of the same name after it.

    Raises MissingTool (OPK430) and OpkgError (OPK610, OPK611).
    """
    found = list(subjects(op))
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        jobs = [
            pool.submit(_records, s, arch, sizes, root, a) for s in found for arch in archs for a in _users(s, against)
        ]
        return [record for job in jobs for record in job.result()]


def _users(subject: Subject, against: Path | None) -> Iterator[Against | None]:
    yield None
    if against is not None:
        yield Against(against, subject.name)


def _records(subject: Subject, arch: str, sizes: Sequence[int], root: Path, against: Against | None) -> list[Record]:
    problem = _unmeasurable(subject) if against is None or subject.lowered is None else ""
    if problem:
        return [Record(subject.name, arch, n, _strategy(subject, against), problem) for n in sizes]
    floor = floor_of(subject, arch) if against is None else None
    return [_record(subject, m, floor, against) for m in measure(subject, arch, sizes, root, None, against)]


def _strategy(subject: Subject, against: Against | None) -> str:
    if against is not None:
        return against.file.name
    return subject.lowered.strategy if subject.lowered is not None else "portable"


def _unmeasurable(subject: Subject) -> str:
    if subject.lowered is None:
        return "no strategy has vector code for it"
    if subject.lowered.float_unit:
        return "floating point on HVX does not run in the emulator"
    return ""


def floor_of(subject: Subject, arch: str) -> Estimate:
    """The floor of a subject that has vector code."""
    assert subject.lowered is not None
    held = [o.name for place, o in enumerate(subject.inputs) if subject.fixed >> place & 1]
    return packets(subject.lowered, arch, held)


def _record(subject: Subject, m: Measured, floor: Estimate | None, against: Against | None) -> Record:
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
    )


def _floor_per_128(subject: Subject, floor: Estimate | None) -> float | None:
    """Packets of a step as packets per 128 bytes of the first output."""
    if floor is None or subject.lowered is None:
        return None
    if subject.reduced:
        return floor.per_128
    return floor.packets * 128 / (subject.lowered.step * subject.bytes)
