"""Nodes of a graph: immutable; a change puts another under the same id.

A node is one op with one described output. What has several outputs is one node of type Multi, and `$Out` nodes select
one (inputs: the op, a `$Shape` of [0, 0, n, i]). Graph inputs are nodes of op `*Input`, constants `$Const`, shapes
`$Shape` (type Int32; the shape is the node's shape).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.rules.core import HtpType
from opkg.rules.sim.data import Data

INPUT, CONST, SHAPE, OUT = "*Input", "$Const", "$Shape", "$Out"
LEAVES = frozenset({INPUT, CONST, SHAPE})
QUANTIZED = frozenset({HtpType.QUInt8, HtpType.QUInt16, HtpType.QInt16, HtpType.QInt32, HtpType.QInt8})
BYTES = {
    HtpType.QUInt8: 1, HtpType.QInt8: 1, HtpType.QUInt16: 2, HtpType.QInt16: 2, HtpType.Float16: 2, HtpType.BFloat16: 2,
    HtpType.Float32: 4, HtpType.Int32: 4, HtpType.QInt32: 4, HtpType.Int64: 8,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Output:
    """What an op gives: element type, shape, quantization (real value = (stored - zero_offset) * step_size).

    Not quantized: zero offset 0, step size 1. Type Multi: `shape` is (number of outputs,).
    """

    dtype: HtpType
    shape: tuple[int, ...]
    zero_offset: int = 0
    step_size: float = 1.0

    @property
    def quantized(self) -> bool:
        return self.dtype in QUANTIZED

    @property
    def is_multi(self) -> bool:
        return self.dtype is HtpType.Multi

    @property
    def count(self) -> int:
        """Number of outputs."""
        return self.shape[0] if self.is_multi else 1

    @property
    def dims(self) -> tuple[int, ...]:
        """The shape; that of a Multi is empty."""
        return () if self.is_multi else self.shape

    @property
    def elements(self) -> int:
        product = 1
        for size in self.dims:
            product *= size
        return product

    def shaped(self, shape: tuple[int, ...]) -> Output:
        """This type with another shape."""
        return Output(self.dtype, shape, self.zero_offset, self.step_size)

    def typed(self, other: Output) -> Output:
        """This shape with the type and quantization of another."""
        return Output(other.dtype, self.shape, other.zero_offset, other.step_size)

    def same_encoding(self, other: Output) -> bool:
        """Same element type and, if quantized, same quantization."""
        if self.dtype is not other.dtype:
            return False
        return not self.quantized or (self.zero_offset, self.step_size) == (other.zero_offset, other.step_size)


@dataclass(frozen=True, slots=True)
class Node:
    """One op. `inputs`: ids. `data`: of a `$Const`, None when its values are not known. `name`: the user's, else "".

    `origin`: id of the node of the first graph that this one stands for. `history`: (record, index) pairs: slices that it
    is part of, outermost first (`Graph.splits`).
    """

    id: int
    op: str
    inputs: tuple[int, ...]
    output: Output
    data: Data | None = None
    name: str = ""
    origin: int = -1
    history: tuple[tuple[int, int], ...] = ()

    def reading(self, inputs: tuple[int, ...]) -> Node:
        """This node with other inputs."""
        return Node(self.id, self.op, inputs, self.output, self.data, self.name, self.origin, self.history)


@dataclass(frozen=True, slots=True)
class SplitRecord:
    """One AUTOSPLIT: which node (its origin) was cut along which dimension into how many parts of what size."""

    origin: int
    dim: int
    count: int
    chunk: int


@dataclass(slots=True)
class Delta:
    """What was changed: (before, after) of each node in order, None for not there; outputs: (name, node before, after);
    and the split records that came in."""

    changes: list[tuple[Node | None, Node | None]] = field(default_factory=list)
    outputs: list[tuple[str, int, int]] = field(default_factory=list)
    splits: list[tuple[int, SplitRecord]] = field(default_factory=list)


OptionValue = bool | int | float | str
