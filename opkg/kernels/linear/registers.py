"""Registers of straight code by linear scan: which one every value gets, how many are live at most, what is spilled.

HVX has 32 vector registers; a pair is two neighbours, the even one first, and its halves are registers of their own; and
four predicates. What the compiler does is its own matter: this tells how near a kernel is to the limit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from opkg.kernels.emit.pipeline import deepest, stages
from opkg.kernels.linear.memory import Linear
from opkg.kernels.lowered import Inst, Lowered
from opkg.kernels.sequence import Loop

VECTORS = 32
PREDICATES = 4
# Instructions that change their first operand: the result is in its register, or a copy is made before.
_CHANGES = re.compile(r"acc|lut(32|16)or|vandor|vinsert|into")
_HALVES = {"Q6_V_lo_W": 0, "Q6_V_hi_W": 1}  # a half of a pair: the register that it is in already


@dataclass(frozen=True, slots=True)
class Allocation:
    """`registers`: of every vector, pair and predicate, as assembly names them (`v3`, `v5:4`, `q0`), without the spilled
    ones. `vectors`, `predicates`: the greatest number live at one time."""

    registers: Mapping[str, str]
    vectors: int
    predicates: int
    spills: tuple[str, ...] = ()

    @property
    def used(self) -> int:
        """Different vector registers that were given out."""
        numbers = {n for text in self.registers.values() if text[0] == "v" for n in text[1:].split(":")}
        return len(numbers)


def of_lowered(lowered: Lowered) -> Allocation:
    """The registers of one turn of a kernel's loop: what the setup makes stays, and what steps in flight leave."""
    depth = min(lowered.depth, deepest(lowered))
    if depth == 1:
        return _of_loop(lowered.setup, lowered.body, (), ())
    return _of_loop(lowered.setup, *_turn(lowered, depth))


def turn_of(lowered: Lowered) -> list[Inst]:
    """The instructions of one turn of the loop, in the order in which registers are given."""
    depth = min(lowered.depth, deepest(lowered))
    return list(lowered.body) if depth == 1 else _turn(lowered, depth)[0]


def _turn(lowered: Lowered, depth: int) -> tuple[list[Inst], list[Inst], list[str]]:
    """A turn with several steps in flight: instructions, values of the turn before, and those for the next one.

    The last stage runs first. `v@1` is the value `v` that stage 1 takes from the turn before.
    """
    found: list[Inst] = []
    carried: list[Inst] = []
    after = [inst.dest for inst in lowered.body if inst.op == "load"]
    kinds = {inst.dest: inst.kind for inst in lowered.body}
    parts = stages(lowered, depth)
    for number in range(len(parts) - 1, -1, -1):
        part = parts[number]
        took = {value: f"{value}@{number}" for value in part.takes}
        carried += [Inst(took[value], kinds[value], "carried", ()) for value in part.takes]
        work = list(part.insts)
        if number == len(parts) - 1:
            work += [inst for inst in lowered.body if inst.op == "store"]
        found += [replace(inst, args=tuple(took.get(arg, arg) for arg in inst.args)) for inst in work]
        after += [took.get(value, value) for value in part.leaves]
    return found + [inst for inst in lowered.body if inst.op == "load"], carried, after


def of_loop(loop: Loop) -> Allocation:
    """The registers of one loop of a sequence, with the vectors that it carries."""
    carried = [Inst(carry.name, carry.kind, "carried", (carry.start,)) for carry in loop.carried]
    return _of_loop(loop.setup, loop.body, carried, [carry.after for carry in loop.carried])


def of_linear(code: Linear, apart: bool = False) -> Allocation:
    """The registers of the linear code of a graph, one vector per value: the same before any strategy chose lanes.

    What does not change along a row stays while the loop runs.
    """
    order = sorted(range(len(code.steps)), key=lambda at: not code.steps[at].invariant)
    insts = [_inst(code, at) for at in order]
    kept = [_name(at) for at in order if code.steps[at].invariant]
    return allocate(insts, _used_by(insts[len(kept) :], kept), apart=apart)


def allocate(
    insts: Sequence[Inst], last: Collection[str] = (), vectors: int = VECTORS, apart: bool = False
) -> Allocation:
    """The registers of instructions in order. `last`: values that are live until the end.

    `apart`: a result does not take the register of an operand whose last use it is. Values of kind R are no vectors.
    """
    return _Scan(insts, frozenset(last), vectors, apart).run()


def _of_loop(setup: Sequence[Inst], body: Sequence[Inst], carried: Sequence[Inst], after: Iterable[str]) -> Allocation:
    kept = _used_by(body, [inst.dest for inst in setup])
    return allocate([*setup, *carried, *body], [*kept, *filter(None, after)])


def _used_by(insts: Iterable[Inst], names: Collection[str]) -> list[str]:
    used = {arg for inst in insts for arg in inst.args}
    return [name for name in names if name in used]


