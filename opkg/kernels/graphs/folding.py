"""Values of operations on constants, as numpy computes them: float64, int64 that wraps, bool."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction

from opkg.kernels.graphs.decisions import DECIDE
from opkg.kernels.graphs.graph import COMPARE, Node
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind

Value = bool | int | float


class _NoValueError(Exception):
    """The operation is left as it is: its value is infinite or NaN, or no int64."""


def fold(node: Node, args: list[Node]) -> Value | None:
    """The value of an operation whose operands are constants; None when it is not finite or not known here."""
    function = _FUNCTIONS.get(node.op)
    values = [arg.value for arg in args]
    if function is None or any(value is None for value in values):
        return None
    real = node.type is Type.REAL
    if node.op in COMPARE:
        real = any(arg.type is Type.REAL for arg in args)
    given = [_as(value, real) for value in values if value is not None]
    if node.op in ("select", "cast"):  # the test of a select is a bool, a cast sees its operand as it is
        given = [value for value in values if value is not None]
    try:
        found = function(*given) if node.op != "cast" else _cast(given[0], node.dtype)
        return _fit(found, node.type)
    except (ValueError, OverflowError, ZeroDivisionError, _NoValueError):
        return None


def decide(node: Node, args: Sequence[Fraction]) -> Value | None:
    """What an operation decides on exact numbers; None when it is no decision."""
    if node.op not in DECIDE or (node.op == "cast" and DTYPES[node.dtype].kind is Kind.FLOAT):
        return None
    try:
        if node.op == "cast":
            return _fit(_cast(args[0], node.dtype), node.type)
        return _fit((_EXACT.get(node.op) or _FUNCTIONS[node.op])(*args), node.type)
    except (OverflowError, ZeroDivisionError, _NoValueError):
        return None


def _as(value: Value, real: bool) -> Value:
    return float(value) if real and not isinstance(value, bool) else value


def _fit(value: Value, type_: Type) -> Value:
    """The value in the type of its node."""
    if type_ is Type.BOOL:
        return bool(value)
    if type_ is Type.INTEGER:
        return wrap(int(value))
    value = float(value)
    if not math.isfinite(value):
        raise _NoValueError
    return value


def wrap(value: int) -> int:
    """An integer as int64 holds it."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _rounded(function: Callable[[float], int]) -> Callable[[Value], Value]:
    def rounding(x: Value) -> Value:
        if isinstance(x, int):
            return x
        found = float(function(x))
        return math.copysign(0.0, x) if found == 0 else found

    return rounding


def _floor_div(a: Value, b: Value) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        return a // b if b else 0
    return float(a) // float(b)


def _mod(a: Value, b: Value) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        return a % b if b else 0
    return float(a) % float(b)


def _pow(a: Value, b: Value) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        if b < 0:
            raise _NoValueError
        return wrap(pow(a, b, 1 << 64))
    if b in (2, 3, 4, 0.5, -0.5, -1):  # these become products and roots, whose last place may differ
        raise _NoValueError
    return math.pow(a, b)


def least(a: Value, b: Value) -> Value:
    """The smaller of two numbers; -0.0 is below 0.0."""
    return min((a, math.copysign(1.0, a)), (b, math.copysign(1.0, b)))[0]


def greatest(a: Value, b: Value) -> Value:
    """The larger of two numbers; -0.0 is below 0.0."""
    return max((a, math.copysign(1.0, a)), (b, math.copysign(1.0, b)))[0]


def _shift_left(a: int, count: int) -> int:
    return a << max(count, 0) if count < 64 else 0


def _shift_right(a: int, count: int) -> int:
    return a >> min(max(count, 0), 63)


def _sign(x: Value) -> Value:
    return (x > 0) - (x < 0)


def _rsqrt(x: Value) -> Value:
    return 1.0 / math.sqrt(x)


def _sigmoid(x: Value) -> Value:
    return 1.0 / (1.0 + math.exp(-x))


def _select(test: Value, then: Value, other: Value) -> Value:
    return then if test else other


def _cast(value: Value | Fraction, dtype: str) -> Value:
    row = DTYPES[dtype]
    if row.kind is Kind.BOOL:
        return value != 0
    if row.kind is Kind.FLOAT:
        form = "<f" if row.bits == 32 else "<e"
        return float(struct.unpack(form, struct.pack(form, float(value)))[0])
    low, high = row.limits
    whole = min(max(math.trunc(value), low), high)
    if whole >= 1 << 63:
        raise _NoValueError
    return whole


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "neg": operator.neg, "not": operator.not_, "abs": abs, "sign": _sign, "exp": math.exp, "log": math.log,
    "sqrt": math.sqrt, "rsqrt": _rsqrt, "erf": math.erf, "tanh": math.tanh, "sigmoid": _sigmoid,
    "sin": math.sin, "cos": math.cos, "asin": math.asin, "atan": math.atan, "log1p": math.log1p,
    "floor": _rounded(math.floor), "ceil": _rounded(math.ceil), "round": _rounded(round), "trunc": _rounded(math.trunc),
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "floor_div": _floor_div,
    "mod": _mod, "pow": _pow, "min": least, "max": greatest, "and": operator.and_, "or": operator.or_,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "select": _select, "cast": _cast, "bit_and": operator.and_, "bit_or": operator.or_, "bit_xor": operator.xor,
    "shift_left": _shift_left, "shift_right": _shift_right,
}  # fmt: skip
_EXACT: dict[str, Callable[..., Value]] = {"floor_div": operator.floordiv, "mod": operator.mod}  # of fractions
