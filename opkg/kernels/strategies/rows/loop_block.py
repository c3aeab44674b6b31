"""What the loops of a row are built with: carried vectors, masked lanes, and what is done with accumulators behind them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from opkg.kernels.block import Block
from opkg.kernels.sequence import Carry
from opkg.kernels.snippet import Operand

_TOTAL = re.compile(r"(\w+) \+= opkg::hvx::total<(\w+)>\((\w+)\);$")


class LoopBlock(Block):
    """The body of a loop; `carry` declares a vector that goes from step to step. `several`: of several rows at a time, whose
    numbers differ from word to word (`spread`)."""

    def __init__(self, setup: Block, several: bool = False, step: int = 0) -> None:
        super().__init__(setup)
        self.setup = setup
        self.several = several
        self.by_parity = several and step == 128  # 16-bit lanes are apart by parity, as slots are of bytes
        self.carried: list[Carry] = []
        self.spread: dict[str, str] = {}

    def number(self, splat: str, text: str, to: str, words: str = "") -> str:
        """A number of the row in all lanes: the intrinsic `splat` of a scalar; of several rows, `words` (C++ of a vector)."""
        if not self.several:
            return self.setup.q6(splat, text, to=to)
        self.spread[to] = words or text
        self._taken.add(to)
        self._kinds[to] = "V"
        return to

    def carry(self, hint: str, kind: str, start: str) -> str:
        """A new carried value; `keep` gives it its value after the step."""
        name, number = hint, 1
        while name in self._taken:
            number += 1
            name = f"{hint}_{number}"
        self._taken.add(name)
        self._kinds[name] = kind
        self.carried.append(Carry(name, kind, start, name))
        return name

    def keep(self, name: str, after: str) -> None:
        """Says what a carried value is after the step."""
        self.carried = [Carry(c.name, c.kind, c.start, after if c.name == name else c.after) for c in self.carried]

    def masked(self, value: str, other: str, bits: int, part: int) -> str:
        """The vector with `other` in the lanes that have no element."""
        keep = "lanes.keep_apart" if self.by_parity and bits == 16 else f"lanes.keep{bits}"
        return self.call(keep, value, other, part, to=f"{value}_live")

    def where(self, predicates: Sequence[str], part: int, value: str) -> str:
        """The vector with 0 where a predicate does not hold; as it is where there is none."""
        return self.q6("Q6_V_vand_QV", predicates[part], value, to="chosen") if predicates else value

    def halves(self, operand: Operand, step: int) -> list[str]:
        """The 16-bit elements of a step: as they lie, or those at even places and those at odd ones."""
        loaded = [self.load(operand.name, part) for part in range(parts(operand, step))]
        if not self.by_parity:
            return loaded
        pair = self.q6("Q6_W_vdeal_VVR", loaded[1], loaded[0], -2, to="apart")
        return [self.lo(pair), self.hi(pair)]


@dataclass(slots=True)
class Gathered:
    """C++ of what a loop finds, and how many steps its accumulators hold. `joined`: as in `Loop`."""

    declare: list[str]
    finish: list[str]
    block: int = 0
    last: list[str] = field(default_factory=list)
    joined: list[tuple[str, str, str]] = field(default_factory=list)

    def limit(self, steps: int) -> None:
        self.block = min(self.block or steps, steps)

    def finished(self, body: LoopBlock) -> tuple[str, ...]:
        """`finish`, with totals of two vectors that follow each other as one statement."""
        vectors = {carry.name for carry in body.carried if carry.kind == "V"}
        lines: list[str] = []
        for line in self.finish:
            first, second = (_TOTAL.match(text) for text in (lines[-1] if lines else "", line))
            if first is None or second is None or not {first[3], second[3]} <= vectors:
                lines.append(line)
                continue
            kinds, given = f"{first[2]}, {second[2]}", f"{first[3]}, {first[1]}, {second[3]}, {second[1]}"
            lines[-1] = f"opkg::hvx::add_totals<{kinds}>({given});"
        return tuple(lines)


def parts(operand: Operand, step: int) -> int:
    return step * operand.storage.bits // 1024


def splat(number: int, bits: int) -> str:
    """The number in all lanes of a word, as a C++ literal."""
    lane = number & ((1 << bits) - 1)
    word = sum(lane << at for at in range(0, 32, bits))
    return str(word) if word < 1 << 31 else str(word - (1 << 32)) if word != 1 << 31 else "INT32_MIN"


def power_below(number: int) -> int:
    """The largest power of two of steps that leaves room for one more: what is over in a row goes with the first ones."""
    return 1 << ((number - 1).bit_length() - 1)


def zero_vector(body: LoopBlock) -> str:
    return body.setup.q6("Q6_V_vzero", to="zero")