def _inst(code: Linear, at: int) -> Inst:
    step = code.steps[at]
    kind = "" if step.op == "store" else "V"
    return Inst(_name(at) if kind else "", kind, step.op, tuple(map(_name, step.args)))


def _name(at: int) -> str:
    return f"s{at}"


@dataclass(slots=True, eq=False)
class _Unit:
    """A vector or predicate register's worth of a value: half of a pair, or the whole of a vector or predicate."""

    kind: str
    start: int
    end: int
    place: int | None = None


class _Scan:
    def __init__(self, insts: Sequence[Inst], last: frozenset[str], vectors: int, apart: bool) -> None:
        self.insts = insts
        self.units: dict[str, tuple[_Unit, ...]] = {}  # of each value; low half of a pair first
        self.made: dict[int, str] = {}  # instruction -> value that gets registers there
        self.free = {"V": set(range(vectors)), "Q": set(range(PREDICATES))}
        self.apart = apart
        self.spills: list[str] = []
        for at, inst in enumerate(insts):
            self._use(inst, at)
            self._define(inst, at)
        for name in last & self.units.keys():
            for unit in self.units[name]:
                unit.end = len(insts)

    def _use(self, inst: Inst, at: int) -> None:
        for arg in inst.args:
            for unit in self.units.get(arg, ()):
                unit.end = max(unit.end, at)

    def _define(self, inst: Inst, at: int) -> None:
        if inst.kind not in ("V", "W", "Q"):
            return
        if inst.op in _HALVES and inst.args[0] in self.units:
            self.units[inst.dest] = (self.units[inst.args[0]][_HALVES[inst.op]],)
            return
        kind = "Q" if inst.kind == "Q" else "V"
        self.units[inst.dest] = tuple(_Unit(kind, at, at) for _ in range(2 if inst.kind == "W" else 1))
        self.made[at] = inst.dest

    def run(self) -> Allocation:
        live: list[_Unit] = []
        for at in range(len(self.insts)):
            gone = [unit for unit in live if unit.end < at + (not self.apart)]
            live = [unit for unit in live if unit not in gone]
            for unit in gone:
                if unit.place is not None:
                    self.free[unit.kind].add(unit.place)
            if at in self.made:
                live += self._give(self.made[at], live, self._hint(self.insts[at]))
        return Allocation(self._registers(), self._most("V"), self._most("Q"), tuple(self.spills))

    def _hint(self, inst: Inst) -> int | None:
        """The register that a result should have: that of the operand which the instruction changes."""
        if not _CHANGES.search(inst.op) or inst.args[0] not in self.units:
            return None
        return self.units[inst.args[0]][0].place

    def _give(self, name: str, live: list[_Unit], hint: int | None) -> list[_Unit]:
        """Registers of a new value; without any left, the value that is needed last goes to memory."""
        units = self.units[name]
        while not self._place(units, hint):
            kind = units[0].kind
            held = [unit for unit in live if unit.kind == kind and unit.place is not None]
            victim = max(held, key=lambda unit: unit.end, default=None)
            if victim is None or (len(units) == 1 and victim.end <= units[0].end):
                self.spills.append(name)
                return list(units)
            self._spill(victim)
        return list(units)

    def _place(self, units: tuple[_Unit, ...], hint: int | None) -> bool:
        free = self.free[units[0].kind]
        fits = [n for n in sorted(free) if len(units) == 1 or (n % 2 == 0 and n + 1 in free)]
        if not fits:
            return False
        first = hint if hint in fits else fits[0]
        for offset, unit in enumerate(units):
            unit.place = first + offset
            free.remove(unit.place)
        return True

    def _spill(self, victim: _Unit) -> None:
        """Frees the registers of the value that a unit belongs to."""
        name = next(name for name in self.made.values() if any(unit is victim for unit in self.units[name]))
        self.spills.append(name)
        for unit in self.units[name]:
            if unit.place is not None:
                self.free[unit.kind].add(unit.place)
                unit.place = None

    def _registers(self) -> dict[str, str]:
        found = {}
        for name, units in self.units.items():
            places = [unit.place for unit in units]
            if None not in places:
                letter = "q" if units[0].kind == "Q" else "v"
                found[name] = letter + ":".join(str(place) for place in reversed(places))
        return found

    def _most(self, kind: str) -> int:
        """The greatest number live: at an instruction, its results and what is needed after it (with `apart`, at it)."""
        units = [unit for name in self.made.values() for unit in self.units[name] if unit.kind == kind]
        counts = [0] * (len(self.insts) + 1)
        for unit in units:
            for at in range(unit.start, max(unit.end, unit.start + 1) + self.apart):
                if at < len(counts):
                    counts[at] += 1
        return max(counts, default=0)
