"""Simplifications of one operation whose operands are simple already. Each keeps the value bit for bit: of NaN, infinities
and signed zeros, too (where min and max choose between 0.0 and -0.0, the larger one is 0.0), or is not done.

A rule gets the node and the maker of nodes, and returns the number of the node to use instead, or None.
"""

from __future__ import annotations

import math

from opkg.kernels.graphs.folding import greatest, least
from opkg.kernels.graphs.graph import MIRRORED, PLACES, REDUCE, Node
from opkg.kernels.graphs.maker import Maker, Rule
from opkg.spec.compute.types import Type


def _number(m: Maker, at: int) -> int | float | None:
    """The value of a numeric constant."""
    value = m[at].value
    return None if m[at].op != "const" or isinstance(value, bool) else value


def _same_type(m: Maker, node: Node, at: int) -> bool:
    return m[at].type is node.type


def _is(value: int | float | None, wanted: float) -> bool:
    """Whether a constant is this number; 0.0 is not -0.0."""
    return value is not None and value == wanted and math.copysign(1.0, value) == math.copysign(1.0, wanted)


def constants_last(m: Maker, node: Node) -> int | None:
    """2 * x is x * 2."""
    left, right = (m[arg] for arg in node.args)
    if left.op == "const" and right.op != "const":
        return m.make(node.op, node.type, node.args[1], node.args[0])
    return None


def mirrored(m: Maker, node: Node) -> int | None:
    """0 < x is x > 0."""
    left, right = (m[arg] for arg in node.args)
    if left.op == "const" and right.op != "const":
        return m.make(MIRRORED[node.op], node.type, node.args[1], node.args[0])
    return None


def add(m: Maker, node: Node) -> int | None:
    x, y = node.args
    value = _number(m, y)
    keeps = node.type is Type.INTEGER or _is(value, -0.0) or m.signs.never_minus_zero(x)
    if value == 0 and keeps and _same_type(m, node, x):
        return x
    if m[y].op == "neg" and m[y].type is node.type:
        return m.make("sub", node.type, x, m[y].args[0])
    if m[x].op == "neg" and m[x].type is node.type:
        return m.make("sub", node.type, y, m[x].args[0])
    return None


def sub(m: Maker, node: Node) -> int | None:
    x, y = node.args
    value = _number(m, y)
    if value is not None and _same_type(m, node, x) and (_is(value, 0.0) or (type(value) is int and value == 0)):
        return x
    if m[y].op == "neg" and m[y].type is node.type:
        return m.make("add", node.type, x, m[y].args[0])
    if m[x].op == "const" and node.type is Type.INTEGER and m[x].value == 0:
        return m.make("neg", node.type, y)
    return None


def mul(m: Maker, node: Node) -> int | None:
    x, y = node.args
    value = _number(m, y)
    if value is None or not _same_type(m, node, x):
        return None
    if value == 1:
        return x
    if value == -1:
        return m.make("neg", node.type, x)
    if node.type is Type.INTEGER and value == 0 and m.may_drop(x):
        return y
    return None


def div(m: Maker, node: Node) -> int | None:
    """By 1, -1, and by a power of two, whose inverse is exact."""
    x, y = node.args
    value = _number(m, y)
    if value is None or not _same_type(m, node, x) or value == 0:
        return None
    if value == 1:
        return x
    if value == -1:
        return m.make("neg", node.type, x)
    if abs(math.frexp(value)[0]) == 0.5 and abs(math.frexp(value)[1]) < 1000:
        return m.make("mul", node.type, x, m.const(1.0 / value))
    return None


def floor_div(m: Maker, node: Node) -> int | None:
    x, y = node.args
    if node.type is Type.INTEGER and _number(m, y) == 1:
        return x
    return None


