"""Which arrangement of inputs and params a case has: all take turns, beside the turns of enums and bools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opkg.spec.model import Combination, Op
from opkg.verify.cases import params
from opkg.verify.cases.calls import Giving, possible_calls
from opkg.verify.cases.own_cases import Fixed
from opkg.verify.cases.rng import Rng

ROUNDS = 2  # of as many cases as there are arrangements: after them each has had its turn


def pick_call(
    op: Op, combination: Combination, rng: Rng, number: int, fixed: Fixed, wanted: Mapping[str, params.Scalar]
) -> Giving | None:
    """The arrangement of a case: cases take turns, those of the spec's own must fit what it names. A param whose wanted
    value is not its default is given where that is possible."""
    possible = [call for call in possible_calls(op, combination) if fixed.allows(call)]
    if not possible:
        return None
    if number < ROUNDS * len(possible) and wanted and wanted == params.assigned(op, number):
        return possible[_turn(op, possible, number)]
    able = _able(op, possible, wanted)
    return possible[able[number] if number < len(able) else rng.choice(able)]


def _able(op: Op, possible: Sequence[Giving], wanted: Mapping[str, params.Scalar]) -> list[int]:
    """Those arrangements in which every value that is no default is given; all if there is none."""
    needed = {p.name for p in op.params if p.name in wanted and wanted[p.name] != p.default}
    return [n for n, call in enumerate(possible) if needed <= set(call.params)] or list(range(len(possible)))


def _turn(op: Op, possible: Sequence[Giving], number: int) -> int:
    """The arrangement that earlier cases had least, of those that are able to carry the values whose turn it is.

    Counted from the first case: a param that takes every other turn would leave half of the arrangements out else.
    """
    used = [0] * len(possible)
    chosen = 0
    for turn in range(number + 1):
        chosen = min(_able(op, possible, params.assigned(op, turn)), key=used.__getitem__)
        used[chosen] += 1
    return chosen
