"""Which nodes of a model become one kernel: neighbours are merged as long as that saves bytes, by true reachability.

It begins with the greedy partition and merges on, so that it never has more subgraphs nor moves more bytes than that; of models
that are not very large it begins with single nodes too, and takes what moves fewer bytes. Two units (a subgraph, or a node that
fits none) are merged only when no path leaves one and comes back to the other: units stand in an order of computation, which is
kept with every merge, so that a search ends where the other unit stands. There is no cycle at any time.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import islice, pairwise

from opkg.models.model import Links, Model
from opkg.models.partition.border import Border, domain, op_packets, packets, refused
from opkg.models.partition.greedy import Allowed, Subgraph, greedy
from opkg.models.partition.limits import Limits
from opkg.models.partition.units import Cyclic, Units


def best(model: Model, edges: Links, fits: Sequence[bool], limits: Limits) -> tuple[Subgraph, ...]:
    """The subgraphs of a model, those of one node too; `fits`: of every node, whether a kernel can be made of it."""
    allowed = allower(model, edges, limits)
    first = [part.nodes for part in greedy(model, edges, fits, limits.tensors, allowed)]
    seen = {number for nodes in first for number in nodes}
    first += [(number,) for number, fit in enumerate(fits) if fit and number not in seen]  # that lead to no result
    singles = [(number,) for number, fit in enumerate(fits) if fit]
    found = _Merging(model, edges, fits, limits, _grouped(model, edges, first, allowed)).run()
    if len(singles) <= FEW:
        other = _Merging(model, edges, fits, limits, Units(model, edges, singles)).run()
        if other.total() < found.total() and len(other.parts()) <= len(first):
            found = other
    return tuple(found.parts())


def _grouped(model: Model, edges: Links, groups: Sequence[Sequence[int]], allowed: Allowed) -> Units:
    """Units of groups of nodes. Greedy ones have a cycle now and then (its numbers are of visits, not of what was made of them
    since): those are put together node by node, without what would close it."""
    try:
        return Units(model, edges, groups)
    except Cyclic:
        units = Units(model, edges, ())
    for group in groups:
        one, *others = sorted(group, key=units.place.__getitem__)
        for other in others:
            before, after = sorted((one, other), key=units.place.__getitem__)
            inputs, outputs = units.joined(before, after)
            if allowed([*units.nodes[before], *units.nodes[after]], inputs, outputs):
                one = before if units.merge(before, after, inputs, outputs) else one
    return units


def allower(model: Model, edges: Links, limits: Limits) -> Allowed:
    """Whether nodes with these inputs and outputs are within the limits of a target."""

    def allowed(nodes: Sequence[int], inputs: Sequence[str], outputs: Sequence[str]) -> bool:
        border = Border(tuple(inputs), tuple(outputs), domain(model, outputs))
        return not refused(model, edges, nodes, border, limits)

    return allowed


FEW = 4000  # nodes up to which a second beginning is tried
MANY = 100  # readers of one tensor that are looked at again after a merge


class _Merging:
    """Candidates in a heap, the largest gain first; one whose units have changed since is dropped, as its successor is
    there."""

    def __init__(self, model: Model, edges: Links, fits: Sequence[bool], limits: Limits, units: Units) -> None:
        self.model, self.edges, self.limits = model, edges, limits
        self.units = units
        self.fits = {unit for unit in self.units.alive if fits[self.units.nodes[unit][0]]}
        self.ops = {unit: op_packets(model, self.units.nodes[unit]) for unit in self.fits}
        self.cost = {unit: packets(self.ops[unit], self._border(unit)) for unit in self.fits}
        self.heap: list[tuple[int, int, int, tuple[int, int]]] = []  # -bytes, unit, unit, their versions

    def run(self) -> _Merging:
        for tensor in self.units.readers:
            self._around(tensor)
        while self.heap:
            _, one, two, versions = heapq.heappop(self.heap)
            if self.units.versions(one, two) == versions:
                self._try(one, two)
        return self

    def _try(self, one: int, two: int) -> None:
        units = self.units
        before, after = sorted((one, two), key=units.place.__getitem__)
        inputs, outputs = units.joined(before, after)
        border = Border(inputs, outputs, domain(self.model, outputs))
        nodes = [*units.nodes[before], *units.nodes[after]]
        if refused(self.model, self.edges, nodes, border, self.limits):
            return
        ops = self.ops[one] + self.ops[two]
        cost = packets(ops, border)
        more = cost - self.cost[one] - self.cost[two]
        if more > 0 and self._worth(one, two, -more) <= 0:
            return
        if not units.merge(before, after, inputs, outputs):
            return
        self.fits.discard(after)
        self.ops[before], self.cost[before] = ops, cost
        for tensor in dict.fromkeys((*inputs, *outputs)):
            self._around(tensor, before)

    def _worth(self, one: int, two: int, saved: float) -> float:
        names = (name for unit in (one, two) for name in (*self.units.inputs[unit], *self.units.outputs[unit]))
        largest = max((self.model.tensor(name).bytes for name in names), default=0)
        return self.limits.worth(self.units.gain(one, two), largest, saved)

    def _around(self, tensor: str, only: int | None = None) -> None:
        """Candidates at a tensor: who makes it with each who reads it, and readers that follow each other. `only`: those
        with this unit."""
        units = self.units
        maker = units.maker.get(tensor)
        found = units.readers.get(tensor, {})
        readers = [unit for unit in islice(found, MANY if only is not None else None) if unit in self.fits]
        if only is not None and only in found and only not in readers:
            readers.append(only)
        pairs: list[tuple[int, int]] = []
        if maker is not None and maker in self.fits:
            pairs += [(maker, reader) for reader in readers if only is None or only in (maker, reader)]
        if only is None or only in found:
            readers.sort(key=units.place.__getitem__)
            pairs += [pair for pair in pairwise(readers) if only is None or only in pair]
        for one, two in pairs:
            if one != two:
                heapq.heappush(self.heap, (-units.gain(one, two), one, two, units.versions(one, two)))

    def _border(self, unit: int) -> Border:
        inputs, outputs = tuple(self.units.inputs[unit]), tuple(self.units.outputs[unit])
        return Border(inputs, outputs, domain(self.model, outputs))

    def total(self) -> int:
        """Bytes that the subgraphs move."""
        tensor = self.model.tensor
        return sum(
            tensor(name).bytes for unit in self.fits for name in (*self.units.inputs[unit], *self.units.outputs[unit])
        )

    def parts(self) -> list[Subgraph]:
        units = self.units
        order = sorted(self.fits, key=units.place.__getitem__)
        return [
            Subgraph(tuple(sorted(units.nodes[unit])), tuple(units.inputs[unit]), tuple(units.outputs[unit]))
            for unit in order
        ]
