"""The order of a step's instructions: where a compiler begins decides how full it gets the packets."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.kernels.lowered import Inst


def one_by_one(insts: Sequence[Inst]) -> list[Inst]:
    """The instructions that each store needs, all of one operand before the next one: what a vector of a pair goes through
    comes before the other vector. Loads come first, as they were."""
    made = {inst.dest: inst for inst in insts if inst.dest}
    found: dict[int, Inst] = {id(inst): inst for inst in insts if inst.op == "load"}

    def take(inst: Inst) -> None:
        if id(inst) in found:
            return
        for arg in inst.args:
            if arg in made:
                take(made[arg])
        found[id(inst)] = inst

    for inst in insts:
        if inst.op == "store":
            take(inst)
    return list(found.values())
