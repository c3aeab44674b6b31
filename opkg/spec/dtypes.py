"""The table of element types: one row per type, one column per toolchain."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What the numbers of an element type mean."""

    FLOAT = "float"
    INT = "int"
    UINT = "uint"
    BOOL = "bool"
    SFIXED = "sfixed"
    UFIXED = "ufixed"


@dataclass(frozen=True, slots=True)
class DType:
    """One element type. Empty text or None: that toolchain has no such type.

    `qhpi` is the element type under which a graph tensor of this type reaches a QHPI kernel (signed ones of 8 and 16 bits
    arrive unsigned, docs/measured-qhpi.md); `htp` is the classic interface's DType.
    """

    name: str
    kind: Kind
    bits: int
    suffix: str
    qnn: str
    qnn_value: int
    qhpi: str
    htp: str
    flat_class: str
    crouton_class: str
    cpp: str
    numpy: str
    torch: str
    onert: str
    openvino: str

    @property
    def quantized(self) -> bool:
        return self.kind in (Kind.SFIXED, Kind.UFIXED)

    @property
    def bytes(self) -> int:
        return max(1, self.bits // 8)

    @property
    def signed(self) -> bool:
        return self.kind in (Kind.INT, Kind.SFIXED, Kind.FLOAT)

    @property
    def integral(self) -> bool:
        return self.kind in (Kind.INT, Kind.UINT, Kind.BOOL)

    @property
    def limits(self) -> tuple[int, int]:
        """Smallest and largest stored number of an integer, bool or quantized type."""
        if self.kind is Kind.BOOL:
            return 0, 1
        if self.kind in (Kind.INT, Kind.SFIXED):
            return -(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1
        return 0, (1 << self.bits) - 1

    def __str__(self) -> str:
        return self.name


def _rows() -> tuple[DType, ...]:
    k = Kind
    return (
        # name, kind, bits, suffix, QNN, its number, QHPI, HTP, flat class, crouton class, C++, numpy, torch, onert,
        # OpenVINO
        DType("float32", k.FLOAT, 32, "f32", "QNN_DATATYPE_FLOAT_32", 0x232, "Float32", "Float32",
              "PlainFloatTensor", "", "float", "float32", "float32", "FLOAT32", "f32"),
        DType("float16", k.FLOAT, 16, "f16", "QNN_DATATYPE_FLOAT_16", 0x216, "Float16", "Float16",
              "PlainFloat16Tensor", "F16CroutonTensor", "Float16", "float16", "float16", "FLOAT16", "f16"),
        DType("int8", k.INT, 8, "i8", "QNN_DATATYPE_INT_8", 0x008, "QUInt8", "QInt8", "QuantInt8Tensor",
              "QInt8CroutonTensor", "int8_t", "int8", "int8", "INT8", "i8"),
        DType("int16", k.INT, 16, "i16", "QNN_DATATYPE_INT_16", 0x016, "QUInt16", "QInt16", "QuantInt16Tensor",
              "QInt16CroutonTensor", "int16_t", "int16", "int16", "INT16", "i16"),
        DType("int32", k.INT, 32, "i32", "QNN_DATATYPE_INT_32", 0x032, "Int32", "Int32", "Int32Tensor",
              "Int32CroutonTensor", "int32_t", "int32", "int32", "INT32", "i32"),
        DType("int64", k.INT, 64, "i64", "QNN_DATATYPE_INT_64", 0x064, "Int64", "Int64", "", "", "int64_t", "int64",
              "int64", "INT64", "i64"),
        DType("uint8", k.UINT, 8, "ui8", "QNN_DATATYPE_UINT_8", 0x108, "QUInt8", "QUInt8", "QuantUint8Tensor",
              "QUint8CroutonTensor", "uint8_t", "uint8", "uint8", "UINT8", "u8"),
        DType("uint16", k.UINT, 16, "ui16", "QNN_DATATYPE_UINT_16", 0x116, "QUInt16", "QUInt16",
              "QuantUint16Tensor", "QUint16CroutonTensor", "uint16_t", "uint16", "uint16", "", "u16"),
        DType("uint32", k.UINT, 32, "ui32", "QNN_DATATYPE_UINT_32", 0x132, "Int32", "Int32", "Int32Tensor",
              "Int32CroutonTensor", "uint32_t", "uint32", "uint32", "UINT32", "u32"),
        DType("uint64", k.UINT, 64, "ui64", "QNN_DATATYPE_UINT_64", 0x164, "", "", "", "", "uint64_t", "uint64",
              "uint64", "", "u64"),
        DType("bool8", k.BOOL, 8, "b8", "QNN_DATATYPE_BOOL_8", 0x508, "QUInt8", "QUInt8", "QuantUint8Tensor",
              "QUint8CroutonTensor", "uint8_t", "bool", "bool", "BOOL8", "boolean"),
        DType("sfixed4", k.SFIXED, 4, "s4", "QNN_DATATYPE_SFIXED_POINT_4", 0x304, "", "", "", "", "int8_t", "int8",
              "int8", "QUANT_INT4_SYMM", "i4"),
        DType("sfixed8", k.SFIXED, 8, "s8", "QNN_DATATYPE_SFIXED_POINT_8", 0x308, "QUInt8", "QInt8",
              "QuantInt8Tensor", "QInt8CroutonTensor", "int8_t", "int8", "int8", "QUANT_INT8_ASYMM", "i8"),
        DType("sfixed16", k.SFIXED, 16, "s16", "QNN_DATATYPE_SFIXED_POINT_16", 0x316, "QUInt16", "QInt16",
              "QuantInt16Tensor", "QInt16CroutonTensor", "int16_t", "int16", "int16", "QUANT_INT16_SYMM", "i16"),
        DType("sfixed32", k.SFIXED, 32, "s32", "QNN_DATATYPE_SFIXED_POINT_32", 0x332, "QInt32", "QInt32",
              "QInt32Tensor", "QInt32CroutonTensor", "int32_t", "int32", "int32", "", "i32"),
        DType("ufixed4", k.UFIXED, 4, "u4", "QNN_DATATYPE_UFIXED_POINT_4", 0x404, "", "", "", "", "uint8_t", "uint8",
              "uint8", "QUANT_UINT4_SYMM", "u4"),
        DType("ufixed8", k.UFIXED, 8, "u8", "QNN_DATATYPE_UFIXED_POINT_8", 0x408, "QUInt8", "QUInt8",
              "QuantUint8Tensor", "QUint8CroutonTensor", "uint8_t", "uint8", "uint8", "QUANT_UINT8_ASYMM", "u8"),
        DType("ufixed16", k.UFIXED, 16, "u16", "QNN_DATATYPE_UFIXED_POINT_16", 0x416, "QUInt16", "QUInt16",
              "QuantUint16Tensor", "QUint16CroutonTensor", "uint16_t", "uint16", "uint16", "", "u16"),
        DType("ufixed32", k.UFIXED, 32, "u32", "QNN_DATATYPE_UFIXED_POINT_32", 0x432, "", "", "", "", "uint32_t",
              "uint32", "uint32", "", "u32"),
    )  # fmt: skip


DTYPES: dict[str, DType] = {row.name: row for row in _rows()}

# What people write from other toolchains, for hints only.
FOREIGN_NAMES: dict[str, str] = {
    "float": "float32", "f32": "float32", "fp32": "float32", "half": "float16", "f16": "float16", "fp16": "float16",
    "bool": "bool8", "boolean": "bool8", "int": "int32", "uint": "uint32", "quint8": "ufixed8", "qint8": "sfixed8",
    "u8": "ufixed8", "s8": "sfixed8", "u16": "ufixed16", "s16": "sfixed16", "i32": "int32", "u32": "uint32",
    **{row.qnn.removeprefix("QNN_DATATYPE_"): row.name for row in DTYPES.values()},
    **{row.qnn: row.name for row in DTYPES.values()},
}  # fmt: skip
