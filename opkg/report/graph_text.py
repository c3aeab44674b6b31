"""What an op adds to graphs of convolutions, on a terminal: one line per graph."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.report.paint import Paint, plain
from opkg.verify.graphs.measure import Row

HEAD = ("types", "shape", "pairs", "conversions", "per op", "kernels", "other records")
NOTE = "conversions: records that bring a tensor from one layout into another, more than the convolutions have alone"


def render(rows: Sequence[Row], paint: Paint = plain) -> str:
    """The table, and below it the element types without figures."""
    shown = [row for row in rows if not row.problem]
    parts = [_table([HEAD, *(_line(row) for row in shown)], paint) + f"\n\n{NOTE}"] if shown else []
    lacking = [f"{row.types or row.op}: {row.problem}" for row in rows if row.problem]
    return "\n\n".join([*parts, *(["no graph:\n  " + "\n  ".join(lacking)] if lacking else [])]) + "\n"


def _line(row: Row) -> tuple[str, ...]:
    kernels = ", ".join(f"{count} {name}" for name, count in row.kernels)
    others = ", ".join(f"{count:+d} {name}" for name, count in row.added)
    shape = "x".join(map(str, row.shape))
    return (row.types, shape, str(row.pairs), str(row.conversions), f"{row.per_op:.2g}", kernels, others)


def _table(lines: Sequence[Sequence[str]], paint: Paint) -> str:
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    left = (0, 1, 5, 6)
    texts = [
        "  ".join(t.ljust(w) if i in left else t.rjust(w) for i, (t, w) in enumerate(zip(line, widths, strict=True)))
        for line in lines
    ]
    return "\n".join(paint(text.rstrip(), "dim") if not n else text.rstrip() for n, text in enumerate(texts))
