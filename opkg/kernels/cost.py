"""What a kernel's loop costs at least, in packets: by the units, loads and stores that one step takes.

A packet executes at most 4 instructions, one vector load and one vector store. A load whose only use is one instruction
on single vectors takes no unit (`.tmp`), any other takes one; a store of a value made by an instruction on single vectors
takes none (`.new`). With enough steps unrolled a schedule can come close to this floor; stalls depend on the schedule and
are measured (`opkg bench`), not estimated.
"""

from __future__ import annotations

import math
from collections import ChainMap, Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from opkg.kernels.hvx.units import kind
from opkg.kernels.lowered import Inst, Lowered
from opkg.kernels.sequence import Columns, Numbers, Places, Scans
from opkg.kernels.sequence import Sequence as Loops

FLOAT_UNIT = 68  # the first architecture with HVX floating point; older ones compute floats in whole numbers
UNKNOWN_FUNCTION = 4.0  # packets of an inline function that nobody has counted
OVERHEAD = 1.1  # what schedules of the compiler take above the floor
LOOP = 2.0  # packets of one turn of a loop that nothing else fills
NUMBERS = 2000  # packets at most of the numbers of one row that are computed in double precision
TOGETHER = (400, 32)  # about, of the numbers of that many rows at once


@dataclass(frozen=True, slots=True)
class Estimate:
    """The floor of one step. `limit`: what binds: loads, stores, instructions, shift, permute, multiply, pairs, units.

    `per_128`: packets per 128 bytes that are written (read, where a loop writes none), all outputs together.
    """

    packets: float
    limit: str
    instructions: int
    loads: int
    stores: int
    per_128: float


def packets(lowered: Lowered | Loops, arch: str | int = "v66", held: Collection[str] = ()) -> Estimate:
    """The floor of a kernel's loops over one step of every one of them.

    `held`: inputs that are the same in every step (patterns); what depends on them alone is computed once.
    """
    number = architecture(arch)
    bodies = [lowered.body] if isinstance(lowered, Lowered) else [loop.body for loop in lowered.loops if loop.usual]
    return _joined([body_packets(_varying(body, held), number) for body in bodies])


def body_packets(insts: Sequence[Inst], arch: str | int = "v66") -> Estimate:
    """The floor of one list of instructions."""
    number = architecture(arch)
    kinds: Counter[str] = Counter()
    functions = 0.0
    for inst in insts:
        if inst.op in ("load", "store"):
            kinds[inst.op] += 1
        elif inst.op.startswith("Q6_"):
            kinds[kind(inst.op, number)] += 1
        else:
            functions += _function(inst.op, number)
    kinds["memory"] = _memory_units(insts)
    floor, limit = of_units(kinds, functions)
    count = sum(kinds.values()) - kinds["none"] - kinds["memory"]
    vectors = kinds["store"] or kinds["load"] or 1
    return Estimate(floor, limit, count, kinds["load"], kinds["store"], floor / vectors)


def call_packets(lowered: Lowered | Loops, rows: int, row: int, arch: str | int = "v66") -> int:
    """What a call's loops take at least over `rows` of `row` elements, in packets; what is around the loops is not in it.

    Rows that are reduced take whole steps each, unless several are done at once; others run into one another.
    """
    apart = isinstance(lowered, Loops) and not (
        isinstance(lowered, Columns | Places | Scans) or lowered.folds or lowered.slots
    )
    steps = rows * math.ceil(row / lowered.step) if apart else math.ceil(rows * row / lowered.step)
    return math.ceil(steps * packets(lowered, arch).packets)


def has_numbers(lowered: Lowered | Loops) -> tuple[bool, bool]:
    """Whether a kernel computes numbers in each row, one by one; and those of many rows together."""
    numbers = isinstance(lowered, Loops) and any(isinstance(stage, Numbers) for stage in lowered.stages)
    together = isinstance(lowered, Loops) and lowered.slots is not None
    return numbers and not (together or (isinstance(lowered, Loops) and lowered.folds)), together


def cycles_per_element(lowered: Lowered | Loops, arch: str | int = "v68") -> float:
    """What one element of the output costs, in packets (a thread executes about one per cycle)."""
    estimate = packets(lowered, arch)
    loops = 1 if isinstance(lowered, Lowered) else sum(loop.usual for loop in lowered.loops)
    return (estimate.packets * OVERHEAD + LOOP * loops / 4) / lowered.step


