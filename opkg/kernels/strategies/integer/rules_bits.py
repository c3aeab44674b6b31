"""Rules of division, powers, shifts and bits of integers."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Node
from opkg.kernels.graphs.ranges import Interval
from opkg.kernels.strategies.integer.maker import INT64, Cannot, Maker, Rule, clamp
from opkg.spec.compute.types import Type


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
    size = clamp(maker, maker.op("max", Type.INTEGER, at, inverted), 0, most)  # the ranges alone do not show that
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


def _shift_left(maker: Maker, node: Node, args: list[int]) -> int:
    bits = maker.constant(args[1])
    if bits is None:
        if maker.ranges[args[1]].high > 31:
            raise Cannot("'<<' by what may be more than 31")
        return maker.op("shift_left", node.type, args[0], _count(maker, args[1], 31))
    if bits > 62:
        raise Cannot("'<<' by more than 62")
    return maker.op("mul", node.type, args[0], maker.const(1 << max(bits, 0)))


def _shift_right(maker: Maker, node: Node, args: list[int]) -> int:
    bits, range_ = maker.constant(args[1]), maker.ranges[args[0]]
    if bits is not None:
        return maker.op("shift_right", node.type, args[0], maker.const(min(bits, 63))) if bits > 0 else args[0]
    most = next((most for most in (15, 31) if range_ in Interval(-(1 << most), (1 << most) - 1)), None)
    if most is None:
        raise Cannot("'>>' of more than 32 bits by what is no constant")
    op = "shift_right_by" if most == 15 else "shift_right_far"
    return maker.op(op, node.type, args[0], _count(maker, args[1], most))


def _count(maker: Maker, at: int, most: int) -> int:
    """A count from 0 to `most`: what is shifted further is the same."""
    if maker.nodes.list[at].op == "uniform":
        return maker.bounded(at, Interval(0, most))
    return clamp(maker, at, 0, most)


def _bit_and(maker: Maker, node: Node, args: list[int]) -> int:
    mask = maker.constant(args[1])
    if mask is None or mask < 1 or mask & (mask + 1):
        return maker.op("bit_and", node.type, *args)
    inner = maker.nodes.list[args[0]]
    if (
        inner.op == "bit_xor"
        and maker.constant(inner.args[1]) == -1
        and maker.ranges[inner.args[0]] in Interval(0, mask)
    ):
        return maker.op("bit_xor", node.type, inner.args[0], args[1])  # ~x & 255 of bytes
    return _low_bits(maker, node, args[0], mask.bit_length())


def _low_bits(maker: Maker, node: Node, at: int, bits: int) -> int:
    if maker.ranges[at] in Interval(0, (1 << bits) - 1):
        return at
    return maker.op("low_bits", node.type, at, maker.const(bits))


def _mod(maker: Maker, node: Node, args: list[int]) -> int:
    bits = _power_of_two(maker, args[1])
    if bits is None:
        divided = _by_constant(maker, args[0], maker.constant(args[1]))
        if divided is None:
            return maker.op("mod", node.type, *args)
        return maker.op("sub", node.type, args[0], maker.op("mul", node.type, divided, args[1]))
    return _low_bits(maker, node, args[0], bits)


RULES: dict[str, Rule] = {
    "pow": _pow,
    "floor_div": _floor_div,
    "mod": _mod,
    "shift_left": _shift_left,
    "shift_right": _shift_right,
    "bit_and": _bit_and,
    **dict.fromkeys(("bit_or", "bit_xor"), lambda maker, node, args: maker.op(node.op, node.type, *args)),
}
