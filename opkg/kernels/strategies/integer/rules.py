"""From the operations of an integer computation to those that have vector code: one rule per operation."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Node
from opkg.kernels.strategies.integer import rules_bits
from opkg.kernels.strategies.integer.maker import INT64, Cannot, Maker, Rule, clamp
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind


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
    return clamp(maker, args[0], low, min(high, INT64.high))


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
    **rules_bits.RULES,
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "neg": _neg,
    "abs": _abs,
    "min": _same,
    "max": _same,
    "sign": lambda maker, node, args: clamp(maker, args[0], -1, 1),
    "floor": lambda maker, node, args: args[0],
    "ceil": lambda maker, node, args: args[0],
    "round": lambda maker, node, args: args[0],
    "trunc": lambda maker, node, args: args[0],
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
