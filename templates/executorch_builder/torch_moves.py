"""What moves elements of tensors: the parts of computations that change shapes and places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .torch_values import Axes, Value, alike, axes_of, number


def concat(values: Sequence[Value], axis: torch.Tensor | int) -> torch.Tensor:
    return torch.cat(alike(values), dim=int(axis))


def transpose(value: Value, axes: Axes) -> torch.Tensor:
    """The dimensions in another order; None: reversed."""
    x = number(value)
    order = list(reversed(range(x.ndim))) if axes is None else axes_of(x, axes)
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
    x, around = alike([value, filling])
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
