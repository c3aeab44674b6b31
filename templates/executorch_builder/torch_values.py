"""Numbers of computations on torch tensors: float64 and int64 (or float32 and int32, where these are proved to do) and bool, and
how they become element types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, TypeGuard

import torch
from torch.autograd import forward_ad

Value: TypeAlias = torch.Tensor | bool | int | float
Axes: TypeAlias = torch.Tensor | Sequence[int] | int | None

INTEGERS = {
    "int8": (-(1 << 7), (1 << 7) - 1),
    "int16": (-(1 << 15), (1 << 15) - 1),
    "int32": (-(1 << 31), (1 << 31) - 1),
    "int64": (-(1 << 63), (1 << 63) - 1),
    "uint8": (0, (1 << 8) - 1),
    "uint16": (0, (1 << 16) - 1),
    "uint32": (0, (1 << 32) - 1),
    "uint64": (0, (1 << 63) - 1),
}
HALVES = (torch.float16, torch.bfloat16)
SINGLES = (torch.float32, *HALVES)  # of steps that are proved to do in them
SHORT_INTS = (torch.int32, torch.int16, torch.int8, torch.uint8)
INTS = (torch.int64, *SHORT_INTS)
_REALS = {*SINGLES, torch.float64}
_NUMBERS = {int, float}
_SHORT = (*SINGLES, *SHORT_INTS)
# Bits of a float64 below those that decide how it is rounded: of bfloat16 10 are left, whose subnormals are those of float32.
_LOW = {torch.float16: (1 << 29) - 1, torch.bfloat16: (1 << 43) - 1}
_modes, _functions = torch._C._len_torch_dispatch_stack, torch._C._len_torch_function_stack
_transform = torch._C._functorch.peek_interpreter_stack

FEW = 1 << 13  # elements for which a step less is worth no look at them

# Kinds of values


def entered(
    value: torch.Tensor, kind: torch.dtype = torch.float64, all_real: bool = False
) -> torch.Tensor:
    """A tensor as a computation takes it: reals of `kind`, or integers where it is int32, int64 or bool; `all_real`: of
    integers nothing but reals is made."""
    dtype = value.dtype
    if dtype is kind or dtype is torch.bool:
        return value
    converts = dtype.is_floating_point or kind is torch.int32 or all_real
    return value.to(kind) if converts else value.long()


def number(value: Value) -> torch.Tensor:
    """A tensor of a computation's types."""
    if isinstance(value, torch.Tensor):
        return value if value.dtype in _SHORT else entered(value)
    dtype = torch.float64
    if isinstance(value, bool | int):
        dtype = torch.bool if isinstance(value, bool) else torch.int64
    return torch.tensor(value, dtype=dtype)


def real(value: Value) -> torch.Tensor:
    """A tensor of reals."""
    x = number(value)
    return x if x.dtype.is_floating_point else x.double()


def is_real(value: Value) -> TypeGuard[torch.Tensor]:
    """Whether a value is a tensor of reals already, as most are: small calls have no time for more."""
    return isinstance(value, torch.Tensor) and value.dtype in _REALS


def is_more(x: torch.Tensor, most: int) -> bool:
    """Whether a tensor has more elements than so many; where a tracer does not know that, it has not."""
    count = x.numel()
    return isinstance(count, int) and count > most


def holds(value: Value, other: Value) -> TypeGuard[torch.Tensor]:
    """Whether torch gives what is made of a tensor and something else the tensor's type."""
    if not isinstance(value, torch.Tensor):
        return False
    if isinstance(other, torch.Tensor):
        return value.dtype is other.dtype
    if value.dtype in _REALS:
        return type(other) in _NUMBERS
    return value.dtype in INTS and type(other) is int


def both(left: Value, right: Value) -> tuple[torch.Tensor, torch.Tensor]:
    """Two operands of one type."""
    a, b = number(left), number(right)
    if a.dtype == b.dtype or (a.dtype in INTS and b.dtype in INTS):
        return a, b
    return real(a), real(b)


def alike(values: Sequence[Value]) -> list[torch.Tensor]:
    """Tensors of one type: real ones where one is."""
    tensors = [number(value) for value in values]
    return [real(x) for x in tensors] if any(x.dtype is torch.float64 for x in tensors) else tensors


