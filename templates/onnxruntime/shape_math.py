"""What rules for shapes compute with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def broadcast(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that numpy broadcasts the shapes to."""
    rank = max(map(len, shapes))
    result = [1] * rank
    for shape in shapes:
        for at, dim in enumerate(shape, rank - len(shape)):
            if dim != 1 and result[at] not in (1, dim):
                raise ValueError("shapes do not broadcast")
            result[at] = dim if dim != 1 else result[at]
    return tuple(result)


def reduce(shape: Sequence[int], axes: Any, keep: bool) -> tuple[int, ...]:
    """The shape with the axes made 1, or dropped; at least one dimension remains."""
    gone = {_place(axis, len(shape)) for axis in (axes if isinstance(axes, Sequence) else (axes,))}
    if keep:
        return tuple(1 if at in gone else dim for at, dim in enumerate(shape))
    return tuple(dim for at, dim in enumerate(shape) if at not in gone) or (1,)


def concat(axis: int, shapes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The shape of tensors joined along an axis."""
    at = _place(axis, len(shapes[0]))
    return (*shapes[0][:at], sum(shape[at] for shape in shapes), *shapes[0][at + 1 :])


def product(shape: Sequence[int]) -> int:
    return math.prod(shape)


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def round_up(a: int, b: int) -> int:
    return -(-a // b) * b


def _place(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ValueError(f"no dimension {axis} in a tensor of rank {rank}")
    return axis % rank
