"""A model as units that are computed one after the other: single nodes and subgraphs, which can be merged.

Units stand in an order of computation (`place`). Merging keeps it: of the units between the two those that lead to the later one
go before both, or those that follow from the earlier one behind both, whichever are found first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from opkg.models.model import Links, Model
from opkg.models.partition.line import Line
from opkg.models.partition.moved import is_number


class Cyclic(ValueError):
    """Groups of nodes that cannot be computed one after the other."""


class Units:
    """A unit has the number of one of its nodes. `inputs`, `outputs`: tensors, each once; `before`, `after`: units."""

    def __init__(self, model: Model, edges: Links, groups: Iterable[Sequence[int]]) -> None:
        self.model, self.edges = model, edges
        self.nodes: dict[int, list[int]] = {}
        owner: dict[int, int] = {}
        for group in groups:
            self.nodes[group[0]] = list(group)
            owner.update(dict.fromkeys(group, group[0]))
        for number in range(len(model.nodes)):
            if number not in owner:
                owner[number] = number
                self.nodes[number] = [number]
        self.maker = {name: owner[number] for name, number in edges.maker.items()}
        self.readers = {name: dict.fromkeys(owner[user] for user in users) for name, users in edges.users.items()}
        self.inputs: dict[int, dict[str, None]] = {unit: {} for unit in self.nodes}
        self.outputs: dict[int, dict[str, None]] = {unit: {} for unit in self.nodes}
        self.before: dict[int, set[int]] = {unit: set() for unit in self.nodes}
        self.after: dict[int, set[int]] = {unit: set() for unit in self.nodes}
        for unit, members in self.nodes.items():
            self._connect(unit, members)
        self.line = Line(self._ordered())
        self.place = self.line.place
        self.version = dict.fromkeys(self.nodes, 0)

    @property
    def alive(self) -> Iterable[int]:
        return self.nodes

    def _connect(self, unit: int, members: Sequence[int]) -> None:
        for number in members:
            node = self.model.nodes[number]
            for name in node.reads:
                before = self.maker.get(name)
                if before != unit and not is_number(self.model, name):
                    self.inputs[unit][name] = None
                if before is not None and before != unit:
                    self.before[unit].add(before)
                    self.after[before].add(unit)
            for name in node.outputs:
                if name in self.edges.results or any(user != unit for user in self.readers.get(name, ())):
                    self.outputs[unit][name] = None

    def _ordered(self) -> list[int]:
        """Units in an order of computation. Cyclic when there is none."""
        waits = {unit: len(before) for unit, before in self.before.items()}
        ready = [unit for unit in self.nodes if not waits[unit]]
        for unit in ready:
            for later in self.after[unit]:
                waits[later] -= 1
                if not waits[later]:
                    ready.append(later)
        if len(ready) < len(self.nodes):
            raise Cyclic("subgraphs that cannot be computed one after the other")
        return ready

    def versions(self, one: int, two: int) -> tuple[int, int]:
        """How often two units were changed; a unit that is gone differs from all."""
        return self.version.get(one, -1), self.version.get(two, -1)

    def joined(self, one: int, two: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Inputs and outputs of two units as one."""
        pair = (one, two)
        inputs = tuple(name for name in self.inputs[one] | self.inputs[two] if self.maker.get(name) not in pair)
        outputs = tuple(
            name
            for name in self.outputs[one] | self.outputs[two]
            if name in self.edges.results or any(user not in pair for user in self.readers.get(name, ()))
        )
        return inputs, outputs

    def gain(self, one: int, two: int) -> int:
        """Bytes that are not moved any more when two units are one."""
        count = [*self.inputs[one], *self.inputs[two], *self.outputs[one], *self.outputs[two]]
        inputs, outputs = self.joined(one, two)
        tensor = self.model.tensor
        return sum(tensor(name).bytes for name in count) - sum(tensor(name).bytes for name in (*inputs, *outputs))

    def merge(self, one: int, two: int, inputs: Iterable[str], outputs: Iterable[str]) -> bool:
        """Makes two units one, which has the number of the first; False where a path would leave it and come back.

        `one` stands before `two`; `inputs`, `outputs`: what `joined` says.
        """
        found = self._between(one, two)
        if found is None:
            return False
        self._arrange(one, two, *found)
        moved = self.nodes.pop(two)
        self.nodes[one] += moved
        self.maker.update((name, one) for number in moved for name in self.model.nodes[number].outputs)
        for name in (*self.inputs[two], *self.outputs[two]):
            if two in self.readers.get(name, ()):
                del self.readers[name][two]
                self.readers[name][one] = None
        self.inputs[one], self.outputs[one] = dict.fromkeys(inputs), dict.fromkeys(outputs)
        for edges, back in ((self.before, self.after), (self.after, self.before)):
            for unit in edges.pop(two):
                back[unit].discard(two)
                if unit != one:
                    back[unit].add(one)
                    edges[one].add(unit)
            edges[one].discard(two)
        self.version[one] += 1
        del self.inputs[two], self.outputs[two], self.version[two]
        return True

    def _between(self, one: int, two: int) -> tuple[set[int], bool] | None:
        """Units between two: all that one leads to, or all that lead to two (then True): whichever are found first. None
        when one leads to two by way of others."""
        low, high = self.place[one], self.place[two]
        sides = (
            _Search(self.place, self.before, two, one, low, high),
            _Search(self.place, self.after, one, two, low, high),
        )
        while True:
            for search in sides:
                if search.step():
                    return search.seen, search is sides[0]
                if search.hit:
                    return None

    def _arrange(self, one: int, two: int, between: set[int], leads: bool) -> None:
        """Puts units before the first (those that lead to two), which keeps its place, or behind the second, whose place
        the first takes."""
        moved = sorted(between, key=self.place.__getitem__)
        for unit in (*moved, two) if leads else (*moved, one):
            self.line.take(unit)
        if leads:
            for unit in moved:
                self.line.before(unit, one)
        else:
            self.line.before(one, two)
            last = one
            for unit in moved:
                self.line.behind(unit, last)
                last = unit
            self.line.take(two)


class _Search:
    """Units that can be reached from one, between two places, one edge a step. `hit`: whether the other end was."""

    def __init__(
        self, place: Mapping[int, float], edges: Mapping[int, set[int]], start: int, end: int, low: float, high: float
    ) -> None:
        self.place, self.edges, self.end, self.low, self.high = place, edges, end, low, high
        self.seen: set[int] = set()
        self.todo: list[Iterator[int]] = [filter(end.__ne__, edges[start])]
        self.hit = False

    def step(self) -> bool:
        """Whether everything is found."""
        if not self.todo:
            return True
        unit = next(self.todo[-1], None)
        if unit is None:
            self.todo.pop()
        elif unit == self.end:
            self.hit = True
        elif unit not in self.seen and self.low < self.place[unit] < self.high:
            self.seen.add(unit)
            self.todo.append(iter(self.edges[unit]))
        return False
