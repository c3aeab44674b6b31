"""Which of a packet's four vector units every HVX intrinsic needs, by architecture.

A packet has the units shift, permute, multiply, multiply. `units.tsv` says for an intrinsic: `any` one of the four, `two`
of them (shift and permute, or both multiply units), `shift`, `permute`, `shift+permute`, `multiply` (one of the two),
`multiply2` (both), `all`, `none` (no instruction: halves of pairs). scripts/hvx_units.py asks the assembler which
packets can be executed, so the table is what the machine checks, not what a manual says.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

KINDS = ("none", "any", "two", "shift", "permute", "shift+permute", "multiply", "multiply2", "all")
# Kinds whose inputs stall when they were produced in the packet just before (accumulators do not).
EARLY = frozenset(("shift", "permute", "shift+permute", "multiply", "multiply2"))


@cache
def table() -> dict[str, dict[int, str]]:
    """Intrinsic -> architecture -> kind; an intrinsic that an architecture lacks has no entry there."""
    lines = Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines()
    architectures = [int(word[1:]) for word in lines[0].split("\t")[2:]]
    found = {}
    for line in lines[1:]:
        name, _, *kinds = line.split("\t")
        found[name] = {arch: kind for arch, kind in zip(architectures, kinds, strict=True) if kind != "-"}
    return found


def kind(name: str, arch: int) -> str:
    """Units of an intrinsic on an architecture (66, 73); KeyError for a name that is none.

    An architecture between two of the table is like the older one; before an intrinsic's first, the first counts.
    """
    row = table()[name]
    older = [known for known in row if known <= arch]
    return row[max(older)] if older else next(iter(row.values()), "any")


def syntax(instruction: str) -> str:
    """An instruction of a disassembly without the numbers of its registers: `W.h=vmpa(W.ub,R.b)`."""
    text = re.sub(r"\bv\d+:\d+", "W", instruction)
    text = re.sub(r"\br\d+:\d+", "D", text)
    text = re.sub(r"\bv\d+", "V", text)
    text = re.sub(r"\bq\d+", "Q", text)
    text = re.sub(r"\br\d+", "R", text)
    return re.sub(r"##?-?(0x[0-9a-f]+|\d+)", "I", text).replace(" ", "")


@cache
def by_syntax() -> dict[str, str]:
    """Syntax of an instruction -> the intrinsic with it."""
    lines = Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    return {row[1]: row[0] for row in rows if row[1] != "-"}
