"""What QHPI does with each element type and layout, as measured (facts/qhpi.md, docs/measured-qhpi.md)."""

from __future__ import annotations

from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Kernel, Layout, Placement, Storage

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

# Layouts that work indirect, by element size. 32-bit blocks fail at finalize for Float32.
CROUTONS = {1: "QHPI_LAYOUT_CROUTON_8", 2: "QHPI_LAYOUT_CROUTON_16", 4: "QHPI_LAYOUT_CROUTON_32"}

STORAGE = {Storage.DIRECT: "QHPI_STORAGE_DIRECT", Storage.INDIRECT: "QHPI_STORAGE_INDIRECT"}
PLACEMENT = {
    Placement.DDR: "QHPI_MEM_LOC_DDR_ONLY",
    Placement.TCM: "QHPI_MEM_LOC_TCM_ONLY",
    Placement.EITHER: "QHPI_MEM_LOC_DDR_OR_TCM",
}
COST_CYCLES = {"free": 0.0, "fast": 256.0, "snail": 4294967296.0, "glacial": 281474976710656.0}


def param_arrives_as(dtype: DType) -> str:
    """The QHPI element type of a param's constant; empty when none works."""
    if dtype.kind is Kind.BOOL:
        return "Float32"  # typed Float32, holding the integer 0 or 1
    if dtype.kind is Kind.FLOAT:
        return "Float32" if dtype.bits == 32 else ""
    return "Int32" if dtype.bits == 32 else ""


def layout_of(kernel: Kernel, bytes_: int, rank_class: int) -> str:
    """The QHPI layout id of a tensor."""
    if kernel.layout is Layout.CROUTON and rank_class == 4:
        return CROUTONS.get(bytes_, "")
    return f"QHPI_LAYOUT_FLAT_{rank_class}"
