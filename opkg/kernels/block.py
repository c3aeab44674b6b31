"""A builder of instruction lists: checks every intrinsic against the table of names and gives values readable names."""

from __future__ import annotations

from opkg.kernels.hvx.names import intrinsics
from opkg.kernels.lowered import Inst

_STEP = ("lanes", "unit", "i")  # what a step is told


class Block:
    """Instructions of one part of a kernel (setup or body). Equal instructions are emitted once.

    Values of outer blocks can be used, also those that they get later.
    """

    def __init__(self, *outer: Block) -> None:
        self.insts: list[Inst] = []
        self._kinds: dict[str, str] = {}
        self._taken: set[str] = set(_STEP)
        self._known: dict[tuple[str, tuple[str, ...]], str] = {}
        self._outer = outer
        self._inner: list[Block] = []
        for block in outer:
            self._taken |= block._taken
            block._inner.append(self)

    def kind(self, value: str) -> str:
        """V, W, Q or R; R for what is no value of this block (an expression of scalars)."""
        return next((block._kinds[value] for block in (self, *self._outer) if value in block._kinds), "R")

    def given(self, value: str, kind: str = "V") -> str:
        """A value that no instruction of this block makes, an element of an array."""
        self._kinds[value] = kind
        return value

    def load(self, operand: str, part: int = 0) -> str:
        """Vector `part` of an input in this step."""
        return self._add("V", "load", (operand, str(part)), f"{operand}{part}" if part else operand)

    def store(self, operand: str, value: str, part: int = 0) -> None:
        """Writes vector `part` of an output."""
        assert self.kind(value) == "V", f"{value} is no vector"
        self.insts.append(Inst("", "", "store", (operand, str(part), value)))

    def q6(self, name: str, *args: str | int, to: str = "", note: str = "") -> str:
        """An intrinsic, by its whole name. KeyError when clang-19 has none of that name, AssertionError for wrong kinds."""
        row = intrinsics()[name]
        texts = tuple(map(str, args))
        assert len(texts) == len(row.operands), f"{name} takes {row.operands}"
        for text, wanted in zip(texts, row.operands, strict=True):
            have = self.kind(text)
            assert have == (wanted if wanted in "VWQ" else "R"), f"{name}: {text} is {have}, not {wanted}"
        return self._add(row.result if row.result in "VWQ" else "R", name, texts, to or "v", note)

    def call(self, function: str, *args: str | int, kind: str = "V", to: str = "", note: str = "") -> str:
        """An inline function of a runtime header."""
        return self._add(kind, function, tuple(map(str, args)), to or "v", note)

    def lo(self, pair: str) -> str:
        return self.q6("Q6_V_lo_W", pair, to=f"{pair}_lo")

    def hi(self, pair: str) -> str:
        return self.q6("Q6_V_hi_W", pair, to=f"{pair}_hi")

    def pair(self, high: str, low: str, to: str = "") -> str:
        return self.q6("Q6_W_vcombine_VV", high, low, to=to)

    def _add(self, kind: str, op: str, args: tuple[str, ...], hint: str, note: str = "") -> str:
        key = (op, args)
        for block in (self, *self._outer):
            if key in block._known:
                return block._known[key]
        name, number = hint, 1
        while any(name in block._taken for block in (self, *self._outer, *self._inner)):
            number += 1
            name = f"{hint}_{number}"
        self._taken.add(name)
        self._kinds[name] = kind
        self._known[key] = name
        self.insts.append(Inst(name, kind, op, args, note))
        return name
