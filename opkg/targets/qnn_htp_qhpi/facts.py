"""What QHPI does with each element type and layout, as measured (facts/qhpi.md, docs/measured-qhpi.md)."""

from __future__ import annotations

from opkg.spec.dtypes import Kind
from opkg.spec.model import ParamSpec, Placement, Storage

# Bytes of an element under each QHPI element type.
BYTES = {
    "QUInt8": 1,
    "QInt8": 1,
    "QUInt16": 2,
    "QInt16": 2,
    "Float16": 2,
    "Float32": 4,
    "Int32": 4,
    "QInt32": 4,
    "Int64": 8,
}

# Layouts that work indirect, by element size. 32-bit blocks work for Int32 alone.
CROUTONS = {1: "QHPI_LAYOUT_CROUTON_8", 2: "QHPI_LAYOUT_CROUTON_16", 4: "QHPI_LAYOUT_CROUTON_32"}

STORAGE = {Storage.DIRECT: "QHPI_STORAGE_DIRECT", Storage.INDIRECT: "QHPI_STORAGE_INDIRECT"}
PLACEMENT = {
    Placement.DDR: "QHPI_MEM_LOC_DDR_ONLY",
    Placement.TCM: "QHPI_MEM_LOC_TCM_ONLY",
    Placement.EITHER: "QHPI_MEM_LOC_DDR_OR_TCM",
}


def param_arrives_as(param: ParamSpec) -> str:
    """The QHPI element type of a param's constant; empty when none works."""
    dtype = param.dtype
    if dtype.kind is Kind.BOOL:
        return "QUInt8" if param.shape is not None else "Float32"  # a scalar: typed Float32, its first byte is 0 or 1
    if dtype.kind is Kind.FLOAT:
        return "Float32" if dtype.bits == 32 else ""
    return "Int32" if dtype.bits == 32 else ""


def works_in_blocks(element: str) -> bool:
    """Whether a graph with a crouton tensor of this QHPI element type can be finalized."""
    return BYTES.get(element) in (1, 2) or element == "Int32"