def _function(name: str, arch: int) -> float:
    """Packets of an inline function of the runtime headers. Those of whole steps (`lanes.keep8`) are nothing."""
    if name.startswith("lanes."):
        return 0.0
    from opkg.kernels.strategies.cubics.strategy import packets_of
    from opkg.kernels.strategies.fixed.quotients import PACKETS as QUOTIENTS
    from opkg.kernels.strategies.fixed.whole_sums import PACKETS as WHOLE_SUMS
    from opkg.kernels.strategies.floating.ops import PACKETS, PREFIX
    from opkg.kernels.strategies.integer.lowerings_divide import DIVISIONS

    if (found := packets_of(name, arch >= 69)) is not None:
        return found
    if (of_steps := {**QUOTIENTS, **WHOLE_SUMS}.get(name.partition("<")[0])) is not None:
        return of_steps
    return ChainMap(PACKETS, DIVISIONS).get(name.removeprefix(PREFIX), UNKNOWN_FUNCTION)


def architecture(arch: str | int) -> int:
    """66 of "v66"."""
    return arch if isinstance(arch, int) else int(arch.removeprefix("v"))


def _varying(insts: Sequence[Inst], held: Collection[str]) -> list[Inst]:
    """The instructions of a body that have to be executed in every step."""
    if not held:
        return list(insts)
    made = {inst.dest for inst in insts if inst.dest}
    once: set[str] = set()
    left = []
    for inst in insts:
        alike = inst.args[0] in held if inst.op == "load" else all(arg in once or arg not in made for arg in inst.args)
        if inst.op != "store" and alike:
            once.add(inst.dest)
        else:
            left.append(inst)
    return left


def _joined(parts: Sequence[Estimate]) -> Estimate:
    """Loops one after another."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Estimate(0.0, "instructions", 0, 0, 0, 0.0)
    total = sum(part.packets for part in parts)
    stores = sum(part.stores for part in parts)
    vectors = stores or max(part.loads for part in parts) or 1
    longest = max(parts, key=lambda part: part.packets)
    instructions, loads = sum(part.instructions for part in parts), sum(part.loads for part in parts)
    return Estimate(total, longest.limit, instructions, loads, stores, total / vectors)


def of_units(kinds: Mapping[str, int], functions: float = 0.0) -> tuple[float, str]:
    """The least packets for instructions of these kinds, and what binds. `memory`: units of loads and stores; `scalar`:
    instructions without vectors. `functions`: whole packets of functions, which loads and stores may stand in."""
    limits = _limits(Counter(kinds))
    limits["units"] += functions
    limits["instructions"] += functions
    limit = max(limits, key=lambda name: limits[name])
    return limits[limit] + kinds.get("all", 0), limit


def _limits(kinds: Counter[str]) -> dict[str, float]:
    """Packets that each resource asks for; those of one step may be shared with the next one, so fractions count."""
    both, shift, permute = kinds["shift+permute"], kinds["shift"], kinds["permute"]
    multiply, whole, pairs = kinds["multiply"], kinds["multiply2"], kinds["two"]
    units = kinds["any"] + shift + permute + 2 * both + multiply + 2 * whole + 2 * pairs + kinds["memory"]
    count = sum(n for name, n in kinds.items() if name not in ("none", "all", "memory"))
    return {
        "loads": kinds["load"],
        "stores": kinds["store"],
        "shift": shift + both,
        "permute": permute + both,
        "multiply": multiply / 2 + whole,
        "pairs": (pairs + max(shift, permute) + both + multiply / 2 + whole) / 2,
        "units": units / 4,
        "instructions": count / 4,
    }


def _memory_units(insts: Iterable[Inst]) -> int:
    """Units that loads and stores take."""
    listed = list(insts)
    made = {inst.dest: inst for inst in listed}
    uses: Counter[str] = Counter()
    paired: set[str] = set()
    for inst in listed:
        uses.update(inst.args)
        if inst.op == "Q6_W_vcombine_VV":
            paired.update(inst.args)
    total = 0
    for inst in listed:
        if inst.op == "load":
            total += uses[inst.dest] != 1 or inst.dest in paired
        elif inst.op == "store":
            source = made.get(inst.args[2])
            total += source is None or source.op in ("load", "Q6_V_lo_W", "Q6_V_hi_W")
    return total
