"""Measured kernels on a terminal: one line a kernel, or the table of the suite with the figures of others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opkg.report.paint import Paint, plain
from opkg.verify.bench.record import Record
from opkg.verify.bench.suite import CHAIN, TAILS, Row, Suite

GAP = "  "
NOTE = "packets and stalls per 128 output bytes; floor: of the algorithm's instructions; x: times the floor"
STATIC = "static: read in the disassembly of the compiled loop, which no emulator runs; floor: of the loop's own instructions"


def records(found: Sequence[Record], paint: Paint = plain) -> str:
    """Everything that was measured of a few kernels."""
    head = ("kernel", "arch", "n", "packets", "stalls", "sum", "floor", "x", "instr", "hvx", "by", "exact")
    lines: list[Sequence[str]] = [head]
    for record in found:
        start = (record.kernel, record.arch, "loop" if record.static else str(record.n or "-"))
        if record.problem:
            lines.append((*start, *("-",) * 3, _figure(record.floor), *("-",) * 3, record.strategy, record.problem))
            continue
        counts = (record.instructions_per_128, record.hvx_per_128)
        lines.append((
            *start, f"{record.packets_per_128:.2f}", _figure(record.stalls_per_128), f"{record.cost:.2f}",
            _figure(record.floor), _figure(record.ratio), *("-" if record.static else f"{each:.2f}" for each in counts),
            _by(record), exactness(record),
        ))  # fmt: skip
    note = f"{NOTE}\n{STATIC}" if any(record.static for record in found) else NOTE
    return table(lines, paint, left=(0, 10, 11)) + f"\n\n{note}\n"


def exactness(record: Record) -> str:
    """`yes`, or how often the result is not that of the portable code; `static` where nothing ran."""
    if record.static:
        return "static"
    if record.exact:
        return "yes"
    return f"{record.differs:.2%} differ by {record.most} step{'s' if record.most != 1 else ''}"


def suite(found: Suite, paint: Paint = plain) -> str:
    """The table: our figures beside those of compilers and of code by hand, row by row, and the chain."""
    parts = [_suite_table(found, arch, n, paint) for arch, n in dict.fromkeys((r.arch, r.n) for r in found.rows)]
    missed = [row for row in found.rows if row.misses]
    parts.append(f"{NOTE}\n" + _verdict(found.rows, missed))
    if found.chains:
        lines = [
            f"{c.arch}, n = {c.n}: {c.fused:.2f} fused, {c.passes:.2f} in four passes: {c.share:.2f} of them "
            f"({'below' if c.ok else 'MISSES'} {CHAIN})"
            for c in found.chains
        ]
        parts.append("a chain of four ops, max((a + b) * c - d, 0) on u8:\n  " + "\n  ".join(lines))
    return "\n\n".join(parts) + "\n"


def _verdict(rows: Sequence[Row], missed: Sequence[Row]) -> str:
    if not missed:
        return f"all {len(rows)} rows reach their figures"
    lines = [f"  {row.known.name} ({row.arch}, n = {row.n}): {'; '.join(row.misses)}{_tail(row)}" for row in missed]
    note = f"\n  (the figures of others are for 8192 elements; their tails take {TAILS} packets a call)"
    return (
        f"{len(rows) - len(missed)} of {len(rows)} rows reach their figures; these miss:\n"
        + "\n".join(lines)
        + (note if any(row.tail is not None for row in missed) else "")
    )


def _tail(row: Row) -> str:
    """What the last, partial step costs, where that is what a row misses by."""
    return f"; {row.tail} packets of a tail in it" if row.tail is not None else ""


def _suite_table(found: Suite, arch: str, n: int, paint: Paint) -> str:
    head = (
        "kernel",
        "packets",
        "stalls",
        "sum",
        "floor",
        "x",
        "careful",
        "Halide 21",
        "vectorized",
        "scalar",
        "",
        "by",
    )
    lines = [head]
    for row in found.rows:
        if (row.arch, row.n) != (arch, n):
            continue
        known = row.known
        vectorized, scalar = ("-" if cost is None else f"{cost:g}" for cost in (known.vectorized, known.scalar))
        others = (_figure(known.careful_on(arch)), _figure(known.halide), vectorized, scalar)
        if row.record is None:
            lines.append((known.name, "-", "-", "-", f"{known.floor_on(arch):g}", "-", *others, "-", row.problem))
            continue
        record = row.record
        mine = (f"{record.packets_per_128:.2f}", _figure(record.stalls_per_128), f"{record.cost:.2f}")
        mark = "misses" if row.misses else "ok"
        lines.append((known.name, *mine, _figure(record.floor), _figure(record.ratio), *others, mark, _by(record)))
    return paint(f"{arch}, n = {n}", "head") + "\n" + table(lines, paint, left=(0, 10, 11))


def _by(record: Record) -> str:
    return f"{record.strategy} x{record.unroll}" if record.floor is not None else record.strategy


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def table(lines: Iterable[Sequence[str]], paint: Paint, left: Sequence[int]) -> str:
    """Columns: numbers to the right, texts to the left."""
    rows = list(lines)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    shown = []
    for number, row in enumerate(rows):
        cells = [
            text.ljust(w) if i in left else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths, strict=True))
        ]
        line = GAP.join(cells).rstrip()
        shown.append(paint(line, "dim") if number == 0 else line.replace("misses", paint("misses", "bad")))
    return "\n".join(shown)
