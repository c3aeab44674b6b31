"""Numbers of the tensors in a rule's graph: real values, rounded to an element type and quantization."""

from __future__ import annotations

import numpy as np

from opkg.rules.core import HtpType
from opkg.rules.sim.model import Output
from opkg.spec.dtypes import DTYPES, DType
from opkg.verify.meaning.numbers import Array, Quant, decode, encode, float32

Value = Array | tuple[Array, ...]  # of a node of one output, or of several

# BFloat16 has no row in the table of element types: float32 stands for it, with its own rounding.
_NAMES = {
    HtpType.QUInt8: "ufixed8", HtpType.QUInt16: "ufixed16", HtpType.QInt16: "sfixed16", HtpType.QInt8: "sfixed8",
    HtpType.QInt32: "sfixed32", HtpType.Float32: "float32", HtpType.Float16: "float16", HtpType.Int32: "int32",
    HtpType.Int64: "int64", HtpType.BFloat16: "float32",
}  # fmt: skip
FLOATS = frozenset({HtpType.Float32, HtpType.Float16, HtpType.BFloat16})
WHOLE = frozenset({HtpType.Int32, HtpType.Int64})


def dtype_of(output: Output) -> DType | None:
    """The element type as the spec's table has it; None for UNKNOWN and Multi."""
    name = _NAMES.get(output.dtype)
    return None if name is None else DTYPES[name]


def quant_of(output: Output) -> Quant | None:
    """The quantization in QNN's convention (its offset is the negative zero offset); None when not quantized."""
    return Quant((float32(output.step_size),), (-output.zero_offset,)) if output.quantized else None


def stored(real: Array, output: Output) -> Array:
    """Real values as stored numbers: rounded half to even, saturated. NaN has no place in whole numbers: 0."""
    dtype = dtype_of(output)
    assert dtype is not None
    if output.dtype not in FLOATS and real.dtype.kind == "f":
        real = np.nan_to_num(real, nan=0.0, posinf=1e300, neginf=-1e300)
    if output.dtype is HtpType.BFloat16:
        return _bfloat16(encode(real, dtype, None))
    with np.errstate(all="ignore"):
        return encode(real, dtype, quant_of(output))


def real_of(numbers: Array, output: Output) -> Array:
    """Stored numbers as real values (float64, of integer types int64)."""
    dtype = dtype_of(output)
    assert dtype is not None
    return decode(numbers, dtype, quant_of(output))


def rounded(real: Array, output: Output) -> Array:
    """What is left of real values in a tensor of that description."""
    return real_of(stored(real, output), output)


def unsaturated(real: Array, output: Output) -> Array:
    """Rounded as by `rounded`, but without ends of the range."""
    quant = quant_of(output)
    if quant is not None:
        return np.asarray(np.rint(real.astype(np.float64) / quant.scale) * quant.scale)
    near = rounded(real, output)
    return np.where(np.isfinite(near), near, real) if output.dtype in FLOATS else np.asarray(np.rint(real))


def _bfloat16(real: Array) -> Array:
    """float32 numbers with the mantissa of a bfloat16, rounded half to even; NaN and infinities stay."""
    bits = np.ascontiguousarray(real, dtype=np.float32).view(np.uint32).astype(np.uint64)
    even = (bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) & np.uint64(0xFFFF0000)
    return np.where(np.isfinite(real), even.astype(np.uint32).view(np.float32), real)
