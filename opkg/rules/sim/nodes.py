"""Nodes of a graph: immutable; a change puts another under the same id.

A node is one op with one described output. What has several outputs is one node of type Multi, and `$Out` nodes select
one (inputs: the op, a `$Shape` of [0, 0, n, i]). Graph inputs are nodes of op `*Input`, constants `$Const`, shapes
`$Shape` (type Int32; the shape is the node's shape).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.rules.sim.data import Data
from opkg.rules.sim.output import Output

INPUT, CONST, SHAPE, OUT = "*Input", "$Const", "$Shape", "$Out"
LEAVES = frozenset({INPUT, CONST, SHAPE})


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
