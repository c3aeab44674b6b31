"""How far functions of one operand may be off in float32, as torch's kernels have them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from opkg.spec.compute.tree import Function
from opkg.targets.executorch_builder import torch_bounds as rules
from opkg.targets.executorch_builder.torch_bounds import ASTRAY, HIGHEST, NORMAL, SLOPE, Bounds, Unproved

_ERFC_END = 10.1  # erfc(x) beyond is no float32


def applied(function: Function, x: Bounds, slope: float = SLOPE) -> Bounds:
    """A function of one operand, as torch's kernels of float32 have it; `slope`: results below exp(-slope) of those that go
    towards 0 may be off by as much as all others are of it."""
    match function:
        case Function.ABS:
            return replace(
                x,
                low=0.0 if x.low < 0 < x.high else min(abs(x.low), abs(x.high)),
                high=x.limit,
                movable="",
                sign="",
                peak=(),
            )
        case Function.EXP | Function.SIGMOID | Function.SOFTPLUS:
            return _steep(function, x, slope)
        case Function.TANH | Function.ERF | Function.ATAN:
            return _flat(x, 1.0 if function is not Function.ATAN else 1.6)
        case Function.SQRT | Function.RSQRT if x.whole:
            return _rooted(function, x)
        case Function.SIN | Function.COS if not (x.error or x.scaled or x.infinite):
            return Bounds(2.0, low=-1.0, high=1.0, loss=x.loss)
        case Function.LOG1P if x.whole and (x.error == 0 or x.low >= 0):
            low, high = 0.0 if x.low >= 0 else -SLOPE, math.log1p(max(x.high, 0.0))
            lost = float(x.least < NORMAL)  # torch's is 0 there, or nearly what it should be
            return Bounds(x.error + 2, low=low, high=high, least=x.least / 2, loss=lost, moved=x.moved)
        case _ if x.error or not x.whole:
            raise Unproved
        case Function.SIGN:
            return Bounds(bits=1, low=-1.0, high=1.0, least=1.0)
        case Function.FLOOR | Function.CEIL | Function.ROUND | Function.TRUNC:
            low, high = (end if abs(end) >= 2.0**24 else whole(end) for end, whole in _outward(x))
            return Bounds(low=low, high=high, least=1.0, moved=x.moved)
        case Function.LOG:
            return Bounds(2.0, low=-SLOPE, high=SLOPE, least=2.0**-25)
        case Function.ASIN:
            return Bounds(2.0, low=-1.6, high=1.6)
        case Function.SILU:
            return Bounds(5.0, low=-0.3, high=max(x.high, 0.0), loss=SLOPE)
        case Function.GELU:  # x * (erfc(-x * sqrt(1 / 2)) / 2)
            gate = rules.multiplied(
                rules.constant(0.5), complement(rules.multiplied(x, rules.constant(-math.sqrt(0.5))), slope)
            )
            made = rules.multiplied(x, gate)  # the gate is lost below -13, where 16 times that is left
            return replace(made, low=-0.2, high=max(x.high, 0.0), loss=16.0, scaled=False)
        case Function.MISH:
            return Bounds(8.0, low=-0.4, high=max(x.high, 0.0), loss=SLOPE)
        case Function.HARDSWISH:  # x * hardsigmoid(x)
            return Bounds(5.0, low=-0.4, high=max(x.high, 0.0), loss=1.0)
        case _:
            raise Unproved


def _outward(x: Bounds) -> tuple[tuple[float, Callable[[float], int]], ...]:
    """The ends of a value, and what whole numbers near them are at most."""
    return (x.low, math.floor), (x.high, math.ceil)


def _steep(function: Function, x: Bounds, slope: float) -> Bounds:
    """exp and what has its tail: it multiplies errors by x, and is lost where x is far below 0."""
    if x.scaled or x.infinite == ASTRAY:
        raise Unproved
    rounded = 2.0 if function is Function.EXP else 4.0
    above = min(max(x.high, 0.0), 89.0) if function is Function.EXP else min(max(x.high, 0.0), 2.0)
    error = rounded + x.error * max(min(max(-x.low, 0.0), slope), above)
    tail = math.exp(-slope) * (rounded + x.error * SLOPE) * 2.0**102 if x.error and -x.low > slope < SLOPE else 0.0
    least = math.exp(max(x.low, -700.0)) / 2
    high = 1.0 if function is Function.SIGMOID else math.exp(min(x.high, 700.0)) * 1.0000001
    if function is Function.SOFTPLUS:
        high = max(x.high, 0.0) + 1
    large = x.infinite if function is Function.SOFTPLUS else int(high > HIGHEST)
    lost = float(least < NORMAL) + tail
    peak = x.peak if function is Function.EXP and x.high == 0 else ()
    high = 1.0 if peak else high  # exp(0) is 1
    return Bounds(error, low=0.0, high=high, least=least, loss=lost, infinite=large, moved=x.moved, peak=peak)


def complement(x: Bounds, slope: float = SLOPE) -> Bounds:
    """`1 - erf(x)` by torch's erfc, which is lost where x is far above 0: it multiplies errors by 2 * x * x + 1 at most."""
    if x.scaled or x.infinite == ASTRAY:
        raise Unproved
    steepest, end = min(max(x.high, 0.0), _ERFC_END), math.sqrt(slope)
    error = 2 + x.error * (2 * min(steepest, end) ** 2 + 1)
    astray = 2 + x.error * (2 * _ERFC_END**2 + 1)
    tail = math.erfc(end) * astray * 2.0**102 if x.error and steepest > end else 0.0
    least = math.erfc(min(x.high, 26.0)) / 2
    lost = float(least < NORMAL) + tail
    return Bounds(error, low=0.0, high=2.0, least=least, loss=lost, moved=x.moved)


def growth(x: Bounds, slope: float = SLOPE) -> Bounds:
    """`exp(x) - 1` as torch's expm1, in which nothing cancels: it multiplies errors by x + 1 at most."""
    if x.scaled or x.infinite == ASTRAY:
        raise Unproved
    high = math.exp(min(x.high, 700.0))
    error = 2 + x.error * (min(max(x.high, 0.0), slope) + 1)
    return Bounds(
        error, low=-1.0, high=high, least=x.least / 2, loss=x.loss + 1, infinite=int(high > HIGHEST), moved=x.moved
    )


def odds(x: Bounds) -> Bounds:
    """`log(x / (1 - x))` as torch_math's logit."""
    if x.error or not x.whole:
        raise Unproved
    return Bounds(14.0, low=-SLOPE, high=SLOPE, least=2.0**-25)


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
