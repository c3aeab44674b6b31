"""What calls of a torch custom op share that have the same shapes, torch types and params, and how tensors are cut in parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from .torch_op import CustomOp
from .torch_program import Program
from .torch_record import Compute, Given, Types

PART = 1 << 15  # elements of the smallest part
WHOLE = 4 * PART  # and of the largest tensor whose program is kept
LARGE = 8 * PART  # elements that go in no cache
_RUN = 256  # of them in one place at least


@dataclass
class Plan:
    """What calls of the same shapes, torch types and params share.

    `kind`: the type of reals inside, `compute`: the computation of inputs of that. `direct`: float32 or float16 steps of
    whole tensors, `single`: which are of that type. `all_real`: integers are reals, too. `rows`: how many along dimension `dim` are computed at once, 0: all; `flat`:
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
    all_real: bool = False
    rows: int = 0
    dim: int = 0
    flat: bool = False
    calls: int = 0
    programs: list[Program] | None = None


def parts_of(op: CustomOp, given: Given, call: Any, shapes: Sequence[Any]) -> tuple[int, int, bool]:
    """`rows`, `dim` and `flat` of a plan: a dimension is cut along which no result looks, the first one that leaves the
    smallest parts."""
    tensors = [given[name] for name in op.inputs if given[name] is not None]
    if op.reduces is None or not tensors or any(isinstance(t, list) for t in tensors):
        return 0, 0, False
    if any(shape is None for shape in shapes):  # the computation says it
        return 0, 0, False
    threads = torch.get_num_threads()
    shape, most = shapes[0], PART * threads
    total, largest = math.prod(shape), max(t.numel() for t in tensors)
    if largest > LARGE:  # what is reduced
        total = max(total, largest)
    if not shape or 0 in shape or total <= most:
        return 0, 0, False
    most = -(-total // (total // most))  # even parts: each costs some calls
    wide = 2 if total > LARGE and 2 * most < total else 1  # of what goes in no cache: few calls
    if not op.reduces and all(
        tuple(s) == tuple(shape) for s in (*shapes, *(t.shape for t in tensors))
    ):
        return wide * most, 0, True
    axes = [axis for each in op.reduces for axis in op.axes(call, each)]
    ranks = {t.ndim for t in tensors} | {len(shape)}  # an axis counts in what is reduced
    pairs = [(axis, rank) for axis in axes for rank in ranks if -rank <= axis < rank]
    reduced = {axis % rank + len(shape) - rank for axis, rank in pairs}
    free = [
        at
        for at, size in enumerate(shape)
        if size != 1 and at not in reduced and most // math.prod(shape[:at]) >= _RUN
    ]
    if not free:
        return 0, 0, False
    dim = min(free, key=lambda at: max(total // shape[at], most))
    alike = all(
        len(s) == len(shape) and tuple(s[: dim + 1]) == tuple(shape[: dim + 1]) for s in shapes
    )
    fit = all(_fits(t.shape, shape, dim) for t in tensors)
    if not alike or not fit:
        return 0, 0, False
    leading = math.prod(shape[:dim]) == 1  # a part is in one place
    rows = -(-most * (wide if leading else 1) * shape[dim] // total)
    return (rows if rows < shape[dim] else 0), dim, False


def _fits(shape: Sequence[int], out: Sequence[int], dim: int) -> bool:
    """Whether a tensor may be cut, or is broadcast, where an output is cut."""
    at = dim - (len(out) - len(shape))
    return len(shape) <= len(out) and (at < 0 or shape[at] in (1, out[dim]))


@dataclass(frozen=True)
class Cut:
    """How tensors are cut along a dimension of the outputs, of `rank` dimensions and this `size`, in parts of so many rows; the last
    part has some of the one before again, so that all are alike. `flat`: all have as many elements, which are in one row."""

    rank: int
    dim: int
    size: int
    rows: int
    flat: bool = False

    def cuts(self, tensor: torch.Tensor | None) -> bool:
        """Whether a tensor is cut; one that is broadcast along the dimension is not."""
        if tensor is None or self.flat:
            return tensor is not None
        at = self._at(tensor)
        return at >= 0 and tensor.shape[at] == self.size

    def part(self, tensor: torch.Tensor, start: int, count: int) -> torch.Tensor:
        """Some rows of an input; all of one that is broadcast along them."""
        if self.flat:
            return tensor.view(-1).narrow(0, start, count)
        return tensor.narrow(self._at(tensor), start, count) if self.cuts(tensor) else tensor

    def row(self, tensor: torch.Tensor) -> int:
        """Elements of a row where parts are in one place each, 0 where they are not."""
        if self.flat:
            return 0 if tensor.is_neg() else 1
        at = self._at(tensor)
        if math.prod(tensor.shape[:at]) != 1 or not tensor.is_contiguous() or tensor.is_neg():
            return 0
        return math.prod(tensor.shape[at + 1 :])

    def starts(self) -> list[int]:
        """Where parts begin."""
        return [*range(0, self.size - self.rows, self.rows), self.size - self.rows]

    def size_of(self, tensor: torch.Tensor) -> list[int]:
        """The size of a part."""
        if self.flat:
            return [self.rows]
        size, at = list(tensor.shape), self._at(tensor)
        size[at] = self.rows
        return size

    def _at(self, tensor: torch.Tensor) -> int:
        """The dimension in a tensor of fewer dimensions."""
        behind: int = tensor.ndim
        return self.dim - (self.rank - behind)
