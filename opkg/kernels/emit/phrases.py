"""Chains of instructions that have a name in the runtime headers: one line of C++ instead of sixteen, and the same code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from opkg.kernels.lowered import Inst

_LOOKUP = "opkg::hvx::lookup16"  # opkg/hvx_rows.h
_FIRST, _NEXT = "Q6_Wh_vlut16_VbVh", "Q6_Wh_vlut16or_WhVbVh"
_PARTS = 16  # of a table of 256 entries of 16 bits; four to a vector


def phrased(insts: Sequence[Inst]) -> list[Inst]:
    """Instructions of a step with every whole lookup in a table of 256 entries of 16 bits as one call: parts of it stand one
    after another, and nothing else uses any but the last."""
    uses = Counter(arg for inst in insts for arg in inst.args)
    found: list[Inst] = []
    at = 0
    while at < len(insts):
        parts = insts[at : at + _PARTS]
        if _is_lookup(parts) and all(uses[part.dest] == 1 for part in parts[:-1]):
            entries = tuple(part.args[-2] for part in parts[::4])
            last = parts[-1]
            found.append(replace(last, op=_LOOKUP, args=(parts[0].args[0], *entries)))
            at += _PARTS
        else:
            found.append(insts[at])
            at += 1
    return found


def _is_lookup(parts: Sequence[Inst]) -> bool:
    """Whether these are the parts of one lookup, 0 to 15, which differ in nothing but their entries."""
    if len(parts) < _PARTS or not parts[0].op.startswith(_FIRST) or len(parts[0].args) != 3:
        return False
    index = parts[0].args[0]
    for number, part in enumerate(parts):
        before = (parts[number - 1].dest,) if number else ()
        wanted = (*before, index, parts[number // 4 * 4].args[-2], str(number))
        if part.args != wanted or not part.op.startswith(_NEXT if number else _FIRST):
            return False
    return True
