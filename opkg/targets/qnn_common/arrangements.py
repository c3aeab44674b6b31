"""Which tensors and params a call can give, in which positions, and what a positional interface can tell apart.

QHPI hands a kernel the inputs and then the params in the caller's order, without names (facts/qhpi.md). A kernel record
fixes the number and types of its inputs, so each distinguishable arrangement gets a record of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

from opkg.spec.model import Combination, Op, ParamSpec
from opkg.spec.once import once
from opkg.spec.presence import MOST_PARAM_SETS, nulls, param_sets, presences


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What one call gives: (tensor, how many) for the inputs present, params by name in the caller's order, outputs."""

    inputs: tuple[tuple[str, int], ...]
    params: tuple[str, ...]
    outputs: tuple[tuple[str, int], ...]
    nulls: tuple[str, ...] = ()  # optional inputs whose place in `inputs` holds no tensor, since a later one is given

    @property
    def num_inputs(self) -> int:
        return sum(count for _, count in self.inputs)

    def position(self, name: str) -> int:
        """Index of a tensor's first item or of a param among a kernel's inputs; -1 when absent."""
        if name in self.nulls:
            return -1
        at = 0
        for tensor, count in self.inputs:
            if tensor == name:
                return at
            at += count
        return at + self.params.index(name) if name in self.params else -1

    @property
    def null_bits(self) -> int:
        """Bit i: the i-th input holds no tensor."""
        named = [name for name, count in self.inputs for _ in range(count)]
        return sum(1 << at for at, name in enumerate(named) if name in self.nulls)

    def order(self, row: int) -> Order:
        """What the validator sees of it, for a row of the table of element types."""
        return Order(row, self.num_inputs, self.null_bits, ",".join(self.params))


@dataclass(frozen=True, slots=True)
class Order:
    """A call that a kernel record serves: row of the type table, number of inputs, which of them are null (bit i: the
    i-th), names of the params in the caller's order, joined by commas."""

    row: int
    inputs: int
    nulls: int
    params: str


Key = Callable[[Op, Arrangement], object]


def arrangements(op: Op, combination: Combination, key: Key) -> list[Arrangement]:
    """Every arrangement whose `key` (what a kernel record can say of it) is unique; the preferred one wins a clash."""
    seen: dict[object, Arrangement] = {}
    for candidate in _candidates(op):
        seen.setdefault(key(op, candidate), candidate)
    return list(seen.values())


def clash(op: Op, key: Key) -> tuple[Arrangement, Arrangement] | None:
    """The first arrangement, params in the spec's order, that loses a clash, and the one it loses to."""
    seen: dict[object, Arrangement] = {}
    order = [param.name for param in op.params]
    for candidate in _candidates(op):
        winner = seen.setdefault(key(op, candidate), candidate)
        if winner is not candidate and list(candidate.params) == [name for name in order if name in candidate.params]:
            return candidate, winner
    return None


@once
def _candidates(op: Op) -> tuple[Arrangement, ...]:
    given = [(inputs, absent) for inputs in presences(op.inputs) for absent in nulls(op.inputs, inputs)]
    made = list(presences(op.outputs))
    return tuple(
        Arrangement(inputs, order, outputs, absent)
        for order in _orders(op.params)
        for inputs, absent in given
        for outputs in made
    )


def _orders(params: tuple[ParamSpec, ...]) -> list[tuple[str, ...]]:
    """Sequences of given params: the sets in spec order, then other orders of small ones."""
    given = param_sets(params)
    shuffled = [order for names in given if 1 < len(names) <= 3 for order in permutations(names)]
    return list(dict.fromkeys(given + shuffled))[:MOST_PARAM_SETS]