def power(m: Maker, node: Node) -> int | None:
    """Small whole powers are products, halves are roots."""
    x, y = node.args
    value = _number(m, y)
    if value is None or not _same_type(m, node, x):
        return None
    if value == 0 and m.may_drop(x):
        return m.const(1 if node.type is Type.INTEGER else 1.0)
    if value == 1:
        return x
    if value == -1 and node.type is Type.REAL:
        return m.make("div", node.type, m.const(1.0), x)
    if value in (2, 3, 4):
        square = m.make("mul", node.type, x, x)
        return square if value == 2 else m.make("mul", node.type, square, x if value == 3 else square)
    if value == 0.5:
        return m.make("sqrt", node.type, x)
    if value == -0.5 and m.signs.plain(x):  # minus infinity gives 0, its inverse root NaN
        return m.make("rsqrt", node.type, x)
    return None


def twice(m: Maker, node: Node) -> int | None:
    """Two operations that cancel."""
    inner = m[node.args[0]]
    return inner.args[0] if inner.op == node.op and inner.type is node.type else None


def again(m: Maker, node: Node) -> int | None:
    """An operation that changes nothing the second time; operands whose sign does not count."""
    (x,) = node.args
    if m[x].op == node.op and m[x].type is node.type:
        return x
    if node.op == "abs" and m[x].op == "neg" and m[x].type is node.type:
        return m.make("abs", node.type, m[x].args[0])
    return None


def not_equal(m: Maker, node: Node) -> int | None:
    """not (a == b) is a != b, for NaN, too; other comparisons of integers likewise."""
    inner = m[node.args[0]]
    other = {"eq": "ne", "ne": "eq"}.get(inner.op)
    if all(m[arg].type is Type.INTEGER for arg in inner.args):
        other = other or {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}.get(inner.op)
    return m.make(other, Type.BOOL, *inner.args) if other else None


def itself(m: Maker, node: Node) -> int | None:
    """A comparison with itself; a real number may be NaN, which is not less or greater either."""
    x, y = node.args
    if x != y or (m[x].type is Type.REAL and node.op not in ("lt", "gt")) or not m.may_drop(x):
        return None
    return m.const(node.op in ("eq", "le", "ge"))


def same_operand(m: Maker, node: Node) -> int | None:
    x, y = node.args
    return x if x == y and _same_type(m, node, x) else None


def limits(m: Maker, node: Node) -> int | None:
    """Limits of limits: one lower and one upper constant, the upper one last: min(max(x, low), high)."""
    x, y = node.args
    outer, inner = _number(m, y), m[x]
    if outer is None or inner.type is not node.type or inner.op not in ("min", "max"):
        return None
    value = _number(m, inner.args[1])
    if value is None or m[inner.args[0]].type is not node.type:
        return None
    if inner.op == node.op:
        kept = (least if node.op == "min" else greatest)(value, outer)
        return m.make(node.op, node.type, inner.args[0], m.const(kept))
    if node.op == "max" and outer < value:  # max(min(x, high), low)
        raised = m.make("max", node.type, inner.args[0], y)
        return m.make("min", node.type, raised, inner.args[1])
    return None


def logic(m: Maker, node: Node) -> int | None:
    """`and` and `or` with a constant."""
    x, y = node.args
    value = m[y].value
    if m[y].op != "const":
        return None
    if value is (node.op == "and"):
        return x
    return y if m.may_drop(x) else None


def bits(m: Maker, node: Node) -> int | None:
    """Bits of a number with itself, with none and with all bits."""
    x, y = node.args
    if node.op != "bit_xor" and x == y:
        return x
    value = _number(m, y)
    if value == (-1 if node.op == "bit_and" else 0):
        return x
    inner = m[x]
    if node.op == "bit_xor" and value is not None and inner.op == "bit_xor" and inner.args[1] == y:  # ~~x
        return inner.args[0]
    return None


def select(m: Maker, node: Node) -> int | None:
    test, then, other = node.args
    chosen = m[test].value
    if m[test].op == "const":
        branch, dropped = (then, other) if chosen else (other, then)
        return branch if _same_type(m, node, branch) and m.may_drop(dropped) else None
    if m[test].op == "not":
        return m.make("select", node.type, m[test].args[0], other, then)
    if then == other and _same_type(m, node, then) and m.may_drop(test):
        return then
    return None


