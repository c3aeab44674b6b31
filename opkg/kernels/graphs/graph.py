"""The operation graph of a snippet: what a `compute:` text says, as numbered nodes in order, each value once.

Nodes are elementwise on whole tensors or reduce dimensions. Values are real, integer or bool
(`opkg.spec.compute.types`): real values are what quantized and float tensors stand for, integers are int64.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.compute.types import Type
from opkg.spec.compute.whole import Part

LEAVES = frozenset(("input", "param", "const"))
UNARY = frozenset(
    ("neg", "not", "abs", "floor", "ceil", "round", "trunc", "sign", "exp", "log", "sqrt", "rsqrt", "erf", "tanh",
     "sigmoid", "sin", "cos", "asin", "atan", "log1p")
)  # fmt: skip
BITWISE = frozenset(("bit_and", "bit_or", "bit_xor", "shift_left", "shift_right"))
BINARY = BITWISE | {"add", "sub", "mul", "div", "floor_div", "mod", "pow", "min", "max", "and", "or"}
MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}  # with the operands exchanged
COMPARE = frozenset(MIRRORED)
PLACES = frozenset(("reduce_argmin", "reduce_argmax"))
REDUCE = PLACES | {"reduce_sum", "reduce_mean", "reduce_prod", "reduce_min", "reduce_max"}
SCAN = frozenset(("scan_sum",))  # has the dimensions of its operand: sums up to each element
MOVES = frozenset(
    ("move_concat", "move_transpose", "move_take", "move_slice", "move_reshape", "move_tile", "move_pad")
)  # elements elsewhere
OTHER = frozenset(("select", "cast"))  # select(test, then, other)
OPS = LEAVES | UNARY | BINARY | COMPARE | REDUCE | SCAN | MOVES | OTHER


@dataclass(frozen=True, slots=True)
class Node:
    """One operation. `args` number earlier nodes of the graph.

    `name`: of an input or param. `value`: of a const. `dtype`: name of the element type of a cast. `axes`, `keepdims`: of
    a reduction, as in `opkg.spec.compute.tree.Reduce`. `uniform`: one number for all elements of a call (consts, scalar
    params and what is computed of them only). `origin`: the name in the text that this value was assigned to, for comments.
    """

    op: str
    args: tuple[int, ...] = ()
    type: Type = Type.REAL
    name: str = ""
    value: bool | int | float | None = None
    dtype: str = ""
    axes: tuple[int, ...] | str | None = None
    keepdims: bool | str = False
    uniform: bool = False
    origin: str = ""
    parts: tuple[Part, ...] = ()  # of a slice, as in `opkg.spec.compute.tree.Move`


@dataclass(frozen=True, slots=True)
class Result:
    """An output tensor and the node whose value it takes."""

    name: str
    node: int


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in an order in which they can be computed; every node is used."""

    nodes: tuple[Node, ...]
    results: tuple[Result, ...]

    def __getitem__(self, index: int) -> Node:
        return self.nodes[index]

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the input tensors that are read, in order of first use."""
        return tuple(dict.fromkeys(node.name for node in self.nodes if node.op == "input"))

    @property
    def reductions(self) -> tuple[int, ...]:
        """The nodes that go along dimensions: reductions and running sums."""
        return tuple(i for i, node in enumerate(self.nodes) if node.op in REDUCE or node.op in SCAN)

    @property
    def moves(self) -> tuple[int, ...]:
        """The nodes that move elements."""
        return tuple(i for i, node in enumerate(self.nodes) if node.op in MOVES)

    def users(self) -> tuple[tuple[int, ...], ...]:
        """For every node, the nodes that have it as an operand."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes):
            for arg in dict.fromkeys(node.args):
                found[arg].append(index)
        return tuple(map(tuple, found))

    def operands_of(self, index: int) -> frozenset[str]:
        """Names of the inputs that a node depends on."""
        seen: set[int] = set()
        names: set[str] = set()
        todo = [index]
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            if self.nodes[at].op == "input":
                names.add(self.nodes[at].name)
            todo.extend(self.nodes[at].args)
        return frozenset(names)
