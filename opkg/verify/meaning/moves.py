"""What moves elements, by numpy: `concat`, `transpose`, `take` and indexing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from opkg.spec.compute.shaping import is_shaping
from opkg.spec.compute.tree import Move, Movement
from opkg.spec.compute.whole import REST, Leaf, Part, Range, Size, Whole, value_of, wholes
from opkg.verify.meaning.numbers import Array

MOST = 1 << 26  # elements of what tile and pad make


def moved(node: Move, args: list[Array], values: Mapping[str, Array | None]) -> Array:
    """The value of a movement. `values`: inputs and params by name. Raises ValueError where shapes do not fit."""

    def part(given: Part) -> Any:
        if given == REST:
            return Ellipsis
        if isinstance(given, Range):
            return slice(*(end if end is None else _number(end, values) for end in given.ends))
        return given if given is None else _number(given, values)

    if node.op is Movement.SLICE:
        try:
            return np.asarray(args[0][tuple([part(given) for given in node.parts])])
        except IndexError as failure:
            raise ValueError(str(failure)) from None
    axes = node.axes
    if isinstance(axes, str):
        axes = tuple(int(axis) for axis in np.asarray(values[axes]).reshape(-1))
    if node.op is Movement.TRANSPOSE:
        return np.transpose(args[0], axes)
    if is_shaping(node):
        return _shaped(node, args, values, axes)
    assert axes is not None
    if node.op is Movement.CONCAT:
        return np.concatenate(args, axis=axes[0])
    return _taken(args[0], args[1], axes[0])


def _number(whole: Whole, values: Mapping[str, Array | None]) -> int:
    """A whole number of a call. `values`: inputs and params by name."""

    def leaf(leaf: Leaf) -> int:
        given = np.asarray(values[leaf.name if isinstance(leaf, Size) else leaf])
        return int(given.shape[leaf.axis]) if isinstance(leaf, Size) else int(given)

    return value_of(whole, leaf)


def _shaped(node: Move, args: list[Array], values: Mapping[str, Array | None], given: tuple[int, ...] | None) -> Array:
    """`reshape`, `tile` and `pad`. `given`: the numbers of a tensor param."""

    x = np.asarray(args[0])
    numbers = [_number(whole, values) for whole in wholes(node.parts)] if given is None else list(given)
    if node.op is Movement.PAD:
        if len(numbers) != 2 * x.ndim:
            raise ValueError(f"{len(numbers)} numbers around {x.ndim} dimensions")
        ends = np.reshape(numbers, (-1, 2))
        if math.prod(size + int(end.sum()) for size, end in zip(x.shape, ends, strict=True)) > MOST:
            raise ValueError(f"more than {MOST} elements")
        value = np.asarray(args[1])
        widened = x.astype(np.result_type(x.dtype, value.dtype)) if x.dtype != np.bool_ else x
        return np.pad(widened, ends, constant_values=value)
    if node.op is Movement.RESHAPE:
        if any(count < -1 or count == 0 for count in numbers):
            raise ValueError(f"dimensions {list(numbers)}")  # numpy takes others below 0 for -1
        return x.reshape(numbers)
    if len(numbers) != x.ndim:
        raise ValueError(f"{len(numbers)} numbers for {x.ndim} dimensions")
    if x.size * math.prod(numbers) > MOST:
        raise ValueError(f"more than {MOST} elements")
    return np.tile(x, numbers)


def _taken(table: Array, indices: Array, axis: int) -> Array:
    """Numbers below 0 count from the end; those beyond the ends are the nearest that there is."""
    size = table.shape[axis] if -table.ndim <= axis < table.ndim else 0
    if size == 0:
        raise ValueError(f"there is nothing to take along axis {axis} of {list(table.shape)}")
    places = np.clip(np.where(indices < 0, indices + size, indices), 0, size - 1)
    return np.take(table, places, axis=axis)
