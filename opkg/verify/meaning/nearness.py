"""Float64 arrays that know how far the exact values may be from them, and how far those of a less precise type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from opkg.verify.meaning.numbers import Array

_SPLIT = 134217729.0  # 2**27 + 1
_SLACK = 1 + 2.0**-40
_ANYWHERE = 2.0**300
_DOUBLE = 2.0**-50  # what functions like exp may be off, relative to their value
_FUNCTION = 8  # in units of the roundoff of the element type


@dataclass(frozen=True, slots=True)
class Near:
    """`error`: at most, between `value` and the exact value; 0 or NaN where doubles hold it (infinities and NaN).

    `leeway`: how far the value may be off when every operation is rounded in a type of roundoff `unit` (0: exact).
    """

    value: Array
    error: Array
    leeway: Array
    unit: float = 0.0


def known(value: Array, unit: float = 0.0) -> Near:
    """A number that is what it is."""
    nothing = np.zeros(value.shape)
    return Near(value.astype(np.float64), nothing, nothing, unit)


def _rest_of_sum(a: Array, b: Array, total: Array) -> Array:
    second = total - a
    return np.asarray((a - (total - second)) + (b - second))


def _rest_of_product(a: Array, b: Array, product: Array) -> Array:
    a_top, b_top = a * _SPLIT - (a * _SPLIT - a), b * _SPLIT - (b * _SPLIT - b)
    a_low, b_low = a - a_top, b - b_top
    return np.asarray(((a_top * b_top - product) + a_top * b_low + a_low * b_top) + a_low * b_low)


def _made(value: Array, rest: Array, error: Array, leeway: Array, unit: float) -> Near:
    """A result that was rounded by `rest`. Whoever computes with exact operands in a type that holds it has it, too."""
    if unit:
        held = value.astype(np.float32 if unit < 2.0**-20 else np.float16).astype(np.float64)
        exact = (held == value) & (rest == 0) & (leeway == 0)
        leeway = np.where(exact, 0.0, leeway + unit * np.abs(value))
    return Near(value, (error + np.abs(rest)) * _SLACK, leeway, unit)


def neg(a: Near) -> Near:
    return Near(-a.value, a.error, a.leeway, a.unit)


def add(a: Near, b: Near) -> Near:
    total = a.value + b.value
    rest = _rest_of_sum(a.value, b.value, total)
    return _made(total, rest, a.error + b.error, a.leeway + b.leeway, max(a.unit, b.unit))


def sub(a: Near, b: Near) -> Near:
    return add(a, neg(b))


def _spread(a: Near, b: Near, of_a: Array, of_b: Array) -> Array:
    return np.asarray(np.abs(a.value) * of_b + np.abs(b.value) * of_a + of_a * of_b)


def mul(a: Near, b: Near) -> Near:
    product = a.value * b.value
    rest = _rest_of_product(a.value, b.value, product)
    return _made(product, rest, _spread(a, b, a.error, b.error), _spread(a, b, a.leeway, b.leeway), max(a.unit, b.unit))


def div(a: Near, b: Near) -> Near:
    quotient = np.asarray(a.value / b.value)
    product = quotient * b.value
    rest = np.abs((a.value - product) - _rest_of_product(quotient, b.value, product))

    def off(start: Array, of_a: Array, of_b: Array) -> Array:
        least = np.abs(b.value) - of_b
        total = start + of_a + np.abs(quotient) * of_b
        return np.where(total > 0, np.where(least > 0, total / least, _ANYWHERE), 0.0)

    nothing = np.zeros_like(rest)
    leeway = off(nothing, a.leeway, b.leeway)
    return _made(
        quotient, np.where(rest > 0, rest / np.abs(b.value), rest), off(nothing, a.error, b.error), leeway,
        max(a.unit, b.unit),
    )  # fmt: skip


def magnitude(a: Near) -> Near:
    return Near(np.abs(a.value), a.error, a.leeway, a.unit)


def extreme(function: Callable[[Array, Array], Array], a: Near, b: Near) -> Near:
    """Of np.minimum or np.maximum."""
    error, leeway = np.maximum(a.error, b.error), np.maximum(a.leeway, b.leeway)
    return Near(function(a.value, b.value), error, leeway, max(a.unit, b.unit))


def select(test: Array, then: Near, other: Near) -> Near:
    return Near(
        np.where(test, then.value, other.value),
        np.where(test, then.error, other.error),
        np.where(test, then.leeway, other.leeway),
        max(then.unit, other.unit),
    )


def square_root(a: Near) -> Near:
    """A number of double precision, and exact where the root is."""
    root = np.sqrt(a.value)
    rest = root * root - a.value + _rest_of_product(root, root, root * root)
    found = function(np.sqrt, a)
    exact = (rest == 0) & (a.error == 0) & (a.leeway == 0)
    return Near(found.value, found.error, np.where(exact, 0.0, found.leeway), a.unit)


def function(of: Callable[..., Any], *args: Near) -> Near:
    """A function that is no arithmetic: its value in double precision is what is decided on."""
    value = np.asarray(of(*[a.value for a in args]), dtype=np.float64)
    unit = max(a.unit for a in args)
    leeway = np.abs(value) * (_FUNCTION * unit if unit else _DOUBLE)
    for sign in (-1, 1):
        moved = np.asarray(of(*[a.value + sign * (a.leeway + a.error) for a in args]), dtype=np.float64)
        leeway = np.maximum(leeway, np.where(np.isfinite(moved), np.abs(moved - value), 0.0) + leeway)
    return Near(value, np.zeros(value.shape), leeway, unit)
