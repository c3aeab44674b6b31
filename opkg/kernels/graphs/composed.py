"""Functions that are said in others: an activation becomes operations that strategies, and ONNX, know.

`op(name, *values)` makes an operation of real values, by its name in graphs; `number(value)` a constant.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

from opkg.spec.compute.tree import Function

Value = TypeVar("Value")


def softplus(op: Callable[..., Value], number: Callable[[float], Value], x: Value) -> Value:
    """max(x, 0) + log1p(exp(-abs(x))): nothing overflows."""
    small = op("log1p", op("exp", op("neg", op("abs", x))))
    return op("add", op("max", x, number(0.0)), small)


def silu(op: Callable[..., Value], number: Callable[[float], Value], x: Value) -> Value:
    return op("mul", x, op("sigmoid", x))


def gelu(op: Callable[..., Value], number: Callable[[float], Value], x: Value) -> Value:
    """With erf, not with its approximation by tanh."""
    inner = op("erf", op("div", x, number(math.sqrt(2.0))))
    return op("mul", op("mul", number(0.5), x), op("add", number(1.0), inner))


def mish(op: Callable[..., Value], number: Callable[[float], Value], x: Value) -> Value:
    return op("mul", x, op("tanh", softplus(op, number, x)))


def hardswish(op: Callable[..., Value], number: Callable[[float], Value], x: Value) -> Value:
    raised = op("max", op("add", x, number(3.0)), number(0.0))
    return op("div", op("mul", x, op("min", raised, number(6.0))), number(6.0))


_ALL = {
    Function.SOFTPLUS: softplus, Function.SILU: silu, Function.GELU: gelu, Function.MISH: mish,
    Function.HARDSWISH: hardswish,
}  # fmt: skip
COMPOSED = frozenset(_ALL)


def composed(function: Function, op: Callable[..., Value], number: Callable[[float], Value], x: Value) -> Value:
    """One of `COMPOSED` of a real value."""
    made: Callable[[Callable[..., Value], Callable[[float], Value], Value], Value] = _ALL[function]
    return made(op, number, x)
