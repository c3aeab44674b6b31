"""Values of element types: what fits, and how a float is stored."""

from __future__ import annotations

import math
import struct
from typing import Any

from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Value

_FORMATS = {"float32": "<f", "float16": "<e"}


def stored(value: float, dtype: DType) -> float:
    """A float as its element type stores it; inf when it is too large, and unchanged for other types than floats."""
    format_ = _FORMATS.get(dtype.name)
    if format_ is None:
        return value
    try:
        result: float = struct.unpack(format_, struct.pack(format_, value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return result


def fits(value: bool | int | float, dtype: DType) -> str:
    """Why one value cannot be of an element type, or empty text."""
    if dtype.kind is Kind.BOOL:
        return "" if isinstance(value, bool) else "is no bool"
    if isinstance(value, bool):
        return "is a bool"
    if dtype.kind is Kind.FLOAT:
        return "" if math.isfinite(stored(float(value), dtype)) else f"does not fit in {dtype}"
    if not isinstance(value, int):
        return "is no whole number"
    low, high = dtype.limits
    return "" if low <= value <= high else f"is not in {low} .. {high}"


def elements(value: Value) -> tuple[Any, ...]:
    """The elements of a param's value."""
    return value if isinstance(value, tuple) else (value,)
