"""Numbers that lie between two float64 arrays: what an implementation that rounds may have instead of exact values.

Operations take the ends outwards only where something is rounded, and then only as far as it may be rounded: a number that
every implementation holds exactly stays one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from opkg.verify.meaning.numbers import Array

LARGEST = float(np.finfo(np.float32).max)
SMALLEST = 2.0**-126  # normal number of single precision
UNIT = 2.0**-149  # step of the subnormal ones
Function = Callable[..., Any]


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """From `low` to `high`, both included, and NaN where `nan` says so. Both ends are NaN where nothing but NaN may be."""

    low: Array
    high: Array
    nan: Array

    @property
    def is_point(self) -> bool:
        """Whether it is known to hold one number in every place; such ones share the array."""
        return self.low is self.high

    @property
    def is_unknown(self) -> Array:
        """Where any number may be."""
        return np.asarray((self.low == -np.inf) & (self.high == np.inf))

    def holds(self, value: Array) -> Array:
        """Whether a number in each place may be there."""
        inside = (self.low <= value) & (value <= self.high)
        return np.asarray(inside | (np.isnan(value) & self.nan))


def point(value: Array) -> Interval:
    """One number in each place; NaN is NaN."""
    number = np.asarray(value, dtype=np.float64)
    return Interval(number, number, np.isnan(number))


def _between(low: Array, high: Array, nan: Array) -> Interval:
    return Interval(np.asarray(low), np.asarray(high), np.asarray(nan | np.isnan(low)))


def hull(parts: Iterable[Interval]) -> Interval:
    """Everything that any of the parts holds."""
    return reduce(
        lambda a, b: _between(np.fmin(a.low, b.low), np.fmax(a.high, b.high), a.nan | b.nan), parts
    )  # fmt: skip


def rounded(a: Interval, to: type[np.floating[Any]] = np.float32) -> Interval:
    """As it is, or rounded to the nearest number of a type, infinities beyond its range."""
    low = a.low.astype(to).astype(np.float64)
    if a.is_point and bool(np.all((low == a.low) | np.isnan(low))):
        return a
    high = low if a.is_point else a.high.astype(to).astype(np.float64)
    return Interval(np.fmin(a.low, low), np.fmax(a.high, high), a.nan)


def spacing(value: Array) -> Array:
    """A unit in the last place of single precision, of subnormal numbers as well; 0 of infinities."""
    _, exponent = np.frexp(np.where(np.isfinite(value) & (value != 0), value, UNIT))
    step = np.ldexp(1.0, np.maximum(exponent - 24, -149))
    return np.asarray(np.where(np.isfinite(value), step, 0.0))


def widened(a: Interval, ulps: float) -> Interval:
    """Off by some units in the last place of single precision, infinite beyond its range."""
    low, high = a.low - ulps * spacing(a.low), a.high + ulps * spacing(a.high)
    low, high = np.where(low < -LARGEST, -np.inf, low), np.where(high > LARGEST, np.inf, high)
    return Interval(low, high, a.nan)


def widened_far(a: Interval) -> Interval:
    """Whole numbers next to quotients: from 2^24 on these are found to two units, and no single one is added or taken away."""
    off = [np.where(np.abs(end) >= 2.0**24, 3 * spacing(end), 0.0) for end in (a.low, a.high)]
    return moved(a, off[0], off[1])


def widened_half(a: Interval, ulps: float) -> Interval:
    """Off by some units in the last place of half precision."""

    def off(end: Array) -> Array:
        exponent = np.maximum(np.frexp(np.where(np.isfinite(end), end, 0.0))[1] - 1, -14)
        return np.asarray(np.where(np.isfinite(end), np.ldexp(ulps, exponent - 10), 0.0))

    return moved(a, off(a.low), off(a.high))


def moved(a: Interval, below: Array, above: Array) -> Interval:
    """The ends taken outwards by absolute amounts."""
    return Interval(np.asarray(a.low - below), np.asarray(a.high + above), a.nan)


def without_negative(a: Interval, exact: Interval) -> Interval:
    """Of what does not fall below zero by what it is off."""
    return Interval(np.where((a.low < 0) & (exact.low >= 0), 0.0, a.low), a.high, a.nan)


def contains(a: Interval, value: float) -> Array:
    return np.asarray((a.low <= value) & (value <= a.high))


def _ends(a: Interval) -> tuple[Array, ...]:
    return (a.low,) if a.is_point else (a.low, a.high)


def corners(function: Function, a: Interval, b: Interval) -> Interval:
    """A function that is monotone in each of its operands."""
    ends = [np.asarray(function(x, y), dtype=np.float64) for x in _ends(a) for y in _ends(b)]
    nan = reduce(np.logical_or, [np.isnan(end) for end in ends], np.asarray(a.nan | b.nan))
    if len(ends) == 1:
        return Interval(ends[0], ends[0], np.asarray(nan))
    return _between(reduce(np.fmin, ends), reduce(np.fmax, ends), nan)


def monotone(function: Function, a: Interval, least: float = -np.inf) -> Interval:
    """A function of one operand that rises or falls everywhere; it gives NaN below `least`."""
    outside = a.low < least
    if a.is_point:
        value = np.asarray(function(a.low), dtype=np.float64)
        return Interval(value, value, np.asarray(np.isnan(value)))
    start = np.where(outside & (a.high >= least), least, a.low)
    ends = [np.asarray(function(end), dtype=np.float64) for end in (start, a.high)]
    return _between(np.fmin(*ends), np.fmax(*ends), a.nan | outside)


def steady(function: Function, a: Interval) -> Interval:
    """A function that changes at most as fast as its operand and stays within 1 of zero: a sine."""
    middle = a.low if a.is_point else a.low / 2 + a.high / 2
    value, width = np.asarray(function(middle), dtype=np.float64), (a.high - a.low) / 2
    if a.is_point:
        return Interval(value, value, np.asarray(np.isnan(value)))
    return _between(np.fmax(value - width, -1.0), np.fmin(value + width, 1.0), a.nan | np.isnan(value))


def product(a: Interval, b: Interval) -> Interval:
    found = corners(np.multiply, a, b)
    endless = [np.isinf(x.low) | np.isinf(x.high) for x in (a, b)]
    nothing = (contains(a, 0.0) & endless[1]) | (contains(b, 0.0) & endless[0])
    return Interval(found.low, found.high, np.asarray(found.nan | nothing))


def quotient(a: Interval, b: Interval) -> Interval:
    found = corners(np.divide, a, b)
    if b.is_point:
        return found
    through = (b.low < 0) & (b.high > 0)
    nan = found.nan | (contains(a, 0.0) & contains(b, 0.0))
    return Interval(np.where(through, -np.inf, found.low), np.where(through, np.inf, found.high), np.asarray(nan))


def magnitude(a: Interval) -> Interval:
    ends = np.abs(a.low), np.abs(a.high)
    if a.is_point:
        return Interval(ends[0], ends[0], a.nan)
    low = np.where((a.low < 0) & (a.high > 0), 0.0, np.fmin(*ends))
    return Interval(low, np.fmax(*ends), a.nan)


def power(a: Interval, b: Interval) -> Interval:
    """Monotone in both operands for what is positive; a whole number as exponent takes negative ones, too."""
    found = corners(np.power, a, b)
    if a.is_point and b.is_point:
        return found
    whole = (b.low == b.high) & (b.low == np.rint(b.low)) & (b.low >= 0)
    crossing = (a.low < 0) & (a.high > 0)
    unsure = (a.low <= 0) & ~whole & ~np.isnan(a.low)
    low = np.where(crossing & whole, np.fmin(found.low, 0.0), found.low)
    return Interval(
        np.where(unsure, -np.inf, low), np.where(unsure, np.inf, found.high), np.asarray(found.nan | unsure)
    )  # fmt: skip


# Bools: 0 and 1 -------------------------------------------------------------------------------------------------------


def _truth(certain: Array, possible: Array) -> Interval:
    low, high = certain.astype(np.float64), possible.astype(np.float64)
    same = bool(np.array_equal(low, high))
    return Interval(low, low if same else high, np.zeros(low.shape, np.bool_))


def greater(a: Interval, b: Interval, or_equal: bool = False) -> Interval:
    """NaN is greater than nothing."""
    numbers = ~(a.nan | b.nan)
    if or_equal:
        return _truth((a.low >= b.high) & numbers, a.high >= b.low)
    return _truth((a.low > b.high) & numbers, a.high > b.low)


def equal(a: Interval, b: Interval) -> Interval:
    certain = (a.low == a.high) & (b.low == b.high) & (a.low == b.low) & ~(a.nan | b.nan)
    return _truth(certain, (a.low <= b.high) & (b.low <= a.high))


def inverse(a: Interval) -> Interval:
    """`not`."""
    if a.is_point:
        return point(1.0 - a.low)
    return Interval(1.0 - a.high, 1.0 - a.low, a.nan)


def either(test: Interval, then: Interval, other: Interval) -> Interval:
    """`then` where the test holds, `other` where it does not, both where it is open."""
    yes, no = test.low > 0, test.high < 1
    if test.is_point and then.is_point and other.is_point:
        return point(np.where(yes, then.low, other.low))
    both = hull((then, other))

    def chosen(name: str) -> Array:
        parts = (getattr(part, name) for part in (then, other, both))
        first, second, third = parts
        return np.asarray(np.where(yes, first, np.where(no, second, third)))

    return Interval(chosen("low"), chosen("high"), chosen("nan"))


def folded(function: Function, a: Interval) -> Interval:
    """Of both ends and of what may be NaN: a reduction that rises with every element."""
    nan = np.asarray(function(a.nan.astype(np.float64))) > 0
    low = np.asarray(function(a.low))
    high = low if a.is_point else np.asarray(function(a.high))
    return Interval(low, high, np.asarray(nan | np.isnan(low) | np.isnan(high)))
