"""Values that C++ knows when it compiles: what is a constant, and which one."""

from __future__ import annotations

from opkg.rules.core_match import Type
from opkg.rules.core_scalar import (
    Apply,
    Cast,
    ChunkSize,
    Const,
    Expr,
    NamedConst,
)

_FOLDED = frozenset(("ADD", "SUB", "MUL", "DIV", "REM", "MOD", "MIN", "MAX", "NEG", "ABS"))
_BITS = {Type.INT: 32, Type.INT64: 64}


def is_constant(expr: Expr) -> bool:
    """Whether C++ folds the expression: numbers, named constants, arithmetic of these."""
    if isinstance(expr, Const | ChunkSize | NamedConst):
        return True
    if isinstance(expr, Cast):
        return expr.implicit and is_constant(expr.operand)
    return isinstance(expr, Apply) and expr.operator in _FOLDED and all(is_constant(arg) for arg in expr.args)


def surely_constant(expr: Expr) -> bool:
    """Whether it is a constant and no name in it may be a macro that stands for an expression."""
    if isinstance(expr, Cast):
        return is_constant(expr) and surely_constant(expr.operand)
    if isinstance(expr, Apply):
        return is_constant(expr) and all(map(surely_constant, expr.args))
    return isinstance(expr, Const | ChunkSize)


def value_of(expr: Expr) -> bool | int | float | None:
    """The value of a constant expression of integers; None when it is none or not known. Floats: plain constants only."""
    if isinstance(expr, Const):
        return expr.value
    if isinstance(expr, ChunkSize):
        return expr.value
    if isinstance(expr, Cast):
        value = value_of(expr.operand)
        return None if value is None else converted(value, expr.type)
    if isinstance(expr, Apply) and expr.operator in _FOLDED and expr.type is not Type.FLOAT:
        values = [value_of(arg) for arg in expr.args]
        return None if None in values else _applied(expr, [int(value) for value in values if value is not None])
    return None


def _applied(expr: Apply, values: list[int]) -> int | None:
    first, *rest = values
    for other in rest:
        if expr.operator in ("DIV", "REM", "MOD") and other == 0:
            return None
        quotient = abs(first) // abs(other) if other else 0
        quotient = quotient if (first < 0) == (other < 0) else -quotient
        first = {
            "ADD": first + other,
            "SUB": first - other,
            "MUL": first * other,
            "DIV": quotient,
            "REM": first - quotient * other,
            "MOD": first % other if other else 0,
            "MIN": min(first, other),
            "MAX": max(first, other),
        }[expr.operator]
    if not rest:
        first = -first if expr.operator == "NEG" else abs(first)
    return int(converted(first, expr.type))


def converted(value: bool | int | float, type: Type) -> bool | int | float:
    """The value as C++'s static_cast makes it; floats that no integer can hold become 0."""
    if type is Type.FLOAT:
        return float(value)
    if type is Type.BOOL:
        return bool(value)
    whole: int = int(value) if value == value and abs(value) != float("inf") else 0
    if type is Type.SIZE:
        return whole % 2**64
    bits = _BITS.get(type, 32)
    half = 1 << (bits - 1)
    return (whole + half) % (2 * half) - half
