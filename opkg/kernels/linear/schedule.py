"""Loops over the output domain: dimensions that no tensor tells apart are one; the innermost one runs in vectors.

Of a row of L elements in vectors of V, the main loop does floor(L / V) * V (nothing if L < V, straight code if that is
one vector) and the tail does the rest at once, by the same instructions, masked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from opkg.kernels.graphs.graph import REDUCE
from opkg.kernels.graphs.shapes import Dim, Dims
from opkg.kernels.linear.memory import MEMORY, Linear, Step


class Main(StrEnum):
    """What the main part of a row is."""

    NONE = "none"
    STRAIGHT = "straight"
    LOOP = "loop"


@dataclass(frozen=True, slots=True)
class Inner:
    """The loop over a row. `length` may be a name; `steps` and `tail` are None then: known only in a call."""

    length: Dim
    lanes: int
    main: Main
    steps: int | None
    tail: int | None

    def __str__(self) -> str:
        if self.steps is None or self.tail is None:
            return f"{self.length} // {self.lanes} steps of {self.lanes} elements, a masked tail of {self.length} % {self.lanes}"
        parts = []
        if self.main is not Main.NONE:
            parts.append(f"{self.steps} step{'s' if self.steps > 1 else ''} of {self.lanes} elements")
        if self.tail:
            parts.append(f"a masked tail of {self.tail}")
        return ", ".join(parts) or "nothing"


@dataclass(frozen=True, slots=True)
class Access:
    """How a tensor is walked: for each loop whether it advances. `once`: read or written one time."""

    tensor: str
    stores: bool
    advances: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """One walk over a row: the steps before it, once per row, and those of each vector; their numbers."""

    before: tuple[int, ...]
    body: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """`outer`: extents of the loops around the inner one. `passes`: one, and one more for each reduction that another one
    or the elements wait for; what is loaded in one is kept for the others. A pass without a body stores reduced values."""

    domain: Dims
    outer: Dims
    inner: Inner
    accesses: tuple[Access, ...]
    passes: tuple[Pass, ...]


def schedule(code: Linear, lanes: int) -> Schedule:
    """The loops of a linear code in vectors of `lanes` elements."""
    touched = [step for step in code.steps if step.op in MEMORY]
    loops, groups = collapse(code.domain, [step.lies for step in code.steps if step.op in MEMORY or step.op in REDUCE])
    whole = loops or (1,)
    accesses = tuple(_access(step, code.domain, groups) for step in touched)
    return Schedule(code.domain, whole[:-1], inner_loop(whole[-1], lanes), accesses, _passes(code.steps))


def inner_loop(length: Dim, lanes: int) -> Inner:
    """A row of `length` elements in vectors of `lanes`."""
    if isinstance(length, str):
        return Inner(length, lanes, Main.LOOP, None, None)
    steps, tail = divmod(length, lanes)
    main = Main.NONE if steps == 0 else Main.STRAIGHT if steps == 1 else Main.LOOP
    return Inner(length, lanes, main, steps, tail)


def collapse(domain: Dims, shapes: Sequence[Dims]) -> tuple[Dims, tuple[tuple[int, ...], ...]]:
    """The extents of the loops and the dimensions of the domain that each one covers.

    Neighbours are one loop when every tensor has both of them or has neither (is 1 in both); dimensions that are 1 in the
    domain are in no loop. Names are multiplied as text.
    """
    groups: list[list[int]] = []
    for place, dim in enumerate(domain):
        if dim == 1:
            continue
        if groups and all(_has(shape, domain, groups[-1][-1]) == _has(shape, domain, place) for shape in shapes):
            groups[-1].append(place)
        else:
            groups.append([place])
    return tuple(_product([domain[place] for place in group]) for group in groups), tuple(map(tuple, groups))


def _passes(steps: Sequence[Step]) -> tuple[Pass, ...]:
    """The steps by the number of reductions that they wait for; what is loaded belongs to its first use."""
    waits: list[int] = []
    for step in steps:
        waits.append(max((waits[arg] + (steps[arg].op in REDUCE) for arg in step.args), default=0))
    for at, step in enumerate(steps):
        if not step.args:
            waits[at] = min(waits[user] for user, other in enumerate(steps) if at in other.args)
    found = []
    for number in range(max(waits, default=0) + 1):
        mine = [at for at in range(len(steps)) if waits[at] == number]
        before = tuple(at for at in mine if steps[at].invariant)
        found.append(Pass(before, tuple(at for at in mine if not steps[at].invariant)))
    return tuple(found)


def _has(shape: Dims, domain: Dims, place: int) -> bool:
    """Whether a tensor advances along a dimension of the domain."""
    own = place - (len(domain) - len(shape))
    return own >= 0 and shape[own] != 1


def _access(step: Step, domain: Dims, groups: Sequence[Sequence[int]]) -> Access:
    advances = tuple(_has(step.lies, domain, group[0]) for group in groups)
    return Access(step.tensor, step.op == "store", advances)


def _product(dims: Sequence[Dim]) -> Dim:
    number, names = 1, []
    for dim in dims:
        if isinstance(dim, int):
            number *= dim
        else:
            names.append(dim)
    if not names:
        return number
    return "*".join([str(number)] * (number != 1) + names)
