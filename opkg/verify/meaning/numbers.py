"""Real values and stored numbers: numpy storage of an element type, quantisation, rounding and saturation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opkg.spec.dtypes import DType, Kind

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Quant:
    """How a tensor is encoded, in QNN's convention: real = (stored + offset) * scale.

    One scale and offset for the whole tensor, or one pair per index of dimension `axis`. Scales are float32 values.
    """

    scales: tuple[float, ...]
    offsets: tuple[int, ...]
    axis: int | None = None

    @property
    def scale(self) -> float:
        return self.scales[0]

    @property
    def offset(self) -> int:
        return self.offsets[0]

    def along(self, rank: int) -> tuple[Array, Array]:
        """Scales (float64) and offsets (float64), shaped so that they broadcast against a tensor of this rank."""
        scales = np.asarray(self.scales, dtype=np.float64)
        offsets = np.asarray(self.offsets, dtype=np.float64)
        if self.axis is None:
            return scales.reshape(()), offsets.reshape(())
        shape = [1] * rank
        shape[self.axis] = len(self.scales)
        return scales.reshape(shape), offsets.reshape(shape)

    def __str__(self) -> str:
        pairs = [f"{s:.6g}, {o}" for s, o in zip(self.scales, self.offsets, strict=True)]
        if self.axis is None:
            return f"scale {self.scales[0]:.6g} offset {self.offsets[0]}"
        return f"axis {self.axis}: " + "; ".join(pairs[:4]) + ("; ..." if len(pairs) > 4 else "")


def float32(value: float) -> float:
    """The float32 nearest to `value`: what a QNN scale can hold."""
    return float(np.float32(value))


def storage(dtype: DType) -> np.dtype[Any]:
    """The numpy type in which QNN stores an element (bools and 4-bit numbers take one byte each)."""
    return np.dtype("uint8") if dtype.kind is Kind.BOOL else np.dtype(dtype.numpy)


def real_type(dtype: DType) -> np.dtype[Any]:
    """The numpy type in which a reference sees an element: float64, int64 (uint64 where needed) or bool."""
    if dtype.kind is Kind.BOOL:
        return np.dtype(np.bool_)
    if dtype.integral:
        return np.dtype(np.uint64 if dtype.kind is Kind.UINT and dtype.bits == 64 else np.int64)
    return np.dtype(np.float64)


def decode(stored: Array, dtype: DType, quant: Quant | None) -> Array:
    """Stored numbers -> real values."""
    if dtype.quantized and quant is not None:
        scales, offsets = quant.along(stored.ndim)
        return np.asarray((stored.astype(np.float64) + offsets) * scales)
    return np.asarray(stored.astype(real_type(dtype)))


def steps(real: Array, quant: Quant) -> Array:
    """Real values in steps of the quantisation, not rounded and not saturated."""
    scales, offsets = quant.along(real.ndim)
    return np.asarray(real.astype(np.float64) / scales - offsets)


def encode(real: Array, dtype: DType, quant: Quant | None) -> Array:
    """Real values -> stored numbers: rounded half to even, saturated at the ends of the type."""
    kind = storage(dtype)
    if dtype.kind is Kind.FLOAT:
        with np.errstate(all="ignore"):
            return np.asarray(real.astype(kind))
    low, high = dtype.limits
    if dtype.kind is Kind.BOOL:
        return np.asarray((real != 0).astype(kind))
    if dtype.quantized and quant is not None:
        return np.asarray(np.clip(np.rint(steps(real, quant)), low, high).astype(kind))
    if real.dtype.kind == "f":
        real = np.rint(real)
        return np.asarray(np.where(real >= high, high, np.clip(real, low, high).astype(kind)).astype(kind))
    info = np.iinfo(real.dtype) if real.dtype.kind in "iu" else None
    low, high = (max(low, info.min), min(high, info.max)) if info else (low, high)
    return np.asarray(np.clip(real, low, high).astype(kind))
