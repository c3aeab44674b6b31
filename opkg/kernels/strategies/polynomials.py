"""What a graph computes of its only input as a polynomial, and whether that always rises or always falls."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Graph
from opkg.kernels.strategies.softplus import constant

_MOST = 3  # the highest power


def steady(graph: Graph, at: int) -> bool:
    """Whether a node is a polynomial of the third degree with known coefficients whose slope is nowhere 0."""
    found = coefficients(graph, at)
    if found is None:
        return False
    _, slope, bend, twist = (*found, 0.0, 0.0, 0.0, 0.0)[: _MOST + 1]
    return bend * bend < 3 * slope * twist


def coefficients(graph: Graph, at: int) -> tuple[float, ...] | None:
    """Those of a node, from the constant on; None where it is no polynomial of numbers and the input, or a high one."""
    node = graph[at]
    if node.op == "input":
        return (0.0, 1.0)
    if node.op == "const":
        return (constant(graph, at),)
    args = [coefficients(graph, arg) for arg in node.args]
    known = [arg for arg in args if arg is not None]
    if len(known) < len(args):
        return None
    if node.op == "neg":
        return tuple(-number for number in known[0])
    if node.op in ("add", "sub"):
        return _sum(known[0], known[1], 1.0 if node.op == "add" else -1.0)
    if node.op == "mul" and len(known[0]) + len(known[1]) <= _MOST + 2:
        return _product(known[0], known[1])
    if node.op == "div" and len(known[1]) == 1 and known[1][0] != 0:
        return tuple(number / known[1][0] for number in known[0])
    return None


def _sum(a: tuple[float, ...], b: tuple[float, ...], sign: float) -> tuple[float, ...]:
    long = max(len(a), len(b))
    first, second = (each + (0.0,) * (long - len(each)) for each in (a, b))
    return tuple(x + sign * y for x, y in zip(first, second, strict=True))


def _product(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, ...]:
    made = [0.0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            made[i + j] += x * y
    return tuple(made)
