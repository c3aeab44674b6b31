"""The functions of computations on torch tensors: float64 (or float32, where that is proved to do), int64 and bool, with
numpy's rules for NaN and broadcasting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import torch

from . import torch_sums as sums

Value: TypeAlias = torch.Tensor | bool | int | float

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
SINGLES = (torch.float32, torch.float16)  # of steps that are proved to do in them
_LOW = (1 << 29) - 1  # bits of a float64 that a float32 has not


# Kinds of values


def entered(value: torch.Tensor, kind: torch.dtype = torch.float64) -> torch.Tensor:
    """A tensor as a computation takes it: reals of `kind`, int64 or bool."""
    dtype = value.dtype
    if dtype is kind or dtype is torch.bool:
        return value
    return value.to(kind) if dtype.is_floating_point else value.long()


def number(value: Value) -> torch.Tensor:
    """A tensor of a computation's types."""
    if isinstance(value, torch.Tensor):
        return value if value.dtype in SINGLES else entered(value)
    dtype = torch.float64
    if isinstance(value, bool | int):
        dtype = torch.bool if isinstance(value, bool) else torch.int64
    return torch.tensor(value, dtype=dtype)


def real(value: Value) -> torch.Tensor:
    """A tensor of reals."""
    x = number(value)
    return x if x.dtype.is_floating_point else x.double()


def _both(left: Value, right: Value) -> tuple[torch.Tensor, torch.Tensor]:
    """Two operands of one type."""
    a, b = number(left), number(right)
    return (real(a), real(b)) if a.dtype != b.dtype else (a, b)


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
    a, b = _both(left, right)
    if a.dtype is torch.float64:
        return torch.floor_divide(a, b)
    special = (b == 0) | (
        b == -1
    )  # torch raises for the one, and the processor for the lowest integer by the other
    quotient = torch.div(a, torch.where(special, 1, b), rounding_mode="floor")
    return torch.where(b == 0, 0, torch.where(b == -1, -a, quotient))


def remainder(left: Value, right: Value) -> torch.Tensor:
    """`%`: has the sign of the divisor; of integers, 0 where the divisor is 0."""
    a, b = _both(left, right)
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
    a, b = _both(then, other)
    return torch.where(number(test), a, b)


# Functions of elements


def minimum(first: Value, *others: Value) -> torch.Tensor:
    """NaN where an operand is. Gradients at equality: of a tensor and a number as torch.clamp, of two tensors half each."""
    result = first
    for other in others:
        tensor, limit = _limit(result, other)
        if limit is None:
            result = torch.minimum(*_both(result, other))
        else:
            result = torch.clamp(tensor, max=limit)
    return number(result)


def maximum(first: Value, *others: Value) -> torch.Tensor:
    """As `minimum`; with 0 the gradient is that of torch.relu."""
    result = first
    for other in others:
        tensor, limit = _limit(result, other)
        if limit is None:
            result = torch.maximum(*_both(result, other))
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
    kinds = {number(each).dtype for each in (value, low, high)}
    kind = next((t for t in (*SINGLES, torch.float64) if t in kinds), torch.int64)
    tensor = number(value).to(kind)
    if isinstance(low, torch.Tensor) or isinstance(high, torch.Tensor):
        return torch.clamp(tensor, number(low).to(kind), number(high).to(kind))
    return torch.clamp(tensor, low, high)


def abs(value: Value) -> torch.Tensor:
    return torch.abs(number(value))


def sign(value: Value) -> torch.Tensor:
    """-1, 0 or 1; NaN of NaN."""
    x = number(value)
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
    return function(x) if x.dtype is torch.float64 else x


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


def gelu(value: Value) -> torch.Tensor:
    """By erfc, which does not cancel; in one tensor, unless each step is recorded."""
    x = real(value)
    gate = x * -(0.5**0.5)
    if gate.requires_grad or torch._C._len_torch_dispatch_stack():
        return x * (0.5 * torch.special.erfc(gate))
    return torch.special.erfc(gate, out=gate).mul_(0.5).mul_(x)


def mish(value: Value) -> torch.Tensor:
    return real(value) * torch.tanh(softplus(value))


