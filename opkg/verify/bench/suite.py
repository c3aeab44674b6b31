"""The suite: ops whose cost is known from elsewhere, as kernels of ours beside compilers and careful code by hand.

suite.yaml has the ops, suite-tuning.json what `opkg kernel tune` found for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from opkg.kernels.lowered import Lowered
from opkg.kernels.tuning import Tuning, parse
from opkg.spec.diagnostics import OpkgError
from opkg.spec.model import Op, OpPackage
from opkg.spec.reader import read
from opkg.verify.bench.record import Options, Record, bench
from opkg.verify.bench.subject import Subject, subjects
from opkg.verify.bench.tune import TUNED_ON, tune
from opkg.verify.machines.hexagon import toolchain

HERE = Path(__file__).parent
SPEC = HERE / "suite.yaml"
TUNING = HERE / "suite-tuning.json"
NEAR = 1.15  # of the floor: where code by hand comes that close, ours has to
TAILS = "3 to 22"  # packets that careful code takes for the last, partial step of a call
CHAIN = 0.6  # of its four passes: what the fused chain may cost
LONGER, TAIL = 1.02, 12  # times the figures of others, and packets more a call, for rows that end within a step


@dataclass(frozen=True, slots=True)
class Known:
    """A row of the table: packets per 128 output bytes with rows of 8192 elements, constants as run-time parameters.

    `kernels` are passes one after another. Pairs are of v66 to v68 and of v69 and later; `halide` is of Halide 21, `careful`
    of intrinsics by hand, with their stalls. None: not known. `most`: what the kernel may take where no others are known.
    """

    name: str
    kernels: tuple[str, ...]
    scalar: float | None
    vectorized: float | None
    halide: float | None
    careful: tuple[float, float] | None
    floor: tuple[float, float]
    most: tuple[float, float] | None = None

    def careful_on(self, arch: str) -> float | None:
        return self.careful[_newer(arch)] if self.careful is not None else None

    def most_on(self, arch: str) -> float | None:
        return self.most[_newer(arch)] if self.most is not None else None

    def floor_on(self, arch: str) -> float:
        return self.floor[_newer(arch)]


KNOWN = (
    Known("saturating add u8", ("add_sat",), 208, 10.3, 2.78, (2.12, 2.12), (2, 2)),
    Known("clip u8 to [lo, hi]", ("clip",), 160, 9.8, 2.66, (2.19, 2.19), (1, 1)),
    Known("add u8+u8 requantized to u8", ("add_q",), 352, 20.5, 6.69, (3.77, 3.77), (3, 3)),
    Known("multiply u8*u8 requantized", ("mul_q",), 480, 21.5, 8.06, (4.56, 3.83), (4, 3.25)),
    Known("absolute difference u8", ("abs_diff",), 192, 2.7, 2.78, (2.14, 2.14), (2, 2)),
    Known("any u8 -> u8 function", ("table8",), 192, 137, 8.83, (8.17, 8.17), (8, 8)),
    Known("any u8 -> u16 function", ("table16",), 96, 68, 9.45, (9.11, 9.11), (8.5, 8.5)),
    Known("leaky relu s8", ("leaky_relu",), 384, 21.4, 7.69, (4.78, 4.23), (4, 3.5)),
    Known("widen u8 -> u16", ("widen",), 80, 1.6, 1.96, (1.06, 1.06), (1, 1)),
    Known("requantize u16 -> u8", ("requantize",), 320, 12.3, 5.27, (3.98, 3.48), (3, 2.75)),
    Known("scale + bias of 32 channels", ("scale_bias",), 336, 197, 7.36, (4.33, 4.33), (3.5, 3.5)),
    Known("add + relu s8, fused", ("add_relu",), 224, 2.7, 3.06, (2.41, 2.41), (2, 2)),
    Known("add, then relu (two passes)", ("add_s8", "relu_s8"), 368, 9.3, None, (3.27, 3.27), (3, 3)),
    Known("maximum over everything", ("max_all",), 144, 1.4, None, (1.48, 1.48), (1, 1)),
    Known("u8 > u8 of different scales", ("greater",), None, None, None, None, (3.75, 3.75), (8, 8)),
    Known("a if a > b else c, u8", ("choice",), None, None, None, None, (6.5, 6.5), (8, 8)),
    Known("(a - b) ** 2, u8", ("square_diff",), None, None, None, None, (4.0, 3.5), (4.9, 4.9)),
)
FUSED, PASSES = "chain4", ("add_q", "mul_q", "sub_q", "relu_q")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table on one architecture and size. `record` None: a pass of it has no figures, `problem` says why.

    `misses`: which figures it does not reach; empty when it does. `tail`: packets and stalls that the call takes more than
    one of whole steps; None for whole steps, and where those were not measured.
    """

    known: Known
    arch: str
    n: int
    record: Record | None
    problem: str
    misses: tuple[str, ...]
    tail: int | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """The fused chain of four ops and its four passes, in packets and stalls per 128 output bytes."""

    arch: str
    n: int
    fused: float
    passes: float

    @property
    def share(self) -> float:
        return self.fused / self.passes

    @property
    def ok(self) -> bool:
        return self.share < CHAIN


@dataclass(frozen=True, slots=True)
class Suite:
    """All records, the rows of the table and the chains."""

    records: tuple[Record, ...]
    rows: tuple[Row, ...]
    chains: tuple[Chain, ...]


Measure = Callable[[str, Sequence[Op], Options, Path], list[Record]]


