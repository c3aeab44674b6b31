"""Which of a packet's four vector units every HVX intrinsic needs, by architecture.

A packet has the units shift, permute, multiply, multiply. `units.tsv` says for an intrinsic: `any` one of the four, `two`
of them (shift and permute, or both multiply units), `shift`, `permute`, `shift+permute`, `multiply` (one of the two),
`multiply2` (both), `all`, `none` (no instruction: halves of pairs). scripts/hvx_units.py asks the assembler which
packets can be executed, so the table is what the machine checks, not what a manual says.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

KINDS = ("none", "any", "two", "shift", "permute", "shift+permute", "multiply", "multiply2", "all")
# Kinds whose inputs stall when they were produced in the packet just before (accumulators do not).
EARLY = frozenset(("shift", "permute", "shift+permute", "multiply", "multiply2"))


@cache
def table() -> dict[str, dict[int, str]]:
    """Intrinsic -> architecture -> kind; an intrinsic that an architecture lacks has no entry there."""
    lines = Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines()
    architectures = [int(word[1:]) for word in lines[0].split("\t")[1:]]
    found = {}
    for line in lines[1:]:
        name, *kinds = line.split("\t")
        found[name] = {arch: kind for arch, kind in zip(architectures, kinds, strict=True) if kind != "-"}
    return found


def kind(name: str, arch: int) -> str:
    """Units of an intrinsic on an architecture (66, 73); KeyError for a name that is none.

    An architecture between two of the table is like the older one; before an intrinsic's first, the first counts.
    """
    row = table()[name]
    older = [known for known in row if known <= arch]
    return row[max(older)] if older else next(iter(row.values()), "any")
