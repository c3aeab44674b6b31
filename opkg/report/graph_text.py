"""What an op adds to graphs of convolutions, on a terminal: one line per graph."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.report.bench_text import table
from opkg.report.paint import Paint, plain
from opkg.verify.graphs.measure import Row

HEAD = ("types", "shape", "pairs", "conversions", "per op", "kernels", "other records")
LEFT = (0, 1, 5, 6)  # columns of texts
NOTE = "conversions: records that bring a tensor from one layout into another, more than the convolutions have alone"


def render(rows: Sequence[Row], paint: Paint = plain) -> str:
    """The table, and below it the element types without figures."""
    shown = [row for row in rows if not row.problem]
    parts = [table([HEAD, *(_line(row) for row in shown)], paint, LEFT) + f"\n\n{NOTE}"] if shown else []
    flat = dict.fromkeys(f"{row.types or row.op}: {row.why}" for row in shown if row.why)
    parts += ["why:\n  " + "\n  ".join(flat)] if flat else []
    lacking = [f"{row.types or row.op}: {row.problem}" for row in rows if row.problem]
    return "\n\n".join([*parts, *(["no graph:\n  " + "\n  ".join(lacking)] if lacking else [])]) + "\n"


def _line(row: Row) -> tuple[str, ...]:
    kernels = ", ".join(f"{count} {name}" for name, count in row.kernels)
    others = ", ".join(f"{count:+d} {name}" for name, count in row.added)
    shape = "x".join(map(str, row.shape))
    return (row.types, shape, str(row.pairs), str(row.conversions), f"{row.per_op:.2g}", kernels, others)
