"""Reductions of computations on torch tensors: sums, products, extremes and their places over dimensions."""

from __future__ import annotations

from collections.abc import Callable

import torch

from . import torch_sums as sums
from .torch_values import SHORT_INTS, Axes, Value, axes_of, is_more, number, real


def _reduced(
    function: Callable[..., torch.Tensor], value: Value, axes: Axes, keepdims: bool
) -> torch.Tensor:
    x = number(value)
    dims = axes_of(x, axes)
    return function(x, dims, keepdims) if dims else x


def _added(
    function: Callable[..., torch.Tensor],
    single: Callable[..., torch.Tensor],
    value: Value,
    axes: Axes,
    keepdims: bool,
) -> torch.Tensor:
    """A sum or a mean; `single`: of float32 in float64, rounded once."""
    x = value if isinstance(value, torch.Tensor) else number(value)
    if x.dtype is not torch.float32:
        return _reduced(function, x, axes, keepdims)
    dims = [axes] if type(axes) is int else axes_of(x, axes)
    return single(x, dims, keepdims).float() if dims else x


def reduce_sum(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    """Of int32 and shorter integers its low bits, which is all that is known of it there."""
    if isinstance(value, torch.Tensor) and value.dtype in SHORT_INTS:
        dims = axes_of(value, axes)
        return torch.sum(value, dims, keepdims, dtype=value.dtype) if dims else value
    return _added(torch.sum, sums.total, value, axes, keepdims)


def reduce_mean(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    return _added(torch.mean, sums.mean, real(value), axes, keepdims)


def own_sum(value: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    """A sum as torch has it in float32."""
    return _own(torch.sum, value, axes, keepdims)


def own_mean(value: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    """A mean as torch has it in float32."""
    return _own(torch.mean, value, axes, keepdims)


def _own(
    function: Callable[..., torch.Tensor], x: torch.Tensor, axes: Axes, keepdims: bool
) -> torch.Tensor:
    """Torch adds in a tree along what is one dimension for it, but one sum of those after another."""
    if type(axes) is int:
        return function(x, axes, keepdims)
    dims = sorted(dim % x.ndim for dim in axes_of(x, axes))
    if len(dims) < 2 or (dims[-1] - dims[0] < len(dims) and x.is_contiguous()):
        return _reduced(function, x, dims, keepdims)
    for dim in reversed(dims):
        x = function(x, dim, keepdims)
    return x


def deviation(value: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    """`x - mean(x)` of float32: in float64, or of many elements the mean of float64 in two parts of float32, so that nothing
    of it is missing."""
    dims = axes_of(value, axes)
    if not dims:
        return value - value
    if not is_more(value, sums.PIECE):
        wide = value.double()
        return (wide - torch.mean(wide, dims, keepdims)).float()
    mean = sums.mean(value, dims, keepdims)
    near = mean.float()
    rest = torch.nan_to_num((mean - near).float(), 0.0, 0.0, 0.0)
    if value.requires_grad:
        return value - near - rest.detach()
    if torch._C._len_torch_dispatch_stack():
        return value - near - rest
    return (value - near).sub_(rest)


def log_sum(value: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    """`log(sum(x))` of float32, in float64 behind the elements."""
    dims = axes_of(value, axes)
    return torch.log(sums.total(value, dims, keepdims) if dims else value).float()


def reduce_prod(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    x = number(value)
    given = axes_of(x, axes)
    if any(not -x.ndim <= axis < x.ndim for axis in given):
        raise IndexError(f"axes {given} of a tensor of rank {x.ndim}")
    for dim in sorted({axis % x.ndim for axis in given}, reverse=True):
        x = torch.prod(x, dim=dim, keepdim=keepdims)
    return x


def reduce_argmax(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    """The place of the first largest element, of NaN where there is one."""
    return _place(torch.argmax, value, axes, keepdims)


def reduce_argmin(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    """The place of the first smallest element, of NaN where there is one."""
    return _place(torch.argmin, value, axes, keepdims)


def _place(
    function: Callable[..., torch.Tensor], value: Value, axes: Axes, keepdims: bool
) -> torch.Tensor:
    x = number(value)
    dim = None if axes is None else int(axes if isinstance(axes, int) else axes_of(x, axes)[0])
    return function(x, dim=dim, keepdim=keepdims)


def reduce_cumsum(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    """The sums up to each element."""
    x = number(value)
    kept = x.dtype if x.dtype is torch.int32 else None
    return torch.cumsum(x, dim=axes_of(x, axes)[0], dtype=kept)


def reduce_min(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    """NaN where an element is."""
    return _reduced(torch.amin, value, axes, keepdims)


def reduce_max(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    """NaN where an element is."""
    return _reduced(torch.amax, value, axes, keepdims)
