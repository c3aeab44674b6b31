"""How far float32 steps may be from exact ones: errors, ranges and what is lost at their ends, of one value and of each operator.

The rules are a table in docs/design/executorch.md. Errors are relative, in units of 2**-24, what a float32 step is rounded by.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from opkg.spec.compute.tree import Function

HIGHEST = float.fromhex("0x1.fffffep127")  # of float32
NORMAL = 2.0**-126  # below it a factor may count as 0
_BITS = 24  # of a significand
_OPEN = 2.0**64  # a factor beyond it is one whose size nothing bounds
SLOPE = 104.0  # largest |x| at which exp(-x) is a float32: how much it and its like enlarge an error


LARGE, ASTRAY = 1, 2


class Unproved(Exception):
    """A step that float32 may not compute."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A value of float32 steps beside the same steps without rounding.

    `error`: relative, in 2**-24; where it is 0, `bits` is the width of the significand. `low`, `high`: where the value lies;
    `least`: the least magnitude but 0. `loss`: absolute error, in 2**-126, by what was too small inside; `scaled`: times an
    input. `infinite`: LARGE where it is infinite in float32 and exactly from 2**128 on, ASTRAY where something has been added
    to such a value, which may have ended anywhere. `movable`: the input that it is, or a multiple of which, when
    nothing else in the computation is; `moved`: such inputs that count as rounded.
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
        return Bounds(error=1.0, low=value, high=value, least=abs(value))
    bits = _BITS - ((int(scaled) & -int(scaled)).bit_length() - 1)
    return Bounds(bits=bits, low=value, high=value, least=abs(value))


def negated(a: Bounds) -> Bounds:
    return replace(a, low=-a.high, high=-a.low)


def added(a: Bounds, b: Bounds) -> Bounds:
    """A sum. It cancels nothing that has been rounded, unless an input beside it counts as rounded by as much."""
    alike = (a.low >= 0 and b.low >= 0) or (a.high <= 0 and b.high <= 0)
    if a.infinite and b.infinite and not alike:
        raise Unproved
    low, high = a.low + b.low, a.high + b.high
    least = max(min(a.least, b.least), a.low, b.low, -a.high, -b.high) if alike else 0.0
    made = Bounds(
        low=low, high=high, least=least, loss=a.loss + b.loss, scaled=a.scaled or b.scaled,
        infinite=max(a.infinite, b.infinite, int(max(-low, high) > HIGHEST)), moved=a.moved | b.moved,
    )  # fmt: skip
    if (a.infinite or b.infinite) and not alike:
        made = replace(made, infinite=ASTRAY)
    if not made.scaled and least >= made.loss * 2.0**-90:
        made = replace(made, loss=0.0)
    if (a.error == 0 and b.error == 0) or alike:
        return replace(made, error=max(a.error, b.error) + 1)
    for moved, other in ((b, a), (a, b)):
        if moved.movable:
            return replace(made, error=other.error + 1, moved=made.moved | {moved.movable})
    raise Unproved


