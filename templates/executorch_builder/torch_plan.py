"""What calls of a torch custom op share that have the same shapes, torch types and params, and how tensors are cut in parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import torch

from .torch_op import Compute, CustomOp, Given, Types
from .torch_program import Program

PART = 1 << 15  # elements that a thread computes at once
_TENSOR = torch.Tensor


@dataclass
class Plan:
    """What calls of the same shapes, torch types and params share.

    `kind`: the type of reals inside, `compute`: the computation of inputs of that. `direct`: float32 or float16 steps of
    whole tensors, `single`: which are of that type. `rows`: how many along the first dimension are computed at once, 0: all; `flat`:
    of the elements in one row. `programs`: those that nobody runs just now; None: there is none of this computation.
    """

    call: Any
    types: Types
    params: Sequence[torch.Tensor]
    shapes: Sequence[Any]
    dtypes: Sequence[torch.dtype]
    compute: Compute | None = None
    kind: torch.dtype = torch.float64
    direct: bool = False
    single: bool = False
    rows: int = 0
    flat: bool = False
    calls: int = 0
    programs: list[Program] | None = None


def key_of(values: Sequence[Any]) -> Any:
    """What a plan hangs on, of the inputs and params of a call, and whether gradients are asked for."""
    found: list[Any] = [torch.is_grad_enabled()]
    add = found.append
    for value in values:
        if isinstance(value, _TENSOR):
            add(value.shape)
            add(value.dtype)
            add(value.requires_grad)
        elif isinstance(value, list):
            add(tuple((t.shape, t.dtype) if isinstance(t, _TENSOR) else t for t in value))
        elif value == 0 and isinstance(value, float):  # -0.0 is another one
            add(("zero", math.copysign(1, value)))
        else:
            add(value)
    return tuple(found)


def parts_of(op: CustomOp, given: Given, call: Any, shapes: Sequence[Any]) -> tuple[int, bool]:
    """`rows` and `flat` of a plan: the first dimension is cut where no result looks along it."""
    tensors = [given[name] for name in op.inputs if given[name] is not None]
    if op.reduces is None or not tensors or any(isinstance(t, list) for t in tensors):
        return 0, False
    threads = torch.get_num_threads()
    shape, most = shapes[0], PART * threads
    total = math.prod(shape)
    if not shape or total <= most:
        return 0, False
    most = -(-total // (total // most))  # even parts: each costs some calls
    if not op.reduces and all(
        tuple(s) == tuple(shape) for s in (*shapes, *(t.shape for t in tensors))
    ):
        return most, True
    reduced = [axis for each in op.reduces for axis in op.axes(call, each)]
    alike = all(s and len(s) == len(shape) and s[0] == shape[0] for s in shapes)
    fit = all(t.ndim < len(shape) or t.shape[0] in (1, shape[0]) for t in tensors)
    if not alike or not fit or any(axis % len(shape) == 0 for axis in reduced):
        return 0, False
    rows = -(-most * shape[0] // total)
    return (rows if rows < shape[0] else 0), False


def part(tensor: torch.Tensor, rank: int, size: int, start: int, count: int) -> torch.Tensor:
    """Some rows of an input; all of one that is broadcast along them."""
    return tensor.narrow(0, start, count) if is_cut(tensor, rank, size) else tensor


def pieces(tensor: torch.Tensor, rows: int) -> list[torch.Tensor]:
    """Parts of that many rows; the last one has some of the one before again, so that all are alike."""
    found = list(tensor.split(rows))
    if len(found[-1]) < rows:
        found[-1] = tensor.narrow(0, len(tensor) - rows, rows)
    return found


def is_cut(tensor: torch.Tensor | None, rank: int, size: int) -> TypeGuard[torch.Tensor]:
    return tensor is not None and tensor.ndim == rank and len(tensor) == size
