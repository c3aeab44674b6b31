"""What moves elements, by numpy: `concat`, `transpose`, `take` and indexing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from opkg.spec.compute.tree import REST, Move, Movement, Part, Range
from opkg.verify.meaning.numbers import Array


def moved(node: Move, args: list[Array], values: Mapping[str, Array | None]) -> Array:
    """The value of a movement. `values`: params by name. Raises ValueError where shapes do not fit."""

    def number(bound: int | str | None) -> Any:
        return int(np.asarray(values[bound])) if isinstance(bound, str) else bound

    def part(given: Part) -> Any:
        if given == REST:
            return Ellipsis
        if isinstance(given, Range):
            return slice(number(given.start), number(given.stop), number(given.step))
        return number(given)

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
    assert axes is not None
    if node.op is Movement.CONCAT:
        return np.concatenate(args, axis=axes[0])
    return _taken(args[0], args[1], axes[0])


def _taken(table: Array, indices: Array, axis: int) -> Array:
    """Numbers below 0 count from the end; those beyond the ends are the nearest that there is."""
    size = table.shape[axis] if -table.ndim <= axis < table.ndim else 0
    if size == 0:
        raise ValueError(f"there is nothing to take along axis {axis} of {list(table.shape)}")
    places = np.clip(np.where(indices < 0, indices + size, indices), 0, size - 1)
    return np.take(table, places, axis=axis)
