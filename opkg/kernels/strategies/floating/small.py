"""Integers that are small enough for quick ways to single precision: stored elements less their zero points."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Node
from opkg.kernels.snippet import Snippet
from opkg.spec.compute.types import Type

SMALL = 1 << 22  # the sums that are exact in single precision beside 3 * 2^22
PARAM = 1 << 20  # `prepare` refuses larger params
SUMS = frozenset(("add", "sub", "neg"))


def sizes(snippet: Snippet) -> tuple[int, ...]:
    """For each node how far from 0 it is at most, if that is small and it is an integer; else 0."""
    found: list[int] = []
    for node in snippet.graph.nodes:
        size = _size(snippet, node, found) if node.type is Type.INTEGER else 0
        found.append(size if size < SMALL else 0)
    return tuple(found)


def _size(snippet: Snippet, node: Node, found: list[int]) -> int:
    if node.op == "const":
        return max(1, abs(int(node.value or 0)))
    if node.op == "param" and node.uniform:
        return PARAM
    if node.op in ("input", "param"):
        operand = snippet.operand(node.name)
        return max(map(abs, operand.dtype.limits)) if operand.storage.bits <= 16 else 0
    args = [found[arg] for arg in node.args]
    return sum(args) if node.op in SUMS and all(args) else 0
