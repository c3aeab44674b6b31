"""What a turn of a kernel's loop costs by its schedule: for code that no emulator runs.

The compiled file is disassembled, its hardware loops are found, and of each the packets of a turn are counted, and those
that wait for the packet in front of them (opkg.verify.bench.stalls), the first one for the last one. The kernel's loop is
the longest: what remains of a row is computed once, without a loop.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from opkg.verify.bench.measure import FLAGS, disassembly
from opkg.verify.bench.program import MEASURED, write_program
from opkg.verify.bench.stalls import Packet, packets_of
from opkg.verify.bench.subject import Subject
from opkg.verify.hexagon import toolchain
from opkg.verify.runners import cache_folder

_LABEL = re.compile(r"^[0-9a-f]+ <([^>]+)>:$", re.MULTILINE)
_ROW = re.compile(r"Rows(?:3row|6vector)ILj\d+ELb1E")  # row<kFixed, true>, and what calls it
_ADDRESS = re.compile(r"^\s*([0-9a-f]+):")
_BEGIN = re.compile(r"\b(?:sp[123])?loop0\((?:##)?(?:0x)?([0-9a-f]+)\b")


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A turn of a loop: packets, and packets that wait. `steps`: of the kernel, in a turn."""

    packets: int
    stalls: int
    steps: int

    def cost(self, subject: Subject) -> float:
        """Packets and stalls per 128 bytes of output."""
        lowered = subject.lowered
        step = lowered.step if lowered is not None else 1
        return (self.packets + self.stalls) * 128 / (self.steps * step * subject.bytes)


def schedule(subject: Subject, arch: str, root: Path, turns: int) -> Scheduled | None:
    """The loop of a kernel with so many steps a turn; None where there is no loop, or no disassembler.

    Raises MissingTool (OPK430) without a compiler, ToolFailed when it fails."""
    folder = cache_folder(root) / "opkg-bench"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".static-") as scratch:
        source = write_program(subject, Path(scratch), turns)
        options = [*FLAGS, "-UOPKG_HVX_FLOAT", f"-I{source.parent / 'include'}"]
        (made,) = toolchain.compile([source], arch, options, source.parent)
        text = disassembly(made, arch) or ""
    found = [_turn(packets, turns) for part in _bodies(text) for packets in loops(part, packets_of(part, arch))]
    return max(found, key=lambda turn: turn.packets, default=None)


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


def _turn(packets: list[Packet], steps: int) -> Scheduled:
    before = [packets[-1], *packets[:-1]]
    waits = [
        bool((p.reads - p.loads) & b.writes) for p, b in zip(packets, before, strict=True) if p.vector and b.vector
    ]
    return Scheduled(len(packets), sum(waits), steps)