def hardswish(value: Value) -> torch.Tensor:
    x = real(value)
    if x.dtype is torch.float32:  # torch's function multiplies before it divides by 6
        return x * torch.nn.functional.hardsigmoid(x)
    return torch.nn.functional.hardswish(x)


# Element types


def cast(value: Value, dtype: str) -> torch.Tensor:
    """The value as an element type holds it, in the type that computations use."""
    x = number(value)
    if dtype == "bool8":
        return x != 0
    if dtype.startswith("float"):
        return narrow(x, getattr(torch, dtype)).to(torch.float64)
    low, high = INTEGERS[dtype]
    if x.dtype is torch.float64:
        # float64 has no 2**63 - 1: what reaches the ends of the type is set to them as an integer.
        whole = torch.trunc(torch.nan_to_num(x, nan=0.0, posinf=torch.inf, neginf=-torch.inf))
        inside = (whole > low) & (whole < high)
        ends = torch.where(whole >= high, high, low)
        return torch.where(inside, torch.where(inside, whole, 0.0).to(torch.int64), ends)
    return torch.clamp(x.to(torch.int64), low, high)


def narrow(value: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The value in a torch type. torch goes from float64 through float32 to halves: so round to odd before."""
    if dtype is torch.float32:
        return value.float()
    if value.dtype is not torch.float64 or dtype not in HALVES:
        return value.to(dtype)
    if value.requires_grad:
        rounded: torch.Tensor = _Narrowed.apply(value, dtype)
        return rounded
    if dtype is torch.float16:  # its least numbers are normal ones in float32
        bits = value.contiguous().view(torch.int64)
        return (
            ((bits & _LOW).add_(_LOW).bitwise_or_(bits).bitwise_and_(~_LOW))
            .view(torch.float64)
            .to(dtype)
        )
    near = value.to(torch.float32)
    wide = near.to(torch.float64)
    zero = torch.zeros_like(near)
    toward_zero = torch.where(wide.abs() > value.abs(), torch.nextafter(near, zero), near)
    odd = (toward_zero.view(torch.int32) | 1).view(torch.float32)
    exact = (wide == value) | ~torch.isfinite(value)
    return torch.where(exact, near, odd).to(dtype)


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


# Reductions

Axes: TypeAlias = torch.Tensor | Sequence[int] | int | None


def _axes(x: torch.Tensor, axes: Axes) -> list[int]:
    if axes is None:
        return list(range(x.ndim))
    if isinstance(axes, torch.Tensor):
        axes = axes.tolist()
    return [axes] if isinstance(axes, int) else list(axes)


def _reduced(
    function: Callable[..., torch.Tensor], value: Value, axes: Axes, keepdims: bool
) -> torch.Tensor:
    x = number(value)
    dims = _axes(x, axes)
    return function(x, dims, keepdims) if dims else x


def _added(
    function: Callable[..., torch.Tensor],
    single: Callable[..., torch.Tensor],
    value: Value,
    axes: Axes,
    keepdims: bool,
) -> torch.Tensor:
    """A sum or a mean; `single`: of float32 in float64, rounded once."""
    x = number(value)
    if x.dtype is not torch.float32:
        return _reduced(function, x, axes, keepdims)
    dims = _axes(x, axes)
    return single(x, dims, keepdims).float() if dims else x


def reduce_sum(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    return _added(torch.sum, sums.total, value, axes, keepdims)


def reduce_mean(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    return _added(torch.mean, sums.mean, real(value), axes, keepdims)


def deviation(value: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    """`x - mean(x)` of float32: the mean of float64 in two parts of float32, so that nothing of it is missing."""
    dims = _axes(value, axes)
    if not dims:
        return value - value
    mean = sums.mean(value, dims, keepdims)
    near = mean.float()
    return value - near - torch.nan_to_num((mean - near).float(), 0.0, 0.0, 0.0)


def log_sum(value: torch.Tensor, axes: Axes, keepdims: bool) -> torch.Tensor:
    """`log(sum(x))` of float32, in float64 behind the elements."""
    dims = _axes(value, axes)
    return torch.log(sums.total(value, dims, keepdims) if dims else value).float()


def reduce_prod(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    x = number(value)
    given = _axes(x, axes)
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
    dim = None if axes is None else int(axes if isinstance(axes, int) else _axes(x, axes)[0])
    return function(x, dim=dim, keepdim=keepdims)


def reduce_cumsum(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    """The sums up to each element."""
    x = number(value)
    return torch.cumsum(x, dim=_axes(x, axes)[0])


def reduce_min(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    """NaN where an element is."""
    return _reduced(torch.amin, value, axes, keepdims)


def reduce_max(value: Value, axes: Axes, keepdims: bool) -> torch.Tensor:
    """NaN where an element is."""
    return _reduced(torch.amax, value, axes, keepdims)


# Elements elsewhere


def concat(values: Sequence[Value], axis: torch.Tensor | int) -> torch.Tensor:
    return torch.cat(_alike(values), dim=int(axis))


def _alike(values: Sequence[Value]) -> list[torch.Tensor]:
    """Tensors of one type: real ones where one is."""
    tensors = [number(value) for value in values]
    return [real(x) for x in tensors] if any(x.dtype is torch.float64 for x in tensors) else tensors


def transpose(value: Value, axes: Axes) -> torch.Tensor:
    """The dimensions in another order; None: reversed."""
    x = number(value)
    order = list(reversed(range(x.ndim))) if axes is None else _axes(x, axes)
    return torch.permute(x, order)


def _counts(numbers: Any) -> list[int]:
    """Whole numbers, one after another, of a tensor or of numbers and pairs."""
    if isinstance(numbers, torch.Tensor):
        return [int(n) for n in numbers.reshape(-1).tolist()]
    return [int(n) for part in numbers for n in (part if isinstance(part, tuple) else (part,))]


def reshape(value: Value, shape: Any) -> torch.Tensor:
    return torch.reshape(number(value), _counts(shape))


def tile(value: Value, reps: Any) -> torch.Tensor:
    return torch.tile(number(value), _counts(reps))


def pad(value: Value, widths: Any, filling: Value) -> torch.Tensor:
    """Numbers around each dimension: before and behind, of the first dimension first."""
    x, around = _alike([value, filling])
    counts = _counts(widths)
    for dim in range(x.ndim):
        shape = list(x.shape)
        ends = []
        for count in counts[2 * dim : 2 * dim + 2]:
            shape[dim] = count
            ends.append(around.to(x.dtype).expand(shape))
        x = torch.cat([ends[0], x, ends[1]], dim=dim)
    return x


def take(value: Value, indices: Value, axis: torch.Tensor | int) -> torch.Tensor:
    """Numbers below 0 count from the end, those beyond the ends are the nearest."""
    x, places = number(value), number(indices)
    dim = int(axis) % x.ndim
    size = x.shape[dim]
    places = torch.clamp(torch.where(places < 0, places + size, places), 0, size - 1)
    found = torch.index_select(x, dim, places.reshape(-1))
    return found.reshape([*x.shape[:dim], *places.shape, *x.shape[dim + 1 :]])


def cut(value: Value, parts: Sequence[Any]) -> torch.Tensor:
    """`x[...]`; torch has no steps below 0."""
    x = number(value)
    whole = list(parts) if any(part is ... for part in parts) else [*parts, ...]
    dim = 0
    for part in whole:
        if part is ...:
            dim += x.ndim - _after(whole) - dim
        elif part is None:
            x = x.unsqueeze(dim)
            dim += 1
        elif isinstance(part, slice):
            x = _range(
                x,
                dim,
                *(None if end is None else int(end) for end in (part.start, part.stop, part.step)),
            )
            dim += 1
        else:
            x = x.select(dim, int(part))
    return x


def _after(parts: Sequence[Any]) -> int:
    """How many dimensions of the tensor the parts behind `...` stand for."""
    behind = parts[[part is ... for part in parts].index(True) + 1 :]
    return sum(part is not None for part in behind)


def _range(
    x: torch.Tensor, dim: int, start: int | None, stop: int | None, step: int | None
) -> torch.Tensor:
    if step is None or step > 0:
        return x[(slice(None),) * (dim % x.ndim) + (slice(start, stop, step),)]
    places = range(x.shape[dim])[slice(start, stop, step)]
    return torch.index_select(
        x, dim, torch.tensor(list(places), dtype=torch.int64, device=x.device)
    )
