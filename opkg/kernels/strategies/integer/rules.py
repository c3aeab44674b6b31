"""From the operations of an integer computation to those that have vector code: one rule per operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from opkg.kernels.graphs.graph import Node
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.graphs.ranges import Interval
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind

INT64 = Interval(-(1 << 63), (1 << 63) - 1)


class Cannot(Exception):
    """Why an integer snippet has no vector code here."""


class Maker(Protocol):
    """The graph in the making."""

    nodes: Nodes
    ranges: list[Interval]

    def const(self, value: bool | int | float) -> int:
        """The number of a constant."""

    def op(self, op: str, type_: Type, *args: int) -> int:
        """The number of a node, or of the constant that it always is."""

    def constant(self, at: int) -> int | None:
        """The value of a node that is a constant number."""

    def bounded(self, at: int, range_: Interval) -> int:
        """A uniform number clamped to a range."""

    def tested(self, at: int, test: str) -> int:
        """Whether a uniform number passes a test: C++ with the number as `{}`."""


Rule = Callable[[Maker, Node, list[int]], int]


def _same(maker: Maker, node: Node, args: list[int]) -> int:
    return maker.op(node.op, node.type, *args)


def _add(maker: Maker, node: Node, args: list[int]) -> int:
    return maker.op("add", node.type, *args)


def _sub(maker: Maker, node: Node, args: list[int]) -> int:
    if args[0] == args[1]:
        return maker.const(0)
    value = maker.constant(args[1])
    if value is not None and value < 0 and -value <= INT64.high:
        return maker.op("add", node.type, args[0], maker.const(-value))
    return maker.op("sub", node.type, *args)


def _mul(maker: Maker, node: Node, args: list[int]) -> int:
    if maker.constant(args[1]) == 2:
        return maker.op("add", node.type, args[0], args[0])
    return maker.op("mul", node.type, *args)


def _pow(maker: Maker, node: Node, args: list[int]) -> int:
    """Products of squares."""
    exponent = maker.constant(args[1])
    if exponent is None or not 0 < exponent <= 64:
        raise Cannot("'**' by what is no constant from 1 to 64")
    found, square = -1, args[0]
    while exponent:
        if exponent & 1:
            found = square if found < 0 else maker.op("mul", node.type, found, square)
        exponent >>= 1
        square = maker.op("mul", node.type, square, square) if exponent else square
    return found


def _neg(maker: Maker, node: Node, args: list[int]) -> int:
    return maker.op("sub", node.type, maker.const(0), args[0])


def _abs(maker: Maker, node: Node, args: list[int]) -> int:
    inner = maker.nodes.list[args[0]]
    if inner.op == "sub" and maker.constant(inner.args[0]) == 0:
        return _abs(maker, node, [inner.args[1]])
    if inner.op == "sub":
        loaded = all(maker.nodes.list[arg].op == "input" for arg in inner.args)
        return maker.op("absdiff_loaded" if loaded else "absdiff", node.type, *inner.args)
    return maker.op("abs", node.type, *args)


def _clamp(maker: Maker, at: int, low: int, high: int) -> int:
    raised = maker.op("max", Type.INTEGER, at, maker.const(low))
    return maker.op("min", Type.INTEGER, raised, maker.const(high))


def _cast(maker: Maker, node: Node, args: list[int]) -> int:
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


def _power_of_two(maker: Maker, at: int) -> int | None:
    """k where the node is 2 ** k."""
    value = maker.constant(at)
    return None if value is None or value <= 0 or value & (value - 1) else value.bit_length() - 1


def _floor_div(maker: Maker, node: Node, args: list[int]) -> int:
    bits = _power_of_two(maker, args[1])
    if bits is None:
        divided = _by_constant(maker, args[0], maker.constant(args[1]))
        return divided if divided is not None else maker.op("floor_div", node.type, *args)
    if bits == 1 and (mean := _mean(maker, args[0])) is not None:
        return mean
    return maker.op("shift_right", node.type, args[0], maker.const(bits)) if bits else args[0]


def _by_constant(maker: Maker, at: int, divisor: int | None) -> int | None:
    """a // d of a constant d above 0, by a product and a shift; None where that takes more than 64 bits.

    With a factor m = ceil(2^k / d), x m / 2^k is too large by x (m d - 2^k) / (d 2^k), which changes no quotient while
    x (m d - 2^k) < 2^k. A negative a has the quotient -1 - (-1 - a) // d.
    """
    if divisor is None or divisor <= 0:
        return None
    range_ = maker.ranges[at]
    most = max(range_.high, -1 - range_.low)
    bits = next(k for k in range(128) if most * (-(1 << k) % divisor) < 1 << k)
    factor = -(-(1 << bits) // divisor)
    if most * factor > INT64.high:
        return None
    if range_.low >= 0:
        return _scaled(maker, at, factor, bits)
    inverted = maker.op("sub", Type.INTEGER, maker.const(-1), at)
    size = _clamp(maker, maker.op("max", Type.INTEGER, at, inverted), 0, most)  # the ranges alone do not show that
    found = _scaled(maker, size, factor, bits)
    negative = maker.op("gt", Type.BOOL, maker.const(0), at)
    return maker.op("select", Type.INTEGER, negative, maker.op("sub", Type.INTEGER, maker.const(-1), found), found)


def _scaled(maker: Maker, at: int, factor: int, bits: int) -> int:
    product = maker.op("mul", Type.INTEGER, at, maker.const(factor))
    return maker.op("shift_right", Type.INTEGER, product, maker.const(bits))


def _mean(maker: Maker, at: int) -> int | None:
    """(a + b) // 2 and (a + b + 1) // 2, which have instructions without wider lanes."""
    total = maker.nodes.list[at]
    if total.op != "add" or total.args[0] == total.args[1]:
        return None
    inner = maker.nodes.list[total.args[0]]
    if maker.constant(total.args[1]) == 1 and inner.op == "add":
        return maker.op("avg_round", Type.INTEGER, *inner.args)
    return maker.op("avg", Type.INTEGER, *total.args)


