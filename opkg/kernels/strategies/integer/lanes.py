"""Lanes of integer kernels: how the numbers of a step lie in vectors, and how they get from one form to another.

The values of one step in lanes of b bits are step * b / 1024 vectors, either in the order of memory, or *apart*: widening
by `vzxt` and `vsxt` puts even lanes into one vector and odd lanes into another, and narrowing by `vsat` puts them together
again, both cheaper than what keeps the order. Which of the two a kernel uses is one choice for all of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from opkg.kernels.block import Block
from opkg.kernels.graphs.ranges import BOOL, Interval, clamped

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
        self.wish = "t"  # name of the value in the making

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
        return (self.setup if held else self.body).q6(name, *args, to=to or self.wish)

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
        return self._halves(self.q6("Q6_W_vdeal_VVR", high, low, -(bits // 8), to="dealt"))

    def _shuffled(self, high: str, low: str, bits: int) -> Vectors:
        return self._halves(self.q6("Q6_W_vshuff_VVR", high, low, -(bits // 8), to="ordered"))

    def _halves(self, pair: str) -> Vectors:
        return (
            self.q6("Q6_V_lo_W", pair, to=f"{pair}_low"),
            self.q6("Q6_V_hi_W", pair, to=f"{pair}_high"),
        )

    def apart_pairs(self, pairs: Vectors, bits: int) -> Vectors:
        """Pairs from a widening operation, which come apart, as vectors in this kernel's order."""
        found: list[str] = []
        for pair in pairs:
            low, high = self._halves(pair)
            found += [low, high] if self.apart else self._shuffled(high, low, bits)
        return tuple(found)

    # Forms ------------------------------------------------------------------------------------------------------------

    def convert(self, vectors: Vectors, have: Form, want: Form, range_: Interval) -> Vectors:
        """Values of `range_` (what the lanes can really hold) in another form; those outside of it saturate."""
        if have == want:
            return vectors
        if have.test:
            return self._moved_tests(vectors, have.bits, want.bits)
        if have.moved:
            plain = Form(have.bits, True)
            return self.convert(self._flipped(vectors, have.bits), plain, want, range_)
        if want.moved:
            plain = Form(want.bits, True)
            return self._flipped(self.convert(vectors, have, plain, range_), want.bits)
        if have.bits < want.bits:
            wider = Form(2 * have.bits, have.signed or want.signed)  # what was unsigned fits either
            return self.convert(self.widened(vectors, have), wider, want, range_)
        if have.bits > want.bits:
            return self._narrowed(vectors, have, want, range_)
        if range_ in want.limits:
            return vectors
        return self._bounded(vectors, have, range_, want.limits)

    def _moved_tests(self, tests: Vectors, have: int, want: int) -> Vectors:
        """Predicates of lanes of another size."""
        if have > want and self.apart:
            name = "Q6_Qb_vshuffe_QhQh" if have == 16 else "Q6_Qh_vshuffe_QwQw"
            pairs = [(tests[i + 1], tests[i]) for i in range(0, len(tests), 2)]
            tests = tuple([self.q6(name, high, low, to="tests") for high, low in pairs])
            return tests if have == 2 * want else self._moved_tests(tests, have // 2, want)
        masks = self.convert(self.masks(tests, -1), Form(have, True), Form(want, True), Interval(-1, 0))
        zeros = (self.splat(0, 32),) * len(masks)
        return self.greater(zeros, masks, Form(want, True))

    def masks(self, tests: Vectors, value: int, bits: int = 32) -> Vectors:
        """Lanes that hold a number where a test is true, else 0."""
        yes, no = (self.splat(value, bits),) * len(tests), (self.splat(0, 32),) * len(tests)
        return self.chosen(tests, yes, no)

    def _flipped(self, vectors: Vectors, bits: int) -> Vectors:
        """The top bit of every lane inverted: from moved to signed and back."""
        mask = self.setup.q6(f"Q6_V{'b' if bits == 8 else 'h'}_vsplat_R", -(1 << (bits - 1)), to="top_bits")
        return tuple([self.q6("Q6_V_vxor_VV", v, mask, to="flipped") for v in vectors])

    def _bounded(self, vectors: Vectors, form: Form, range_: Interval, limits: Interval) -> Vectors:
        """Values clamped to what both the form and the limits hold."""
        if range_.high > limits.high:
            vectors = self.smaller(vectors, self.splats(limits.high, form, len(vectors)), form)
        if range_.low < limits.low:
            vectors = self.larger(vectors, self.splats(limits.low, form, len(vectors)), form)
        return vectors

    def splats(self, value: int | str, form: Form, count: int) -> Vectors:
        """One number in every lane of `count` vectors."""
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

    def widened(self, vectors: Vectors, form: Form) -> Vectors:
        """Lanes of twice the bits."""
        wide = ("h" if form.bits == 8 else "w") if form.signed else ("uh" if form.bits == 8 else "uw")
        operation = ("vsxt" if form.signed else "vzxt") if self.apart else "vunpack"
        found: list[str] = []
        for vector in vectors:
            found += self._halves(self.q6(f"Q6_W{wide}_{operation}_V{form.lane}", vector, to="wide"))
        return tuple(found)

    def _narrowed(self, vectors: Vectors, have: Form, want: Form, range_: Interval) -> Vectors:
        """Lanes of half the bits, once or twice, saturated."""
        if have.bits == 4 * want.bits:
            between = Form(16, range_.low < 0 or range_.high <= S16.limits.high)
            halved = self._narrowed(vectors, have, between, range_)
            return self._narrowed(halved, between, want, clamped(range_, between.limits))
        if not have.signed and range_.high <= Form(have.bits, True).limits.high:
            have = Form(have.bits, True)
        pairs = [(vectors[i + 1], vectors[i]) for i in range(0, len(vectors), 2)]
        make = _PACKS[self.apart, have, want]
        return tuple([make(self, high, low, range_) for high, low in pairs])


_Pack = Callable[[Lanes, str, str, Interval], str]


def _plain(name: str, *last: int) -> _Pack:
    """An instruction that saturates by itself."""
    return lambda lanes, high, low, range_: lanes.q6(name, high, low, *last, to="narrow")


def _signed_bytes(lanes: Lanes, high: str, low: str, range_: Interval) -> str:
    """16-bit lanes that are apart to signed bytes: a plain shuffle when they fit."""
    if range_ in S8.limits:
        return lanes.q6("Q6_Vb_vshuffe_VbVb", high, low, to="narrow")
    return lanes.q6("Q6_Vb_vasr_VhVhR_sat", high, low, 0, to="narrow")


def _bounded_first(have: Form, want: Form, name: str, *last: int) -> _Pack:
    """An instruction that takes lanes below the limit only."""

    def made(lanes: Lanes, high: str, low: str, range_: Interval) -> str:
        if range_.high > want.limits.high:
            most = lanes.splats(want.limits.high, have, 1)
            (high,), (low,) = lanes.smaller((high,), most, have), lanes.smaller((low,), most, have)
        return lanes.q6(name, high, low, *last, to="narrow")

    return made


# (apart, from, to): the higher half first.
_PACKS: dict[tuple[bool, Form, Form], _Pack] = {
    (True, S16, U8): _plain("Q6_Vub_vsat_VhVh"),
    (True, S16, S8): _signed_bytes,
    (True, U16, U8): _bounded_first(U16, U8, "Q6_Vb_vshuffe_VbVb"),
    (True, U16, S8): _bounded_first(U16, S8, "Q6_Vb_vshuffe_VbVb"),
    (True, S32, S16): _plain("Q6_Vh_vsat_VwVw"),
    (True, S32, U16): _plain("Q6_Vuh_vasr_VwVwR_sat", 0),
    (True, U32, U16): _plain("Q6_Vuh_vsat_VuwVuw"),
    (True, U32, S16): _bounded_first(U32, S16, "Q6_Vh_vshuffe_VhVh"),
    (False, S16, U8): _plain("Q6_Vub_vpack_VhVh_sat"),
    (False, S16, S8): _plain("Q6_Vb_vpack_VhVh_sat"),
    (False, U16, U8): _bounded_first(U16, U8, "Q6_Vb_vpacke_VhVh"),
    (False, U16, S8): _bounded_first(U16, S8, "Q6_Vb_vpacke_VhVh"),
    (False, S32, S16): _plain("Q6_Vh_vpack_VwVw_sat"),
    (False, S32, U16): _plain("Q6_Vuh_vpack_VwVw_sat"),
    (False, U32, U16): _bounded_first(U32, U16, "Q6_Vh_vpacke_VwVw"),
    (False, U32, S16): _bounded_first(U32, S16, "Q6_Vh_vpacke_VwVw"),
}
