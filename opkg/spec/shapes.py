"""Functions on shapes, as numpy has them: broadcast, reduce, concat; axes count from the end when negative."""

from __future__ import annotations

Shape = tuple[int, ...]


class EvaluationError(Exception):
    """An expression has no value for its operands: division by zero, an index out of range, shapes that do not fit."""


def product(shape: Shape) -> int:
    """Number of elements of a shape."""
    result = 1
    for dim in shape:
        result *= dim
    return result


def text_of(shape: Shape) -> str:
    """`[1, 2]`"""
    return "[" + ", ".join(map(str, shape)) + "]"


def broadcast(shapes: list[Shape]) -> Shape:
    """The shape to which numpy broadcasts the shapes; EvaluationError when they do not fit."""
    rank = max(len(shape) for shape in shapes)
    result = [1] * rank
    for shape in shapes:
        for i, dim in enumerate(shape, rank - len(shape)):
            if dim != 1 and result[i] not in (1, dim):
                raise EvaluationError(f"shapes {' and '.join(map(text_of, shapes))} do not broadcast")
            result[i] = dim if dim != 1 else result[i]
    return tuple(result)


def axis_of(axis: int, rank: int) -> int:
    """The axis counted from 0; EvaluationError when there is none."""
    if not -rank <= axis < rank:
        raise EvaluationError(f"axis {axis} of a tensor of rank {rank}")
    return axis % rank


def reduce(shape: Shape, axes: tuple[int, ...], keep: bool) -> Shape:
    """The shape with the axes made 1 or dropped. A QNN tensor has at least one dimension: all of them leave [1]."""
    gone = {axis_of(axis, len(shape)) for axis in axes}
    if keep:
        return tuple([1 if i in gone else dim for i, dim in enumerate(shape)])
    return tuple([dim for i, dim in enumerate(shape) if i not in gone]) or (1,)


def concat(axis: int, shapes: list[Shape]) -> Shape:
    """The shape of tensors joined along an axis; EvaluationError when other dimensions differ."""
    first = shapes[0]
    at = axis_of(axis, len(first))
    for shape in shapes[1:]:
        if shape[:at] + shape[at + 1 :] != first[:at] + first[at + 1 :] or len(shape) != len(first):
            raise EvaluationError(f"shapes {text_of(first)} and {text_of(shape)} cannot be joined along axis {at}")
    return (*first[:at], sum(shape[at] for shape in shapes), *first[at + 1 :])
