"""Functions of elements of computations on torch tensors, with numpy's rules for NaN; also where torch derives gradients of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import torch

from .torch_values import SINGLES, Value, both, holds, is_more, is_real, number, real

Slope: TypeAlias = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
_NUMBERS = {int, float}
_ONE = torch.ones(())  # a number takes torch longer
_FEW = 1 << 13  # elements of which the float64 takes less than some steps more


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


def sign(value: Value) -> torch.Tensor:
    """-1, 0 or 1; NaN of NaN."""
    return _sloped(_sign, _no_slope, number(value))


def _sign(x: torch.Tensor) -> torch.Tensor:
    found = torch.sign(x)  # 0 of NaN, which limits keep
    return torch.clamp(x, found, found)


def _no_slope(grad: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(grad)


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


def gate(value: Value) -> torch.Tensor:
    """A sigmoid that stands for tanh, whose slope torch's would be less exact than: near 1 it hangs on 1 - y."""
    return _sloped(torch.sigmoid, _gate_slope, real(value))


def _gate_slope(grad: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return grad * torch.sigmoid(x) * torch.sigmoid(-x)


def sin(value: Value) -> torch.Tensor:
    return torch.sin(real(value))


def cos(value: Value) -> torch.Tensor:
    return torch.cos(real(value))


def asin(value: Value) -> torch.Tensor:
    return torch.asin(real(value))


def atan(value: Value) -> torch.Tensor:
    return torch.atan(real(value))


def growth(value: Value) -> torch.Tensor:
    """exp(x) - 1 of float32, in which nothing cancels; torch's slope, which is made of the result, does."""
    return _sloped(torch.expm1, _growth_slope, real(value))


def _growth_slope(grad: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return grad * torch.exp(x)


def logit(value: Value) -> torch.Tensor:
    """log(x / (1 - x)) of float32: near 1/2 with what the quotient was rounded by, which is known there from (2 * x - 1) / (1 - x)."""
    return _sloped(_logit, _logit_slope, real(value))


def _logit(x: torch.Tensor) -> torch.Tensor:
    if not is_more(x, _FEW):  # float64 is the shorter way
        wide = x.double()
        return torch.log(wide / (_ONE - wide)).float()
    middle = torch.clamp(x, 0.25, 0.75)
    rest = _ONE - middle
    if torch._C._len_torch_dispatch_stack():  # each step is recorded
        off = torch.addcdiv(_ONE - middle / rest, middle + middle - _ONE, rest)
        return torch.log(x / (_ONE - x)) + off
    off = torch.div(middle, rest).neg_().add_(_ONE)
    off.addcdiv_(middle.mul_(2).sub_(_ONE), rest)
    quotient = torch.div(x, torch.sub(_ONE, x, out=rest), out=rest)
    return quotient.log_().add_(off)


def _logit_slope(grad: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """No gradient stays none at 0 and 1, where the slope is infinite: the result may be clipped."""
    return torch.where(grad == 0, grad, grad / (x * (_ONE - x)))


def steepness(value: Value) -> torch.Tensor:
    """1 - tanh(x / 2) ** 2 of float32, in which nothing cancels."""
    return _sloped(_steepness, _steepness_slope, real(value))


def _steepness(x: torch.Tensor) -> torch.Tensor:
    return 4 * torch.sigmoid(x) * torch.sigmoid(-x)


def _steepness_slope(grad: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return grad * _steepness(x) * -torch.tanh(x * 0.5)


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


def hardswish(value: Value) -> torch.Tensor:
    return _sloped(_hardswish, torch.ops.aten.hardswish_backward, real(value))


def clipped_gate(value: Value) -> torch.Tensor:
    """`x * clip(x + 3, 0, 6) / 6`, with the gradient of clip at its limits."""
    return _sloped(_hardswish, _clipped_gate_slope, real(value))


def _clipped_gate_slope(grad: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    inside = torch.where(torch.abs(x) <= 3, x, 0)
    return grad * ((torch.clamp(x + 3, 0, 6) + inside) / 6)


def _hardswish(x: torch.Tensor) -> torch.Tensor:
    if x.dtype is torch.float32:  # torch's function multiplies before it divides by 6
        return x * torch.nn.functional.hardsigmoid(x)
    return torch.nn.functional.hardswish(x)


def chosen(value: torch.Tensor, test: torch.Tensor) -> torch.Tensor:
    """A tensor that gets no gradient where a test does not hold, though 0 times its slope may be NaN there."""
    return torch.where(test, value, value.detach()) if value.requires_grad else value


def left_out(value: torch.Tensor, test: torch.Tensor) -> torch.Tensor:
    """A tensor that gets no gradient where a test holds."""
    return torch.where(test, value.detach(), value) if value.requires_grad else value


def still(value: torch.Tensor) -> torch.Tensor:
    """A tensor that gets no gradient: none of the results changes with it."""
    return value.detach() if value.requires_grad else value


def _sloped(
    function: Callable[[torch.Tensor], torch.Tensor], slope: Slope, x: torch.Tensor
) -> torch.Tensor:
    """A function of elements whose steps are good for its value, not for its gradient, which `slope` makes of that of the
    result, and x. In float64 torch derives it."""
    if not x.requires_grad or x.dtype is torch.float64:
        return function(x)
    result: torch.Tensor = _Sloped.apply(function, slope, x)
    return result


class _Sloped(torch.autograd.Function):  # type: ignore[misc]
    """The slope is made of steps, so it can be differentiated."""

    @staticmethod
    def forward(
        ctx: Any, function: Callable[[torch.Tensor], torch.Tensor], slope: Slope, x: torch.Tensor
    ) -> torch.Tensor:
        ctx.save_for_backward(x)
        ctx.slope = slope
        return function(x)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[None, None, torch.Tensor]:
        return None, None, ctx.slope(grads[0], *ctx.saved_tensors)
