"""What is seen of a call of a torch op before its data: kinds of tensors, shapes, torch types, whether gradients are asked for,
and params."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, TypeAlias

import torch

Seen: TypeAlias = Callable[..., Any]
_TENSOR = torch.Tensor
_SEEN = attrgetter("__class__", "shape", "dtype", "requires_grad", "is_cpu", "layout")
_CLASSES = frozenset({torch.Tensor, torch.nn.Parameter})


def key_of(values: Sequence[Any]) -> Any:
    """What a plan hangs on, of the inputs and params of a call, and whether gradients are asked for."""
    return torch.is_grad_enabled(), *_seen(*values)


def seen_by(schema: str, params: bool) -> Seen:
    """The same of the arguments of a call by position, by the fastest function where all are tensors."""
    arguments = schema.partition(" -> ")[0]
    if params or "?" in schema or "[]" in arguments:
        return _seen
    fast: dict[int, Seen] = {1: _SEEN, 2: _two, 3: _three}
    return fast.get(arguments.count("Tensor"), _all)


def _two(first: Any, second: Any) -> Any:
    return _SEEN(first), _SEEN(second)


def _three(first: Any, second: Any, third: Any) -> Any:
    return _SEEN(first), _SEEN(second), _SEEN(third)


def _all(*values: Any) -> Any:
    return tuple(map(_SEEN, values))


def _seen(*values: Any) -> Any:
    return tuple([_SEEN(v) if isinstance(v, _TENSOR) else _key(v) for v in values])


def _key(value: Any) -> Any:
    """What is no tensor."""
    if isinstance(value, list):
        return tuple(_SEEN(t) if isinstance(t, _TENSOR) else t for t in value)
    if value == 0 and isinstance(value, float):  # -0.0 is another one
        return "zero", math.copysign(1, value)
    return value


def is_plain(tensor: torch.Tensor) -> bool:
    """Whether a tensor is no other kind of one: torch's own class, with its elements in the processor's memory."""
    return type(tensor) in _CLASSES and tensor.is_cpu and tensor.layout is torch.strided
