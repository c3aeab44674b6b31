"""What is seen of a call of a torch op before its data: shapes, torch types, whether gradients are asked for, and params."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, TypeAlias

import torch

Seen: TypeAlias = Callable[[Sequence[Any]], Iterable[Any]]
_TENSOR = torch.Tensor
_SEEN = attrgetter("shape", "dtype", "requires_grad")


def key_of(values: Sequence[Any]) -> Any:
    """What a plan hangs on, of the inputs and params of a call, and whether gradients are asked for."""
    return torch.is_grad_enabled(), *_seen(values)


def seen_by(schema: str, params: bool) -> Seen:
    """The same of the arguments of a call by position, by the fastest function where all are tensors."""
    some = "?" in schema or "[]" in schema.partition(" -> ")[0]
    return _seen if params or some else partial(map, _SEEN)


def _seen(values: Sequence[Any]) -> Iterable[Any]:
    return [_SEEN(value) if isinstance(value, _TENSOR) else _key(value) for value in values]


def _key(value: Any) -> Any:
    """What is no tensor."""
    if isinstance(value, list):
        return tuple(_SEEN(t) if isinstance(t, _TENSOR) else t for t in value)
    if value == 0 and isinstance(value, float):  # -0.0 is another one
        return "zero", math.copysign(1, value)
    return value
