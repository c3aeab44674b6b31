"""Graphs of HTP ops as rules see them: immutable nodes in a store that knows who uses what.

A node is one op with one described output. What has several outputs is one node of type Multi, and `$Out` nodes select
one (inputs: the op, a `$Shape` of [0, 0, n, i]). Graph inputs are nodes of op `*Input`, constants `$Const`, shapes
`$Shape` (type Int32; the shape is the node's shape).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from opkg.rules.core import HtpType
from opkg.rules.sim.data import Array, Data, Listed

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
    """What was changed: (before, after) of each node in order, None for not there; and the graph's outputs."""

    changes: list[tuple[Node | None, Node | None]] = field(default_factory=list)
    outputs: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] | None = None


OptionValue = bool | int | float | str


class Graph:
    """The store. `outputs`: (name, node id) in order; `options`: graph options by name.

    Reading: `nodes`, `node`, `users`, `order`, `by_op`. Changing: `add`, `redirect`, `sweep`, all noted in `journal` when
    that is set.
    """

    def __init__(self, options: dict[str, OptionValue] | None = None) -> None:
        self.nodes: dict[int, Node] = {}
        self.outputs: tuple[tuple[str, int], ...] = ()
        self.options: dict[str, OptionValue] = dict(options or {})
        self.splits: dict[int, SplitRecord] = {}
        self.journal: Delta | None = None
        self.next_id = 0
        self._output_ids: frozenset[int] = frozenset()
        self._users: dict[int, dict[int, None]] = {}
        self._by_op: dict[str, dict[int, None]] = {}

    # ---- reading

    def __len__(self) -> int:
        return len(self.nodes)

    def node(self, id: int) -> Node:
        return self.nodes[id]

    def inputs(self, id: int) -> tuple[Node, ...]:
        return tuple(self.nodes[i] for i in self.nodes[id].inputs)

    def users(self, id: int) -> tuple[int, ...]:
        """Ids of the nodes that read it, in order of their making."""
        return tuple(self._users[id])

    def is_output(self, id: int) -> bool:
        return id in self._output_ids

    def by_op(self, op: str) -> tuple[int, ...]:
        """Ids of the nodes of an op."""
        return tuple(self._by_op.get(op, ()))

    def ops(self) -> frozenset[str]:
        """Full names of all ops in the graph."""
        return frozenset(op for op, ids in self._by_op.items() if ids)

    def find(self, name: str) -> Node | None:
        """The node of that name or label."""
        for node in self.nodes.values():
            if node.name == name or (name.startswith("%") and name == f"%{node.id}"):
                return node
        return None

    def label(self, id: int) -> str:
        """The node's name, or %id for one that a rule built."""
        node = self.nodes.get(id)
        return node.name if node is not None and node.name else f"%{id}"

    def order(self) -> Iterator[Node]:
        """All nodes, inputs before users: what the outputs need first, in their order, then what nobody reads, by id."""
        done: set[int] = set()
        roots = [id for _, id in self.outputs]
        unread = [id for id, users in self._users.items() if not users]
        for root in (*roots, *sorted(unread)):
            if root in done:
                continue
            stack: list[tuple[int, Iterator[int]]] = [(root, iter(self.nodes[root].inputs))]
            while stack:
                id, pending = stack[-1]
                needed = next((i for i in pending if i not in done), None)
                if needed is not None:
                    stack.append((needed, iter(self.nodes[needed].inputs)))
                    continue
                stack.pop()
                if id not in done:
                    done.add(id)
                    yield self.nodes[id]

    # ---- changing

    def add(
        self,
        op: str,
        inputs: Iterable[int] = (),
        output: Output | None = None,
        data: Data | None = None,
        name: str = "",
        origin: int | None = None,
        history: tuple[tuple[int, int], ...] = (),
    ) -> Node:
        """A new node; without `origin` it stands for itself. KeyError for an input that is not there."""
        id = self.next_id
        described = output if output is not None else Output(HtpType.UNKNOWN, ())
        node = Node(id, op, tuple(inputs), described, data, name, id if origin is None else origin, history)
        self.set(id, node)
        self.next_id = id + 1
        return node

    def set(self, id: int, node: Node | None) -> None:
        """Put a node under its id in place of the one there, or (None) take that away."""
        before = self.nodes.pop(id, None) if node is None else self.nodes.get(id)
        if before is not None:
            for i in before.inputs:
                self._users[i].pop(id, None)
            if node is None or node.op != before.op:
                self._by_op[before.op].pop(id, None)
        if node is not None:
            for i in node.inputs:
                self._users[i][id] = None
            self.nodes[id] = node
            self._users.setdefault(id, {})
            self._by_op.setdefault(node.op, {})[id] = None
        else:
            self._users.pop(id, None)
        if self.journal is not None:
            self.journal.changes.append((before, node))

    def set_outputs(self, outputs: tuple[tuple[str, int], ...]) -> None:
        if self.journal is not None:
            first = self.journal.outputs[0] if self.journal.outputs else self.outputs
            self.journal.outputs = (first, outputs)
        self.outputs = outputs
        self._output_ids = frozenset(id for _, id in outputs)

    def redirect(self, old: int, new: int, users: Iterable[int]) -> None:
        """Let `users` of `old`, and the graph's outputs, read `new` instead."""
        for user in users:
            node = self.nodes[user]
            self.set(user, node.reading(tuple(new if i == old else i for i in node.inputs)))
        if self.is_output(old):
            self.set_outputs(tuple((name, new if id == old else id) for name, id in self.outputs))

    def sweep(self, ids: Iterable[int]) -> None:
        """Take away those of `ids` that nobody reads, and what only they read; graph inputs stay."""
        pending = list(ids)
        while pending:
            id = pending.pop()
            node = self.nodes.get(id)
            if node is None or self._users[id] or id in self._output_ids or node.op == INPUT:
                continue
            self.set(id, None)
            pending.extend(node.inputs)

    # ---- whole graphs

    def copy(self) -> Graph:
        """Another store with the same nodes (ids, options and all)."""
        other = Graph(self.options)
        other.nodes = dict(self.nodes)
        other.outputs, other.next_id, other._output_ids = self.outputs, self.next_id, self._output_ids
        other.splits = dict(self.splits)
        other._users = {id: dict(users) for id, users in self._users.items()}
        other._by_op = {op: dict(ids) for op, ids in self._by_op.items()}
        return other

    def play(self, delta: Delta, back: bool = False) -> None:
        """Make the changes of a delta, or (`back`) unmake them."""
        if back:
            # Users go before what they read: every step undone in reverse leaves a whole graph.
            for before, after in reversed(delta.changes):
                self.set((after or before).id, before)  # type: ignore[union-attr]
        else:
            for before, after in delta.changes:
                self.set((after or before).id, after)  # type: ignore[union-attr]
        if delta.outputs is not None:
            self.set_outputs(delta.outputs[0 if back else 1])

    def signature(self) -> tuple[object, ...]:
        """What makes two graphs the same: ops, outputs, constants, names, wiring; not ids, origins or split history."""
        place: dict[int, int] = {}
        rows: list[tuple[object, ...]] = []
        for node in self.order():
            place[node.id] = len(rows)
            rows.append((node.op, tuple(place[i] for i in node.inputs), node.output, _key(node.data), node.name))
        outputs = tuple((name, place[id]) for name, id in self.outputs)
        options = tuple(sorted((k, type(v).__name__, v) for k, v in self.options.items()))
        return tuple(rows), outputs, options

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and self.signature() == other.signature()

    __hash__ = None  # type: ignore[assignment]


def _key(data: Data | None) -> object:
    """Stands for the values in a comparison in which NaN is the same as NaN, and 1 is not 1.0."""
    return repr(Listed(tuple(data.values.reshape(-1).tolist())) if isinstance(data, Array) else data)
