"""How the values of integer lanes get from one form to another: wider, narrower, moved, tests of other sizes."""

from __future__ import annotations

from collections.abc import Callable

from opkg.kernels.graphs.ranges import Interval, clamped
from opkg.kernels.strategies.integer.doubles import extended, words_of
from opkg.kernels.strategies.integer.lanes import S8, S16, S32, S64, U8, U16, U32, Form, Lanes, Vectors


def convert(lanes: Lanes, vectors: Vectors, have: Form, want: Form, range_: Interval) -> Vectors:
    """Values of `range_` (what the lanes can really hold) in another form; those outside of it saturate."""
    if have == want:
        return vectors
    if have.test:
        return _moved_tests(lanes, vectors, have.bits, want.bits)
    if have.moved:
        plain = Form(have.bits, True)
        return convert(lanes, _flipped(lanes, vectors, have.bits), plain, want, range_)
    if want.moved:
        plain = Form(want.bits, True)
        return _flipped(lanes, convert(lanes, vectors, have, plain, range_), want.bits)
    if 64 in (have.bits, want.bits):
        return _by_words(lanes, vectors, have, want, range_)
    if have.bits < want.bits:
        wider = Form(2 * have.bits, have.signed or want.signed)  # what was unsigned fits either
        return convert(lanes, _widened(lanes, vectors, have), wider, want, range_)
    if have.bits > want.bits:
        return _narrowed(lanes, vectors, have, want, range_)
    if range_ in want.limits:
        return vectors
    return _bounded(lanes, vectors, have, range_, want.limits)


def _by_words(lanes: Lanes, vectors: Vectors, have: Form, want: Form, range_: Interval) -> Vectors:
    """To and from lanes of 64 bits."""
    if have == S64:
        words = U32 if want == U32 else S32
        return convert(
            lanes, words_of(lanes, vectors, words.signed, range_), words, want, clamped(range_, words.limits)
        )
    words = Form(32, have.signed)
    return extended(lanes, convert(lanes, vectors, have, words, range_), words.signed)


def _moved_tests(lanes: Lanes, tests: Vectors, have: int, want: int) -> Vectors:
    """Predicates of lanes of another size."""
    if have > want and lanes.apart:
        name = "Q6_Qb_vshuffe_QhQh" if have == 16 else "Q6_Qh_vshuffe_QwQw"
        pairs = [(tests[i + 1], tests[i]) for i in range(0, len(tests), 2)]
        tests = tuple([lanes.q6(name, high, low, to="tests") for high, low in pairs])
        return tests if have == 2 * want else _moved_tests(lanes, tests, have // 2, want)
    masks = convert(lanes, lanes.masks(tests, -1), Form(have, True), Form(want, True), Interval(-1, 0))
    zeros = (lanes.splat(0, 32),) * len(masks)
    return lanes.greater(zeros, masks, Form(want, True))


def _flipped(lanes: Lanes, vectors: Vectors, bits: int) -> Vectors:
    """The top bit of every lane inverted: from moved to signed and back."""
    mask = lanes.setup.q6(f"Q6_V{'b' if bits == 8 else 'h'}_vsplat_R", -(1 << (bits - 1)), to="top_bits")
    return tuple([lanes.q6("Q6_V_vxor_VV", v, mask, to="flipped") for v in vectors])


def _bounded(lanes: Lanes, vectors: Vectors, form: Form, range_: Interval, limits: Interval) -> Vectors:
    """Values clamped to what both the form and the limits hold."""
    if range_.high > limits.high:
        vectors = lanes.smaller(vectors, lanes.splats(limits.high, form, len(vectors)), form)
    if range_.low < limits.low:
        vectors = lanes.larger(vectors, lanes.splats(limits.low, form, len(vectors)), form)
    return vectors


def _widened(lanes: Lanes, vectors: Vectors, form: Form) -> Vectors:
    """Lanes of twice the bits."""
    wide = ("h" if form.bits == 8 else "w") if form.signed else ("uh" if form.bits == 8 else "uw")
    operation = ("vsxt" if form.signed else "vzxt") if lanes.apart else "vunpack"
    found: list[str] = []
    for vector in vectors:
        found += lanes.halves(lanes.q6(f"Q6_W{wide}_{operation}_V{form.lane}", vector, to="wide"))
    return tuple(found)


def _narrowed(lanes: Lanes, vectors: Vectors, have: Form, want: Form, range_: Interval) -> Vectors:
    """Lanes of half the bits, once or twice, saturated."""
    if have.bits == 4 * want.bits:
        between = Form(16, range_.low < 0 or range_.high <= S16.limits.high)
        halved = _narrowed(lanes, vectors, have, between, range_)
        return _narrowed(lanes, halved, between, want, clamped(range_, between.limits))
    if not have.signed and range_.high <= Form(have.bits, True).limits.high:
        have = Form(have.bits, True)
    pairs = [(vectors[i + 1], vectors[i]) for i in range(0, len(vectors), 2)]
    make = _PACKS[lanes.apart, have, want]
    return tuple([make(lanes, high, low, range_) for high, low in pairs])


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
