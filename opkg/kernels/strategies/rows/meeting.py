"""Choices between two curves that meet where the choice changes, without a decision: a Huber loss is such.

`where(u < k, p(u), q(u))` with p(k) == q(k) is `p(min(u, k)) + (q(max(u, k)) - q(k))`, whichever branch a rounded u next to k
would take. p and q are polynomials of degree 2 at most, of abs(x) those in even powers of x, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.errors import is_power_of_two
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.poly import Poly
from opkg.spec.compute.types import Type

_VALUE, _INSIDE = "u", "x"  # names in polynomials: the value that is compared, and what it is the size of
_BELOW = frozenset(("lt", "le"))


def without_choices(snippet: Snippet) -> Snippet:
    """The snippet with such choices written without decisions; the same one where there are none."""
    writer = _Writer(snippet.graph)
    graph = writer.written()
    return replace(snippet, graph=graph) if writer.found else snippet


class _Writer:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = Nodes(share=True)
        self.place: list[int] = []
        self.found = False

    def written(self) -> Graph:
        for node in self.graph.nodes:
            curves = self._curves(node)
            self.found = self.found or curves is not None
            args = tuple([self.place[arg] for arg in node.args])
            made = self.nodes.add(replace(node, args=args)) if curves is None else self._joined(*curves)
            self.place.append(made)
        return self.nodes.graph([Result(result.name, self.place[result.node]) for result in self.graph.results])

    # Finding --------------------------------------------------------------------------------------------------------

    def _curves(self, node: Node) -> tuple[int, int, list[Poly], list[Poly]] | None:
        """The value, where it is compared, and the coefficients of the curves below and above, lowest powers first."""
        if node.op != "select" or node.type is not Type.REAL or node.uniform:
            return None
        test, *branches = node.args
        if self.graph[test].op not in ("lt", "le", "gt", "ge"):
            return None
        value, bound = self.graph[test].args
        below = self.graph[test].op in _BELOW
        if self.graph[value].uniform:
            value, bound, below = bound, value, not below
        if not self.graph[bound].uniform or self.graph[value].uniform or not self._real(value) or not self._real(bound):
            return None
        curves = [self._coefficients(branch, value) for branch in (branches if below else branches[::-1])]
        first, second = curves
        if first is None or second is None or self._at(first, bound) != self._at(second, bound):
            return None
        return value, bound, first, second

    def _real(self, at: int) -> bool:
        return self.graph[at].type is Type.REAL

    def _at(self, curve: Sequence[Poly], bound: int) -> Poly | None:
        """A curve where the choice changes."""
        total: Poly = {}
        by = self._uniform(bound)
        power: Poly | None = poly.number(1)
        for part in curve:
            term = poly.mul(part, power) if power is not None and by is not None else None
            if term is None or power is None or by is None:
                return None
            total, power = poly.add(total, term), poly.mul(power, by)
        return total

    def _coefficients(self, at: int, value: int) -> list[Poly] | None:
        """Those of u^0, u^1 and u^2."""
        found = self._poly(at, value)
        parts = {} if found is None else poly.split(found, lambda name: name in (_VALUE, _INSIDE))
        powers: list[Poly] = [{}, {}, {}]
        for names, rest in parts.items():
            if names.count(_INSIDE) % 2 or len(names) > 2:
                return None
            powers[len(names)] = poly.add(powers[len(names)], rest)
        return None if found is None else powers

    def _poly(self, at: int, value: int) -> Poly | None:
        node = self.graph[at]
        if at == value:
            return poly.atom(_VALUE)
        if self.graph[value].op == "abs" and self.graph[value].args == (at,):
            return poly.atom(_INSIDE)
        if node.uniform:
            return self._uniform(at)
        if node.type is not Type.REAL or node.op not in ("add", "sub", "mul", "div", "neg"):
            return None
        parts = [self._poly(arg, value) for arg in node.args]
        first, second = parts[0], parts[-1]
        if first is None or second is None:
            return None
        if node.op in ("add", "sub"):
            return poly.add(first, second, 1 if node.op == "add" else -1)
        if node.op == "mul":
            return poly.mul(first, second)
        if node.op == "neg":
            return poly.mul(first, poly.number(-1))
        by = self.graph[node.args[1]]
        return poly.mul(first, poly.number(1 / float(by.value or 1))) if is_power_of_two(by) else None

    def _uniform(self, at: int) -> Poly | None:
        node = self.graph[at]
        if node.type is not Type.REAL:
            return None
        if node.op == "const" and node.value is not None:
            return poly.number(float(node.value))
        parts = [self._uniform(arg) for arg in node.args] if node.op in ("add", "sub", "mul") else []
        if not parts or parts[0] is None or parts[1] is None:
            return poly.atom(str(at))
        if node.op == "mul":
            return poly.mul(parts[0], parts[1])
        return poly.add(parts[0], parts[1], 1 if node.op == "add" else -1)

    # Writing --------------------------------------------------------------------------------------------------------

    def _joined(self, value: int, bound: int, below: list[Poly], above: list[Poly]) -> int:
        at, k = self.place[value], self.place[bound]
        low, high = self._make("min", at, k), self._make("max", at, k)
        made = self._number(below[2])
        for part in below[1::-1]:
            made = self._sum(self._times(made, low), self._number(part))
        slope = self._times(self._number(above[2]), self._make("add", high, k))
        slope = self._sum(slope, self._number(above[1]))
        made = self._sum(made, self._times(slope, self._make("sub", high, k)))
        return self._constant(0.0) if made is None else made

    def _make(self, op: str, *args: int) -> int:
        return self.nodes.add(Node(op, args, Type.REAL, uniform=self.nodes.uniform(args)))

    def _constant(self, value: float) -> int:
        return self.nodes.add(Node("const", (), Type.REAL, value=value, uniform=True))

    def _number(self, part: Poly) -> int | None:
        """A coefficient, of numbers of the call; None where it is 0."""
        made: int | None = None
        for names, factor in sorted(part.items()):
            term: int | None = None if factor == 1 and names else self._constant(float(factor))
            for name in names:
                other = self.place[int(name)]
                term = other if term is None else self._make("mul", term, other)
            made = self._sum(made, term)
        return made

    def _sum(self, left: int | None, right: int | None) -> int | None:
        if left is None or right is None:
            return right if left is None else left
        return self._make("add", left, right)

    def _times(self, left: int | None, right: int) -> int | None:
        if left is None:
            return None
        return right if self.nodes.list[left].value == 1 else self._make("mul", left, right)