def _mod(maker: Maker, node: Node, args: list[int]) -> int:
    bits = _power_of_two(maker, args[1])
    if bits is None:
        divided = _by_constant(maker, args[0], maker.constant(args[1]))
        if divided is None:
            return maker.op("mod", node.type, *args)
        return maker.op("sub", node.type, args[0], maker.op("mul", node.type, divided, args[1]))
    range_ = maker.ranges[args[0]]
    if range_ in Interval(0, (1 << bits) - 1):
        return args[0]
    return maker.op("low_bits", node.type, args[0], maker.const(bits))


def _not(maker: Maker, node: Node, args: list[int]) -> int:
    inner = maker.nodes.list[args[0]]
    return inner.args[0] if inner.op == "not" else maker.op("not", Type.BOOL, args[0])


def _negated(rule: Rule) -> Rule:
    return lambda maker, node, args: _not(maker, node, [rule(maker, node, args)])


def _equal(maker: Maker, node: Node, args: list[int]) -> int:
    a, b = args
    if a == b:
        return maker.const(True)
    if maker.nodes.list[a].type is not Type.BOOL:
        return _same_number(maker, a, b)
    return _not(maker, node, [maker.op("ne", Type.BOOL, a, b)])  # of bools: exclusive or


def _less(maker: Maker, node: Node, args: list[int]) -> int:
    return _greater(maker, node, args[::-1])


def _same_number(maker: Maker, a: int, b: int) -> int:
    if maker.nodes.list[a].op == "uniform":
        a, b = b, a
    range_ = maker.ranges[a]
    if maker.nodes.list[b].op != "uniform" or maker.ranges[b] in range_ or maker.ranges[b] & range_ is None:
        return maker.op("eq", Type.BOOL, a, b)
    inside = maker.tested(b, f"{{}} >= {range_.low} && {{}} <= {range_.high}")
    return maker.op("and", Type.BOOL, maker.op("eq", Type.BOOL, a, maker.bounded(b, range_)), inside)


def _not_equal(maker: Maker, node: Node, args: list[int]) -> int:
    return _not(maker, node, [_equal(maker, node, args)])


def _greater(maker: Maker, node: Node, args: list[int]) -> int:
    """A number that is the same everywhere is compared within the range of the other, and beyond it once for all: so bytes
    are compared as bytes."""
    a, b = args
    low, high = maker.ranges[a], maker.ranges[b]
    if maker.nodes.list[a].op == "uniform" and low.high > high.high and low & high is not None:
        inside = maker.op("gt", Type.BOOL, maker.bounded(a, high), b)
        return maker.op("or", Type.BOOL, inside, maker.tested(a, f"{{}} > {high.high}"))
    if maker.nodes.list[b].op == "uniform" and high.low < low.low and low & high is not None:
        inside = maker.op("gt", Type.BOOL, a, maker.bounded(b, low))
        return maker.op("or", Type.BOOL, inside, maker.tested(b, f"{{}} < {low.low}"))
    return maker.op("gt", Type.BOOL, a, b)


def _select(maker: Maker, node: Node, args: list[int]) -> int:
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
    "pow": _pow,
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
    "lt": _less,
    "le": _negated(_greater),
    "ge": _negated(_less),
    "and": _same,
    "or": _same,
    "not": _not,
}