def multiplied(a: Bounds, b: Bounds) -> Bounds:
    """A product: exact where both significands fit."""
    _factor(a, b)
    _factor(b, a)
    corners = [_times(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    limit, least = _times(a.limit, b.limit), _times(a.least, b.least)
    bits = max(a.bits, b.bits) if min(a.bits, b.bits) == 1 else a.bits + b.bits
    exact = a.error == 0 and b.error == 0 and bits <= _BITS
    loss = sum(x.loss * (1.0 if y.limit > _OPEN else y.limit) for x, y in ((a, b), (b, a)))
    return Bounds(
        error=0.0 if exact else a.error + b.error + (min(a.bits, b.bits) > 1 or bool(a.error and b.error)),
        bits=min(bits, _BITS),
        low=min(corners),
        high=max(corners),
        least=least,
        loss=loss + (least < NORMAL and min(a.limit, b.limit) > 0),
        scaled=a.scaled or b.scaled or bool(a.loss and b.limit > _OPEN) or bool(b.loss and a.limit > _OPEN),
        infinite=max(a.infinite, b.infinite, int(limit > HIGHEST)),
        movable=a.movable if b.low == b.high else b.movable if a.low == a.high else "",
        moved=a.moved | b.moved,
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
    )


def power(a: Bounds, exponent: int) -> Bounds:
    """A square or a cube."""
    made = multiplied(a, a)
    if exponent == 2:
        return replace(made, low=0.0)
    if exponent == 3 and not made.infinite:
        return multiplied(made, a)
    raise Unproved


def joined(values: Sequence[Bounds]) -> Bounds:
    """One of several values."""
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
        return replace(made, low=low)
    value, least, most = values
    inside = least.low == least.high and most.low == most.high
    within = limited(Function.MIN, [limited(Function.MAX, [value, least]), most])
    return replace(within, infinite=0 if inside else made.infinite)


def applied(function: Function, x: Bounds, slope: float = SLOPE) -> Bounds:
    """A function of one operand, as torch's kernels of float32 have it; `slope`: results below exp(-slope) of those that go
    towards 0 may be off by as much as all others are of it."""
    match function:
        case Function.ABS:
            return replace(x, low=0.0 if x.low < 0 < x.high else min(abs(x.low), abs(x.high)), high=x.limit, movable="")
        case Function.EXP | Function.SIGMOID | Function.SOFTPLUS:
            return _steep(function, x, slope)
        case Function.TANH | Function.ERF | Function.ATAN:
            return _flat(x, 1.0 if function is not Function.ATAN else 1.6)
        case Function.SQRT | Function.RSQRT if x.whole:
            return _rooted(function, x)
        case Function.LOG1P if x.whole and (x.error == 0 or x.low >= 0):
            high = math.log1p(max(x.high, 0.0))
            return Bounds(x.error + 2, low=0.0 if x.low >= 0 else -SLOPE, high=high, least=x.least / 2, moved=x.moved)
        case _ if x.error or not x.whole:
            raise Unproved
        case Function.LOG:
            return Bounds(2.0, low=-SLOPE, high=SLOPE, least=2.0**-25)
        case Function.SIN | Function.COS | Function.ASIN:
            return Bounds(2.0, low=-1.6, high=1.6)
        case Function.SILU:
            return Bounds(5.0, low=-0.3, high=max(x.high, 0.0), loss=SLOPE)
        case Function.MISH:
            return Bounds(8.0, low=-0.4, high=max(x.high, 0.0), loss=SLOPE)
        case Function.HARDSWISH if x.limit < 2.0**100:
            return Bounds(5.0, low=-0.4, high=max(x.high, 0.0))
        case _:
            raise Unproved


def _steep(function: Function, x: Bounds, slope: float) -> Bounds:
    """exp and what has its tail: it multiplies errors by x, and is lost where x is far below 0."""
    if x.scaled or x.infinite == ASTRAY:
        raise Unproved
    rounded = 2.0 if function is Function.EXP else 4.0
    above = min(max(x.high, 0.0), SLOPE) if function is Function.EXP else min(max(x.high, 0.0), 2.0)
    error = rounded + x.error * max(min(max(-x.low, 0.0), slope), above)
    tail = math.exp(-slope) * (rounded + x.error * SLOPE) * 2.0**102 if x.error and -x.low > slope < SLOPE else 0.0
    least = math.exp(max(x.low, -700.0)) / 2
    high = 1.0 if function is Function.SIGMOID else math.exp(min(x.high, 700.0)) * 1.0000001
    if function is Function.SOFTPLUS:
        high = max(x.high, 0.0) + 1
    large = x.infinite if function is Function.SOFTPLUS else int(high > HIGHEST)
    lost = float(least < NORMAL) + tail
    return Bounds(error, low=0.0, high=high, least=least, loss=lost, infinite=large, moved=x.moved)


def _flat(x: Bounds, most: float) -> Bounds:
    """Functions that are as steep as x at 0, and level out: what is infinite is at their ends."""
    if x.scaled or x.infinite == ASTRAY:
        raise Unproved
    low, high = -most if x.low < 0 else 0.0, most if x.high > 0 else 0.0
    return Bounds(x.error + 2, low=low, high=high, least=min(x.least, 1.0) / 2, loss=x.loss, moved=x.moved)


def _rooted(function: Function, x: Bounds) -> Bounds:
    least, most = math.sqrt(x.least) if x.least < math.inf else 0.0, math.sqrt(max(x.high, 0.0))
    if function is Function.SQRT:
        return Bounds(x.error / 2 + 2, low=0.0, high=most, least=least, moved=x.moved)
    return Bounds(x.error / 2 + 2, low=0.0, high=1 / least if least else math.inf, least=2.0**-64, moved=x.moved)
