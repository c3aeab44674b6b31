"""Element types of the spec as torch has them, and sizes of fake tensors."""

from __future__ import annotations

from typing import Any

import torch

TORCH_TYPES = {
    "bool8": torch.bool,
    "float16": torch.float16,
    "float32": torch.float32,
    "float64": torch.float64,
    "int8": torch.int8,
    "int16": torch.int16,
    "int32": torch.int32,
    "int64": torch.int64,
    "uint8": torch.uint8,
    "uint16": torch.uint16,
    "uint32": torch.uint32,
    "uint64": torch.uint64,
}

# Stands for a dimension that the data decide: most numbers that ask to divide one divide it.
UNKNOWN = 24


def fits(dtype: torch.dtype, wanted: str, same: bool) -> bool:
    """Whether a tensor may stand for an element type; bfloat16 does for float32. Not `same`: quantized tensors are floats in
    torch, indexes int64."""
    if same:
        return TORCH_TYPES.get(wanted) is (torch.float32 if dtype is torch.bfloat16 else dtype)
    if dtype.is_floating_point:
        return wanted.startswith(("float", "sfixed", "ufixed"))
    return TORCH_TYPES.get(wanted) is dtype or (dtype is torch.int64 and wanted == "int32")


def nominal(dim: Any) -> int:
    """A dimension; of a symbolic one, the size it was traced with."""
    if isinstance(dim, int):
        return dim
    hint = dim.node.hint
    return int(hint) if hint is not None else UNKNOWN