def as_limit(m: Maker, node: Node) -> int | None:
    """x if x > 0 else 0 is max(x, 0), as long as a NaN comes out of both."""
    test, then, other = node.args
    compare = m[test]
    if compare.op not in ("lt", "le", "gt", "ge") or {then, other} != set(compare.args) or then == other:
        return None
    if any(not _same_type(m, node, arg) for arg in compare.args):
        return None
    if node.type is Type.REAL:
        differ = any(_number(m, arg) not in (None, 0) for arg in compare.args)  # no zeros of two signs
        if not m.signs.finite(then) or not (differ or all(m.signs.plain(arg) for arg in compare.args)):
            return None
    larger = (compare.op in ("gt", "ge")) is (then == compare.args[0])
    return m.make("max" if larger else "min", node.type, *compare.args)


def cast(m: Maker, node: Node) -> int | None:
    """A cast of what has the type already."""
    (x,) = node.args
    inner = m[x]
    held = inner.dtype == node.dtype or (inner.dtype, node.dtype) == ("float16", "float32")
    if inner.op == "cast" and held:
        return x
    return x if node.dtype == "bool8" and inner.type is Type.BOOL else None


def one_number(m: Maker, node: Node) -> int | None:
    """A reduction of what is one number for all elements."""
    (x,) = node.args
    if node.op in PLACES or not node.uniform or not _same_type(m, node, x):
        return None
    adds = node.op in ("reduce_sum", "reduce_mean") and node.type is Type.REAL  # a sum of -0.0 is 0.0
    return x if not adds or m.signs.never_minus_zero(x) else None


def real_constants(m: Maker, node: Node) -> int | None:
    """Whole constants of a real operation are real."""
    works = node.type
    if node.type is Type.BOOL:
        works = Type.REAL if any(m[arg].type is Type.REAL for arg in node.args) else Type.INTEGER
    if works is not Type.REAL or node.op == "cast":
        return None
    args = []
    for arg in node.args:
        value = _number(m, arg)
        args.append(m.const(float(value)) if type(value) is int else arg)
    return m.make(node.op, node.type, *args) if tuple(args) != node.args else None


def _rounding_of_whole(m: Maker, node: Node) -> int | None:
    """A rounded value is whole."""
    inner = m[node.args[0]]
    return node.args[0] if inner.op in ("floor", "ceil", "round", "trunc") else None


def _rounding_of_limited(m: Maker, node: Node) -> int | None:
    """round(min(x, limit)) is min(round(x), round(limit)): roundings keep the order, of both zeros, too."""
    inner = m[node.args[0]]
    if inner.op not in ("min", "max") or inner.type is not Type.REAL:
        return None
    for x, limit in (inner.args, inner.args[::-1]):
        if m[limit].op in ("const", "param") and m[limit].uniform and not m[x].uniform:
            whole = limit if m[limit].type is Type.INTEGER else m.make(node.op, Type.REAL, limit)
            return m.make(inner.op, Type.REAL, m.make(node.op, Type.REAL, x), whole)
    return None


RULES: dict[str, tuple[Rule, ...]] = {
    "add": (constants_last, add), "sub": (sub,), "mul": (constants_last, mul), "div": (div,), "floor_div": (floor_div,),
    "pow": (power,), "min": (constants_last, same_operand, limits), "max": (constants_last, same_operand, limits),
    "and": (constants_last, same_operand, logic), "or": (constants_last, same_operand, logic),
    **dict.fromkeys(("bit_and", "bit_or", "bit_xor"), (constants_last, bits)),
    "neg": (twice,), "not": (twice, not_equal), "abs": (again,), "sign": (again,),
    **dict.fromkeys(("floor", "ceil", "round", "trunc"), (_rounding_of_whole, _rounding_of_limited)),
    **dict.fromkeys(MIRRORED, (mirrored, itself)),
    "select": (select, as_limit), "cast": (cast,), **dict.fromkeys(sorted(REDUCE), (one_number,)),
}  # fmt: skip