def package() -> OpPackage:
    """The ops of the suite."""
    found, findings = read(SPEC.read_bytes(), str(SPEC))
    if found is None:
        raise OpkgError(findings)
    return found


def tuning() -> Tuning:
    return parse(TUNING.read_text("utf-8")) if TUNING.is_file() else Tuning()


def run(archs: tuple[str, ...], sizes: tuple[int, ...], root: Path, measure: Measure = bench) -> Suite:
    """Measures the suite, with loops as `opkg kernel tune` leaves them. Raises MissingTool (OPK430). `measure`: `bench`, or
    what does the same elsewhere."""
    suite = package()
    return tabulated(measure(suite.name, suite.ops, Options(archs, sizes, None, tuned(suite, root)), root))


def tuned(suite: OpPackage, root: Path) -> Tuning:
    """suite-tuning.json; kernels that are not in it as they are now are tuned first."""
    known = tuning()
    stale = [op for op in suite.ops if any(not _known(known, suite.name, s) for s in subjects(op))]
    archs = tuple(arch for arch in TUNED_ON if arch in toolchain.runnable())
    rows = [row for found in tune(stale, archs, root) for row in found.rows(suite.name)]
    return known.with_rows(rows)


def _known(known: Tuning, name: str, subject: Subject) -> bool:
    lowered = subject.lowered
    return not isinstance(lowered, Lowered) or known.unroll(name, subject.snippet.struct, lowered) is not None


def tabulated(records: Sequence[Record]) -> Suite:
    """The table from the records of the suite's kernels."""
    by_kernel = {(r.kernel, r.arch, r.n): r for r in records}
    places = list(dict.fromkeys((r.arch, r.n) for r in records))
    rows = [_row(known, by_kernel, arch, n) for known in KNOWN for arch, n in places]
    whole = {(row.known.name, row.arch, row.n): row.record for row in rows}
    rows = [replace(row, tail=_tail(row, whole.get((row.known.name, row.arch, row.n - row.n % 128)))) for row in rows]
    chains = [_chain(by_kernel, arch, n) for arch, n in places]
    sums = [row.record for row in rows if row.record is not None and len(row.known.kernels) > 1]
    return Suite((*records, *sums), tuple(rows), tuple([chain for chain in chains if chain is not None]))


def _row(known: Known, records: dict[tuple[str, str, int], Record], arch: str, n: int) -> Row:
    passes = [records[name, arch, n] for name in known.kernels if (name, arch, n) in records]
    problem = next((f"{p.kernel}: {p.problem}" for p in passes if p.problem), "" if passes else "not measured")
    if problem:
        return Row(known, arch, n, None, problem, (problem,))
    record = passes[0] if len(passes) == 1 else _joined(passes)
    return Row(known, arch, n, record, "", tuple(_misses(known, record)))


def _tail(row: Row, whole: Record | None) -> int | None:
    if row.record is None or whole is None or row.n % 128 == 0:
        return None
    return row.record.total - whole.total


def _misses(known: Known, record: Record) -> list[str]:
    """What does not hold; two decimals count, as in the table."""
    cost, careful, floor = round(record.cost, 2), known.careful_on(record.arch), known.floor_on(record.arch)
    times, more, said = 1.0, 0.0, "{}"
    if record.n % 128 != 0:
        packets = TAIL * len(known.kernels)
        times, more = LONGER, packets * record.cost / record.total if record.total else 0.0
        said = f"{LONGER} x {{}} + {packets} packets"
    missed = []
    if careful is not None and cost > careful * times + more:
        missed.append(said.format(f"careful {careful:.2f}"))
    if careful is not None and cost > floor * NEAR * times + more and floor * NEAR >= careful:
        missed.append(said.format(f"{NEAR} x floor {floor:g}"))
    most = known.most_on(record.arch)
    if most is not None and cost > most * times + more:
        missed.append(said.format(f"at most {most:g}"))
    if known.halide is not None and cost > known.halide:
        missed.append(f"Halide {known.halide:.2f}")
    return missed


def _joined(passes: Sequence[Record]) -> Record:
    """Several passes as one kernel."""
    stalls = [p.stalls_per_128 for p in passes]
    loads = [p.load_stalls_per_128 for p in passes]
    return Record(
        kernel="+".join(p.kernel for p in passes),
        arch=passes[0].arch,
        n=passes[0].n,
        strategy="+".join(dict.fromkeys(p.strategy for p in passes)),
        problem="",
        unroll=max(p.unroll for p in passes),
        packets_per_128=sum(p.packets_per_128 for p in passes),
        stalls_per_128=sum(s or 0.0 for s in stalls) if None not in stalls else None,
        load_stalls_per_128=sum(s or 0.0 for s in loads) if None not in loads else None,
        instructions_per_128=sum(p.instructions_per_128 for p in passes),
        hvx_per_128=sum(p.hvx_per_128 for p in passes),
        floor=sum(p.floor or 0.0 for p in passes),
        limit=passes[0].limit,
        exact=all(p.exact for p in passes),
        differs=max(p.differs for p in passes),
        most=max(p.most for p in passes),
        total=sum(p.total for p in passes),
    )


def _chain(records: dict[tuple[str, str, int], Record], arch: str, n: int) -> Chain | None:
    names = (FUSED, *PASSES)
    found = [records[name, arch, n] for name in names if (name, arch, n) in records]
    if len(found) < len(names) or any(r.problem for r in found):
        return None
    return Chain(arch, n, found[0].cost, sum(r.cost for r in found[1:]))


def _newer(arch: str) -> int:
    return int(int(arch.removeprefix("v")) >= 69)
