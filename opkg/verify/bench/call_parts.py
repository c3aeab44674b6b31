"""Which part of a generated package each packet of a call belongs to, by the functions that were inlined into it.

llvm-symbolizer says for each address which functions it is in, the innermost first. The first name that is known decides;
functions that many parts call (memcpy, arithmetic of double) belong to the part that called them.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PARTS = ("wrapper", "prepare", "driver", "rows", "tail")
SYMBOLIZERS = ("llvm-symbolizer-19", "llvm-symbolizer-20", "llvm-symbolizer-21", "llvm-symbolizer")
_ROWS = r"Rows(?:Of<[^<>]*>)?::"  # of one set of optional inputs: LayerNormU8RowsOf<true>
_RULES = (
    (re.compile(rf"{_ROWS}(prepare|steps_of)\("), "prepare"),
    (
        re.compile(
            r"\bopkg::(columns::(\w*Panels|\w*Call|Few|Folded|Placed|FloatElements)<.*>::\w|columns::by_elements<|folds::(Call|Shared)<.*>::(some|many|results?\b)|scans::run_\w+<|rowwise::run_vector<|hvx::(Slots|Units)<)"
        ),
        "rows",
    ),
    (re.compile(r"\bBy\w+::Made<"), "driver"),
    (re.compile(rf"{_ROWS}\w"), "rows"),
    (
        re.compile(
            r"\bopkg::(rowwise|elementwise|reduce|scans|slots|operand|Domain|Plan|Kept(Elementwise|Rows|FlatRows|Reduction))"
        ),
        "driver",
    ),
    (re.compile(r"\b(run_\w+|qhpi_\w+|opkg::(flat|crouton|scalar|to_qhpi|constant))\b"), "wrapper"),
)
_GROUPS = re.compile(r"\bopkg::slots::Plan<.*>::groups\b")  # goes through rows, many at a time
_TAIL = re.compile(r"^(\s*)if \(.*n % kStep != 0\) \{")


@dataclass(frozen=True, slots=True)
class Frame:
    """A function that an address is in, and the line there."""

    function: str
    file: str
    line: int


def attribution() -> str:
    """The rules as a text: figures that are kept hang on it."""
    return "\n".join(f"{part} {rule.pattern}" for rule, part in _RULES)


def symbolizer() -> str | None:
    """A program that names the functions of addresses."""
    return next((path for name in SYMBOLIZERS if (path := shutil.which(name))), None)


def frames(program: Path, addresses: Iterable[int]) -> dict[int, tuple[Frame, ...]]:
    """The functions of each address, the innermost first; empty without llvm-symbolizer."""
    tool, wanted = symbolizer(), sorted(set(addresses))
    if tool is None or not wanted:
        return {}
    text = "\n".join(f"0x{address:x}" for address in wanted)
    command = [tool, f"--obj={program}", "--output-style=JSON", "--inlines", "--demangle"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    found: dict[int, tuple[Frame, ...]] = {}
    for line in done.stdout.splitlines():
        entry = json.loads(line)
        symbols = entry.get("Symbol", ())
        found[int(entry["Address"], 16)] = tuple(
            Frame(s.get("FunctionName", ""), s.get("FileName", ""), int(s.get("Line", 0))) for s in symbols
        )
    return found


def tails(source: Path) -> list[range]:
    """The lines of a generated kernel file that compute a last, partial step."""
    found, lines = [], source.read_text("utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if opened := _TAIL.match(line):
            end = next(i for i in range(number, len(lines)) if lines[i].startswith(opened[1] + "}"))
            found.append(range(number, end + 1))
    return found


def part_of(stack: Sequence[Frame], last_steps: Sequence[range], kernels: str) -> str:
    """The part of an address; empty when none of its functions is known."""
    for frame in stack:
        part = next((part for rule, part in _RULES if rule.search(frame.function)), "")
        if part == "rows":
            return "tail" if _in_tail(stack, last_steps, kernels) else part
        if part:
            return part
    # The kernel's function itself. A padding instruction has a line of what stands in front of it, in whatever function it is.
    return "driver" if any(frame.line != 0 and frame.file.endswith(kernels) for frame in stack) else ""


def _repeated(
    executed: Mapping[int, int], stacks: Mapping[int, tuple[Frame, ...]], known: Mapping[int, str]
) -> list[int]:
    """What the loop over groups of rows does for each of them is work of rows: addresses of the driver that are executed more
    often than the function around them is entered."""
    entries: dict[str, int] = {}
    for address in sorted(stacks, reverse=True):
        if stacks[address]:
            entries[stacks[address][-1].function] = address
    return [
        address
        for address, stack in stacks.items()
        if known[address] == "driver"
        and any(_GROUPS.search(frame.function) for frame in stack)
        and executed[address] > executed[entries[stack[-1].function]]
    ]


def _in_tail(stack: Sequence[Frame], last_steps: Sequence[range], kernels: str) -> bool:
    return any(f.file.endswith(kernels) and any(f.line in lines for lines in last_steps) for f in stack)


def counted(
    trace: Sequence[int], stacks: dict[int, tuple[Frame, ...]], source: Path, ours: frozenset[str]
) -> dict[str, int]:
    """Packets of each part along a trace. `ours`: functions of the measuring program, which do not count."""
    last_steps = tails(source)
    known = {address: part_of(stack, last_steps, source.name) for address, stack in stacks.items()}
    known |= dict.fromkeys(_repeated(Counter(trace), stacks, known), "rows")
    skipped = {address for address, stack in stacks.items() if stack and stack[-1].function.partition("(")[0] in ours}
    found = dict.fromkeys(PARTS, 0)
    now = "wrapper"
    for address in trace:
        if address in skipped:
            continue
        now = known.get(address) or now
        found[now] += 1
    return found
