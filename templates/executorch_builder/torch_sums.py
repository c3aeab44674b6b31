"""Sums and means over dimensions as float32 steps take them: added in float64, piece by piece, so that the float64 of a piece
stays in the processor's caches."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from .torch_values import is_more

PIECE = 1 << 15  # elements that are float64 at once
_LITTLE = 1 << 12  # up to so many one call less is more than a place of their own
_WHOLE = 1 << 18  # up to so many the whole is as fast


def total(x: torch.Tensor, dims: Sequence[int], keepdims: bool) -> torch.Tensor:
    """The sum in float64 over dimensions, of which there is one at least."""
    if not is_more(x, _LITTLE):
        return torch.sum(x, dims, keepdims, dtype=torch.float64)
    if not is_more(x, _WHOLE) or x.requires_grad:
        return torch.sum(x.double(), dims, keepdims)
    found = _pieces(x, [dim % x.ndim for dim in dims])
    return found if keepdims else found.squeeze(dims)


def mean(x: torch.Tensor, dims: Sequence[int], keepdims: bool) -> torch.Tensor:
    """The mean in float64 over dimensions, of which there is one at least."""
    if not is_more(x, _WHOLE):
        return torch.mean(x.double(), dims, keepdims)
    return total(x, dims, keepdims) / math.prod(x.shape[dim] for dim in dims)


def _pieces(x: torch.Tensor, dims: Sequence[int]) -> torch.Tensor:
    """The sum of what is cut along the first dimension but those of 1, with the dimensions kept."""
    if x.numel() < 2 * PIECE:
        return torch.sum(x.double(), dims, True)
    dim = next(at for at, size in enumerate(x.shape) if size != 1)
    rows = max(PIECE * x.shape[dim] // x.numel(), 1)
    size = x.shape[dim]
    cut = [x.narrow(dim, at, min(rows, size - at)) for at in range(0, size, rows)]
    found = [_pieces(each, dims) for each in cut]
    if dim not in dims:
        return torch.cat(found, dim)
    first = found[0]
    for each in found[1:]:
        first = first + each
    return first
