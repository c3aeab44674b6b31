"""Functions of the spec's expressions: shapes and whole numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .checks import Failed, Shape, Tensor, text_of


def broadcast(*shapes: Shape) -> Shape:
    """The shape that numpy broadcasts the shapes to."""
    rank = max(map(len, shapes))
    result = [1] * rank
    for shape in shapes:
        for at, dim in enumerate(shape, rank - len(shape)):
            if dim != 1 and result[at] not in (1, dim):
                raise Failed(f"shapes {' and '.join(map(text_of, shapes))} do not broadcast")
            result[at] = dim if dim != 1 else result[at]
    return tuple(result)


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise Failed(f"axis {axis} of a tensor of rank {rank}")
    return axis % rank


def reduce(shape: Shape, axes: int | Sequence[int], keepdims: bool) -> Shape:
    """The shape with the axes made 1, or dropped; at least one dimension remains."""
    gone = {_axis(axis, len(shape)) for axis in ((axes,) if isinstance(axes, int) else axes)}
    if keepdims:
        return tuple(1 if at in gone else dim for at, dim in enumerate(shape))
    return tuple(dim for at, dim in enumerate(shape) if at not in gone) or (1,)


def concat(axis: int, tensors: Sequence[Tensor]) -> Shape:
    """The shape of the tensors joined along an axis."""
    first = tensors[0].shape
    at = _axis(axis, len(first))
    for tensor in tensors[1:]:
        shape = tensor.shape
        if len(shape) != len(first) or shape[:at] + shape[at + 1 :] != first[:at] + first[at + 1 :]:
            raise Failed(
                f"shapes {text_of(first)} and {text_of(shape)} cannot be joined along axis {at}"
            )
    return (*first[:at], sum(tensor.shape[at] for tensor in tensors), *first[at + 1 :])


def product(shape: Sequence[int]) -> int:
    return math.prod(shape)


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def round_up(a: int, b: int) -> int:
    return -(-a // b) * b
