"""An integer snippet in the few operations that have vector code, every node with its range.

Casts and signs become clamps, `//` and `%` by powers of two become shifts and masks, comparisons become greater-than and
equality. What is one number for the whole call is a leaf (`uniform`), computed in `prepare`. A node whose range is one
number is a constant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.graphs.ranges import BOOL, FORWARD, Interval, Wraps, clamped, forward
from opkg.kernels.snippet import Operand, Scalar, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.integer.maker import INT64, Cannot
from opkg.kernels.strategies.integer.rules import RULES
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind


@dataclass(frozen=True, slots=True)
class IntegerGraph:
    """Nodes with their ranges. Leaves: `input` (name), `const` (value), `uniform` (value: node of the snippet's graph; name:
    ends to which it is clamped; dtype: a test of it, with the number as `{}`)."""

    graph: Graph
    ranges: tuple[Interval, ...]


def integer_graph(snippet: Snippet) -> IntegerGraph:
    """The graph to lower. Raises Cannot."""
    check_tensors(snippet)
    maker = _Maker(snippet)
    for index in range(len(snippet.graph)):
        maker.take(index)
    return maker.finish()


def check_tensors(snippet: Snippet) -> None:
    """Raises Cannot unless all tensors that are read or written hold integers or bools of at most 32 bits."""
    for operand in (*read_inputs(snippet), *snippet.outputs):
        if not operand.dtype.integral:
            raise Cannot(f"'{operand.name}' is {operand.dtype}, no integer")
        if operand.storage.bits > 32:
            raise Cannot(f"'{operand.name}' has 64 bits")


def stored_interval(operand: Operand) -> Interval:
    """The values that a tensor of integers can hold."""
    if operand.dtype.kind is Kind.BOOL:
        return BOOL
    low, high = operand.storage.limits
    return Interval(low - operand.bias, high - operand.bias)


def param_interval(scalar: Scalar) -> Interval:
    """The values that a scalar param can have."""
    if scalar.dtype.kind is Kind.BOOL:
        return BOOL
    if not scalar.dtype.integral:
        raise Cannot(f"'{scalar.name}' is no integer")
    low, high = scalar.dtype.limits
    if high > INT64.high:
        raise Cannot(f"'{scalar.name}' is {scalar.dtype}")
    found = Interval(low, high)
    ends = (low if scalar.low is None else scalar.low, high if scalar.high is None else scalar.high)
    if not all(map(math.isfinite, ends)) or ends[0] > ends[1]:
        return found
    return found & Interval(math.ceil(ends[0]), max(math.ceil(ends[0]), math.floor(ends[1]))) or found


class _Maker:
    """Makes the nodes of the new graph, in order; `place` numbers the old ones."""

    def __init__(self, snippet: Snippet) -> None:
        self.snippet = snippet
        self.old = snippet.graph
        self.nodes = Nodes(share=True)
        self.ranges: list[Interval] = []
        self.place: list[int] = []
        self.scalars = {scalar.name: scalar for scalar in snippet.params}
        self.uniform_ranges: dict[int, Interval] = {}

    def take(self, index: int) -> None:
        """Translates node `index` of the snippet's graph."""
        node = self.old[index]
        if node.type is Type.REAL:
            raise Cannot("it computes with real numbers")
        if node.uniform:
            self.place.append(self._uniform(index, node))
            return
        if node.op in ("input", "param"):
            range_ = stored_interval(self.snippet.operand(node.name))
            self.place.append(self._leaf(Node("input", (), node.type, name=node.name), range_))
            return
        rule = RULES.get(node.op)
        if rule is None:
            raise Cannot(
                f"it reduces dimensions ({node.op})" if node.op.startswith("reduce") else f"no rule: {node.op}"
            )
        at = rule(self, node, [self.place[arg] for arg in node.args])
        if node.origin:
            self.nodes.name(at, node.origin)
        self.place.append(at)

    def finish(self) -> IntegerGraph:
        results = [Result(r.name, self.place[r.node]) for r in self.old.results]
        graph = self.nodes.graph(results)
        ranges: list[Interval] = []
        for node in graph.nodes:  # unused nodes are gone: the ranges of the others again, by their new numbers
            ranges.append(self._range(node, ranges))
        return IntegerGraph(graph, tuple(ranges))

    def _uniform(self, index: int, node: Node) -> int:
        if node.op == "const":
            assert node.value is not None
            self.uniform_ranges[index] = Interval(int(node.value), int(node.value))
            return self.const(node.value)
        if node.op == "param":
            found = param_interval(self.scalars[node.name])
        else:
            operands = [self.uniform_ranges[arg] for arg in node.args]
            found = _uniform_range(node, operands)
        self.uniform_ranges[index] = found
        return self._leaf(Node("uniform", (), node.type, value=index, uniform=True), found)

    def _leaf(self, node: Node, range_: Interval) -> int:
        at = self.nodes.add(node)
        if at == len(self.ranges):
            self.ranges.append(range_)
        return at

    def const(self, value: bool | int | float) -> int:
        type_ = Type.BOOL if isinstance(value, bool) else Type.INTEGER
        return self._leaf(Node("const", (), type_, value=value, uniform=True), Interval(int(value), int(value)))

    def op(self, op: str, type_: Type, *args: int) -> int:
        """A node, or the constant that it always is."""
        node = Node(op, args, type_)
        try:
            found = self._range(node, self.ranges)
        except Wraps:
            node, found = replace(node, op=f"wrapping_{op}"), INT64
            if node.op not in FORWARD:
                raise Cannot(f"'{op}' of these integers may wrap") from None
        if found.single:
            return self.const(bool(found.low) if type_ is Type.BOOL else found.low)
        if op in ("min", "max", "and", "or"):  # an operand that always wins
            a, b = args
            if found == self.ranges[a] and _settled(op, self.ranges[a], self.ranges[b]):
                return a
            if found == self.ranges[b] and _settled(op, self.ranges[b], self.ranges[a]):
                return b
        at = self.nodes.add(node)
        if at == len(self.ranges):
            self.ranges.append(found)
        return at

    def constant(self, at: int) -> int | None:
        """The value of a node that is a constant number."""
        value = self.nodes.list[at].value
        return int(value) if self.nodes.list[at].op == "const" and value is not None else None

    def bounded(self, at: int, range_: Interval) -> int:
        node = replace(self.nodes.list[at], name=f"{range_.low} {range_.high}")
        return self._leaf(node, self._range(node, self.ranges))

    def tested(self, at: int, test: str) -> int:
        return self._leaf(replace(self.nodes.list[at], name="", dtype=test, type=Type.BOOL), BOOL)

    def _range(self, node: Node, ranges: Sequence[Interval]) -> Interval:
        match node.op:
            case "input":
                return stored_interval(self.snippet.operand(node.name))
            case "const":
                return Interval(int(node.value or 0), int(node.value or 0))
            case "uniform" if node.dtype:
                return BOOL
            case "uniform":
                found = self.uniform_ranges[int(node.value or 0)]
                return clamped(found, Interval(*map(int, node.name.split()))) if node.name else found
        return forward(node, [ranges[arg] for arg in node.args])


def _settled(op: str, winner: Interval, loser: Interval) -> bool:
    """Whether min or max is always its first operand."""
    return winner.high <= loser.low if op in ("min", "and") else winner.low >= loser.high


def _uniform_range(node: Node, operands: Sequence[Interval]) -> Interval:
    """The range of what is computed once per call: it may wrap, then it is any number."""
    if node.op == "cast":
        return _cast_range(node, operands[0])
    try:
        return forward(node, operands)
    except (Wraps, KeyError):
        return BOOL if node.type is Type.BOOL else INT64


def _cast_range(node: Node, operand: Interval) -> Interval:
    row = DTYPES[node.dtype]
    if row.kind is Kind.BOOL:
        return BOOL
    low, high = row.limits
    return Interval(min(max(operand.low, low), high), max(min(operand.high, high), low))
