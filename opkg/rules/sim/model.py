"""Graphs of HTP ops as rules see them: a store of nodes (`nodes`) that knows who reads what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opkg.rules.core import HtpType
from opkg.rules.sim.data import Array, Data, Listed
from opkg.rules.sim.nodes import CONST as CONST
from opkg.rules.sim.nodes import INPUT as INPUT
from opkg.rules.sim.nodes import LEAVES as LEAVES
from opkg.rules.sim.nodes import OUT as OUT
from opkg.rules.sim.nodes import SHAPE as SHAPE
from opkg.rules.sim.nodes import Delta as Delta
from opkg.rules.sim.nodes import Node as Node
from opkg.rules.sim.nodes import OptionValue as OptionValue
from opkg.rules.sim.nodes import SplitRecord as SplitRecord
from opkg.rules.sim.output import BYTES as BYTES
from opkg.rules.sim.output import QUANTIZED as QUANTIZED
from opkg.rules.sim.output import Output as Output


class Graph:
    """The store. `options`: graph options by name; `path`: the file it came from, for findings.

    Reading: `nodes`, `node`, `users`, `order`, `by_op`. Changing: `add`, `redirect`, `sweep`, all noted in `journal` when
    that is set.
    """

    def __init__(self, options: dict[str, OptionValue] | None = None) -> None:
        self.nodes: dict[int, Node] = {}
        self.options: dict[str, OptionValue] = dict(options or {})
        self.path = ""
        self.splits: dict[int, SplitRecord] = {}
        self.journal: Delta | None = None
        self.next_id = 0
        self._outputs: dict[str, int] = {}
        self._given: dict[int, dict[str, None]] = {}  # node id -> names of the outputs that it gives
        self._users: dict[int, dict[int, None]] = {}
        self._by_op: dict[str, dict[int, None]] = {}

    # ---- reading

    @property
    def outputs(self) -> tuple[tuple[str, int], ...]:
        """(name, node id) of the graph's outputs, in order."""
        return tuple(self._outputs.items())

    def __len__(self) -> int:
        return len(self.nodes)

    def node(self, id: int) -> Node:
        return self.nodes[id]

    def inputs(self, id: int) -> tuple[Node, ...]:
        return tuple(self.nodes[i] for i in self.nodes[id].inputs)

    def users(self, id: int) -> tuple[int, ...]:
        """Ids of the nodes that read it, in order of their making."""
        return tuple(self._users[id])

    def read_by(self, id: int, op: str) -> bool:
        """Whether a node of that op reads it; looks at the fewer of its users and the op's nodes."""
        users, those = self._users[id], self._by_op.get(op, {})
        if len(users) <= len(those):
            return any(self.nodes[user].op == op for user in users)
        return any(other in users for other in those)

    def is_output(self, id: int) -> bool:
        return id in self._given

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
        """All nodes, inputs before users: what the outputs need first, in their order, then what nobody reads, by id.

        Constants come just before who reads them first.
        """
        done: set[int] = set()
        roots = [id for _, id in self.outputs]
        unread = [id for id, users in self._users.items() if not users]
        for root in (*roots, *sorted(unread)):
            if root in done:
                continue
            stack: list[tuple[int, Iterator[int]]] = [(root, self._needs(root))]
            while stack:
                id, pending = stack[-1]
                needed = next((i for i in pending if i not in done), None)
                if needed is not None:
                    stack.append((needed, self._needs(needed)))
                    continue
                stack.pop()
                if id not in done:
                    done.add(id)
                    yield self.nodes[id]

    def _needs(self, id: int) -> Iterator[int]:
        """The inputs of a node, constants last."""
        inputs = self.nodes[id].inputs
        if len(inputs) < 2 or self.nodes[inputs[0]].op != CONST:
            return iter(inputs)
        return iter(sorted(inputs, key=lambda i: self.nodes[i].op == CONST))

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

    def set_outputs(self, outputs: Iterable[tuple[str, int]]) -> None:
        """The graph's outputs, all of them; not noted in the journal. KeyError for a node that is not there."""
        self._outputs = dict(outputs)
        self._given = {}
        for name, id in self._outputs.items():
            self._given.setdefault(self.nodes[id].id, {})[name] = None

    def _set_output(self, name: str, id: int) -> None:
        """Let another node give an output."""
        before = self._outputs[name]
        if self.journal is not None:
            self.journal.outputs.append((name, before, id))
        del self._given[before][name]
        if not self._given[before]:
            del self._given[before]
        self._outputs[name] = id
        self._given.setdefault(id, {})[name] = None

    def add_split(self, record: SplitRecord) -> int:
        """The number of a new split record."""
        number = len(self.splits)
        self.splits[number] = record
        if self.journal is not None:
            self.journal.splits.append((number, record))
        return number

    def redirect(self, old: int, new: int, users: Iterable[int]) -> None:
        """Let `users` of `old`, and the graph's outputs, read `new` instead."""
        for user in users:
            node = self.nodes[user]
            self.set(user, node.reading(tuple(new if i == old else i for i in node.inputs)))
        for name in tuple(self._given.get(old, ())):
            self._set_output(name, new)

    def sweep(self, ids: Iterable[int]) -> None:
        """Take away those of `ids` that nobody reads, and what only they read; graph inputs stay."""
        pending = list(ids)
        while pending:
            id = pending.pop()
            node = self.nodes.get(id)
            if node is None or self._users[id] or id in self._given or node.op == INPUT:
                continue
            self.set(id, None)
            pending.extend(node.inputs)

    # ---- whole graphs

    def copy(self) -> Graph:
        """Another store with the same nodes (ids, options and all)."""
        other = Graph(self.options)
        other.path = self.path
        other.nodes = dict(self.nodes)
        other.next_id, other._outputs = self.next_id, dict(self._outputs)
        other._given = {id: dict(names) for id, names in self._given.items()}
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
        for number, record in delta.splits:
            if back:
                self.splits.pop(number, None)
            else:
                self.splits[number] = record
        for name, first, last in reversed(delta.outputs) if back else delta.outputs:
            self._set_output(name, first if back else last)

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
