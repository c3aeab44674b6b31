"""Which tensors and params a call can give, in which positions, and what a positional interface can tell apart.

QHPI hands a kernel the inputs and then the params in the caller's order, without names (facts/qhpi.md). A kernel record
fixes the number and types of its inputs, so each distinguishable arrangement gets a record of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product

from opkg.spec.model import Combination, Op, ParamSpec, TensorSpec

MOST_NULLS = 3  # inputs that can be null independently of each other
MOST_ORDERS = 24  # sequences of params tried per set of inputs


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


def _candidates(op: Op) -> Iterator[Arrangement]:
    for order in _orders(op.params):
        for inputs in _presences(op.inputs):
            for nulls in _nulls(op.inputs, inputs):
                for outputs in _presences(op.outputs):
                    yield Arrangement(inputs, order, outputs, nulls)


def _orders(params: tuple[ParamSpec, ...]) -> list[tuple[str, ...]]:
    """Sequences of given params: all in spec order, then fewer, then other orders of the same sets."""
    given: list[tuple[str, ...]] = []
    optional = [p.name for p in params if p.optional]
    for left_out in range(len(optional) + 1):
        for missing in reversed(list(combinations(optional, left_out))):
            given.append(tuple(p.name for p in params if p.name not in missing))
            if len(given) >= MOST_ORDERS:
                return given
    shuffled = [order for names in given if 1 < len(names) <= 3 for order in permutations(names)]
    return list(dict.fromkeys(given + shuffled))[:MOST_ORDERS]


def _nulls(tensors: tuple[TensorSpec, ...], given: tuple[tuple[str, int], ...]) -> list[tuple[str, ...]]:
    """Which of the optional inputs given can be null: none, or some before the last one."""
    names = [name for name, _ in given]
    middle = [t.name for t in tensors if t.optional and t.name in names[:-1]]
    if len(middle) > MOST_NULLS or not any(t.optional and t.name == names[-1] for t in tensors):
        return [()]
    return [nulls for count in range(len(middle) + 1) for nulls in combinations(middle, count)]


def _presences(tensors: tuple[TensorSpec, ...]) -> Iterator[tuple[tuple[str, int], ...]]:
    """Which tensors are given and how many of a variadic one: all first, optional ones leave from the end."""
    optional = [t.name for t in tensors if t.optional]
    for absent in range(len(optional) + 1):
        present = [t for t in tensors if t.name not in optional[len(optional) - absent :]]
        counts = [range(t.variadic[0], t.variadic[1] + 1) if t.variadic else (1,) for t in present]
        for chosen in product(*counts):
            yield tuple((t.name, n) for t, n in zip(present, chosen, strict=True))
