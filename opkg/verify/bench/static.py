"""What a kernel's loops cost by their schedule: for code that no emulator runs.

The compiled file is disassembled and its hardware loops are found. Of each the packets of a turn are counted, and those
that wait for the packet in front of them (opkg.verify.bench.stalls), the first one for the last one. The kernel's loop is
the longest: what remains of a row is computed once, without a loop. Of reductions it is the sum of their passes over a row
(opkg.verify.bench.static_rows).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from opkg.kernels.cost import of_units
from opkg.kernels.lowered import Lowered
from opkg.kernels.sequence import Columns, Places, Scans
from opkg.kernels.sequence import Sequence as Loops
from opkg.verify.bench.measure import FLAGS, disassembly, scratch_folder
from opkg.verify.bench.program import MEASURED, write_program
from opkg.verify.bench.stalls import Packet, packets_of
from opkg.verify.bench.static_rows import passes
from opkg.verify.bench.subject import Subject
from opkg.verify.machines.hexagon import toolchain

_LABEL = re.compile(r"^[0-9a-f]+ <([^>]+)>:$", re.MULTILINE)
_ROW = re.compile(
    r"Rows(?:(?:3row|6vector)ILj\d+EL[bj][19]E|5loopsE)"
)  # row<kFixed, aligned>, and what calls it; loops of reductions
_ADDRESS = re.compile(r"^\s*([0-9a-f]+):")
_BEGIN = re.compile(r"\b(?:sp[123])?loop0\((?:##)?(?:0x)?([0-9a-f]+)\b")


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A kernel's loop, in packets per 128 bytes of output: those of the schedule, those that wait, and the least that its
    instructions need, with what binds them (opkg.kernels.cost)."""

    packets: float
    stalls: float
    floor: float
    limit: str

    @property
    def cost(self) -> float:
        """Packets and stalls."""
        return self.packets + self.stalls


def schedule(subject: Subject, arch: str, turns: int, runs: bool = False) -> Scheduled | None:
    """The loop of a kernel with so many steps a turn; None where there is none, or no disassembler. `runs`: in the program that
    the emulator runs, whose text beside the kernel may schedule it otherwise.

    Raises MissingTool (OPK430) without a compiler, ToolFailed when it fails."""
    lowered = subject.lowered
    if lowered is None or isinstance(lowered, Columns | Places | Scans):
        return None
    with scratch_folder() as scratch:
        source = write_program(subject, Path(scratch), turns if isinstance(lowered, Lowered) else None, runs=runs)
        # The schedule hangs on the words of the command line: code that the emulator runs is compiled as for it.
        floats = ["-UOPKG_HVX_FLOAT"] if lowered.float_unit else []
        (made,) = toolchain.compile([source], arch, [*FLAGS, *floats, "-Iinclude"], source.parent)
        text = disassembly(made, arch) or ""
    parts = [list(loops(part, packets_of(part, arch))) for part in _bodies(text)]
    share = 128 / (lowered.step * subject.bytes)
    if isinstance(lowered, Loops):
        steps = _passes(parts, lowered)
    else:
        longest = _longest([loop for part in parts for loop in part], lowered, turns)
        steps = [longest] if longest is not None else []
    if not steps:
        return None
    limit = max(steps, key=lambda step: step.floor).limit
    packets, stalls, floor = (sum(getattr(step, name) for step in steps) for name in ("packets", "stalls", "floor"))
    return Scheduled(packets * share, stalls * share, floor * share, limit)


def _passes(parts: Sequence[Sequence[list[Packet]]], lowered: Loops) -> list[Scheduled]:
    """A step of every pass over a row, from the function that has them all."""
    for part in parts:
        if part and (found := passes(part, lowered.loops)) is not None:
            return [_step(list(each.loop), each.steps) for each in found]
    return []


def _bodies(disassembly: str) -> Iterator[str]:
    """The measured call, and the row function where the compiler keeps it apart; functions have addresses of their own."""
    parts = _LABEL.split(disassembly)  # text before, name, body, name, body, ...
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        if name == MEASURED or _ROW.search(name):
            yield body


def loops(disassembly: str, packets: dict[int, Packet]) -> Iterator[list[Packet]]:
    """The packets of every innermost hardware loop that has vectors in it."""
    begun: list[int] = []
    for line in disassembly.splitlines():
        begun += [int(start, 16) for start in _BEGIN.findall(line)]
        at = _ADDRESS.match(line)
        if ":endloop0" not in line or at is None:
            continue
        last = int(at[1], 16)
        start = max((start for start in begun if start <= last), default=None)
        if start is None:
            continue
        inside = [packet for address, packet in sorted(packets.items()) if start <= address <= last]
        if any(packet.vector for packet in inside):
            yield inside


def _longest(found: Sequence[list[Packet]], lowered: Lowered, turns: int) -> Scheduled | None:
    """The longest loop: packets of one step. A turn has the steps that were asked for, or more: the compiler unrolls too."""
    loop = max(found, key=len, default=None)
    if loop is None:
        return None
    loads, stores = (sum(inst.op == op for inst in lowered.body) for op in ("load", "store"))
    stored, loaded = sum(p.stores for p in loop), sum(p.reads_memory for p in loop)
    steps = stored // stores
    doubled = steps in [turns >> half for half in range(4)] + [turns << more for more in range(4)]
    spills = stored % stores != 0 or loaded > loads * steps or not doubled
    return _step(loop, turns if spills else steps)


def _step(loop: list[Packet], steps: float) -> Scheduled:
    before = [loop[-1], *loop[:-1]]
    waits = sum(
        bool((p.reads - p.loads) & b.writes) for p, b in zip(loop, before, strict=True) if p.vector and b.vector
    )
    units = Counter[str]()
    for packet in loop:
        units.update(packet.kinds)
    floor, limit = of_units(units)
    return Scheduled(len(loop) / steps, waits / steps, floor / steps, limit)
