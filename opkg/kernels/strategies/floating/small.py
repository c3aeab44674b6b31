"""Integers that are small enough for quick ways to single precision: stored elements less their zero points; and larger ones,
sums of which are real numbers."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.snippet import Snippet
from opkg.spec.compute.types import Type

SMALL = 1 << 22  # the sums that are exact in single precision beside 3 * 2^22
PARAM = 1 << 20  # `prepare` refuses larger params
SUMS = frozenset(("add", "sub", "neg"))
_AS_REALS = SUMS | {"mul", "min", "max"}
_INT64, _PARAM_BITS = 63, 32


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


def sums_as_reals(snippet: Snippet) -> Snippet | None:
    """The snippet with sums of integers as sums of real numbers, where quantized results are all that is made of them; None where
    there are none, or integers could wrap or be decided on."""
    graph = snippet.graph
    if not all(snippet.operand(result.name).quantized for result in graph.results):
        return None
    nodes = [replace(node, type=Type.REAL) if _is_sum(node) else node for node in graph.nodes]
    whole = [node for node in nodes if node.type is Type.INTEGER and node.args and not node.uniform]
    decided = [node for node in nodes if node.type is Type.BOOL and not node.uniform]
    if nodes == list(graph.nodes) or whole or decided or any(n.op in ("cast", "floor_div", "mod") for n in nodes):
        return None
    return replace(snippet, graph=Graph(tuple(nodes), graph.results)) if max(_bits(snippet)) < _INT64 else None


def _is_sum(node: Node) -> bool:
    return node.type is Type.INTEGER and node.op in _AS_REALS and not node.uniform


def _bits(snippet: Snippet) -> list[int]:
    """How many bits, without the sign, the integers of a graph have at most; 0 for other nodes."""
    found: list[int] = []
    for node in snippet.graph.nodes:
        args = [found[arg] for arg in node.args]
        if node.type is not Type.INTEGER:
            found.append(0)
        elif node.op == "const":
            found.append(abs(int(node.value or 0)).bit_length())
        elif not args:
            found.append(_PARAM_BITS if node.uniform else snippet.operand(node.name).storage.bits)
        else:
            found.append(sum(args) if node.op == "mul" else max(args) + (node.op in ("add", "sub")))
    return found
