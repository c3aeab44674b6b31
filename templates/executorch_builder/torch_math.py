"""The functions of computations on torch tensors, with numpy's rules for NaN and broadcasting: operators and functions of
elements, and what `torch_moves`, `torch_reductions` and `torch_values` have."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

import torch

from .torch_moves import concat, cut, pad, reshape, take, tile, transpose
from .torch_reductions import (
    deviation,
    log_sum,
    own_mean,
    own_sum,
    reduce_argmax,
    reduce_argmin,
    reduce_cumsum,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from .torch_values import INTS, SINGLES, Value, both, cast, number, real

__all__ = [  # what else computations find here
    "Value",
    "cast",
    "concat",
    "cut",
    "deviation",
    "log_sum",
    "number",
    "own_mean",
    "own_sum",
    "pad",
    "reduce_argmax",
    "reduce_argmin",
    "reduce_cumsum",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "reshape",
    "take",
    "tile",
    "transpose",
]


_REALS = {*SINGLES, torch.float64}
_NUMBERS = {int, float}
_ONE = torch.ones(())  # a number takes torch longer


def is_true(value: Value) -> bool:
    """Whether a test is one bool, and true."""
    return number(value).ndim == 0 and bool(value)


def is_false(value: Value) -> bool:
    """Whether a test is one bool, and false."""
    return number(value).ndim == 0 and not bool(value)


def _is_real(value: Value) -> TypeGuard[torch.Tensor]:
    """Whether a value is a tensor of reals already, as most are: small calls have no time for more."""
    return isinstance(value, torch.Tensor) and value.dtype in _REALS


def _holds(value: Value, other: Value) -> TypeGuard[torch.Tensor]:
    """Whether torch gives what is made of a tensor and something else the tensor's type."""
    if not isinstance(value, torch.Tensor):
        return False
    if isinstance(other, torch.Tensor):
        return value.dtype is other.dtype
    if value.dtype in _REALS:
        return type(other) in _NUMBERS
    return value.dtype in INTS and type(other) is int


# Operators


def divide(left: Value, right: Value) -> torch.Tensor:
    return real(left) / real(right)


def floor_divide(left: Value, right: Value) -> torch.Tensor:
    """`//`: rounds down; of integers, 0 where the divisor is 0."""
    a, b = both(left, right)
    if a.dtype is torch.float64:
        return torch.div(a, b, rounding_mode="floor")
    special = (b == 0) | (
        b == -1
    )  # torch raises for the one, and the processor for the lowest integer by the other
    quotient = torch.div(a, torch.where(special, 1, b), rounding_mode="floor")
    return torch.where(b == 0, 0, torch.where(b == -1, -a, quotient))


def remainder(left: Value, right: Value) -> torch.Tensor:
    """`%`: has the sign of the divisor; of integers, 0 where the divisor is 0."""
    a, b = both(left, right)
    if a.dtype is torch.float64:
        return torch.remainder(a, b)
    special = (b == 0) | (b == -1)
    return torch.where(special, 0, torch.remainder(a, torch.where(special, 1, b)))


def invert(value: Value) -> torch.Tensor:
    """`~`."""
    return torch.bitwise_not(number(value))


def bit_and(left: Value, right: Value) -> torch.Tensor:
    """`&` of integers."""
    return torch.bitwise_and(number(left), number(right))


def bit_or(left: Value, right: Value) -> torch.Tensor:
    """`|` of integers."""
    return torch.bitwise_or(number(left), number(right))


def bit_xor(left: Value, right: Value) -> torch.Tensor:
    """`^` of integers."""
    return torch.bitwise_xor(number(left), number(right))


def shift_left(value: Value, count: Value) -> torch.Tensor:
    """`<<`: keeps 64 bits; by less than 0: by 0."""
    n = number(count)
    return torch.where(n > 63, 0, torch.bitwise_left_shift(number(value), n.clamp(0, 63)))


def shift_right(value: Value, count: Value) -> torch.Tensor:
    """`>>`: rounds down; by less than 0: by 0."""
    return torch.bitwise_right_shift(number(value), number(count).clamp(0, 63))


def power(base: Value, exponent: Value) -> torch.Tensor:
    """`**`: real, unless an integer is raised to a constant that is whole and not negative."""
    whole = isinstance(exponent, int) and not isinstance(exponent, bool) and exponent >= 0
    if whole and number(base).dtype is torch.int64:
        return torch.pow(number(base), number(exponent))
    return torch.pow(real(base), real(exponent))


def logical_not(value: Value) -> torch.Tensor:
    return torch.logical_not(number(value))


def where(test: Value, then: Value, other: Value) -> torch.Tensor:
    """`then` where the test holds, else `other`."""
    if isinstance(test, torch.Tensor) and (_holds(then, other) or _holds(other, then)):
        return torch.where(test, then, other)
    a, b = both(then, other)
    return torch.where(number(test), a, b)


# Functions of elements


def minimum(first: Value, *others: Value) -> torch.Tensor:
    """NaN where an operand is. Gradients at equality: of a tensor and a number as torch.clamp, of two tensors half each."""
    result = first
    for other in others:
        if _is_real(result) and _is_real(other) and result.dtype is other.dtype:
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
        if _is_real(result) and _is_real(other) and result.dtype is other.dtype:
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
    if ends and _holds(value, low) and _holds(value, high):
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


def sign(value: Value) -> torch.Tensor:
    """-1, 0 or 1; NaN of NaN."""
    x = number(value)
    if x.dtype in SINGLES:  # of two numbers the higher is NaN where one is
        return torch.maximum(torch.sign(x), torch.clamp(x, max=-1))
    return torch.where(torch.isnan(x), x, torch.sign(x))


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
    return torch.rsqrt(real(value))


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


def growth(value: Value) -> torch.Tensor:
    """exp(x) - 1 of float32, in which nothing cancels."""
    x = real(value)
    return torch.tanh(x * 0.5) * (torch.exp(x) + _ONE)


def logit(value: Value) -> torch.Tensor:
    """log(x / (1 - x)) of float32: near 1/2 with what the quotient was rounded by, which is known there from (2 * x - 1) / (1 - x)."""
    x = real(value)
    middle = torch.clamp(x, 0.25, 0.75)
    rest = _ONE - middle
    off = (middle + middle - _ONE) / rest - (middle / rest - _ONE)
    return torch.log(x / (_ONE - x)) + off


def log1p(value: Value) -> torch.Tensor:
    return torch.log1p(real(value))


def softplus(value: Value) -> torch.Tensor:
    """log(1 + exp(x)) of large numbers, too. torch.nn.functional is x from 20 on, which float64 is too exact for."""
    x = real(value)
    if x.dtype is not torch.float64:
        return torch.nn.functional.softplus(x)
    return torch.logaddexp(x, torch.zeros_like(x))


def silu(value: Value) -> torch.Tensor:
    return torch.nn.functional.silu(real(value))


def gated(value: torch.Tensor, gate: torch.Tensor) -> torch.Tensor:
    """`value * sigmoid(gate)` of float16 in one step, which rounds once: sigmoid is the slope of softplus."""
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


def hardswish(value: Value) -> torch.Tensor:
    x = real(value)
    if x.dtype is torch.float32:  # torch's function multiplies before it divides by 6
        return x * torch.nn.functional.hardsigmoid(x)
    return torch.nn.functional.hardswish(x)
