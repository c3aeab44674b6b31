"""Which neighbours of a model become one kernel: greedy, one visit per node.

A node that fits takes in the subgraphs that its operands come from, as long as no cycle arises, few enough tensors go in
and out, and all results can be computed in one loop (their shapes broadcast). The rules are those of OpenVINO's snippets,
whose partitions of 400 random graphs are a test; the cycle test is its conservative one, by numbers in the order of visits.
Every visit costs what its own operands and the borders of their subgraphs cost, not what these hold.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from opkg.models.model import Links, Model
from opkg.models.partition.order import visiting_order
from opkg.spec.shapes import EvaluationError, broadcast, product


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Nodes that become one kernel, by their numbers, in the order in which they joined. `inputs`, `outputs`: tensors; one
    that reaches it twice may stand twice among the inputs."""

    nodes: tuple[int, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


Allowed = Callable[[Sequence[int], Sequence[str], Sequence[str]], bool]


def greedy(
    model: Model, edges: Links, fits: Sequence[bool], most_tensors: int, allowed: Allowed | None = None
) -> tuple[Subgraph, ...]:
    """The subgraphs of a model; `fits`: of every node, whether a kernel can be made of it. Others stay outside of all.

    `allowed`: whether several nodes with these inputs and outputs may be one kernel, beside OpenVINO's own rules.
    """
    order = [at for at in visiting_order(model, edges) if isinstance(at, int)]
    state = _State(model, edges, order, most_tensors, allowed)
    for number in order:
        if fits[number]:
            state.visit(number)
    parts = {id(part): part for number in order if (part := state.owner(number)) is not None}.values()
    return tuple(Subgraph(tuple(part.nodes), tuple(part.inputs), tuple(part.outputs)) for part in parts)


@dataclass(slots=True, eq=False)
class _Part:
    """A subgraph as it grows. `number`: its place in the order of visits; `labels`: of every input, what its source was called
    when it came in; `into`: what it became a part of."""

    number: int
    name: str
    nodes: list[int]
    inputs: list[str]
    labels: list[str]
    outputs: list[str]
    is_result: bool
    into: _Part | None = field(default=None)


class _State:
    def __init__(
        self, model: Model, edges: Links, order: Sequence[int], most_tensors: int, allowed: Allowed | None
    ) -> None:
        self.model, self.edges, self.most_tensors, self.allowed = model, edges, most_tensors, allowed
        self.number = {number: place for place, number in enumerate(order)}
        self.parts: dict[int, _Part] = {}
        self.users = {
            name: sorted((user for user in users if user in self.number), key=self.number.__getitem__)
            for name, users in edges.users.items()
        }
        self.places = {name: [(self.number[user], user) for user in users] for name, users in self.users.items()}
        self.seen: dict[str, int] = {}  # tensor -> how many of its first users are in one part with its maker

    def owner(self, number: int) -> _Part | None:
        """The subgraph that a node is in now."""
        found = self.parts.get(number)
        if found is not None:
            while found.into is not None:
                found = found.into
            self.parts[number] = found
        return found

    def maker(self, tensor: str) -> _Part | None:
        number = self.edges.maker.get(tensor)
        return None if number is None else self.owner(number)

    def visit(self, number: int) -> None:
        """Merges a node with the subgraphs of its operands, or makes it a subgraph of its own."""
        parts = self._mergeable(number)
        merged = self._merged(number, parts) if parts else None
        if merged is None:
            parts, merged = [], self._joined(number, [])
        for part in parts:
            part.into = merged
        self.parts[number] = merged

    def _mergeable(self, number: int) -> list[_Part]:
        """The subgraphs of the operands that pass the cycle test: every part that joins narrows what may come before and
        after."""
        node = self.model.nodes[number]
        candidates = {id(part): part for name in node.reads if (part := self.maker(name)) is not None}
        low = self._low(node.reads)
        high = self._high(node.outputs, None, number)
        found = []
        for part in candidates.values():
            its_low, its_high = max(low, self._low(part.inputs)), min(high, self._high(part.outputs, part, number))
            if its_low < its_high:
                low, high = its_low, its_high
                found.append(part)
        return found

    def _place(self, number: int) -> int:
        part = self.owner(number)
        return self.number[number] if part is None else part.number

    def _low(self, tensors: Sequence[str]) -> int:
        """The last place of what gives tensors; inputs and constants of the model do not count."""
        makers = (self.edges.maker.get(name) for name in tensors)
        return max((self._place(number) for number in makers if number is not None), default=-1)

    def _high(self, tensors: Sequence[str], part: _Part | None, but: int) -> int:
        """The first place of what reads tensors, a subgraph and a node left out. Places only grow: one that has grown is
        put right when it comes up."""
        high = len(self.number) + 1
        for name in tensors:
            heap = self.places.get(name, [])
            aside = None
            while heap:
                place, user = heap[0]
                owner = self.owner(user)
                now = self.number[user] if owner is None else owner.number
                if owner is not None and owner is part:  # both stay in it
                    heapq.heappop(heap)
                elif user == but:
                    aside = heapq.heappop(heap)
                elif now > place:
                    heapq.heapreplace(heap, (now, user))
                else:
                    high = min(high, place)
                    break
            if aside is not None:
                heapq.heappush(heap, aside)
        return high

    def _merged(self, number: int, parts: list[_Part]) -> _Part | None:
        """All parts and the node, or None when a rule is broken."""
        node = self.model.nodes[number]
        result = any(name in self.edges.results for name in node.outputs)
        if sum(part.is_result for part in parts) + result > 1 or self._takes_twice(number, parts):
            return None
        merged = self._joined(number, parts)
        if len(merged.inputs) + len(merged.outputs) > self.most_tensors:
            return None
        try:
            broadcast([self.model.tensor(name).fixed or () for name in merged.outputs])
        except EvaluationError:
            return None
        if self.allowed is not None and not self.allowed(merged.nodes, merged.inputs, merged.outputs):
            return None
        return merged

    def _joined(self, number: int, parts: list[_Part]) -> _Part:
        """Inputs in the order of the node's operands. One that is there already is listed again where it is not labelled
        with what its source is called now: subgraphs change their names as they grow."""
        node = self.model.nodes[number]
        found = _Part(self.number[number], node.name, [], [], [], [], False)
        taken: list[_Part] = []
        outputs: list[str] = []
        for name in node.reads:
            part = self.maker(name)
            if part is None or part not in parts:
                if not self._moves_inside(name):
                    found.inputs.append(name)
                    found.labels.append(self._called(name))
            elif part not in taken:
                taken.append(part)
                found.nodes += part.nodes
                outputs += part.outputs
                self._take_inputs(found, part)
                found.name = part.name if part.is_result else found.name
        kept = [at for at, name in enumerate(found.inputs) if (part := self.maker(name)) is None or part not in parts]
        found.inputs, found.labels = [found.inputs[at] for at in kept], [found.labels[at] for at in kept]
        found.outputs = [name for name in [*outputs, *node.outputs] if self._used_outside(name, parts, number)]
        found.is_result = any(part.is_result for part in parts) or not self.edges.results.isdisjoint(node.outputs)
        found.nodes.append(number)
        return found

    def _take_inputs(self, found: _Part, part: _Part) -> None:
        for name, label in zip(part.inputs, part.labels, strict=True):
            if (name, self._called(name)) not in zip(found.inputs, found.labels, strict=True):
                found.inputs.append(name)
                found.labels.append(label)

    def _called(self, tensor: str) -> str:
        """What the source of a tensor is called now."""
        part, number = self.maker(tensor), self.edges.maker.get(tensor)
        if part is not None:
            return part.name
        return tensor if number is None else self.model.nodes[number].name

    def _used_outside(self, tensor: str, parts: list[_Part], number: int) -> bool:
        """Whether anything reads a tensor that is neither the node nor in one of the parts."""
        if tensor in self.edges.results:
            return True
        users = self.users.get(tensor, [])
        home = self.maker(tensor)
        at = self.seen.get(tensor, 0)
        while at < len(users) and home is not None and self.owner(users[at]) is home:
            at += 1
        self.seen[tensor] = at
        return any(user != number and self.owner(user) not in parts for user in users[at:])

    def _takes_twice(self, number: int, parts: list[_Part]) -> bool:
        """Whether the node reads a result of a subgraph that stays outside, and a part before it reads the same."""
        seen: set[str] = set()
        for name in self.model.nodes[number].reads:
            owner = self.maker(name)
            if owner is not None and owner in parts:
                seen.update(owner.inputs)
            elif owner is not None and name in seen:
                return True
        return False

    def _moves_inside(self, name: str) -> bool:
        return name in self.model.constants and product(self.model.tensor(name).fixed or (0,)) == 1
