"""Instructions as lines of C++: chains that have a name in the runtime headers as one call, and what is used once in its place.

The compiler gets the same instructions in the same order as from a line for each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from opkg.kernels.lowered import CPP, Inst
from opkg.kernels.sequence import Carry

_LOOKUP = "opkg::hvx::lookup16"  # opkg/hvx_rows.h
_FIRST, _NEXT = "Q6_Wh_vlut16_VbVh", "Q6_Wh_vlut16or_WhVbVh"
_PARTS = 16  # of a table of 256 entries of 16 bits; four to a vector
_HALVES = frozenset(("Q6_V_lo_W", "Q6_V_hi_W"))  # no instructions: they may stand anywhere behind their pair
_WIDEST = 100  # characters of calls in calls


def line_text(inst: Inst) -> str:
    note = f"  // {inst.note}" if inst.note else ""
    return f"const {CPP[inst.kind]} {inst.dest} = {_call(inst)};{note}"


def _call(inst: Inst) -> str:
    return f"{inst.op}({', '.join(inst.args)})"


def nested(insts: Sequence[Inst], named: Collection[str] = ()) -> list[Inst]:
    """Instructions with those in the place of an operand that nothing else uses and that stand right in front, so that the
    order stays. `named`: values that are used elsewhere."""
    uses = Counter((*named, *named, *(arg for inst in insts for arg in inst.args)))  # twice: never the only one
    halves: dict[str, str] = {}
    found: list[Inst] = []
    for inst in insts:
        if inst.op in _HALVES and uses[inst.dest] == 1 and not inst.note:
            halves[inst.dest] = _call(inst)
            continue
        args = [halves.get(arg, arg) for arg in inst.args]
        for at in reversed(range(len(args))):
            last = found[-1] if found else None
            if last and last.dest == args[at] and uses[last.dest] == 1 and last.op != "load" and not last.note:
                within = [*args[:at], _call(last), *args[at + 1 :]]
                if len(_call(replace(inst, args=tuple(within)))) <= _WIDEST:
                    args = within
                    found.pop()
        found.append(replace(inst, args=tuple(args)))
    return found


def step_lines(insts: Sequence[Inst], access: Callable[[Inst], str], carried: Sequence[Carry] = ()) -> list[str]:
    """The lines of a step. `access`: the line of a load or store, empty for none. What is carried to the next step gets its
    new value where that is made, if nothing asks for the old one behind that."""
    after = [carry.after for carry in carried]
    step = nested(insts, after)
    names = {carry.after: carry.name for carry in carried if after.count(carry.after) == 1 and carry.name not in after}
    for at, inst in enumerate(step):
        name = names.get(inst.dest)
        if name and any(re.search(rf"\b({name}|{inst.dest})\b", arg) for later in step[at + 1 :] for arg in later.args):
            del names[inst.dest]
    lines = []
    for inst in step:
        if inst.op in ("load", "store"):
            lines += [line] if (line := access(inst)) else []
        else:
            name = names.get(inst.dest)
            lines.append(line_text(inst) if name is None else f"{name} = {_call(inst)};")
    return lines + [f"{carry.name} = {carry.after};" for carry in carried if carry.after not in names]


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
        wanted = (*before, index, *parts[number // 4 * 4].args[-2:-1], str(number))
        if part.args != wanted or not part.op.startswith(_NEXT if number else _FIRST):
            return False
    return True
