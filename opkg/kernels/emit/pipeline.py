"""The loop of a kernel with several steps in flight: while one step is stored, the next ones are computed and loaded.

The body is cut into stages. A turn of the loop runs the last stage for step i, the one before for step i + 1, and so on,
and loads step i + depth - 1. So no instruction of a turn waits for another one of it, and a turn takes the packets that
its instructions fill, not those of its longest chain; what a stage leaves for the next one stays in registers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from opkg.kernels.emit.phrases import line_text, nested
from opkg.kernels.hvx.units import EARLY, kind
from opkg.kernels.lowered import CPP, Inst, Lowered

_FREE = frozenset(("Q6_V_lo_W", "Q6_V_hi_W"))  # halves of a pair: no instruction at all
_WORDS = ("first", "second", "third", "fourth", "fifth")
_ARCH = 66  # whose units decide
_HELD = 16  # vectors between stages: half of the registers
_SHORT = 12  # instructions
MOST = len(_WORDS) + 1  # deepest loop


@dataclass(frozen=True, slots=True)
class Stage:
    """Instructions of one stage; `takes` and `leaves`: values that the stage before left, and that the next one takes."""

    insts: tuple[Inst, ...]
    takes: tuple[str, ...]
    leaves: tuple[str, ...]


def levels(body: Sequence[Inst]) -> dict[str, int]:
    """For every value of a body, how many instructions its longest chain has; loads have none."""
    found: dict[str, int] = {}
    for inst in body:
        if inst.op == "load":
            found[inst.dest] = 0
        elif inst.op != "store":
            deepest = max((found.get(arg, 0) for arg in inst.args), default=0)
            found[inst.dest] = deepest + (inst.op not in _FREE)
    return found


def deepest(lowered: Lowered) -> int:
    """The most steps in flight that make sense: loads, then one stage per instruction of the longest chain."""
    return min(MOST, 1 + max(1, max(levels(lowered.body).values(), default=1)))


def good_depth(lowered: Lowered) -> int:
    """The depth that short kernels were measured to be fastest with (packets and stalls, docs/bench.md).

    1 where loads alone fill the packets, and for long bodies, which the compiler pipelines better itself. Else two
    computing stages, or one when a predicate would go from stage to stage: those have few registers.
    """
    work = [inst for inst in lowered.body if inst.op not in ("load", "store", *_FREE)]
    loads = sum(inst.op == "load" for inst in lowered.body)
    waits = any(inst.op.startswith("Q6_") and kind(inst.op, _ARCH) in EARLY for inst in work)
    if not 0 < len(work) <= _SHORT or (deepest(lowered) == 2 and loads > 1 and not waits):
        return 1
    size = {"W": 2, "V": 1, "Q": _HELD}
    kinds = {inst.dest: size.get(inst.kind, 0) for inst in lowered.body}
    for depth in range(min(3, deepest(lowered)), 1, -1):
        if sum(kinds[value] for stage in stages(lowered, depth) for value in stage.takes) < _HELD:
            return depth
    return 1


def stages(lowered: Lowered, depth: int) -> list[Stage]:
    """The computing stages of a loop with `depth` steps in flight: depth - 1 of them, cut by the length of chains."""
    count = depth - 1
    level = levels(lowered.body)
    longest = max(1, max(level.values(), default=1))
    work = [inst for inst in lowered.body if inst.op not in ("load", "store")]
    place = {inst.dest: max(0, level[inst.dest] - 1) * count // longest for inst in work}
    for inst in reversed(work):  # halves are taken where they are used
        if inst.op in _FREE:
            users = [place[user.dest] for user in work if inst.dest in user.args]
            place[inst.dest] = min(users) if users else count - 1
    loads = [inst.dest for inst in lowered.body if inst.op == "load"]
    made = {**dict.fromkeys(loads, -1), **place}
    last = _last_uses(lowered, place, count)
    found = []
    for number in range(count):
        insts = tuple([inst for inst in work if place[inst.dest] == number])
        takes, leaves = (tuple([v for v in made if made[v] < edge <= last.get(v, -1)]) for edge in (number, number + 1))
        found.append(Stage(insts, takes, leaves))
    return found


def _last_uses(lowered: Lowered, place: dict[str, int], count: int) -> dict[str, int]:
    """For every value the last stage that reads it."""
    last: dict[str, int] = {}
    for inst in lowered.body:
        if inst.op == "load":
            continue
        # Of a store only the value counts: the output may have the name of another value.
        args, stage = (inst.args[2:], count - 1) if inst.op == "store" else (inst.args, place[inst.dest])
        for arg in args:
            last[arg] = max(last.get(arg, -1), stage)
    return last


class Loop:
    """The C++ of a loop with several steps in flight.

    With an even `unroll` a turn of the loop makes two steps and every value between stages has two variables, for steps
    of even and of odd number: then loads are one step further ahead, and no value is used right after it was made.
    """

    def __init__(self, lowered: Lowered, result: Callable[[Inst], str]) -> None:
        self.depth = min(lowered.depth, deepest(lowered))
        self.sets = 2 if lowered.unroll % 2 == 0 else 1
        self.ahead = self.depth - 2 + self.sets  # how far ahead of the step that is stored the loads are
        self.lowered = lowered
        self.stages = stages(lowered, self.depth)
        self.last = len(self.stages) - 1
        self._result = result
        self.kinds = {inst.dest: CPP[inst.kind] for inst in lowered.body if inst.dest}
        self.loads = [inst for inst in lowered.body if inst.op == "load"]
        self.stores = [inst for inst in lowered.body if inst.op == "store"]

    @property
    def least(self) -> int:
        """Whole steps that the loop takes at least."""
        return self.ahead + self.sets

    def stage_lines(self) -> list[str]:
        """The stages as functions."""
        lines: list[str] = []
        for number, stage in enumerate(self.stages):
            final = number == self.last
            given = [f"{self.kinds[v]} {v}" for v in stage.takes]
            given += [f"{self.kinds[v]}& {v}_next" for v in stage.leaves]
            given += [f"HVX_Vector& {self._result(store)}" for store in self.stores] if final else []
            lines.append(f"const auto {_WORDS[number]} = [&]({', '.join(given)}) OPKG_INLINE_LAMBDA {{")
            left = [*stage.leaves, *(store.args[2] for store in self.stores)]
            lines += [f"  {line_text(inst)}" for inst in nested(stage.insts, left)]
            lines += [f"  {v}_next = {v};" for v in stage.leaves]
            if final:
                lines += [f"  {self._result(store)} = {store.args[2]};" for store in self.stores]
            lines.append("};")
        return lines

    def step_lines(self) -> list[str]:
        """All stages of one step as one function."""
        given = [f"HVX_Vector {load.dest}" for load in self.loads]
        given += [f"HVX_Vector& {self._result(store)}" for store in self.stores]
        inside = [f"{self.kinds[v]} {self._held(0, v, 0)} = {v};" for v in self.stages[0].takes]
        inside += self._between(1)
        inside += [self._call(number, 0) for number in range(len(self.stages))]
        return [f"const auto step = [&]({', '.join(given)}) OPKG_INLINE_LAMBDA {{", *(f"  {i}" for i in inside), "};"]

    def loop_lines(self, plain: list[str]) -> list[str]:
        """The loop over `steps` whole steps, when they are at least `least`: fill, turns, drain. `plain`: step `i` alone."""
        lines = ["size_t i = 0;"]
        if self.sets == 2:  # turns make two steps each
            lines += [f"if (steps % 2 != {self.ahead % 2}) {{", *_indented(plain), "  ++i;", "}"]
        for step in range(self.sets):
            lines += [
                f"{self.kinds[v]} {self._held(0, v, step)} = {self._load(v, step)};" for v in self.stages[0].takes
            ]
        lines += self._between(self.sets)
        for turn in range(2 - self.depth, 0):
            lines += self._turn(turn, 0) + self._loaded(turn)
        inside: list[str] = []
        for turn in range(self.sets):
            inner = self._turn(turn, 0) + self._loaded(turn) + self._put(f"i + {turn}" if turn else "i")
            inside += inner if self.sets == 1 else ["{", *_indented(inner), "}"]
        count = f"steps - {self.ahead}" if self.sets == 1 else f"(steps - i - {self.ahead}) / 2"
        on = "++i;" if self.sets == 1 else "i += 2;"
        lines += [
            f"size_t turns = {count};",
            "OPKG_STAGED",
            "do {",
            *_indented([*inside, on]),
            "} while (--turns != 0);",
        ]
        for turn in range(self.ahead):
            place = "i" if self.ahead == 1 else f"steps - {self.ahead - turn}"
            inner = self._turn(turn, max(0, turn - self.sets + 1)) + self._put(place)
            lines += ["{", *_indented(inner), "}"]
        return lines

    def _turn(self, turn: int, first: int) -> list[str]:
        """The stages from the last one down to `first`, each on its own step; those whose step is there."""
        lines = []
        for number in range(self.last, first - 1, -1):
            step = turn + self.last - number
            if step >= 0:
                lines.append(self._call(number, step))
        if turn >= 0:
            lines.insert(0, f"HVX_Vector {', '.join(self._result(store) for store in self.stores)};")
        return lines

    def _loaded(self, turn: int) -> list[str]:
        step = turn + self.ahead
        return [f"{self._held(0, v, step)} = {self._load(v, step)};" for v in self.stages[0].takes]

    def _put(self, step: str) -> list[str]:
        return [f"{s.args[0]}_out.put({step}, {s.args[1]}, {self._result(s)});" for s in self.stores]

    def _between(self, sets: int) -> list[str]:
        """Declarations of what one stage leaves for the next."""
        edges = list(enumerate(self.stages[:-1], 1))
        return [
            f"{self.kinds[v]} {', '.join(self._held(edge, v, k) for k in range(sets))};"
            for edge, stage in edges
            for v in stage.leaves
        ]

    def _call(self, number: int, step: int) -> str:
        """Runs one stage on a step."""
        stage = self.stages[number]
        args = [self._held(number, v, step) for v in stage.takes]
        args += [self._held(number + 1, v, step) for v in stage.leaves]
        args += [self._result(store) for store in self.stores] if number == self.last else []
        return f"{_WORDS[number]}({', '.join(args)});"

    def _held(self, edge: int, value: str, step: int) -> str:
        """The variable that holds a value of a step (counted from `i`) between two stages."""
        other = "_odd" if step % self.sets else ""
        return f"{value}_{'loaded' if edge == 0 else _WORDS[edge - 1]}{other}"

    def _load(self, value: str, step: int) -> str:
        load = next(inst for inst in self.loads if inst.dest == value)
        place = f"i + {step}" if step else "i"
        return f"{load.args[0]}_in.at({place}, {load.args[1]})"


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
