"""Where a program's tensors are: each in a place of its own, in one that nobody needs any more, or where the caller's is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import torch

Call: TypeAlias = tuple[Any, tuple[Any, ...], dict[str, Any], Any]
"""A function of aten, its arguments and its result."""


class Window:
    """A tensor that is moved over another one whose elements are in order: parts of it without a view of each. `place` may be one
    of a program, which then reads or writes the caller's elements."""

    def __init__(self, place: torch.Tensor, size: Sequence[int] | None = None) -> None:
        self.place, self._own = place, place.detach()
        self._size = place.shape if size is None else size
        self._over: tuple[Any, int, int] | None = None

    def over(self, tensor: torch.Tensor, row: int) -> None:
        """Which tensor `at` is about, and how many elements a row has."""
        self._over = tensor.untyped_storage(), tensor.storage_offset(), row

    def at(self, start: int) -> None:
        """The part from a row on, until the next one, or `back`."""
        assert self._over is not None
        storage, first, row = self._over
        self.place.set_(storage, first + start * row, self._size)

    def back(self) -> None:
        """Keeps nothing of the caller's."""
        self.place.set_(self._own)
        self._over = None


def is_view(call: Any) -> bool:
    return any(each.alias_info for each in call._schema.returns)


class Places:
    """Where the results of calls are: in tensors of their own, or in one that nobody needs any more."""

    def __init__(
        self, calls: Sequence[Call], values: Sequence[Any], inputs: Sequence[torch.Tensor]
    ) -> None:
        self._calls = calls
        self._last = {id(t): at for at, each in enumerate(calls) for t in tensors_of(each[1:3])}
        self._kept = {id(value) for value in values if isinstance(value, torch.Tensor)}
        views = (t for each in calls if is_view(each[0]) for t in tensors_of(each[1:]))
        self._kept |= {id(tensor) for tensor in views}
        self._made = {id(tensor) for tensor in (*(each[3] for each in calls), *inputs)}
        self._moved: dict[int, torch.Tensor] = {}
        self._free: list[torch.Tensor] = []

    def of(self, value: Any) -> Any:
        """The same with tensors where they are."""
        if isinstance(value, torch.Tensor):
            return self._moved.get(id(value), value)
        if isinstance(value, tuple | list):
            return type(value)(self.of(each) for each in value)
        if isinstance(value, dict):
            return {name: self.of(each) for name, each in value.items()}
        return value

    def result(self, at: int) -> torch.Tensor:
        """Where the result of a call goes."""
        call, args, kwargs, result = self._calls[at]
        viewed = id(result) in self._kept and self._last.get(id(result)) is not None
        operands = {id(t): t for t in tensors_of((args, kwargs))}
        freed = [self.of(t) for t in operands.values() if self._is_last(t, at)]
        places = (freed if torch.Tag.pointwise in call.tags else []) + self._free
        place = None if viewed else next((p for p in places if is_alike(p, result)), None)
        self._free = [p for p in (*freed, *self._free) if p is not place]
        if place is None:
            return result
        self._moved[id(result)] = place
        return place

    def _is_last(self, tensor: torch.Tensor, at: int) -> bool:
        """Whether nobody needs an operand after a call."""
        return id(tensor) in self._made - self._kept and self._last[id(tensor)] == at


def is_alike(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.dtype is b.dtype and a.shape == b.shape and a.stride() == b.stride()


def tensors_of(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from tensors_of(each)
    elif isinstance(value, dict):
        yield from tensors_of(list(value.values()))
