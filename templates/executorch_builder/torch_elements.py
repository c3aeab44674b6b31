"""Functions of elements of computations on torch tensors, with numpy's rules for NaN."""

from __future__ import annotations

from collections.abc import Callable

import torch

from .torch_values import SINGLES, Value, both, holds, is_real, number, real

_NUMBERS = {int, float}


def minimum(first: Value, *others: Value) -> torch.Tensor:
    """NaN where an operand is. Gradients at equality: of a tensor and a number as torch.clamp, of two tensors half each."""
    result = first
    for other in others:
        if is_real(result) and is_real(other) and result.dtype is other.dtype:
            result = torch.minimum(result, other)
            continue
        tensor, limit = _limit(result, other)
        if limit is None:
            result = torch.minimum(*both(result, other))
        else:
            result = torch.clamp(tensor, max=limit)
    return number(result)


def maximum(first: Value, *others: Value) -> torch.Tensor:
    """As `minimum`; with 0 the gradient is that of torch.relu."""
    result = first
    for other in others:
        if is_real(result) and is_real(other) and result.dtype is other.dtype:
            result = torch.maximum(result, other)
            continue
        tensor, limit = _limit(result, other)
        if limit is None:
            result = torch.maximum(*both(result, other))
        elif limit == 0:
            result = torch.relu(tensor)
        else:
            result = torch.clamp(tensor, min=limit)
    return number(result)


def _limit(left: Value, right: Value) -> tuple[torch.Tensor, int | float | None]:
    """A tensor and the number beside it, None when there is none of its type."""
    value, limit = (right, left) if isinstance(right, torch.Tensor) else (left, right)
    if isinstance(limit, torch.Tensor | bool) or not isinstance(value, torch.Tensor):
        return number(value), None
    same = (
        isinstance(limit, float | int) if value.dtype.is_floating_point else isinstance(limit, int)
    )
    return value, limit if same and value.dtype is not torch.bool else None


def clip(value: Value, low: Value, high: Value) -> torch.Tensor:
    """Gradients are those of torch.clamp: 1 at the limits."""
    ends = type(low) in _NUMBERS and type(high) in _NUMBERS
    if ends and holds(value, low) and holds(value, high):
        return torch.clamp(value, low, high)
    kinds = {number(each).dtype for each in (value, low, high)}
    whole = torch.int32 if number(value).dtype is torch.int32 else torch.int64
    kind = next((t for t in (*SINGLES, torch.float64) if t in kinds), whole)
    tensor = number(value).to(kind)
    if isinstance(low, torch.Tensor) or isinstance(high, torch.Tensor):
        return torch.clamp(tensor, number(low).to(kind), number(high).to(kind))
    return torch.clamp(tensor, low, high)


def abs(value: Value) -> torch.Tensor:
    return torch.abs(number(value))


def floor(value: Value) -> torch.Tensor:
    return _whole(value, torch.floor)


def ceil(value: Value) -> torch.Tensor:
    return _whole(value, torch.ceil)


def round(value: Value) -> torch.Tensor:
    """Halves go to the even neighbour."""
    return _whole(value, torch.round)


def trunc(value: Value) -> torch.Tensor:
    return _whole(value, torch.trunc)


def _whole(value: Value, function: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    x = number(value)
    return function(x) if x.dtype.is_floating_point else x


def exp(value: Value) -> torch.Tensor:
    return torch.exp(real(value))


def log(value: Value) -> torch.Tensor:
    return torch.log(real(value))


def sqrt(value: Value) -> torch.Tensor:
    return torch.sqrt(real(value))


def rsqrt(value: Value) -> torch.Tensor:
    """torch derives it with a cube, which is beyond float32 where the root is large."""
    x = real(value)
    if x.requires_grad and x.dtype is torch.float32:
        return torch.reciprocal(torch.sqrt(x))
    return torch.rsqrt(x)


def erf(value: Value) -> torch.Tensor:
    return torch.erf(real(value))


def tanh(value: Value) -> torch.Tensor:
    return torch.tanh(real(value))


def sigmoid(value: Value) -> torch.Tensor:
    return torch.sigmoid(real(value))


def sin(value: Value) -> torch.Tensor:
    return torch.sin(real(value))


def cos(value: Value) -> torch.Tensor:
    return torch.cos(real(value))


def asin(value: Value) -> torch.Tensor:
    return torch.asin(real(value))


def atan(value: Value) -> torch.Tensor:
    return torch.atan(real(value))


def log1p(value: Value) -> torch.Tensor:
    return torch.log1p(real(value))


def softplus(value: Value) -> torch.Tensor:
    """log(1 + exp(x)) of large numbers, too. torch.nn.functional is x from 20 on, which float64 is too exact for."""
    x = real(value)
    if x.dtype is not torch.float64:
        return torch.nn.functional.softplus(x)
    return torch.logaddexp(x, torch.zeros_like(x))


def log_sigmoid(value: Value) -> torch.Tensor:
    """-softplus(-x) in one step, of which there is no record."""
    x = real(value)
    if x.dtype is torch.float64 or torch._C._len_torch_dispatch_stack():
        return torch.rsub(softplus(-x), 0)
    return torch.nn.functional.logsigmoid(x)


def silu(value: Value) -> torch.Tensor:
    return torch.nn.functional.silu(real(value))


def gated(value: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    """`value * sigmoid(gate)` of float16 in one step, which rounds once: sigmoid is the slope of softplus."""
    if value.requires_grad or gate.requires_grad:  # torch derives that step one number at a time
        return (value.float() * torch.sigmoid(gate.float())).half()
    result: torch.Tensor = torch.ops.aten.softplus_backward.default(value, gate, 1, 20)
    return result


def gelu(value: Value) -> torch.Tensor:
    """By erfc, which does not cancel; in one tensor, unless each step is recorded."""
    x = real(value)
    gate = x * -(0.5**0.5)
    if gate.requires_grad or torch._C._len_torch_dispatch_stack():
        return x * (0.5 * torch.special.erfc(gate))
    return gate.erfc_().mul_(0.5).mul_(x)


def mish(value: Value) -> torch.Tensor:
    return real(value) * torch.tanh(softplus(value))
