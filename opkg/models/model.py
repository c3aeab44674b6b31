"""The form of a whole model: nodes in an order of computation, tensors by name, constants by reference.

A node reads and gives tensors; ops have the names of the table `opkg.models.ops` (ONNX's, where it has the op), others
keep their own with a prefix (`acme::Thing`). A tensor of a size that is not known has no fixed shape, and stays so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from opkg.spec.dtypes import DTYPES
from opkg.spec.shapes import Shape, product

# Element types that models have and the table of opkg does not: bits of one element.
OTHER_BITS: dict[str, int] = {
    "bfloat16": 16, "float64": 64, "complex64": 64, "complex128": 128, "float8e4m3fn": 8, "float8e4m3fnuz": 8,
    "float8e5m2": 8, "float8e5m2fnuz": 8, "float8e8m0": 8, "float4e2m1": 4, "int4": 4, "uint4": 4, "int2": 2, "uint2": 2,
}  # fmt: skip
Attribute = bool | int | float | str | bytes | tuple[int, ...] | tuple[float, ...] | tuple[str, ...] | None


class Values(Protocol):
    """Where a constant's numbers are; they are read when somebody asks."""

    def read(self) -> Any:
        """A numpy array of the tensor's shape. OSError when a file is gone."""


Sizes = tuple[int | str, ...]


# A model asks for these often, and has few shapes.
@lru_cache(maxsize=4096)
def _fixed(shape: Sizes) -> Shape | None:
    sizes = tuple(size for size in shape if isinstance(size, int))
    return sizes if len(sizes) == len(shape) else None


@lru_cache(maxsize=256)
def _bits(dtype: str) -> int:
    row = DTYPES.get(dtype)
    return row.bits if row is not None else OTHER_BITS.get(dtype, 0)


@lru_cache(maxsize=4096)
def _bytes(shape: Sizes, dtype: str) -> int:
    fixed = _fixed(shape)
    return 0 if fixed is None else (product(fixed) * _bits(dtype) + 7) // 8


@dataclass(frozen=True, slots=True)
class Quantization:
    """real = scale * (stored - zero); several of them along `axis`, else one."""

    scales: tuple[float, ...]
    zeros: tuple[int, ...]
    axis: int | None = None


@dataclass(frozen=True, slots=True)
class Tensor:
    """`dtype`: a name of opkg's table or of `OTHER_BITS`, "" when not known. `shape`: None when not known, else sizes;
    a size that is open is its name, or "?"."""

    name: str
    dtype: str = "float32"
    shape: Sizes | None = ()
    quantization: Quantization | None = None

    @property
    def fixed(self) -> Shape | None:
        """The shape, None when a size is open."""
        return None if self.shape is None else _fixed(self.shape)

    @property
    def bits(self) -> int:
        """Of one element; 0 when the type is not known."""
        return _bits(self.dtype)

    @property
    def bytes(self) -> int:
        """Of all elements; 0 when type or shape is not known."""
        return 0 if self.shape is None else _bytes(self.shape, self.dtype)


@dataclass(frozen=True, slots=True)
class Node:
    """One op. `inputs`: names of tensors, "" where an optional one is left out; `nested`: there are graphs inside of the
    node (branches, loop bodies); `within`: tensors that these read."""

    name: str
    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    within: tuple[str, ...] = ()
    nested: bool = False

    @property
    def reads(self) -> tuple[str, ...]:
        """The tensors that it needs, those that are left out not counted."""
        return tuple(name for name in (*self.inputs, *self.within) if name)


@dataclass(frozen=True, slots=True)
class Model:
    """`nodes` stand after those whose tensors they read; their names differ. `inputs`, `outputs`: names of tensors.

    `whole`: constants that stay tensors, also those of one element; `exact`: a number says which function a node is, as in the
    `pattern:` of an op of torch.
    """

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    nodes: tuple[Node, ...]
    tensors: Mapping[str, Tensor]
    constants: Mapping[str, Values] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    exact: bool = False

    def tensor(self, name: str) -> Tensor:
        """What is known of a tensor; one of no known type and shape when nothing is."""
        return self.tensors.get(name) or Tensor(name, "", None)


@dataclass(frozen=True, slots=True)
class Links:
    """Who gives and who reads a tensor: numbers of nodes. `users`: each once, in the order of the nodes."""

    maker: Mapping[str, int]
    users: Mapping[str, tuple[int, ...]]
    results: frozenset[str]

    def used(self, tensor: str) -> tuple[int, ...]:
        """The nodes that read a tensor."""
        return self.users.get(tensor, ())


def links(model: Model) -> Links:
    """The edges of a model."""
    maker = {name: number for number, node in enumerate(model.nodes) for name in node.outputs if name}
    users: dict[str, list[int]] = {}
    for number, node in enumerate(model.nodes):
        for name in dict.fromkeys(node.reads):
            users.setdefault(name, []).append(number)
    return Links(maker, {name: tuple(found) for name, found in users.items()}, frozenset(model.outputs))


def unique(wanted: Sequence[str]) -> tuple[str, ...]:
    """Names that differ: one that is taken gets a number."""
    taken: set[str] = set()
    last: dict[str, int] = {}
    found = []
    for name in wanted:
        free = name
        while free in taken:
            last[name] = last.get(name, 1) + 1
            free = f"{name}_{last[name]}"
        taken.add(free)
        found.append(free)
    return tuple(found)
