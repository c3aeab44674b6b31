"""The canonical form of a graph: each value once, constants computed, operations simplified, nothing unused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isfinite

from opkg.kernels.graphs.decisions import decided_on, exactly, is_double
from opkg.kernels.graphs.folding import decide, fold
from opkg.kernels.graphs.graph import LEAVES, MOVES, REDUCE, SCAN, Graph, Node, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.graphs.rules import RULES, real_constants
from opkg.kernels.graphs.signs import Signs
from opkg.spec.compute.types import Type


def canonical(graph: Graph, finite: frozenset[str] = frozenset()) -> Graph:
    """The graph simplified; canonical graphs stay as they are.

    Values stay the same, of NaN, infinities and signed zeros, too; only what `**` becomes (products, roots) may differ in
    the last place; x ** 0.5 is the square root, as numpy has it (NaN for minus infinity). `finite`: inputs that hold no
    infinities, NaN or -0.0: all that are not floating point.
    """
    after = _simplified(graph, finite)
    # Without its last reduction a graph may drop operands that were kept for their shape.
    return _simplified(after, finite) if graph.reductions and not after.reductions else after


def _simplified(graph: Graph, finite: frozenset[str]) -> Graph:
    pass_ = _Pass(graph, finite)
    place: list[int] = []
    decided = decided_on(graph)
    for number, node in enumerate(graph.nodes):
        pass_.exact = number in decided
        at = pass_.put(replace(node, args=tuple(place[arg] for arg in node.args), origin=""))
        if node.origin:
            pass_.nodes.name(at, node.origin)
        place.append(at)
    return pass_.nodes.graph([Result(result.name, place[result.node]) for result in graph.results])


class _Pass:
    """The maker of nodes that rules work with."""

    def __init__(self, graph: Graph, finite: frozenset[str]) -> None:
        self.nodes = Nodes(share=True)
        self.signs = Signs(self.nodes.list, finite)
        self.exact = False  # whether decisions hang on what is put
        self._fractions: dict[int, Fraction] = {}  # of operations on constants that doubles round
        self._reduces = bool(graph.reductions)

    def __getitem__(self, at: int) -> Node:
        return self.nodes.list[at]

    def put(self, node: Node) -> int:
        """The number of a node, or of what it is simplified to."""
        if node.op in LEAVES or node.op in MOVES:
            return self.nodes.add(node)
        args = [self[arg] for arg in node.args]
        uniform = self.nodes.uniform(node.args) and node.axes is None  # more than before, when operands went
        node = node if uniform is node.uniform else replace(node, uniform=uniform)
        constant = self._of_constants(node, args)
        if constant is not None:
            return constant
        if node.op not in REDUCE | SCAN:
            found = real_constants(self, node)
            if found is not None:
                return found
        for rule in RULES.get(node.op, ()):
            found = rule(self, node)
            if found is not None:
                return found
        return self.nodes.add(node)

    def _of_constants(self, node: Node, args: list[Node]) -> int | None:
        """The number of an operation on constants; one that a double rounds stays where a decision hangs on it."""
        exact = [number for at in node.args if (number := self._fraction(at)) is not None]
        if not args or len(exact) < len(args):
            exact = []
        number = exactly(node, exact) if exact and self.exact else None
        if number is not None and not is_double(number):
            at = self.nodes.add(node)
            self._fractions[at] = number
            return at
        if all(arg.op == "const" for arg in args):
            value = fold(node, args)
        else:
            value = decide(node, exact) if exact else None
        return None if value is None else self.const(value)

    def _fraction(self, at: int) -> Fraction | None:
        """A constant, or an operation on constants that stays."""
        value = self[at].value
        if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
            return Fraction(value)
        return self._fractions.get(at)

    def make(self, op: str, type_: Type, *args: int) -> int:
        """The number of a simplified elementwise operation."""
        assert op not in REDUCE | SCAN, "a reduction has dimensions"
        return self.put(Node(op, args, type_))

    def const(self, value: bool | int | float) -> int:
        type_ = Type.BOOL if isinstance(value, bool) else Type.INTEGER if isinstance(value, int) else Type.REAL
        return self.nodes.add(Node("const", (), type_, value=value, uniform=True))

    def may_drop(self, at: int) -> bool:
        """A sum counts the elements of all operands: what is not one number stays where there are reductions."""
        return self[at].uniform or not self._reduces
