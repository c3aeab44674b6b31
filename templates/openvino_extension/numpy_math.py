"""Computations on arrays of float64, int64 and bool, and how tensors become these and back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_erf = np.vectorize(math.erf, otypes=[np.float64])


def load(array: Any, quantized: bool, scale: float, zero_point: int) -> Any:
    """The numbers of a tensor: real ones of floats and of quantized tensors, else integers or truth values."""
    if quantized:
        return (array.astype(np.float64) - zero_point) * np.float64(np.float32(scale))
    if array.dtype == np.bool_:
        return array
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64)


def store(values: Any, dtype: Any, quantized: bool, scale: float, zero_point: int) -> Any:
    """The nearest of the numbers that a tensor can hold, ties to even."""
    kind = np.dtype(dtype)
    if quantized:
        real = np.rint(values / np.float64(np.float32(scale))) + zero_point
        values = np.where(np.isnan(values), zero_point, real)
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        if np.asarray(values).dtype.kind == "f":
            return np.clip(values, float(limits.min), float(limits.max)).astype(kind)
        return np.clip(values, limits.min, min(limits.max, 2**63 - 1)).astype(kind)
    return np.asarray(values).astype(kind)


def real(value: Any) -> Any:
    return np.asarray(value).astype(np.float64)


def div(a: Any, b: Any) -> Any:
    return real(a) / real(b)


def floor_div(a: Any, b: Any) -> Any:
    """Rounds down; of integers, 0 where the divisor is 0."""
    if np.result_type(a, b).kind == "f":
        return np.floor_divide(real(a), real(b))
    return np.where(np.equal(b, 0), 0, np.floor_divide(a, np.where(np.equal(b, 0), 1, b)))


def mod(a: Any, b: Any) -> Any:
    """Has the sign of the divisor; of integers, 0 where the divisor is 0."""
    if np.result_type(a, b).kind == "f":
        return np.mod(real(a), real(b))
    return np.where(np.equal(b, 0), 0, np.mod(a, np.where(np.equal(b, 0), 1, b)))


def pow(a: Any, b: Any) -> Any:
    return np.power(a, b) if np.result_type(a, b).kind != "f" else np.power(real(a), real(b))


def rsqrt(x: Any) -> Any:
    return 1.0 / np.sqrt(x)


def erf(x: Any) -> Any:
    return _erf(x)


def sigmoid(x: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-x))


def bit_and(a: Any, b: Any) -> Any:
    return np.bitwise_and(a, b)


def bit_or(a: Any, b: Any) -> Any:
    return np.bitwise_or(a, b)


def bit_xor(a: Any, b: Any) -> Any:
    return np.bitwise_xor(a, b)


def shift_left(a: Any, count: Any) -> Any:
    """Keeps 64 bits; by less than 0: by 0."""
    return np.where(np.greater(count, 63), 0, np.left_shift(a, np.clip(count, 0, 63)))


def shift_right(a: Any, count: Any) -> Any:
    """Rounds down; by less than 0: by 0."""
    return np.right_shift(a, np.clip(count, 0, 63))


def cast(value: Any, dtype: str) -> Any:
    """The value as an element type holds it."""
    if dtype == "bool8":
        return np.asarray(value) != 0
    if dtype.startswith("float"):
        return real(real(value).astype(dtype))
    whole = np.asarray(value)
    if whole.dtype.kind == "f":
        whole = np.where(np.isnan(whole), 0, np.trunc(whole))
    return store(whole, dtype, False, 1.0, 0).astype(np.int64)


def _axes(axes: Any) -> Any:
    """What numpy takes: None, or a tuple."""
    return None if axes is None else tuple(np.atleast_1d(axes).tolist())


def reduce_sum(x: Any, axes: Any, keep: bool) -> Any:
    return np.sum(x, axis=_axes(axes), keepdims=keep)


def reduce_mean(x: Any, axes: Any, keep: bool) -> Any:
    return np.mean(real(x), axis=_axes(axes), keepdims=keep)


def reduce_prod(x: Any, axes: Any, keep: bool) -> Any:
    return np.prod(x, axis=_axes(axes), keepdims=keep)


def reduce_argmax(x: Any, axes: Any, keep: bool) -> Any:
    return np.argmax(x, axis=None if axes is None else _axes(axes)[0], keepdims=keep)


def reduce_argmin(x: Any, axes: Any, keep: bool) -> Any:
    return np.argmin(x, axis=None if axes is None else _axes(axes)[0], keepdims=keep)


def scan_sum(x: Any, axes: Any, keep: bool) -> Any:
    return np.cumsum(x, axis=_axes(axes)[0])


def reduce_min(x: Any, axes: Any, keep: bool) -> Any:
    return np.min(x, axis=_axes(axes), keepdims=keep)


def reduce_max(x: Any, axes: Any, keep: bool) -> Any:
    return np.max(x, axis=_axes(axes), keepdims=keep)
