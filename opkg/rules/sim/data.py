"""Values of constants: listed, one value throughout, random by a seed, or an array (of an ONNX file). All are real numbers,
also those of quantized constants."""

from __future__ import annotations

import math
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from opkg.rules.core import HtpType
from opkg.rules.sim.output import Output

Number = int | float
_LIMITS = {
    HtpType.QUInt8: (0, 255), HtpType.QInt8: (-128, 127), HtpType.QUInt16: (0, 65535), HtpType.QInt16: (-32768, 32767),
    HtpType.QInt32: (-32768, 32767),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Listed:
    """All values, in row-major order; as many as the shape has elements."""

    values: tuple[Number, ...]

    def element(self, output: Output, index: int) -> Number:
        return self.values[index]

    def array(self, output: Output) -> Any:
        return _shaped(self.values, output)


@dataclass(frozen=True, slots=True)
class Fill:
    """One value everywhere."""

    value: Number

    def element(self, output: Output, index: int) -> Number:
        return self.value

    def array(self, output: Output) -> Any:
        import numpy as np

        return np.full(output.dims, self.value, np.float64 if isinstance(self.value, float) else np.int64)


@dataclass(frozen=True, slots=True)
class Random:
    """Values that depend on seed and index only: integers -128..127, floats of 1/1024 in [-1, 1), for quantized types any
    stored number (of QInt32, 16 bits of it)."""

    seed: int

    def element(self, output: Output, index: int) -> Number:
        return _scaled(_mixed(self.seed, index), output)

    def array(self, output: Output) -> Any:
        return _shaped([self.element(output, i) for i in range(output.elements)], output)


class Array:
    """A numpy array; compared by content."""

    __slots__ = ("values",)

    def __init__(self, values: Any) -> None:
        self.values = values

    def element(self, output: Output, index: int) -> Number:
        value: Number = self.values.reshape(-1)[index].item()
        return value

    def array(self, output: Output) -> Any:
        return self.values.reshape(output.dims)

    def __eq__(self, other: object) -> bool:
        import numpy as np

        return isinstance(other, Array) and bool(np.array_equal(self.values, other.values, equal_nan=True))

    def __hash__(self) -> int:
        return hash(self.values.tobytes())

    def __repr__(self) -> str:
        return f"Array({self.values!r})"


Data = Listed | Fill | Random | Array


def _shaped(values: Any, output: Output) -> Any:
    import numpy as np

    whole = all(isinstance(value, int) for value in values)
    return np.array(values, np.int64 if whole else np.float64).reshape(output.dims)


def _mixed(seed: int, index: int) -> int:
    """A well mixed 64-bit number."""
    return int.from_bytes(blake2b(f"{seed} {index}".encode(), digest_size=8).digest(), "little")


def _scaled(bits: int, output: Output) -> Number:
    if output.quantized:
        low, high = _LIMITS[output.dtype]
        return (low + bits % (high - low + 1) - output.zero_offset) * output.step_size
    if output.dtype in (HtpType.Int32, HtpType.Int64):
        return bits % 256 - 128
    return (bits % 2048 - 1024) / 1024


def whole(value: Number) -> int | None:
    """The value as an integer of 32 bits, None when it is none."""
    if isinstance(value, float) and (not math.isfinite(value) or value != int(value)):
        return None
    return int(value) if -(1 << 31) <= value < (1 << 31) else None
