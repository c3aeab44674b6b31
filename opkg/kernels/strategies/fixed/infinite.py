"""What a graph is where a quotient is infinite or NaN, as its divisor is 0: as a graph without this quotient."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.strategies.fixed.numbers import Unfit
from opkg.spec.compute.types import Type

LARGE = 1e300  # saturates, whatever a step is
NAN = "nan"
Special = str | int | float  # a number of a node; -inf or inf; NaN
_KEEPS = frozenset(("floor", "ceil", "round", "trunc"))
_LINEAR = frozenset(("neg", "add", "sub", "mul", "div", "max", "min", "abs"))
INF = float("inf")


class Infinite:
    """Copies a graph's nodes with some of them infinite or NaN, and one input 0."""

    def __init__(self, graph: Graph, nodes: list[Node], zero: tuple[int, int], quotients: Mapping[int, int]) -> None:
        """`zero`: the numbers of the input that is 0 and of the 0. `quotients`: what nodes are, times the sign of their
        dividend: 1, -1, or 0 for NaN."""
        self._graph, self._nodes, self._zero, self._quotients = graph, nodes, zero, quotients

    def at(self, sign: int) -> dict[int, int]:
        """The number of each node where the dividend has a sign. Raises Unfit."""
        found: dict[int, Special] = {}
        for index, node in enumerate(self._graph.nodes):
            if index in self._quotients:
                side = self._quotients[index] * sign
                found[index] = side * INF if side else NAN
            elif index == self._zero[0]:
                found[index] = self._zero[1]
            else:
                found[index] = self._made(index, node, [found[arg] for arg in node.args])
        return {index: self._number(value) for index, value in found.items()}

    def _made(self, index: int, node: Node, args: list[Special]) -> Special:
        if all(isinstance(arg, int) for arg in args):
            numbers = tuple(arg for arg in args if isinstance(arg, int))
            return index if numbers == node.args else self._add(replace(node, args=numbers))
        if NAN not in args:
            return self._infinite(node, args)
        if node.op not in _LINEAR | _KEEPS:
            raise Unfit(f"a '{node.op}' of what may be NaN")
        return NAN

    def _infinite(self, node: Node, args: list[Special]) -> Special:
        first = next(arg for arg in args if isinstance(arg, float))
        match node.op:
            case "neg":
                return -first
            case "add" | "sub":
                return self._sum(node, args)
            case "mul":
                return self._product(node, args)
            case "div" if not isinstance(args[1], float):
                return self._product(node, args)
            case "max" | "min":
                if (first > 0) is (node.op == "max"):
                    return first
                return next((arg for arg in args if arg != first), first)
            case "abs":
                return INF
            case "select" if args[1] == args[2]:
                return args[1]
            case op if op in _KEEPS:
                return first
        raise Unfit(f"a '{node.op}' of what may be infinite")

    def _sum(self, node: Node, args: list[Special]) -> Special:
        signs = (1.0, 1.0 if node.op == "add" else -1.0)
        found = {arg * sign for arg, sign in zip(args, signs, strict=True) if isinstance(arg, float)}
        return found.pop() if len(found) == 1 else NAN

    def _product(self, node: Node, args: list[Special]) -> Special:
        sign = 1.0
        for arg in args:
            if isinstance(arg, float):
                sign = sign if arg > 0 else -sign
                continue
            value = self._nodes[arg].value if isinstance(arg, int) and self._nodes[arg].op == "const" else None
            if value is None or (value == 0 and node.op == "div"):
                raise Unfit("a product of what may be infinite and a tensor")
            if value == 0:
                return NAN
            sign = sign if value > 0 else -sign
        return sign * INF

    def _number(self, value: Special) -> int:
        if isinstance(value, int):
            return value
        number = 0.0 if isinstance(value, str) else LARGE if value > 0 else -LARGE
        return self._add(Node("const", (), Type.REAL, value=number, uniform=True))

    def _add(self, node: Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1
