"""Lanes of integer kernels: how the numbers of a step lie in vectors, and how they get from one form to another.

The values of one step in lanes of b bits are step * b / 1024 vectors, either in the order of memory, or *apart*: widening
by `vzxt` and `vsxt` puts even lanes into one vector and odd lanes into another, and narrowing by `vsat` puts them together
again, both cheaper than what keeps the order. Which of the two a kernel uses is one choice for all of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from opkg.kernels.block import Block
from opkg.kernels.graphs.ranges import BOOL, Interval

Vectors = tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Form:
    """Lanes of `bits`, signed or not. A moved one is unsigned and holds the value plus half of its range; a test is a
    predicate for lanes of that size."""

    bits: int
    signed: bool
    moved: bool = False
    test: bool = False

    @property
    def limits(self) -> Interval:
        """The values that a lane can hold."""
        if self.test:
            return BOOL
        low = -(1 << (self.bits - 1)) if self.signed or self.moved else 0
        return Interval(low, low + (1 << self.bits) - 1)

    @property
    def lane(self) -> str:
        """As in the names of intrinsics: `b`, `ub`, `h`, ..."""
        return ("" if self.signed else "u") + {8: "b", 16: "h", 32: "w"}[self.bits]

    @property
    def bias(self) -> int:
        """What a lane holds more than the value."""
        return 1 << (self.bits - 1) if self.moved else 0


U8, S8, X8 = Form(8, False), Form(8, True), Form(8, False, True)
U16, S16, X16 = Form(16, False), Form(16, True), Form(16, False, True)
U32, S32 = Form(32, False), Form(32, True)
S64 = Form(64, True)
FORMS = (U8, S8, X8, U16, S16, X16, U32, S32)
T8, T16, T32 = (Form(bits, False, test=True) for bits in (8, 16, 32))
TESTS = (T8, T16, T32)


class Lanes:
    """Writes vector code on the values of a step. `setup` is done once per row, `body` in every step."""

    def __init__(self, setup: Block, body: Block, step: int, apart: bool) -> None:
        self.setup = setup
        self.body = body
        self.step = step
        self.apart = apart
        self.hint = "t"  # name of the value in the making

    def count(self, bits: int) -> int:
        """Vectors of a step."""
        return self.step * bits // 1024

    def splat(self, value: int | str, bits: int) -> str:
        """A vector with one number in every lane, made once."""
        name = {8: "Q6_Vb_vsplat_R", 16: "Q6_Vh_vsplat_R", 32: "Q6_V_vsplat_R"}[bits]
        if isinstance(value, str):
            words = re.findall(r"[A-Za-z_]\w*", value)
            return self.setup.q6(name, value, to=f"{words[-1]}_lanes")
        wrapped = (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
        if wrapped == 0:
            return self.setup.q6("Q6_V_vzero", to="zero")
        if wrapped == -1:
            return self.setup.q6("Q6_V_vsplat_R", -1, to="ones")
        text = "INT32_MIN" if wrapped == -(1 << 31) else str(wrapped)
        return self.setup.q6(name, text, to=f"lanes_{str(wrapped).replace('-', 'minus_')}")

    def each(self, name: str, *operands: Vectors, to: str = "") -> Vectors:
        """One intrinsic on every vector."""
        return tuple([self.q6(name, *args, to=to) for args in zip(*operands, strict=True)])

    def q6(self, name: str, *args: str | int, to: str = "") -> str:
        """An intrinsic: in the setup where all operands are from there. `to`: its name, else that of the value in the making."""
        held = all(self.setup.kind(str(arg)) == self.body.kind(str(arg)) for arg in args)
        return (self.setup if held else self.body).q6(name, *args, to=to or self.hint)

    def call(self, function: str, *operands: Vectors, to: str = "") -> Vectors:
        """A function of a header on every vector."""
        return tuple([self.body.call(function, *args, to=to or self.hint) for args in zip(*operands, strict=True)])

    # Order ------------------------------------------------------------------------------------------------------------

    def from_memory(self, vectors: Vectors, bits: int) -> Vectors:
        """Vectors in the order of memory in the order that this kernel uses."""
        if not self.apart or len(vectors) == 1:
            return vectors
        low, high = self._dealt(vectors[1], vectors[0], bits)
        if len(vectors) == 2:
            return low, high
        low2, high2 = self._dealt(vectors[3], vectors[2], bits)
        return (*self._dealt(low2, low, bits), *self._dealt(high2, high, bits))

    def to_memory(self, vectors: Vectors, bits: int) -> Vectors:
        """The inverse of `from_memory`."""
        if not self.apart or len(vectors) == 1:
            return vectors
        if len(vectors) == 2:
            return self._shuffled(vectors[1], vectors[0], bits)
        low, low2 = self._shuffled(vectors[1], vectors[0], bits)
        high, high2 = self._shuffled(vectors[3], vectors[2], bits)
        return (*self._shuffled(high, low, bits), *self._shuffled(high2, low2, bits))

    def _dealt(self, high: str, low: str, bits: int) -> Vectors:
        return self.halves(self.q6("Q6_W_vdeal_VVR", high, low, -(bits // 8), to="dealt"))

    def _shuffled(self, high: str, low: str, bits: int) -> Vectors:
        return self.halves(self.q6("Q6_W_vshuff_VVR", high, low, -(bits // 8), to="ordered"))

    def halves(self, pair: str) -> Vectors:
        return (
            self.q6("Q6_V_lo_W", pair, to=f"{pair}_low"),
            self.q6("Q6_V_hi_W", pair, to=f"{pair}_high"),
        )

    def apart_pairs(self, pairs: Vectors, bits: int) -> Vectors:
        """Pairs from a widening operation, which come apart, as vectors in this kernel's order."""
        found: list[str] = []
        for pair in pairs:
            low, high = self.halves(pair)
            found += [low, high] if self.apart else self._shuffled(high, low, bits)
        return tuple(found)

    def masks(self, tests: Vectors, value: int, bits: int = 32) -> Vectors:
        """Lanes that hold a number where a test is true, else 0."""
        yes, no = (self.splat(value, bits),) * len(tests), (self.splat(0, 32),) * len(tests)
        return self.chosen(tests, yes, no)

    def splats(self, value: int | str, form: Form, count: int) -> Vectors:
        """One number in every lane of `count` vectors."""
        if form == S64 and isinstance(value, int):
            return (self.splat(value, 32), self.splat(value >> 32, 32)) * (count // 2)
        if isinstance(value, str):
            return (self.splat(f"{value} + {form.bias}" if form.bias else value, form.bits),) * count
        return (self.splat(value + form.bias, form.bits),) * count

    def smaller(self, a: Vectors, b: Vectors, form: Form) -> Vectors:
        """Lane by lane the smaller value."""
        if form == U32:
            return self.chosen(self.greater(a, b, form), b, a)
        return self.each(f"Q6_V{form.lane}_vmin_V{form.lane}V{form.lane}", a, b, to="smaller")

    def larger(self, a: Vectors, b: Vectors, form: Form) -> Vectors:
        """Lane by lane the larger value."""
        if form == U32:
            return self.chosen(self.greater(a, b, form), a, b)
        return self.each(f"Q6_V{form.lane}_vmax_V{form.lane}V{form.lane}", a, b, to="larger")

    def greater(self, a: Vectors, b: Vectors, form: Form) -> Vectors:
        """Predicates: a > b."""
        return self.each(f"Q6_Q_vcmp_gt_V{form.lane}V{form.lane}", a, b, to="greater")

    def chosen(self, tests: Vectors, then: Vectors, other: Vectors) -> Vectors:
        """Lane by lane one of two values."""
        return self.each("Q6_V_vmux_QVV", tests, then, other, to="chosen")
