"""Lanes of 64 bits: of 32 numbers two vectors, the lower words and the upper words.

A value in such lanes is low, high, low, high, ... in the order of the words. Sums and products keep 64 bits, as int64 does.
"""

from __future__ import annotations

from opkg.kernels.graphs.ranges import Interval
from opkg.kernels.strategies.integer.lanes import S32, U32, Lanes, Vectors


def extended(lanes: Lanes, words: Vectors, signed: bool) -> Vectors:
    """Words as numbers of 64 bits."""
    found: list[str] = []
    for low in words:
        found += [low, lanes.q6("Q6_Vw_vasr_VwR", low, 31, to="sign") if signed else lanes.splat(0, 32)]
    return tuple(found)


def words_of(lanes: Lanes, values: Vectors, signed: bool, range_: Interval) -> Vectors:
    """Words, saturated."""
    pairs = list(zip(values[::2], values[1::2], strict=True))
    limits = (S32 if signed else U32).limits
    if range_ in limits:
        return tuple([low for low, _ in pairs])
    if signed:
        return tuple([lanes.q6("Q6_Vw_vsatdw_VwVw", high, low, to="word") for low, high in pairs])
    found, zero = [], lanes.splat(0, 32)
    for low, high in pairs:
        if range_.high > limits.high:
            beyond = lanes.q6("Q6_Q_vcmp_gt_VwVw", high, zero, to="beyond")
            low = lanes.q6("Q6_V_vmux_QVV", beyond, lanes.splat(-1, 32), low, to="word")
        if range_.low < 0:
            low = lanes.q6("Q6_V_vmux_QVV", lanes.q6("Q6_Q_vcmp_gt_VwVw", zero, high, to="below"), zero, low, to="word")
        found.append(low)
    return tuple(found)


def _by_pairs(a: Vectors, b: Vectors) -> list[tuple[str, str, str, str]]:
    return list(zip(a[::2], a[1::2], b[::2], b[1::2], strict=True))


