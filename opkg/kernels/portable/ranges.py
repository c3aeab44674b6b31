"""Intervals of a graph's integer values, so that portable code need not wrap where nothing can overflow."""

from __future__ import annotations

from collections.abc import Mapping

from opkg.kernels.graphs.graph import Graph, Node
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind

Interval = tuple[int, int]
ANY: Interval = (-(1 << 63), (1 << 63) - 1)


def fits(interval: Interval | None) -> bool:
    """Whether 64 bits hold the interval."""
    return interval is not None and ANY[0] <= interval[0] and interval[1] <= ANY[1]


def ranges(graph: Graph, bounds: Mapping[str, Interval]) -> list[Interval]:
    """The interval of every node; that of a real or bool value means nothing. `bounds`: of inputs and params by name."""
    found: list[Interval] = []
    for node in graph.nodes:
        interval = _range(graph, node, found, bounds) if node.type is Type.INTEGER else ANY
        found.append(interval if fits(interval) else ANY)
    return found


def _range(graph: Graph, node: Node, found: list[Interval], bounds: Mapping[str, Interval]) -> Interval:
    args = [found[arg] for arg in node.args]
    match node.op:
        case "const":
            return int(node.value or 0), int(node.value or 0)
        case "input" | "param":
            return bounds.get(node.name, ANY)
        case "cast":
            return _cast(graph, node, args[0])
        case "select":
            return min(args[1][0], args[2][0]), max(args[1][1], args[2][1])
        case "neg":
            return -args[0][1], -args[0][0]
        case "abs":
            return (0, max(-args[0][0], args[0][1])) if args[0] != ANY else ANY
        case "sign":
            return -1, 1
        case "floor" | "ceil" | "round" | "trunc" | "reduce_min" | "reduce_max":
            return args[0]
        case "reduce_argmin" | "reduce_argmax":
            return 0, (1 << 32) - 1
        case "add":
            return args[0][0] + args[1][0], args[0][1] + args[1][1]
        case "sub":
            return args[0][0] - args[1][1], args[0][1] - args[1][0]
        case "mul":
            products = [a * b for a in args[0] for b in args[1]]
            return min(products), max(products)
        case "bit_and" if args[0][0] >= 0 and args[1][0] >= 0:
            return 0, min(args[0][1], args[1][1])
        case "bit_and" | "bit_or" | "bit_xor":
            size = max(max(-1 - low, high).bit_length() for low, high in args)
            return 0 if min(args[0][0], args[1][0]) >= 0 else -(1 << size), (1 << size) - 1
        case "shift_right":
            return min(args[0][0], 0), max(args[0][1], 0)
        case "min":
            return min(args[0][0], args[1][0]), min(args[0][1], args[1][1])
        case "max":
            return max(args[0][0], args[1][0]), max(args[0][1], args[1][1])
    return ANY


def _cast(graph: Graph, node: Node, operand: Interval) -> Interval:
    row = DTYPES[node.dtype]
    if graph[node.args[0]].type is Type.BOOL or row.kind is Kind.BOOL:
        return 0, 1
    low, high = row.limits
    if graph[node.args[0]].type is Type.REAL:
        return low, high
    return min(max(operand[0], low), high), max(min(operand[1], high), low)
