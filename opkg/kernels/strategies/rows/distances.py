"""Rows written so that elements and their extreme only meet as distances, which quantized numbers have exactly.

`x * s - max(x * s)` is `(x - max(x)) * s` where s is not negative, and `z - (max(z) + r)` is `(z - max(z)) - r`. Where s is
one number for each row, of any sign, it is the lesser one of `(x - max(x)) * s` and `(x - min(x)) * s`.
"""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.snippet import Snippet
from opkg.spec.compute.types import Type

_EXTREMES = ("reduce_max", "reduce_min")


def by_distances(snippet: Snippet) -> Snippet:
    """The snippet, its graph rewritten; the same one where there is nothing to write anew."""
    writer = _Writer(snippet)
    graph = writer.written()
    return snippet if graph == snippet.graph else replace(snippet, graph=graph)


def factors_down_to(snippet: Snippet, at: int) -> tuple[int, ...] | None:
    """The nodes from one down to the quantized input that it is a positive multiple of, the input last; None if it is no such."""
    writer = _Writer(snippet)
    writer.nodes.list = list(snippet.graph.nodes)
    found = [at]
    while snippet.graph[found[-1]].op != "input":
        inner = writer._scaled(found[-1])
        if inner is None:
            return None
        found.append(inner)
    name = snippet.graph[found[-1]].name
    return tuple(found) if snippet.operand(name).quantized else None


class _Writer:
    def __init__(self, snippet: Snippet) -> None:
        self.graph = snippet.graph
        self.nodes = Nodes(share=True)
        lows = {param.name: param.low for param in snippet.params if param.low is not None}
        self.positive = {name for name, low in lows.items() if low > 0}
        self.factors = {name for name, low in lows.items() if low >= 0}
        self.quantized = {operand.name for operand in snippet.inputs if operand.quantized}
        self.across = snippet.across & self.quantized

    def written(self) -> Graph:
        place: list[int] = []
        for node in self.graph.nodes:
            args = tuple([place[arg] for arg in node.args])
            place.append(self._put(replace(node, args=args)))
        return self.nodes.graph([Result(result.name, place[result.node]) for result in self.graph.results])

    def _put(self, node: Node) -> int:
        if node.op in _EXTREMES and (scaled := self._scaled(node.args[0])) is not None:
            inner = self._put(replace(node, args=(scaled,), origin=""))
            return self._like(node.args[0], inner, node.origin)
        if node.op == "sub" and node.type is Type.REAL:
            return self._difference(node)
        return self.nodes.add(node)

    def _difference(self, node: Node) -> int:
        left, right = node.args
        other = self.nodes.list[right]
        if other.op == "add":
            for extreme, rest in (other.args, other.args[::-1]):
                if self._is_extreme(extreme, left):
                    distance = self._difference(replace(node, args=(left, extreme), origin=""))
                    return self.nodes.add(replace(node, args=(distance, rest)))
        if self._is_extreme(right, left) and self._scaled(left) is not None:
            inner = self._difference(replace(node, args=(self._factor(left)[0], self._factor(right)[0]), origin=""))
            return self._like(left, inner, node.origin)
        if (parts := self._of_any_sign(left)) is not None and other.op in _EXTREMES and other.args == (left,):
            return self._nearest(node, *parts)
        first = self.nodes.list[left]
        if self._of_any_sign(right) is not None and first.op in _EXTREMES and first.args == (right,):
            distance = self._difference(replace(node, args=(right, left), origin=""))
            return self.nodes.add(Node("neg", (distance,), Type.REAL, origin=node.origin))
        return self.nodes.add(node)

    def _nearest(self, node: Node, value: int, factor: int) -> int:
        """The distance of a product from its extreme, made of distances of elements from both of theirs."""
        extreme = self.nodes.list[node.args[1]]
        ends = [self.nodes.add(replace(extreme, op=op, args=(value,), origin="")) for op in _EXTREMES]
        apart = [self.nodes.add(replace(node, args=(value, end), origin="")) for end in ends]
        scaled = [self.nodes.add(Node("mul", (distance, factor), Type.REAL)) for distance in apart]
        nearest = "min" if extreme.op == "reduce_max" else "max"
        return self.nodes.add(Node(nearest, tuple(scaled), Type.REAL, origin=node.origin))

    def _of_any_sign(self, at: int) -> tuple[int, int] | None:
        """A quantized input, and what it is multiplied with: a number of the row, or of the call."""
        node = self.nodes.list[at]
        if node.op != "mul" or node.type is not Type.REAL:
            return None
        for value, factor in (node.args, node.args[::-1]):
            x, by = self.nodes.list[value], self.nodes.list[factor]
            of_row = by.op == "input" and by.name in self.across
            if x.op == "input" and x.name not in self.across and (of_row or (by.op == "param" and by.uniform)):
                return (value, factor) if x.name in self.quantized and by.type is Type.REAL else None
        return None

    def _like(self, at: int, inner: int, origin: str) -> int:
        """What multiplies or divides in `at`, of another value."""
        node = self.nodes.list[at]
        value, factor = self._factor(at)
        args = tuple([inner if arg == value else factor for arg in node.args])
        return self.nodes.add(replace(node, args=args, origin=origin))

    def _factor(self, at: int) -> tuple[int, int]:
        """The value, and the number of the call that it is multiplied with or divided by."""
        left, right = self.nodes.list[at].args
        return (right, left) if self.nodes.list[left].uniform else (left, right)

    def _scaled(self, at: int) -> int | None:
        """What is multiplied with a positive number of the call, or divided by it: an input, or such a product."""
        node = self.nodes.list[at]
        if node.op not in ("mul", "div") or node.type is not Type.REAL or node.uniform:
            return None
        value, factor = self._factor(at)
        if node.op == "div" and value != node.args[0]:
            return None
        if self.nodes.list[value].op != "input" and self._scaled(value) is None:
            return None
        by = self.nodes.list[factor]
        if by.op == "const":
            return value if by.value is not None and not isinstance(by.value, bool) and by.value > 0 else None
        given = self.positive if node.op == "div" else self.factors
        return value if by.op == "param" and by.uniform and by.name in given else None

    def _is_extreme(self, extreme: int, of: int) -> bool:
        node = self.nodes.list[extreme]
        if node.op in _EXTREMES:
            return node.args == (of,)
        if self._scaled(of) is None or self.nodes.list[of].op != node.op:
            return False
        (value, factor), (other, same) = self._factor(of), self._factor(extreme)
        return factor == same and self._is_extreme(other, value)
