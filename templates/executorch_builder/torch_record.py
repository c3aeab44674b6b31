"""What the record of a torch custom op is made of, and how its arguments are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch

from .torch_values import Value

Given = dict[str, Any]
Types = Mapping[str, str]
Compute: TypeAlias = Callable[..., tuple[Value, ...]]


@dataclass(frozen=True)
class Output:
    """`like`: the input whose torch type the output has, or empty: that of its element type."""

    name: str
    like: str = ""
    variadic: tuple[int, int] | None = None


@dataclass(frozen=True)
class Wanted:
    """What a tensor's quantization must be, as in QNN: real = (q + offset) * scale."""

    scale: float | None = None
    offset: int | None = None
    symmetric: bool = False
    axis: int | None = None
    same_as: str | None = None


def listed(value: Any) -> list[Any]:
    """The tensors of an argument or of a result."""
    return [] if value is None else [value] if isinstance(value, torch.Tensor) else list(value)
