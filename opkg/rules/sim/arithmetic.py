"""Scalar arithmetic as C++ does it on x86-64: int wraps at 32 bits, size at 64, float rounds to 32 bits.

Where C++ leaves a result open, x86-64 decides (a float too large for an int gives the smallest int); where x86-64 would
end the program (division by zero), a `Fault` is raised. ROUNDUP and IS_POW2 follow what was measured on the real
templates; ROUNDUP(x, 0) of x <= 0, CEILDIV, ROUNDDOWN and LCM of negative numbers were not measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from ctypes import c_float

from opkg.rules.core import Type

Scalar = bool | int | float
INT_MIN = -(1 << 31)


class Fault(Exception):
    """A rule did something at which real code would crash or go wrong; the attempt is given up. `at`: place in the rule."""

    def __init__(self, message: str, at: tuple[int, int] = (0, 0)) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


def wrap_int(value: int) -> int:
    return ((value + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def wrap_int64(value: int) -> int:
    return ((value + (1 << 63)) & 0xFFFFFFFFFFFFFFFF) - (1 << 63)


def wrap_size(value: int) -> int:
    return value & 0xFFFFFFFFFFFFFFFF


def round_float(value: float) -> float:
    """The 32-bit float nearest to a number (ties to even, infinite when too large)."""
    return c_float(value).value


def float_of_int(value: int) -> float:
    """The 32-bit float nearest to an integer, rounded once."""
    surplus = abs(value).bit_length() - 53
    if surplus > 0:  # a double would round first: keep 53 bits, the last one sticky
        kept = abs(value) >> surplus | (abs(value) & ((1 << surplus) - 1) != 0)
        value = (kept if value > 0 else -kept) << surplus
    return c_float(float(value)).value


def _truncate(value: float, bits: int) -> int:
    """A float as a signed integer, x86-64's way: the smallest integer for what does not fit."""
    lowest = -(1 << (bits - 1))
    if not math.isfinite(value):
        return lowest
    whole = int(value)
    return whole if lowest <= whole < -lowest else lowest


def _size_of_float(value: float) -> int:
    if value >= (1 << 64):
        return 0
    return int(value) if value >= (1 << 63) else wrap_size(_truncate(value, 64))


def convert(value: Scalar, to: Type) -> Scalar:
    """static_cast of a bool, int or float to a type."""
    if to is Type.BOOL:
        return value != 0
    if to is Type.FLOAT:
        return round_float(value) if isinstance(value, float) else float_of_int(int(value))
    if isinstance(value, float):
        if to is Type.SIZE:
            return _size_of_float(value)
        return _truncate(value, 64 if to is Type.INT64 else 32)
    return _WRAP[to](int(value))


def _same(value: int) -> int:
    return value


_WRAP: dict[Type, Callable[[int], int]] = {
    Type.BOOL: lambda value: value != 0,
    Type.INT: wrap_int,
    Type.INT64: wrap_int64,
    Type.SIZE: wrap_size,
    Type.DTYPE: _same,
}


def _quotient(left: int, right: int, lowest: int) -> int:
    if right == 0:
        raise Fault("division by zero")
    if right == -1 and left == lowest:
        raise Fault(f"{left} divided by -1 does not fit its type")
    whole = abs(left) // abs(right)
    return whole if (left < 0) == (right < 0) else -whole


def _divide(left: float, right: float) -> float:
    if right == 0:
        if left == 0 or math.isnan(left):
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    return left / right


def _next_power(value: int) -> int:
    return 0 if value <= 0 else 1 << (value - 1).bit_length()


def _round_up(left: int, right: int) -> int:
    if right < 0:
        return 0
    if right == 0:
        return _next_power(left)
    return -(-left // right) * right


def _lowest(type: Type) -> int:
    return {Type.INT: INT_MIN, Type.INT64: -(1 << 63)}.get(type, 1)


def _integer(operator: str, type: Type, left: int, right: int) -> int:
    """A binary operator on two integers of one type, not wrapped yet."""
    if operator == "ADD":
        return left + right
    if operator == "SUB":
        return left - right
    if operator == "MUL":
        return left * right
    if operator == "DIV":
        return _quotient(left, right, _lowest(type))
    if operator == "REM":
        return left - right * _quotient(left, right, _lowest(type))
    if operator == "MOD":
        _quotient(left, right, _lowest(type))
        return left % right
    if operator == "ROUNDUP":
        return _round_up(left, right)
    if operator == "ROUNDDOWN":
        _quotient(left, right, _lowest(type))
        return left // right * right
    if operator == "CEILDIV":
        _quotient(left, right, _lowest(type))
        return -(-left // right)
    if operator == "LCM":
        return math.lcm(left, right)
    if operator == "BIT_AND":
        return left & right
    if operator == "BIT_OR":
        return left | right
    raise Fault(f"{operator} has no meaning for {type}")


def _float(operator: str, left: float, right: float) -> float:
    if operator == "ADD":
        return left + right
    if operator == "SUB":
        return left - right
    if operator == "MUL":
        return left * right
    if operator == "DIV":
        return _divide(left, right)
    raise Fault(f"{operator} has no meaning for float")


_COMPARE: dict[str, Callable[[Scalar, Scalar], bool]] = {
    "EQ": lambda left, right: left == right,
    "NE": lambda left, right: left != right,
    "LT": lambda left, right: left < right,
    "GT": lambda left, right: left > right,
    "LE": lambda left, right: left <= right,
    "GE": lambda left, right: left >= right,
}


def _unary(operator: str, type: Type, value: Scalar) -> Scalar:
    if operator == "NOT":
        return not value
    if operator == "IS_POW2":
        return (int(value) & _WRAP[type](int(value) - 1)) == 0
    result = abs(value) if operator == "ABS" else -value
    return result if type is Type.FLOAT else _WRAP[type](int(result))


def operate(operator: str, type: Type, args: list[Scalar]) -> Scalar:
    """An operator's value on args that all have `type`; AND and OR get values that were evaluated already.

    Raises Fault for a division that C++ would crash on, and for an operator without meaning for the type.
    """
    compare = _COMPARE.get(operator)
    if compare is not None:
        return compare(args[0], args[1])
    if operator in ("NOT", "NEG", "ABS", "IS_POW2"):
        return _unary(operator, type, args[0])
    if operator == "AND":
        return all(args)
    if operator == "OR":
        return any(args)
    if operator == "XOR":
        return sum(1 for arg in args if arg) % 2 == 1
    value = args[0]
    for arg in args[1:]:
        if operator == "MIN":
            value = arg if arg < value else value
        elif operator == "MAX":
            value = arg if value < arg else value
        elif type is Type.FLOAT:
            value = round_float(_float(operator, float(value), float(arg)))
        else:
            value = _WRAP[type](_integer(operator, type, int(value), int(arg)))
    return value
