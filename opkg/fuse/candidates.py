"""Whether nodes become a fused op: what a pattern cannot have, and what its kernel gains by the code that is generated for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opkg.fuse import canonical, cost
from opkg.fuse.fused import FusedOp, Writer
from opkg.fuse.spec_text import read_back
from opkg.models.model import Links, Model
from opkg.models.partition.limits import Limits
from opkg.models.partition.moved import alone, largest, together
from opkg.spec.shapes import Shape


@dataclass(frozen=True, slots=True)
class Candidate:
    """`why` nodes become no op ("" when they do); else the pattern and the place, packets op by op and as one kernel, and whether
    the kernel computes numbers for each row besides; `gain`: by the target's rates, in packets."""

    why: str
    pattern: canonical.Pattern | None = None
    place: canonical.Occurrence | None = None
    packets: tuple[float, float] = (0.0, 0.0)
    numbers: bool = False
    gain: float = 0.0


MOST_TRIED = 24  # smaller kernels in place of one that does not pay


class Candidates:
    """The nodes of one model; what patterns cost at a shape is remembered."""

    def __init__(self, model: Model, edges: Links, limits: Limits) -> None:
        self.model, self.edges, self.limits = model, edges, limits
        self.costs: dict[object, tuple[str, tuple[float, float], bool]] = {}

    def of(self, nodes: Sequence[int]) -> Candidate:
        """Nodes in an order of computation."""
        if len(nodes) == 1:
            return Candidate("no neighbour to join")
        if why := canonical.refused(self.model, self.edges, nodes):
            return Candidate(why)
        saved = alone(self.model, nodes) - together(self.model, self.edges, nodes)
        if saved <= 0:
            return Candidate("not profitable: as one kernel it moves as many bytes")
        pattern, place = canonical.canonical(self.model, self.edges, nodes)
        key = (pattern, place.space, tuple(self._shape(name) for name in place.inputs))
        if key not in self.costs:
            self.costs[key] = self._cost(pattern, place)
        portable, packets, numbers = self.costs[key]
        if portable and self.limits.costed:
            return Candidate(f"not profitable: its kernel would have no vector code ({portable})")
        gain = self.limits.worth(saved, largest(self.model, nodes), packets[0] - packets[1], len(nodes) - 1)
        if gain <= 0:
            more = f"{packets[1] - packets[0]:,.0f} packets more for {saved:,} bytes less"
            return Candidate(f"not profitable: {more}")
        return Candidate("", pattern, place, packets, numbers, gain)

    def smaller(self, nodes: Sequence[int]) -> tuple[tuple[int, ...], Candidate] | None:
        """The part of nodes that pays best, with a few of the first or last ones left out; None for none. What is left out is one
        that reads, or gives, nothing inside, so that no path leaves the rest and comes back."""
        best: tuple[tuple[int, ...], Candidate] | None = None
        waiting = [tuple(sorted(nodes))]
        seen = set(waiting)
        tried = 0
        while waiting and tried < MOST_TRIED:
            listed = waiting.pop(0)
            for number in listed if len(listed) > 2 else ():
                less = tuple(each for each in listed if each != number)
                if less in seen or not self._at_an_end(number, less) or tried >= MOST_TRIED:
                    continue
                seen.add(less)
                tried += 1
                candidate = self.of(less)
                if candidate.why:
                    waiting.append(less)
                elif best is None or candidate.gain > best[1].gain:
                    best = less, candidate
        return best

    def _at_an_end(self, number: int, others: Sequence[int]) -> bool:
        node = self.model.nodes[number]
        reads = any(self.edges.maker.get(name) in others for name in node.reads)
        gives = any(user in others for name in node.outputs for user in self.edges.used(name))
        return not (reads and gives)

    def _shape(self, name: str) -> Shape:
        return self.model.tensor(name).fixed or ()

    def _cost(self, pattern: canonical.Pattern, place: canonical.Occurrence) -> tuple[str, tuple[float, float], bool]:
        """Why there is no vector code; packets op by op and as one kernel; whether there are numbers of rows."""
        whole = self._code(pattern, place)
        after = self._estimated(place.nodes) if whole.packets is None else whole.packets
        before = 0.0
        for number in place.nodes:
            single = cost.Code(None, "")
            if not canonical.refused(self.model, self.edges, (number,)):
                single = self._code(*canonical.canonical(self.model, self.edges, (number,)))
            before += self._estimated((number,)) if single.packets is None else single.packets
        return whole.portable, (before, after), whole.numbers

    def _estimated(self, nodes: Sequence[int]) -> float:
        return cost.estimated(self.model, self.edges, sorted(nodes))

    def _code(self, pattern: canonical.Pattern, place: canonical.Occurrence) -> cost.Code:
        op = fused_op(self.model, self.edges, "Kernel", pattern, (place,))
        made, _ = read_back(self.model, op, "the model")
        if made is None:
            return cost.Code(None, "")
        return cost.of_code(
            made, {name: self._shape(tensor) for name, tensor in zip(op.inputs, place.inputs, strict=True)}
        )


def fused_op(
    model: Model, edges: Links, name: str, pattern: canonical.Pattern, places: Sequence[canonical.Occurrence]
) -> FusedOp:
    """The op of a pattern, without what it costs."""
    writer = Writer(model, pattern, places)
    static = tuple(all(place.inputs[at] in model.constants for place in places) for at in range(len(pattern.inputs)))
    before = sum(alone(model, place.nodes) for place in places)
    after = sum(together(model, edges, sorted(place.nodes)) for place in places)
    params = tuple((name, at) for at, name in writer.params.items())
    return FusedOp(
        name, pattern, tuple(places), writer.inputs, static, writer.outputs, params, writer.compute(), before, after,
        (0.0, 0.0),
    )  # fmt: skip
