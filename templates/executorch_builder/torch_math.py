"""The functions of computations on torch tensors, with numpy's rules for NaN and broadcasting: operators, and what
`torch_elements`, `torch_slopes`, `torch_moves`, `torch_reductions` and `torch_values` have."""

from __future__ import annotations

from typing import Any

import torch

from .torch_elements import (
    abs,
    asin,
    atan,
    ceil,
    clip,
    cos,
    erf,
    exp,
    floor,
    gated,
    gelu,
    log,
    log1p,
    log_sigmoid,
    maximum,
    minimum,
    mish,
    round,
    rsqrt,
    sigmoid,
    silu,
    sin,
    softplus,
    sqrt,
    tanh,
    trunc,
)
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
from .torch_slopes import (
    chosen,
    clipped_gate,
    gate,
    growth,
    hardswish,
    left_out,
    logit,
    sign,
    steepness,
    still,
)
from .torch_values import (
    Value,
    both,
    cast,
    has_nan,
    held,
    holds,
    may_look,
    narrow,
    number,
    real,
    roomy,
)

_WITHOUT_LARGE = (torch.float32, torch.bfloat16)  # types whose quotients float32 may not hold

__all__ = [  # what else computations find here
    "Value",
    "abs",
    "asin",
    "atan",
    "cast",
    "ceil",
    "chosen",
    "clip",
    "clipped_gate",
    "concat",
    "cos",
    "cut",
    "deviation",
    "erf",
    "exp",
    "floor",
    "gate",
    "gated",
    "gelu",
    "growth",
    "hardswish",
    "held",
    "left_out",
    "log",
    "log1p",
    "log_sigmoid",
    "log_sum",
    "logit",
    "maximum",
    "minimum",
    "mish",
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
    "roomy",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "silu",
    "sin",
    "softplus",
    "sqrt",
    "steepness",
    "still",
    "take",
    "tanh",
    "tile",
    "transpose",
    "trunc",
]


def is_true(value: Value) -> bool:
    """Whether a test is one bool, and true."""
    return number(value).ndim == 0 and bool(value)


def is_false(value: Value) -> bool:
    """Whether a test is one bool, and false."""
    return number(value).ndim == 0 and not bool(value)


# Operators


def divide(left: Value, right: Value) -> torch.Tensor:
    return real(left) / real(right)


def floor_divide(left: Value, right: Value) -> torch.Tensor:
    """`//`: rounds down; of integers, 0 where the divisor is 0."""
    a, b = (left, number(right)) if holds(left, right) else both(left, right)
    if a.dtype is torch.float64 or _is_positive(b):
        return torch.div(a, b, rounding_mode="floor")
    special = _is_special(b)  # 0 and -a are a * b there
    quotient = torch.div(a, b.masked_fill(special, 1), rounding_mode="floor")
    return torch.where(special, a * b, quotient)


def remainder(left: Value, right: Value) -> torch.Tensor:
    """`%`: has the sign of the divisor; of integers, 0 where the divisor is 0. What torch's of float32 gives is what that of
    float64 does, rounded; but where quotients are very large it may be NaN."""
    a, b = (left, right) if holds(left, right) else both(left, right)
    # Numbers and params do not count beside tensors.
    small = a.ndim == 0 or not isinstance(left, torch.Tensor)
    kind = (b if small and isinstance(b, torch.Tensor) else a).dtype
    if kind in _WITHOUT_LARGE:
        if may_look():
            found = torch.remainder(a, b)
            if not (has_nan(found) and _has_large(a, b, found)):
                return found
        divisor = b.double() if isinstance(b, torch.Tensor) else b
        return narrow(torch.remainder(a.double(), divisor), kind)
    b = number(b)
    if a.dtype.is_floating_point or _is_positive(b):
        return torch.remainder(a, b)
    return torch.remainder(a, b.masked_fill(_is_special(b), 1))  # by 1 there is none


def _has_large(a: torch.Tensor, b: Any, rest: torch.Tensor) -> bool:
    """Whether there is NaN where there is a rest."""
    return bool((rest.isnan() & a.isfinite() & (b == b) & (b != 0)).any())


def _is_positive(divisor: torch.Tensor) -> bool:
    """Whether integers may be divided as they are, as far as that may be looked at."""
    return may_look() and divisor.numel() > 0 and divisor.min().item() > 0


def _is_special(divisor: torch.Tensor) -> torch.Tensor:
    """Divisors 0, of which torch raises, and -1, whose quotient with the lowest integer no integer holds: where the low
    bits of d + d * d are 0, because one of d and d + 1 is odd. Of bytes without sign, 255 is no -1."""
    if divisor.dtype is torch.uint8:
        return torch.eq(divisor, 0)
    return torch.eq(torch.addcmul(divisor, divisor, divisor), 0)


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
    if isinstance(test, torch.Tensor) and (holds(then, other) or holds(other, then)):
        return torch.where(test, then, other)
    a, b = both(then, other)
    return torch.where(number(test), a, b)
