"""Conditions and numbers of which only so much is known: a number lies between two others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


class Truth:
    """What is known of a condition."""

    def __init__(self, maybe: bool, maybe_not: bool | None = None) -> None:
        self.maybe, self.maybe_not = bool(maybe), not maybe if maybe_not is None else bool(maybe_not)


def truth(value: Any) -> Truth:
    return value if isinstance(value, Truth) else Truth(bool(value))


def negated(a: Any) -> Truth:
    return Truth(truth(a).maybe_not, truth(a).maybe)


def both(a: Any, b: Any) -> Truth:
    a, b = truth(a), truth(b)
    return Truth(a.maybe and b.maybe, a.maybe_not or b.maybe_not)


def either(a: Any, b: Any) -> Truth:
    return negated(both(negated(a), negated(b)))


class Number:
    """What is known of a number: its ends, which are included."""

    def __init__(self, low: float, high: float | None = None) -> None:
        self.low, self.high = low, low if high is None else high

    @property
    def known(self) -> bool:
        return self.low == self.high

    def __neg__(self) -> Number:
        return Number(-self.high, -self.low)

    def __add__(self, other: Any) -> Number:
        other = number(other)
        return Number(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Any) -> Number:
        return self + -number(other)

    def __mul__(self, other: Any) -> Number:
        return _ends(self, number(other), lambda x, y: 0 if x == 0 or y == 0 else x * y)

    def __radd__(self, other: Any) -> Number:
        return self + other

    def __rsub__(self, other: Any) -> Number:
        return number(other) - self

    def __rmul__(self, other: Any) -> Number:
        return self * other

    def __lt__(self, other: Any) -> Truth:  # type: ignore[override]
        return _less(self, number(other))

    def __gt__(self, other: Any) -> Truth:  # type: ignore[override]
        return _less(number(other), self)

    def __le__(self, other: Any) -> Truth:  # type: ignore[override]
        return negated(_less(number(other), self))

    def __ge__(self, other: Any) -> Truth:  # type: ignore[override]
        return negated(_less(self, number(other)))

    def __eq__(self, other: Any) -> Truth:  # type: ignore[override]
        other = number(other)
        same = self.known and other.known and self.low == other.low
        return Truth(self.low <= other.high and other.low <= self.high, not same)

    def __ne__(self, other: Any) -> Truth:  # type: ignore[override]
        return negated(self == other)

    __hash__ = None  # type: ignore[assignment]


def _less(a: Number, b: Number) -> Truth:
    return Truth(a.low < b.high, a.high >= b.low)


def number(value: Any) -> Number:
    return value if isinstance(value, Number) else Number(value)


def _ends(a: Number, b: Number, function: Any) -> Number:
    found = [function(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Number(min(found), max(found))


ANYTHING = Number(-math.inf, math.inf)
EXTENT = Number(0, math.inf)


def single(value: float) -> float:
    """A number, rounded to single precision."""
    return float(np.float32(value))


def least(a: Any, b: Any) -> Number:
    a, b = number(a), number(b)
    return Number(min(a.low, b.low), min(a.high, b.high))


def most(a: Any, b: Any) -> Number:
    return -least(-number(a), -number(b))


def magnitude(a: Any) -> Number:
    a = number(a)
    return most(a, -a) if a.low >= 0 or a.high <= 0 else Number(0, max(-a.low, a.high))


def select(test: Any, a: Any, b: Any) -> Number:
    test, a, b = truth(test), number(a), number(b)
    if test.maybe and test.maybe_not:
        return Number(min(a.low, b.low), max(a.high, b.high))
    return a if test.maybe else b


def divide(a: Any, b: Any) -> Number:
    """a / b. Nothing is known of it where b may be 0; b that is 0 is refused."""
    a, b = number(a), number(b)
    if b.low == 0 and b.high == 0:
        raise ValueError("division by 0")
    if b.low <= 0 <= b.high:
        return ANYTHING
    return _ends(a, b, lambda x, y: 0.0 if math.isinf(y) else x / y)


def floor_div(a: Any, b: Any) -> Number:
    a, b = number(a), number(b)
    if a.known and b.known and b.low != 0:
        return Number(a.low // b.low)
    quotient = divide(a, b)
    return Number(*(end if math.isinf(end) else math.floor(end) for end in (quotient.low, quotient.high)))


def floor_mod(a: Any, b: Any) -> Number:
    a, b = number(a), number(b)
    quotient = floor_div(a, b)
    return a - quotient * b if a.known and b.known else Number(min(b.low, 0), max(b.high, 0))


def ceil_div(a: Any, b: Any) -> Number:
    return -floor_div(-number(a), b)


def round_up(a: Any, b: Any) -> Number:
    return ceil_div(a, b) * b
