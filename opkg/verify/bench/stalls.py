"""Stalls of a kernel: packets that were executed, in order, and those that wait for the packet before them.

qemu says which packets a program executed (`-d exec`, one packet a block), llvm-objdump what they are. A multiply, shift
or permute waits for one packet when one of its inputs, other than an accumulator, was written by the vector packet just
before: by an instruction or by a load. ALU instructions do not wait. Memory is not in this: latency, bank conflicts and
threads are no matter of packets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from opkg.kernels.cost import architecture
from opkg.kernels.hvx.units import EARLY, by_syntax, kind, syntax

_LABEL = re.compile(r"^([0-9a-f]+) <([^>]+)>:")
_LINE = re.compile(r"^\s*([0-9a-f]+):\s+(.*)$")
_TARGET = re.compile(r"\b(?:call|jump)(?::\w+)? 0x([0-9a-f]+)")
_STACK = re.compile(r"vmemu?\(r(29|30)\b")
_REGISTER = re.compile(r"\b(v\d+(?::\d+)?|q\d+)\b")
_TRACE = re.compile(r"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", re.MULTILINE)


@dataclass(slots=True)
class Packet:
    """Instructions that are executed together. `reads`: registers that early units need, without accumulators. `kinds`: what
    its instructions take (opkg.kernels.hvx.units), `memory`: a unit for a load."""

    address: int
    vector: bool = False
    writes: set[str] = field(default_factory=set)
    loads: set[str] = field(default_factory=set)  # those of `writes` that come from memory
    reads: set[str] = field(default_factory=set)
    stores: int = 0  # of results, as `reads_memory`: not on the stack, where vectors are that have no register
    reads_memory: bool = False
    kinds: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Executed:
    """What a trace shows: packets, packets that waited, and those of them that waited for nothing but a load."""

    packets: int
    stalls: int
    after_loads: int


def functions(disassembly: str, entry: str) -> list[tuple[int, int]]:
    """The address ranges (first, last) of a function and of all that it calls."""
    bodies: dict[int, tuple[int, list[str]]] = {}
    names: dict[str, int] = {}
    start = 0
    for line in disassembly.splitlines():
        if label := _LABEL.match(line):
            start = int(label[1], 16)
            names[label[2]] = start
            bodies[start] = (start, [])
        elif (code := _LINE.match(line)) and start in bodies:
            bodies[start] = (int(code[1], 16), [*bodies[start][1], code[2]])
    todo, found = [names[entry]], set()
    while todo:
        at = todo.pop()
        if at in found or at not in bodies:
            continue
        found.add(at)
        for line in bodies[at][1]:
            todo += [int(target, 16) for target in _TARGET.findall(line)]
    return sorted((at, bodies[at][0]) for at in found)


def packets_of(disassembly: str, arch: str) -> dict[int, Packet]:
    """All packets by their address."""
    number = architecture(arch)
    found: dict[int, Packet] = {}
    now: Packet | None = None
    for line in disassembly.splitlines():
        code = _LINE.match(line)
        if code is None:
            continue
        if now is None or "{" in code[2]:
            now = Packet(int(code[1], 16))
            found[now.address] = now
        for instruction in re.split(r"[\t;{}]+", code[2]):
            _add(now, instruction.strip(), number)
        if "}" in code[2]:
            now = None
    return found


def _add(packet: Packet, instruction: str, arch: int) -> None:
    body = instruction.removesuffix(":nt").strip()
    if not _REGISTER.search(body):
        packet.kinds += ["scalar"] if body and not body.startswith(("nop", "immext", ":")) else []
        return
    packet.vector = True
    left, sign, right = body.partition("=")
    if re.match(r"(if \(!?[pq]\d\) *)?vmem", body):  # a store reads late
        packet.stores += not _STACK.search(body)
        packet.kinds += ["store"] if body.endswith(".new") else ["store", "memory"]
        return
    if not sign:
        packet.kinds.append("any")
        return
    written = {name for text in _REGISTER.findall(left) for name in _single(text)}
    packet.writes |= written
    if "vmem" in right:
        packet.loads |= written
        packet.reads_memory |= not _STACK.search(right)
        packet.kinds += ["load"] if ".tmp" in left else ["load", "memory"]
        return
    name = by_syntax().get(syntax(body), "")
    packet.kinds.append(kind(name, arch) if name else "any")
    if packet.kinds[-1] in EARLY:
        packet.reads |= {name for text in _REGISTER.findall(right) for name in _single(text)}


def _single(register: str) -> list[str]:
    """`v3:2` is v3 and v2."""
    high, colon, low = register.partition(":")
    return [high, f"v{low}"] if colon else [high]


def addresses(trace: str) -> list[int]:
    """The packets of a trace of qemu with a packet a block, in the order in which they ran."""
    return [int(address, 16) for address in _TRACE.findall(trace)]


def executed(trace: str, packets: dict[int, Packet]) -> Executed:
    """Counts along a trace of qemu, filtered to the functions of interest."""
    return along(addresses(trace), packets)


def along(path: Iterable[int], packets: dict[int, Packet]) -> Executed:
    """Counts along the addresses of executed packets."""
    count = stalls = after_loads = 0
    before: Packet | None = None
    for address in path:
        packet = packets.get(address)
        count += 1
        if packet is None or not packet.vector:
            continue
        waits = (packet.reads - packet.loads) & before.writes if before is not None else set()
        if waits and before is not None:
            stalls += 1
            after_loads += waits <= before.loads
        before = packet
    return Executed(count, stalls, after_loads)
