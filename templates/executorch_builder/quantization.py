"""Checks of quantization parameters; real = (q + offset) * scale, scales compared in float32."""

from __future__ import annotations

import math

from .checks import Given, Rejected, Tensor, require, rounded, several


def quantized(
    name: str,
    given: Given,
    *,
    scale: float | None = None,
    offset: int | None = None,
    symmetric: bool = False,
    axis: int | None = None,
    same_as: tuple[str, Given] | None = None,
) -> None:
    """Quantization of an input or output; of types that are not quantized, nothing is asked."""
    for tensor in several(given):
        if not tensor.dtype.startswith(("sfixed", "ufixed")):
            continue
        if tensor.axis is not None:
            _per_channel(name, tensor, tensor.axis, axis, symmetric)
        elif tensor.scale is not None:
            _per_tensor(name, tensor, tensor.scale, axis)
            _equal(name, tensor, scale, offset, "")
            if symmetric:
                _equal(name, tensor, None, _middle(tensor.dtype), " to be symmetric")
            for other in several(same_as[1])[:1] if same_as is not None else ():
                why = f", as '{same_as[0]}' has it" if same_as is not None else ""
                _equal(name, tensor, other.scale, other.offset, why)


def _middle(dtype: str) -> int:
    """Offset of a symmetric quantization."""
    return 0 if dtype.startswith("s") else -(1 << (int(dtype.removeprefix("ufixed")) - 1))


def _per_tensor(name: str, tensor: Tensor, scale: float, axis: int | None) -> None:
    require(axis is None, f"'{name}' must be quantized per channel of dimension {axis}")
    positive = math.isfinite(scale) and scale > 0
    require(positive, f"'{name}' has scale {scale:g}; it must be positive")


def _equal(name: str, tensor: Tensor, scale: float | None, offset: int | None, why: str) -> None:
    own = tensor.scale
    if scale is not None and own is not None and rounded(scale, "f") != rounded(own, "f"):
        raise Rejected(f"'{name}' has scale {own:g}; it must be {scale:g}{why}")
    if offset is not None and (tensor.offset or 0) != offset:
        raise Rejected(f"'{name}' has offset {tensor.offset or 0}; it must be {offset}{why}")


def _per_channel(name: str, tensor: Tensor, axis: int, wanted: int | None, symmetric: bool) -> None:
    if wanted is None:
        raise Rejected(f"'{name}' must be quantized per tensor, not per channel")
    at = wanted + tensor.rank if wanted < 0 else wanted
    require(axis == at, f"'{name}' is quantized per channel of dimension {axis}, not {at}")
    channels = tensor.shape[axis]
    counted = f"'{name}' has {len(tensor.scales)} scales for {channels} channels"
    require(len(tensor.scales) == channels, counted)
    middle = _middle(tensor.dtype)
    even = all(offset == middle for offset in tensor.offsets)
    symmetric_text = f"'{name}' must have offset {middle} in every channel to be symmetric"
    require(even or not symmetric, symmetric_text)
