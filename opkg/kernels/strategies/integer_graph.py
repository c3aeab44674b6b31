"""An integer snippet in the few operations that have vector code, every node with its range.

Casts and signs become clamps, `//` and `%` by powers of two become shifts and masks, comparisons become greater-than and
equality. What is one number for the whole call is a leaf (`uniform`), computed in `prepare`. A node whose range is one
number is a constant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from opkg.kernels.graph import Graph, Node, Result
from opkg.kernels.nodes import Nodes
from opkg.kernels.ranges import BOOL, Interval, Wraps, forward
from opkg.kernels.snippet import Operand, Scalar, Snippet
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind

INT64 = Interval(-(1 << 63), (1 << 63) - 1)


class Cannot(Exception):
    """Why an integer snippet has no vector code here."""


@dataclass(frozen=True, slots=True)
class IntegerGraph:
    """Nodes with their ranges. Leaves: `input` (name), `const` (value), `uniform` (value: node of the snippet's graph)."""

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
    """Raises Cannot unless all tensors hold integers or bools of at most 32 bits."""
    for operand in (*snippet.inputs, *snippet.outputs):
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
        found = self._range(node, self.ranges)
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

    def _range(self, node: Node, ranges: Sequence[Interval]) -> Interval:
        match node.op:
            case "input":
                return stored_interval(self.snippet.operand(node.name))
            case "const":
                return Interval(int(node.value or 0), int(node.value or 0))
            case "uniform":
                return self.uniform_ranges[int(node.value or 0)]
        try:
            return forward(node, [ranges[arg] for arg in node.args])
        except Wraps:
            raise Cannot(f"'{node.op}' of these integers may wrap") from None


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


# Rules: from an operation of the snippet to operations that have vector code ----------------------------------------------

Rule = Callable[[_Maker, Node, list[int]], int]


def _same(maker: _Maker, node: Node, args: list[int]) -> int:
    return maker.op(node.op, node.type, *args)


def _add(maker: _Maker, node: Node, args: list[int]) -> int:
    return maker.op("add", node.type, *args)


def _sub(maker: _Maker, node: Node, args: list[int]) -> int:
    if args[0] == args[1]:
        return maker.const(0)
    value = maker.constant(args[1])
    if value is not None and value < 0 and -value <= INT64.high:
        return maker.op("add", node.type, args[0], maker.const(-value))
    return maker.op("sub", node.type, *args)


def _mul(maker: _Maker, node: Node, args: list[int]) -> int:
    if maker.constant(args[1]) == 2:
        return maker.op("add", node.type, args[0], args[0])
    return maker.op("mul", node.type, *args)


def _neg(maker: _Maker, node: Node, args: list[int]) -> int:
    return maker.op("sub", node.type, maker.const(0), args[0])


def _abs(maker: _Maker, node: Node, args: list[int]) -> int:
    inner = maker.nodes.list[args[0]]
    if inner.op == "sub" and maker.constant(inner.args[0]) == 0:
        return _abs(maker, node, [inner.args[1]])
    if inner.op == "sub":
        loaded = all(maker.nodes.list[arg].op == "input" for arg in inner.args)
        return maker.op("absdiff_loaded" if loaded else "absdiff", node.type, *inner.args)
    return maker.op("abs", node.type, *args)


def _clamp(maker: _Maker, at: int, low: int, high: int) -> int:
    raised = maker.op("max", Type.INTEGER, at, maker.const(low))
    return maker.op("min", Type.INTEGER, raised, maker.const(high))


def _cast(maker: _Maker, node: Node, args: list[int]) -> int:
    row = DTYPES[node.dtype]
    from_bool = maker.nodes.list[args[0]].type is Type.BOOL
    if row.kind is Kind.BOOL:
        return args[0] if from_bool else _not_equal(maker, node, [args[0], maker.const(0)])
    if row.kind is Kind.FLOAT:
        raise Cannot("it computes with real numbers")
    if from_bool:
        return maker.op("select", Type.INTEGER, args[0], maker.const(1), maker.const(0))
    low, high = row.limits
    return _clamp(maker, args[0], low, min(high, INT64.high))


def _power_of_two(maker: _Maker, node: Node, at: int) -> int:
    """k where the node is 2 ** k."""
    value = maker.constant(at)
    if value is None or value <= 0 or value & (value - 1):
        raise Cannot(f"'{'//' if node.op == 'floor_div' else '%'}' by what is no constant power of two")
    return value.bit_length() - 1


def _floor_div(maker: _Maker, node: Node, args: list[int]) -> int:
    bits = _power_of_two(maker, node, args[1])
    if bits == 1 and (mean := _mean(maker, args[0])) is not None:
        return mean
    return maker.op("shift_right", node.type, args[0], maker.const(bits)) if bits else args[0]


def _mean(maker: _Maker, at: int) -> int | None:
    """(a + b) // 2 and (a + b + 1) // 2, which have instructions without wider lanes."""
    total = maker.nodes.list[at]
    if total.op != "add" or total.args[0] == total.args[1]:
        return None
    inner = maker.nodes.list[total.args[0]]
    if maker.constant(total.args[1]) == 1 and inner.op == "add":
        return maker.op("avg_round", Type.INTEGER, *inner.args)
    return maker.op("avg", Type.INTEGER, *total.args)


def _mod(maker: _Maker, node: Node, args: list[int]) -> int:
    bits = _power_of_two(maker, node, args[1])
    range_ = maker.ranges[args[0]]
    if range_ in Interval(0, (1 << bits) - 1):
        return args[0]
    return maker.op("low_bits", node.type, args[0], maker.const(bits))


def _swapped(op: str) -> Rule:
    return lambda maker, node, args: maker.op(op, Type.BOOL, args[1], args[0])


def _not(maker: _Maker, node: Node, args: list[int]) -> int:
    inner = maker.nodes.list[args[0]]
    return inner.args[0] if inner.op == "not" else maker.op("not", Type.BOOL, args[0])


def _negated(rule: Rule) -> Rule:
    return lambda maker, node, args: _not(maker, node, [rule(maker, node, args)])


def _equal(maker: _Maker, node: Node, args: list[int]) -> int:
    a, b = args
    if a == b:
        return maker.const(True)
    if maker.nodes.list[a].type is not Type.BOOL:
        return maker.op("eq", Type.BOOL, a, b)
    return _not(maker, node, [maker.op("ne", Type.BOOL, a, b)])  # of bools: exclusive or


def _not_equal(maker: _Maker, node: Node, args: list[int]) -> int:
    return _not(maker, node, [_equal(maker, node, args)])


def _greater(maker: _Maker, node: Node, args: list[int]) -> int:
    return maker.op("gt", Type.BOOL, *args)


def _select(maker: _Maker, node: Node, args: list[int]) -> int:
    test, then, other = args
    known = maker.constant(test)
    if known is not None or then == other:
        return then if known or then == other else other
    inverted = maker.nodes.list[test]
    if inverted.op == "not":
        return _select(maker, node, [inverted.args[0], other, then])
    if node.type is Type.BOOL:
        yes = maker.op("and", Type.BOOL, test, then)
        no = maker.op("and", Type.BOOL, _not(maker, node, [test]), other)
        return maker.op("or", Type.BOOL, yes, no)
    return maker.op("select", node.type, test, then, other)


RULES: dict[str, Rule] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "neg": _neg,
    "abs": _abs,
    "min": _same,
    "max": _same,
    "sign": lambda maker, node, args: _clamp(maker, args[0], -1, 1),
    "floor": lambda maker, node, args: args[0],
    "ceil": lambda maker, node, args: args[0],
    "round": lambda maker, node, args: args[0],
    "trunc": lambda maker, node, args: args[0],
    "floor_div": _floor_div,
    "mod": _mod,
    "cast": _cast,
    "select": _select,
    "eq": _equal,
    "ne": _not_equal,
    "gt": _greater,
    "lt": _swapped("gt"),
    "le": _negated(_greater),
    "ge": _negated(_swapped("gt")),
    "and": _same,
    "or": _same,
    "not": _not,
}
