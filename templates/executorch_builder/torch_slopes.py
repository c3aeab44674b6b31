"""Functions of elements with slopes of their own, and values that get no gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import torch

from .torch_values import Value, has_nan, is_more, is_real, is_transformed, may_look, number, real

Slope: TypeAlias = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
_ONE, _HALF = torch.ones(()), torch.full((), 0.5)  # a number takes torch longer
_FEW = 1 << 13  # elements of which the float64 takes less than some steps more


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
        off = torch.addcdiv(_ONE - middle / rest, middle - _HALF, rest, value=2)
        return torch.log(x / (_ONE - x)) + off
    off = torch.div(middle, rest)
    torch.sub(_ONE, off, out=off).addcdiv_(middle.sub_(_HALF), rest, value=2)
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


def gate(value: Value) -> torch.Tensor:
    """A sigmoid that stands for tanh, whose slope torch's would be less exact than: near 1 it hangs on 1 - y."""
    return _sloped(torch.sigmoid, _gate_slope, real(value))


def _gate_slope(grad: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return grad * torch.sigmoid(x) * torch.sigmoid(-x)


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


def sign(value: Value) -> torch.Tensor:
    """-1, 0 or 1; NaN of NaN, of which torch has 0."""
    if is_real(value) and may_look() and not has_nan(value):
        return torch.sign(value)
    return _sloped(_sign, _no_slope, number(value))


def _sign(x: torch.Tensor) -> torch.Tensor:
    found = torch.sign(x)  # limits keep NaN
    if not x.dtype.is_floating_point:
        return found
    if x.requires_grad or is_transformed():  # a limit has the slope 1
        x = x.detach()
    return torch.clamp(x, found, found)


def _no_slope(grad: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(grad)


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
