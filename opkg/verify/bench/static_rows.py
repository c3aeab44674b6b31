"""What the loops of a reduction cost by their schedule: one pass over a row after another, each a hardware loop.

The compiler moves loops and leaves one of a step a turn beside each, for the steps that remain. Which loop is of which pass is
seen from its loads, stores and length; what is computed between passes is not in these figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opkg.kernels.cost import body_packets
from opkg.kernels.sequence import Loop
from opkg.verify.bench.stalls import Packet

_MOVED = 8.0  # how bad it is to take a loop for one of a pass in front of the loop before it


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass over the row as it was compiled: the packets of a turn, and its steps."""

    loop: tuple[Packet, ...]
    steps: int


def passes(found: Sequence[Sequence[Packet]], stages: Sequence[Loop]) -> list[Pass] | None:
    """The loops of those passes that most long rows take; None where loops and passes do not fit."""
    place = _places(found, stages)
    if place is None:
        return None
    result = []
    for number, stage in enumerate(stages):
        if stage.usual:
            longest = max((loop for loop, at in zip(found, place, strict=True) if at == number), key=len)
            turn = _fit(longest, stage)
            result.append(Pass(tuple(longest), turn[1] if turn is not None else 1))
    return result


def _places(found: Sequence[Sequence[Packet]], stages: Sequence[Loop]) -> list[int] | None:
    """The stage of every loop: each has one or more, so that all together fit best."""
    best: dict[frozenset[int], tuple[float, list[int]]] = {frozenset(): (0.0, [])}
    for loop in found:
        fits = [_fit(loop, stage) for stage in stages]
        longer: dict[frozenset[int], tuple[float, list[int]]] = {}
        for covered, (cost, way) in best.items():
            for number, fit in enumerate(fits):
                now = covered | {number}
                if fit is None:
                    continue
                total = cost + fit[0] + (_MOVED if way and number < way[-1] else 0)
                if now not in longer or total < longer[now][0]:
                    longer[now] = (total, [*way, number])
        best = longer
    whole = best.get(frozenset(range(len(stages))))
    return whole[1] if whole is not None else None


def _fit(loop: Sequence[Packet], stage: Loop) -> tuple[float, int] | None:
    """How far a loop is from a pass, and the steps of its turn; None where it has too few loads or stores. More than the pass
    has are vectors kept in memory for want of registers; the compiler may also unroll what it was not asked to."""
    loads, stores = (sum(inst.op == op for inst in stage.body) for op in ("load", "store"))
    loaded, stored = sum(p.reads_memory for p in loop), sum(p.stores for p in loop)
    packets = body_packets(stage.body).packets
    if stage.once:  # it has loads, stores and choices that no whole step has
        return (0.0, 1) if loaded >= loads and stored >= stores else None
    tried = [
        (loaded - loads * steps + stored - stores * steps + abs(len(loop) - packets * steps), steps)
        for steps in (1, *(stage.unroll << more for more in range(4)))
        if loaded >= loads * steps and stored >= stores * steps
    ]
    return min(tried, default=None)
