"""Element types as onert's IR and its cpu backend know them (ir/DataType.h of 1.31.0)."""

from __future__ import annotations

from opkg.spec.dtypes import DType
from opkg.spec.model import Combination, Kernel, Layout, Op

# Element type of the spec -> ir::DataType. Plain int8, int16, uint16 and 64-bit unsigned tensors do not exist there.
DATA_TYPES = {
    "float32": "FLOAT32",
    "int32": "INT32",
    "int64": "INT64",
    "uint32": "UINT32",
    "uint8": "UINT8",
    "bool8": "BOOL8",
    "ufixed8": "QUANT_UINT8_ASYMM",
    "sfixed8": "QUANT_INT8_ASYMM",
    "sfixed16": "QUANT_INT16_ASYMM",  # what loaders make of INT16
}


def data_type(dtype: DType) -> str:
    """The name in ir::DataType; empty where onert has none that its cpu backend computes with."""
    return DATA_TYPES.get(dtype.name, "")


def held(op: Op) -> tuple[Combination, ...]:
    """The combinations all of whose element types onert has."""
    return tuple(c for c in op.combinations if all(data_type(t.dtype.of(c)) for t in op.tensors))


def usable(op: Op) -> tuple[Combination, ...]:
    """The combinations that onert has and the op computes: with `compute:` all of them, else those with a kernel by hand
    for plain tensors."""
    return tuple(c for c in held(op) if op.compute is not None or flat_kernel(op, c) is not None)


def flat_kernel(op: Op, combination: Combination) -> Kernel | None:
    """The kernel by hand of a combination that takes plain tensors."""
    flat = (k for k in op.kernels if k.combination == combination and k.layout is Layout.FLAT and k.body)
    return next(flat, None)
