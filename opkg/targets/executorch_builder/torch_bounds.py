"""How far float32 steps may be from exact ones: errors, ranges and what is lost at their ends, of one value and of each operator.

The rules are a table in docs/design/executorch.md. Errors are relative, in units of 2**-24, what a float32 step is rounded by.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

from opkg.spec.compute.tree import Function, Movement

HIGHEST = float.fromhex("0x1.fffffep127")  # of float32
NORMAL = 2.0**-126  # below it a factor may count as 0
_BITS = 24  # of a significand
_OPEN = 2.0**64  # a factor beyond it is one whose size nothing bounds
SLOPE = 104.0  # largest |x| at which exp(-x) is a float32: how much it and its like enlarge an error at most
COUNT = 2.0**29  # elements of a sum over dimensions at most, whose roundings in float64 are one of float32
_LITTLE = 128.0  # errors by what was lost, in 2**-24
Axes = tuple[int, ...] | str | None
LARGE, ASTRAY = 1, 2
# They give elements of their operands and nothing else.
MOVES = (Movement.CONCAT, Movement.TRANSPOSE, Movement.SLICE, Movement.RESHAPE, Movement.TILE)


class Unproved(Exception):
    """A step that float32 may not compute."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A value of float32 steps beside the same steps without rounding.

    `error`: relative, in 2**-24; where it is 0, `bits` is the width of the significand. `low`, `high`: where the value lies;
    `least`: the least magnitude but 0. `loss`: absolute error, in 2**-126, by what was too small inside; `scaled`: times an
    input. `infinite`: LARGE where it is infinite in float32 and exactly from 2**128 on, ASTRAY where something has been added
    to such a value, which may have ended anywhere. `movable`: the input that it is, or a multiple of which, when
    nothing else in the computation is; `moved`: such inputs that count as rounded. `sign`: the input whose sign it has.
    `peak`: the dimensions along which its largest element is `high`. `capped`: it hangs on a sum over dimensions, which in
    float32 may be infinite; `grained`: on the logarithm of one, which float64 rounds, too.
    """

    error: float = 0.0
    bits: int = _BITS
    low: float = -HIGHEST
    high: float = HIGHEST
    least: float = 2.0**-149
    loss: float = 0.0
    scaled: bool = False
    infinite: int = 0
    movable: str = ""
    moved: frozenset[str] = frozenset()
    sign: str = ""
    peak: Axes = ()
    capped: bool = False
    grained: bool = False

    @property
    def limit(self) -> float:
        """The largest magnitude."""
        return max(abs(self.low), abs(self.high))

    @property
    def whole(self) -> bool:
        """Whether a function of it that has no place for small and large values may follow."""
        return not (self.loss or self.scaled or self.infinite)


TRUTH = Bounds(bits=1, low=0.0, high=1.0, least=1.0)
_ENDS = {  # where results of functions lie
    Function.SIGMOID: (0.0, 1.0), Function.TANH: (-1.0, 1.0), Function.ERF: (-1.0, 1.0), Function.SIN: (-1.0, 1.0),
    Function.COS: (-1.0, 1.0), Function.EXP: (0.0, HIGHEST), Function.SOFTPLUS: (0.0, HIGHEST),
    Function.SQRT: (0.0, HIGHEST), Function.RSQRT: (0.0, HIGHEST),
}  # fmt: skip


def narrowed(function: Function | None) -> Bounds:
    """A result of float64 steps, the last of which may be a function, rounded to float32 once."""
    low, high = _ENDS.get(function, (-HIGHEST, HIGHEST)) if function is not None else (-HIGHEST, HIGHEST)
    return Bounds(error=1.0, low=low, high=high, loss=1.0, infinite=LARGE if high == HIGHEST else 0)


def constant(value: float) -> Bounds:
    """A number of the text; torch rounds it to float32."""
    if value == 0:
        return Bounds(bits=1, low=0.0, high=0.0, least=math.inf)
    if not 2.0**-100 <= abs(value) <= 2.0**100:
        raise Unproved
    scaled = math.ldexp(math.frexp(value)[0], _BITS)
    if scaled != int(scaled):
        held: float = struct.unpack("f", struct.pack("f", value))[0]
        return Bounds(error=abs(held / value - 1) * 2.0**_BITS, low=value, high=value, least=abs(value))
    bits = _BITS - ((int(scaled) & -int(scaled)).bit_length() - 1)
    return Bounds(bits=bits, low=value, high=value, least=abs(value))


def negated(a: Bounds) -> Bounds:
    return replace(a, low=-a.high, high=-a.low, sign="", peak=())


def added(a: Bounds, b: Bounds) -> Bounds:
    """A sum. It cancels nothing that has been rounded, unless an input beside it counts as rounded by as much."""
    same = bool(a.sign) and a.sign == b.sign
    alike = same or (a.low >= 0 and b.low >= 0) or (a.high <= 0 and b.high <= 0)
    if a.infinite and b.infinite and not alike:
        raise Unproved
    low, high = a.low + b.low, a.high + b.high
    least = max(min(a.least, b.least), a.low, b.low, -a.high, -b.high) if alike else 0.0
    made = Bounds(
        low=low, high=high, least=least, loss=a.loss + b.loss, scaled=a.scaled or b.scaled,
        infinite=max(a.infinite, b.infinite, int(max(-low, high) > HIGHEST)), moved=a.moved | b.moved,
        sign=a.sign if same else "",
    )  # fmt: skip
    if (a.infinite or b.infinite) and not alike:
        made = replace(made, infinite=ASTRAY)
    made, plain = _absorbed(made), made
    lost = made.error - plain.error
    if (a.error == 0 and b.error == 0) or alike:
        return replace(made, error=max(a.error, b.error) + 1 + lost)
    for moved, other in ((b, a), (a, b)):
        if moved.movable:
            return replace(made, error=other.error + 1 + lost, moved=made.moved | {moved.movable})
    raise Unproved


def _absorbed(a: Bounds) -> Bounds:
    """With what was lost as an error, where that is little beside the least value."""
    if a.scaled or not a.loss or not a.least:
        return a
    lost = a.loss / a.least * NORMAL * 2.0**_BITS
    return a if lost > _LITTLE else replace(a, loss=0.0, error=a.error + (lost if lost > 2.0**-20 else 0.0))


def multiplied(a: Bounds, b: Bounds) -> Bounds:
    """A product: exact where both significands fit."""
    _factor(a, b)
    _factor(b, a)
    corners = [_times(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    limit, least = _times(a.limit, b.limit), _times(a.least, b.least)
    bits = max(a.bits, b.bits) if min(a.bits, b.bits) == 1 else a.bits + b.bits
    exact = a.error == 0 and b.error == 0 and bits <= _BITS
    loss = sum(x.loss * (1.0 if y.limit > _OPEN else y.limit) for x, y in ((a, b), (b, a)))
    same = bool(a.sign) and a.sign == b.sign
    return Bounds(
        error=0.0 if exact else a.error + b.error + (min(a.bits, b.bits) > 1 or bool(a.error and b.error)),
        bits=min(bits, _BITS),
        low=max(min(corners), 0.0) if same else min(corners),
        high=max(corners),
        least=least,
        loss=loss + (least < NORMAL and min(a.limit, b.limit) > 0),
        scaled=a.scaled or b.scaled or bool(a.loss and b.limit > _OPEN) or bool(b.loss and a.limit > _OPEN),
        infinite=max(a.infinite, b.infinite, int(limit > HIGHEST)),
        movable=a.movable if b.low == b.high else b.movable if a.low == a.high else "",
        moved=a.moved | b.moved,
        sign=a.sign if b.low >= 0 else b.sign if a.low >= 0 else "",
    )


def _factor(a: Bounds, b: Bounds) -> None:
    """What may be lost or infinite in a product: not with a factor that makes something of it again."""
    if a.infinite and not (b.low == b.high and abs(b.low) >= 1):
        raise Unproved
    if a.loss and b.limit > _OPEN and (a.scaled or b.loss or b.error):
        raise Unproved


def _times(x: float, y: float) -> float:
    return 0.0 if x == 0 or y == 0 else x * y


def divided(a: Bounds, b: Bounds) -> Bounds:
    """A quotient. What was lost may not be the divisor, what is infinite not the dividend."""
    if b.loss or b.scaled or a.infinite or b.infinite == ASTRAY or (a.loss and b.least < 2.0**-20):
        raise Unproved
    if b.infinite and (a.error or a.loss) and a.limit > _OPEN:
        raise Unproved
    least = 0.0 if b.limit == 0 else a.least / b.limit
    limit = a.limit / b.least if b.least else math.inf
    same = (a.low >= 0 and b.low >= 0) or (a.high <= 0 and b.high <= 0)
    other = (a.low >= 0 and b.high <= 0) or (a.high <= 0 and b.low >= 0)
    loss = a.loss / b.least if a.loss else 0.0
    loss += (1.0 if a.limit > _OPEN else a.limit) if b.infinite else 0.0
    return Bounds(
        error=a.error + b.error + (2 if b.low == b.high else 1),  # torch may multiply by 1 / number
        low=0.0 if same else -limit,
        high=0.0 if other else limit,
        least=least,
        loss=loss + (least < NORMAL and a.limit > 0),
        scaled=a.scaled or (b.infinite > 0 and a.limit > _OPEN),
        infinite=int(limit > HIGHEST),
        movable=a.movable if b.low == b.high else "",
        moved=a.moved | b.moved,
        sign=a.sign if b.low >= 0 else "",
    )


def rest(a: Bounds, b: Bounds) -> Bounds:
    """`a % b`, which is rounded once."""
    if a.error or b.error or not (a.whole and b.whole):
        raise Unproved
    return Bounds(error=1.0, low=-b.limit, high=b.limit, least=0.0, moved=a.moved | b.moved)


def power(a: Bounds, exponent: int) -> Bounds:
    """A square or a cube. Of a square nothing counts that the root has lost, and nothing is 0 times infinity."""
    lost = a.loss and not a.scaled and a.loss < 2.0**30
    made = multiplied(replace(a, loss=0.0, infinite=0), replace(a, loss=0.0, infinite=0)) if lost else multiplied(a, a)
    if exponent == 2:
        return replace(made, low=0.0)
    if exponent == 3 and not made.infinite:
        return multiplied(made, a)
    raise Unproved


def raised(a: Bounds, b: Bounds) -> Bounds:
    """`a ** b` as torch's pow, which is 1.0 off: a number multiplies the error of what it raises, and no power but 0 and what is
    infinite is beyond exp(SLOPE) or below exp(-SLOPE), so that its own error counts SLOPE times at most."""
    number = b.low == b.high
    if not (a.whole and b.whole) or ((a.error or b.error) and not number):
        raise Unproved
    error = 2.0 + a.error * abs(b.low) if number else 2.0
    error += 6 if number and b.low == -2 else 0  # 1 / (x * x), whose square may be below the normal numbers
    return Bounds(
        error + b.error * SLOPE,
        low=0.0 if a.low >= 0 else -HIGHEST,
        loss=1.0,
        infinite=LARGE,
        moved=a.moved | b.moved,
    )


def joined(values: Sequence[Bounds]) -> Bounds:
    """One of several values."""
    signs = {v.sign for v in values}
    return Bounds(
        error=max(v.error for v in values),
        bits=max(v.bits for v in values),
        low=min(v.low for v in values),
        high=max(v.high for v in values),
        least=min(v.least for v in values),
        loss=max(v.loss for v in values),
        scaled=any(v.scaled for v in values),
        infinite=max(v.infinite for v in values),
        moved=frozenset[str]().union(*(v.moved for v in values)),
        sign=signs.pop() if len(signs) == 1 else "",
    )


def limited(function: Function, values: Sequence[Bounds]) -> Bounds:
    """`min`, `max` and `clip`: one of the operands; numbers bound it."""
    made = joined(values)
    if made.infinite == ASTRAY:
        raise Unproved
    low, high = max(v.low for v in values), min(v.high for v in values)
    if function is Function.MIN:
        return replace(made, high=high)
    if function is Function.MAX:
        return _absorbed(replace(made, low=low, least=max(made.least, low)))
    value, least, most = values
    inside = least.low == least.high and most.low == most.high
    within = limited(Function.MIN, [limited(Function.MAX, [value, least]), most])
    return replace(within, infinite=0 if inside else made.infinite)


def extreme(a: Bounds) -> Bounds:
    """The largest or the smallest element along dimensions."""
    return replace(a, movable="", sign="", peak=())


def totalled(a: Bounds, axes: Axes, mean: bool) -> Bounds:
    """A sum or mean over dimensions of values that are not negative: added in float64, then rounded."""
    if a.low < 0 or a.scaled or a.infinite == ASTRAY:
        raise Unproved
    times = 1.0 if mean else COUNT
    high = a.high * times
    low = a.high if a.peak and a.peak == axes and not mean else a.low if mean else 0.0
    made = Bounds(
        error=a.error + 2,
        low=low,
        high=min(high, HIGHEST),
        least=max(a.least / COUNT if mean else a.least, low),
        loss=a.loss * times,
        moved=a.moved,
        capped=a.infinite > 0 or high > HIGHEST,
    )
    return _absorbed(made)


def normalized(a: Bounds) -> Bounds:
    """What has been divided by the root of the sum or the mean of its squares."""
    most = math.sqrt(COUNT) * 1.01
    return replace(a, low=max(a.low, -most), high=min(a.high, most), infinite=0)


def centered(a: Bounds, axes: Axes) -> Bounds:
    """What its own largest element along dimensions has been taken from."""
    return replace(a, high=0.0, peak=axes)


def deviation(a: Bounds) -> Bounds:
    """What its own mean over dimensions has been taken from, which is added in float64 and subtracted in two parts."""
    if a.error or not a.whole:
        raise Unproved
    return Bounds(
        error=3.0, low=2 * a.low, high=2 * a.high, loss=1.0, infinite=int(2 * a.limit > HIGHEST), moved=a.moved
    )


def log_sum(a: Bounds, axes: Axes) -> Bounds:
    """The logarithm of a sum over dimensions that has a 1 in it: nothing else in it is more than its error off."""
    if not a.peak or a.peak != axes or a.high != 1 or a.loss > 2:
        raise Unproved
    return Bounds(error=a.error + 3, low=0.0, high=math.log(COUNT), least=0.0, moved=a.moved, grained=True)
