"""Reductions and normalizations join the kernels of elementwise ops around them: what they read and give is not stored between.

The pass over a row that a reduction takes is part of the kernel, so that all reductions of a kernel go over the same dimensions
of the same space. Two parts are joined when no path leaves one and comes back to the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate

from opkg.fuse import language
from opkg.fuse.cost import estimated
from opkg.models.model import Links, Model
from opkg.models.partition.border import Border, domain, refused
from opkg.models.partition.limits import Limits
from opkg.models.partition.moved import alone, borders, largest, together
from opkg.spec.shapes import EvaluationError, Shape, broadcast, product

Nodes = frozenset[int]


def grown(
    model: Model, edges: Links, parts: Iterable[Sequence[int]], rows: Iterable[int], limits: Limits
) -> list[Nodes]:
    """The parts with the reductions `rows` in them, where that moves fewer bytes."""
    return _Parts(model, edges, limits, parts, rows).grown()


class _Parts:
    def __init__(
        self, model: Model, edges: Links, limits: Limits, parts: Iterable[Sequence[int]], rows: Iterable[int]
    ) -> None:
        self.model, self.edges, self.limits = model, edges, limits
        self.rows = frozenset(rows)
        self.costs: dict[Nodes, float] = {}
        self.parts: dict[int, Nodes] = {}
        for number, nodes in enumerate([*parts, *([row] for row in self.rows)]):
            self.parts[number] = frozenset(nodes)
        self.owner = {node: number for number, nodes in self.parts.items() for node in nodes}
        self.reach = self._reach()

    def _reach(self) -> list[int]:
        """Of each node, the last one that it and those before it share a part with."""
        high = list(range(len(self.model.nodes)))
        for nodes in self.parts.values():
            top = max(nodes)
            for number in nodes:
                high[number] = top
        return list(accumulate(high, max))

    def grown(self) -> list[Nodes]:
        for row in sorted(self.rows):
            while (other := self._partner(self.owner[row])) is not None:
                self._join(self.owner[row], other)
        return list(self.parts.values())

    def _partner(self, number: int) -> int | None:
        """The part with which most bytes are saved."""
        own = self.parts[number]
        choices = []
        for other in self._near(own) - {number}:
            both = own | self.parts[other]
            saved = self._moved(own) + self._moved(self.parts[other]) - self._moved(both)
            if saved > 0 and (gain := self._worth(saved, own, self.parts[other], both)) > 0:
                choices.append((-gain, min(self.parts[other]), other))
        return next((c[2] for c in sorted(choices) if self._fits(own | self.parts[c[2]])), None)

    def _worth(self, saved: int, one: Nodes, other: Nodes, both: Nodes) -> float:
        cost = [self._cost(nodes) for nodes in (one, other, both)]
        return self.limits.worth(saved, largest(self.model, both), cost[0] + cost[1] - cost[2])

    def _cost(self, nodes: Nodes) -> float:
        if nodes not in self.costs:
            self.costs[nodes] = estimated(self.model, self.edges, sorted(nodes))
        return self.costs[nodes]

    def _moved(self, nodes: Nodes) -> int:
        return together(self.model, self.edges, sorted(nodes)) if len(nodes) > 1 else alone(self.model, nodes)

    def _near(self, nodes: Nodes) -> set[int]:
        """The parts that share a tensor with nodes."""
        found = set()
        for number in nodes:
            node = self.model.nodes[number]
            near = [self.edges.maker.get(name) for name in node.reads]
            near += [user for name in (*node.reads, *node.outputs) for user in self.edges.used(name)]
            found |= {self.owner[each] for each in near if each is not None and each in self.owner}
        return found

    def _fits(self, nodes: Nodes) -> bool:
        listed = sorted(nodes)
        inputs, outputs = borders(self.model, self.edges, listed)
        border = Border(inputs, outputs, domain(self.model, outputs))
        if refused(self.model, self.edges, listed, border, self.limits):
            return False
        if self._row_bytes(nodes, border) > self.limits.tile:
            return False
        return self._one_space(nodes, outputs) and not self._comes_back(nodes)

    def _row_bytes(self, nodes: Nodes, border: Border) -> int:
        """Of the smallest tile: a row of what is reduced stays whole, in every tensor."""
        rows = [self.model.nodes[number] for number in nodes if self.model.nodes[number].op in language.REDUCING]
        shapes = [(self._shape(node.inputs[0]), language.axes_of(self.model, node)) for node in rows]
        row = max((product(tuple(shape[axis] for axis in axes)) for shape, axes in shapes), default=0)
        tensors = [self.model.tensor(name) for name in (*border.inputs, *border.outputs)]
        return sum(min(tensor.bytes, row * tensor.bits // 8) for tensor in tensors)

    def _one_space(self, nodes: Nodes, outputs: Sequence[str]) -> bool:
        """Whether all reductions go over the same dimensions of the same shape, and results broadcast."""
        seen = set()
        shapes = [self._shape(name) for name in outputs]
        for number in nodes:
            node = self.model.nodes[number]
            shapes += [self._shape(name) for name in node.outputs]
            if node.op in language.REDUCING:
                axes = language.axes_of(self.model, node)
                seen.add((axes, tuple(self._shape(node.inputs[0])[axis] for axis in axes)))
                shapes.append(self._shape(node.inputs[0]))
        try:
            space = broadcast(shapes)
        except EvaluationError:
            return False
        return len(seen) < 2 and all(tuple(space[axis] for axis in axes) == sizes for axes, sizes in seen)

    def _shape(self, name: str) -> Shape:
        return self.model.tensor(name).fixed or ()

    def _comes_back(self, nodes: Collection[int]) -> bool:
        """Whether a path leaves the nodes and comes back, through other parts as wholes."""
        inside = frozenset(nodes)
        last = self._bound(max(inside))
        waiting = [user for each in inside for user in self._users(each) if user not in inside]
        seen: set[int] = set()
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            whole = self.parts[self.owner[at]] if at in self.owner else frozenset((at,))
            if at > last:
                continue
            for each in whole - inside:
                seen.add(each)
                for user in self._users(each):
                    if user in inside:
                        return True
                    if user not in seen:
                        waiting.append(user)
        return False

    def _bound(self, last: int) -> int:
        """The node behind which no part has anything to do with `last` and those before it."""
        while self.reach[last] != last:
            last = self.reach[last]
        return last

    def _users(self, number: int) -> list[int]:
        return [user for name in self.model.nodes[number].outputs for user in self.edges.used(name)]

    def _join(self, number: int, other: int) -> None:
        gone = self.parts.pop(other)
        whole = self.parts[number] = self.parts[number] | gone
        self.owner.update(dict.fromkeys(gone, number))
        top = max(whole)
        for at in range(min(whole), top):
            self.reach[at] = max(self.reach[at], top)