def add(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    """Sums of no more than 64 bits: the upper words never saturate."""
    found: list[str] = []
    for low, high, more, upper in _by_pairs(*args):
        total = lanes.q6("Q6_Vw_vadd_VwVw", low, more, to="low")
        carried = lanes.q6("Q6_Q_vcmp_gt_VuwVuw", more, total, to="carried")
        found += [total, lanes.q6("Q6_Vw_vadd_VwVwQ_carry_sat", high, upper, carried, to="high")]
    return tuple(found)


def wrapping_add(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    found: list[str] = []
    for low, high, more, upper in _by_pairs(*args):
        total = lanes.q6("Q6_Vw_vadd_VwVw", low, more, to="low")
        carried = lanes.q6("Q6_Q_vcmp_gt_VuwVuw", more, total, to="carried")
        above = lanes.q6("Q6_Vw_vadd_VwVw", high, upper, to="high")
        found += [total, lanes.q6("Q6_Vw_condacc_QVwVw", carried, above, lanes.splat(1, 32))]
    return tuple(found)


def sub(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    found: list[str] = []
    for low, high, less, upper in _by_pairs(*args):
        borrowed = lanes.q6("Q6_Q_vcmp_gt_VuwVuw", less, low, to="borrowed")
        above = lanes.q6("Q6_Vw_vsub_VwVw", high, upper, to="high")
        found.append(lanes.q6("Q6_Vw_vsub_VwVw", low, less, to="low"))
        found.append(lanes.q6("Q6_Vw_condnac_QVwVw", borrowed, above, lanes.splat(1, 32)))
    return tuple(found)


def product_of_words(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    """All 64 bits of products of signed words."""
    found: list[str] = []
    for a, b in zip(*args, strict=True):
        even = lanes.q6("Q6_W_vmpye_VwVuh", a, b, to="product")
        found += lanes.halves(lanes.q6("Q6_W_vmpyoacc_WVwVh", even, a, b, to="product"))
    return tuple(found)


def product_with_unsigned(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    """All 64 bits of products of a signed and an unsigned word, which the multiplier takes for a signed one."""
    values = product_of_words(lanes, args)
    found: list[str] = []
    for a, b, low, high in zip(*args, values[::2], values[1::2], strict=True):
        large = lanes.q6("Q6_Q_vcmp_gt_VwVw", lanes.splat(0, 32), b, to="large")
        found += [low, lanes.q6("Q6_Vw_condacc_QVwVw", large, high, a, to="high")]
    return tuple(found)


def mul(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    """The lower 64 bits of products: words are signed to the multiplier, so what it takes off is added again."""
    found: list[str] = []
    zero = lanes.splat(0, 32)
    for a, a_high, b, b_high in _by_pairs(*args):
        low, high = product_of_words(lanes, ((a,), (b,)))
        for one, upper, other in ((a, b_high, b), (b, a_high, a)):
            cross = lanes.q6("Q6_Vw_vasl_VwR", lanes.q6("Q6_Vw_vmpyio_VwVh", upper, one, to="upper"), 16, to="upper")
            high = lanes.q6("Q6_Vw_vadd_VwVw", high, cross, to="high")
            high = lanes.q6("Q6_Vw_vmpyieacc_VwVwVuh", high, upper, one, to="high")
            negative = lanes.q6("Q6_Q_vcmp_gt_VwVw", zero, one, to="negative")
            high = lanes.q6("Q6_Vw_condacc_QVwVw", negative, high, other, to="high")
        found += [low, high]
    return tuple(found)


def greater(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    """a > b: by the upper words, and where these are equal by the lower ones."""
    found = []
    for low, high, other, upper in _by_pairs(*args):
        below = lanes.q6("Q6_Q_vcmp_gt_VuwVuw", low, other, to="below")
        same = lanes.q6("Q6_Q_vcmp_eqand_QVwVw", below, high, upper, to="same")
        found.append(lanes.q6("Q6_Q_vcmp_gtor_QVwVw", same, high, upper, to="greater"))
    return tuple(found)


def equal(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    found = []
    for low, high, other, upper in _by_pairs(*args):
        same = lanes.q6("Q6_Q_vcmp_eq_VwVw", low, other, to="same")
        found.append(lanes.q6("Q6_Q_vcmp_eqand_QVwVw", same, high, upper, to="equal"))
    return tuple(found)


def chosen(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    """Lane by lane one of two values; a test for each 32 lanes."""
    tests, then, other = args
    return lanes.chosen(tuple([test for test in tests for _ in range(2)]), then, other)


def smaller(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    a, b = args
    return chosen(lanes, (greater(lanes, args), b, a))


def larger(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    a, b = args
    return chosen(lanes, (greater(lanes, args), a, b))


def absolute(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    """|x|: x with all bits changed where it is negative, and 1 more."""
    (values,) = args
    found: list[str] = []
    for high in values[1::2]:
        found += [lanes.q6("Q6_Vw_vasr_VwR", high, 31, to="sign")] * 2
    signs = tuple(found)
    return sub(lanes, (lanes.each("Q6_V_vxor_VV", values, signs, to="turned"), signs))


def difference(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    """|a - b|."""
    return absolute(lanes, (sub(lanes, args),))


def shifted_right(lanes: Lanes, values: Vectors, bits: int) -> Vectors:
    """x // 2^bits."""
    found: list[str] = []
    for low, high in zip(values[::2], values[1::2], strict=True):
        sign = lanes.q6("Q6_Vw_vasr_VwR", high, min(bits, 31), to="high")
        if bits >= 32:
            found += [lanes.q6("Q6_Vw_vasr_VwR", high, min(bits - 32, 31), to="low"), sign]
        else:
            kept = lanes.q6("Q6_Vuw_vlsr_VuwR", low, bits, to="low")
            found += [lanes.q6("Q6_Vw_vaslacc_VwVwR", kept, high, 32 - bits, to="low"), sign]
    return tuple(found)


def shifted_left(lanes: Lanes, values: Vectors, bits: int) -> Vectors:
    """x * 2^bits, of which 64 bits are kept."""
    found: list[str] = []
    for low, high in zip(values[::2], values[1::2], strict=True):
        if bits >= 32:
            found += [lanes.splat(0, 32), lanes.q6("Q6_Vw_vasl_VwR", low, bits - 32, to="high")]
        else:
            moved = lanes.q6("Q6_Vuw_vlsr_VuwR", low, 32 - bits, to="high")
            found.append(lanes.q6("Q6_Vw_vasl_VwR", low, bits, to="low"))
            found.append(lanes.q6("Q6_Vw_vaslacc_VwVwR", moved, high, bits, to="high"))
    return tuple(found)


def shifted_left_by(lanes: Lanes, args: tuple[Vectors, ...]) -> Vectors:
    """x * 2^n with 0 <= n <= 31, lane by lane: what leaves the lower word is moved by 1 and by 31 - n."""
    values, counts = args
    found: list[str] = []
    for low, high, n in zip(values[::2], values[1::2], counts, strict=True):
        left = lanes.q6("Q6_Vw_vsub_VwVw", lanes.splat(31, 32), n, to="left")
        moved = lanes.q6("Q6_Vw_vlsr_VwVw", lanes.q6("Q6_Vuw_vlsr_VuwR", low, 1, to="moved"), left, to="moved")
        found.append(lanes.q6("Q6_Vw_vasl_VwVw", low, n, to="low"))
        found.append(lanes.q6("Q6_V_vor_VV", lanes.q6("Q6_Vw_vasl_VwVw", high, n, to="high"), moved, to="high"))
    return tuple(found)


def low_bits(lanes: Lanes, values: Vectors, bits: int) -> Vectors:
    """x % 2^bits."""
    masks = [((1 << bits) - 1) >> shift & 0xFFFFFFFF for shift in (0, 32)]
    vectors = tuple([lanes.splat(mask, 32) for mask in masks]) * (len(values) // 2)
    return lanes.each("Q6_V_vand_VV", values, vectors, to="low_bits")
