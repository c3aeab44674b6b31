"""A patched model on a terminal: what stands where now, nodes and bytes before and after, and how far outputs moved."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.fuse.patch.api import Difference, Patched
from opkg.report.bench_text import table
from opkg.report.findings_text import visible
from opkg.report.paint import Paint, plain
from opkg.report.verify_words import plural

HEAD = ("op", "in place of", "types", "bytes before", "after", "ends at")
MOST_NAMES = 6


def render(result: Patched, paint: Paint = plain) -> str:
    """The table of places, matches that are none, totals."""
    parts = []
    if result.found.places:
        parts.append(table([HEAD, *_rows(result)], paint, left=(0, 1, 2, 5)))
    if result.found.left:
        lines = [f"  {one.op} at {one.node}: {one.reason}" for one in result.found.left]
        parts.append("not replaced:\n" + visible("\n".join(lines)))
    (nodes, left), (before, after) = result.nodes, result.bytes
    parts.append(f"{plural(nodes, 'node')}, {left} after; {before:,} bytes moved, {after:,} after")
    if result.outputs:
        parts.append("\n".join(_output(each) for each in result.outputs))
    return "\n\n".join(parts) + "\n"


def _rows(result: Patched) -> Iterator[tuple[str, ...]]:
    nodes = result.found.model.nodes
    for place in result.found.places:
        ops = [nodes[number].op for number in place.nodes]
        more = " ..." if len(ops) > MOST_NAMES else ""
        words = " ".join(ops[:MOST_NAMES]) + more
        types = place.combination.suffix or "-"
        ends = visible(nodes[place.nodes[-1]].name)
        yield place.op.name, visible(words), types, f"{place.before:,}", f"{place.after:,}", ends


def _output(each: Difference) -> str:
    unit = " steps" if each.steps else ""
    if each.largest == 0:
        return visible(f"{each.name}: the same numbers on onnxruntime's CPU provider")
    return visible(f"{each.name}: off by {each.largest:.3g}{unit} at most, largest value {each.value:.3g}")