def axes_of(x: torch.Tensor, axes: Axes) -> list[int]:
    if axes is None:
        return list(range(x.ndim))
    if isinstance(axes, torch.Tensor):
        axes = axes.tolist()
    return [axes] if isinstance(axes, int) else list(axes)


def cast(value: Value, dtype: str) -> torch.Tensor:
    """The value as an element type holds it, in the type that computations use."""
    x = number(value)
    if dtype == "bool8":
        return x != 0
    if dtype.startswith("float"):
        return narrow(x, getattr(torch, dtype)).to(torch.float64)
    low, high = INTEGERS[dtype]
    if not x.dtype.is_floating_point:
        return torch.clamp(x.to(torch.int64), low, high)
    x = x.double()
    if high < 1 << 53:
        return torch.clamp(torch.nan_to_num(x), low, high).long()
    # float64 has no 2**63 - 1: what reaches the ends of the type is set to them as an integer.
    whole = torch.trunc(torch.nan_to_num(x, nan=0.0, posinf=torch.inf, neginf=-torch.inf))
    inside = (whole > low) & (whole < high)
    ends = torch.where(whole >= high, high, low)
    return torch.where(inside, torch.where(inside, whole, 0.0).to(torch.int64), ends)


def held(value: torch.Tensor, dtype: str) -> torch.Tensor:
    """`cast` of reals to a type that int32 holds, as int32: the result of a computation."""
    low, high = INTEGERS[dtype]
    looks = may_look()
    if looks and is_more(value, FEW):  # to look at them is the shorter way
        least, most = torch.aminmax(value)
        if low <= least.item() and most.item() <= high:  # not NaN
            return value.int()
    x = torch.nan_to_num(value)
    if dtype == "int32" and x.dtype is torch.float32:  # float32 has no 2**31 - 1
        x = x.double()
    return (x.clamp_(low, high) if looks else torch.clamp(x, low, high)).int()


def may_look() -> bool:
    """Whether what tensors hold may decide which steps are taken: nothing records, watches or transforms these."""
    return not (_modes() or _functions() or forward_ad._current_level >= 0 or _transform())


def roomy(most: int, *values: torch.Tensor) -> Sequence[torch.Tensor]:
    """Integers as they are where none is larger than that, so that no step wraps in int32; else in int64."""
    if may_look() and all(is_within(value, most) for value in values):
        return values
    return [value.long() for value in values]


def is_within(value: torch.Tensor, most: int) -> bool:
    """Whether no integer is larger than so much, above or below 0."""
    if not value.numel():
        return True
    low, high = torch.aminmax(value)
    return bool(-most <= low.item() and high.item() <= most)


def has_nan(x: torch.Tensor) -> bool:
    """Whether there may be NaN: of many elements by their sum, which may also be too large."""
    if not is_more(x, FEW):
        return not torch.equal(x, x)
    total = (x.detach() if x.requires_grad else x).sum().item()
    return bool(total - total != 0)


def is_transformed() -> bool:
    """Whether a transform of torch.func, or forward differentiation, sees each step; bits have no derivatives."""
    return forward_ad._current_level >= 0 or _transform() is not None


def narrow(value: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The value in a torch type. torch goes from float64 through float32 to halves: so round to odd before."""
    if dtype is torch.float32:
        return value.float()
    if value.dtype is not torch.float64 or dtype not in HALVES or is_transformed():
        return value.to(dtype)
    if value.requires_grad:
        rounded: torch.Tensor = _Narrowed.apply(value, dtype)
        return rounded
    bits, low = value.contiguous().view(torch.int64), _LOW[dtype]
    odd = (bits & low).add_(low).bitwise_or_(bits).bitwise_and_(~low)
    return odd.view(torch.float64).to(dtype)


def rounded(value: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """A result as an output. To float16 through float32, as torch does it: at most 0.5002 of the last place."""
    if dtype is torch.float16 and value.dtype in (torch.float64, torch.float32):
        return value.float().half()
    return narrow(value, dtype)


class _Narrowed(torch.autograd.Function):  # type: ignore[misc]
    """`narrow` with the gradient of a conversion."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
        return narrow(value.detach(), dtype)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, None]:
        return grads[0].to(torch.float64), None
