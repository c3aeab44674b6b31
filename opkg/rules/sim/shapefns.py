"""The shape functions that come with the language, in Python: what TYPICAL_SLICE and CHANGEDIM_SLICE stand for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opkg.rules.sim.arithmetic import Fault
from opkg.rules.sim.frame import Split
from opkg.rules.sim.model import Node

if TYPE_CHECKING:
    from opkg.rules.sim.context import Context


def split_start(dims: tuple[int, ...], dim: int, split: Split) -> tuple[int, ...]:
    """Where a slice begins: 0 but in the split dimension. Raises Fault when there is no such dimension."""
    _check(dims, dim)
    return tuple(split.start if i == dim else 0 for i in range(len(dims)))


def split_size(dims: tuple[int, ...], dim: int, split: Split) -> tuple[int, ...]:
    """What a slice measures: the whole but in the split dimension. Raises Fault for a slice that is not inside."""
    _check(dims, dim)
    if split.start + split.size > dims[dim]:
        end = split.start + split.size
        raise Fault(f"slice {split.start}..{end} of dimension {dim} goes beyond its {dims[dim]} elements")
    return tuple(split.size if i == dim else size for i, size in enumerate(dims))


def _check(dims: tuple[int, ...], dim: int) -> None:
    if not 0 <= dim < len(dims):
        raise Fault(f"no dimension {dim} to slice in a tensor of rank {len(dims)}")


def _simple_start(context: Context, split: Split, input: Node) -> tuple[int, ...]:
    return split_start(input.output.dims, split.dim, split)


def _simple_size(context: Context, split: Split, input: Node) -> tuple[int, ...]:
    return split_size(input.output.dims, split.dim, split)


def _dim_start(context: Context, split: Split, input: Node, dim: int) -> tuple[int, ...]:
    return split_start(input.output.dims, dim, split)


def _dim_size(context: Context, split: Split, input: Node, dim: int) -> tuple[int, ...]:
    return split_size(input.output.dims, dim, split)


BUILT_IN: dict[str, Callable[..., Any]] = {
    "simple_split_start": _simple_start,
    "simple_split_size": _simple_size,
    "simpledim_split_start": _dim_start,
    "simpledim_split_size": _dim_size,
}
