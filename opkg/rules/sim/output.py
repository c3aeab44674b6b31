"""What an op gives, as rules see it: element type, shape and quantization."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.rules.core import HtpType

QUANTIZED = frozenset({HtpType.QUInt8, HtpType.QUInt16, HtpType.QInt16, HtpType.QInt32, HtpType.QInt8})
BYTES = {
    HtpType.QUInt8: 1, HtpType.QInt8: 1, HtpType.QUInt16: 2, HtpType.QInt16: 2, HtpType.Float16: 2, HtpType.BFloat16: 2,
    HtpType.Float32: 4, HtpType.Int32: 4, HtpType.QInt32: 4, HtpType.Int64: 8,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Output:
    """What an op gives: element type, shape, quantization (real value = (stored - zero_offset) * step_size).

    Not quantized: zero offset 0, step size 1. Type Multi: `shape` is (number of outputs,).
    """

    dtype: HtpType
    shape: tuple[int, ...]
    zero_offset: int = 0
    step_size: float = 1.0

    @property
    def quantized(self) -> bool:
        return self.dtype in QUANTIZED

    @property
    def is_multi(self) -> bool:
        return self.dtype is HtpType.Multi

    @property
    def count(self) -> int:
        """Number of outputs."""
        return self.shape[0] if self.is_multi else 1

    @property
    def dims(self) -> tuple[int, ...]:
        """The shape; that of a Multi is empty."""
        return () if self.is_multi else self.shape

    @property
    def elements(self) -> int:
        product = 1
        for size in self.dims:
            product *= size
        return product

    def shaped(self, shape: tuple[int, ...]) -> Output:
        """This type with another shape."""
        return Output(self.dtype, shape, self.zero_offset, self.step_size)

    def typed(self, other: Output) -> Output:
        """This shape with the type and quantization of another."""
        return Output(other.dtype, self.shape, other.zero_offset, other.step_size)

    def same_encoding(self, other: Output) -> bool:
        """Same element type and, if quantized, same quantization."""
        if self.dtype is not other.dtype:
            return False
        return not self.quantized or (self.zero_offset, self.step_size) == (other.zero_offset, other.step_size)
