"""The host's models of HVX float intrinsics against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from kernels_floating_host import TOP, Host

COUNT = 640  # words
EXPRESSIONS = {
    "vfmax": "Q6_Vsf_vfmax_VsfVsf(a, b)", "vfmin": "Q6_Vsf_vfmin_VsfVsf(a, b)",
    "vfmax_hf": "Q6_Vhf_vfmax_VhfVhf(a, b)", "vfmin_hf": "Q6_Vhf_vfmin_VhfVhf(a, b)",
    "gtand": "Q6_V_vmux_QVV(Q6_Q_vcmp_gtand_QVsfVsf(Q6_Q_vcmp_gt_VwVw(c, a), a, b), splat_w(1), Q6_V_vzero())",
    "gtor": "Q6_V_vmux_QVV(Q6_Q_vcmp_gtor_QVsfVsf(Q6_Q_vcmp_gt_VwVw(c, a), a, b), splat_w(1), Q6_V_vzero())",
    "gtxacc": "Q6_V_vmux_QVV(Q6_Q_vcmp_gtxacc_QVsfVsf(Q6_Q_vcmp_gt_VwVw(c, a), a, b), splat_w(1), Q6_V_vzero())",
    "gtand_hf": "Q6_V_vand_QR(Q6_Q_vcmp_gtand_QVhfVhf(Q6_Q_vcmp_gt_VhVh(c, a), a, b), 0x01010101)",
    "gtor_hf": "Q6_V_vand_QR(Q6_Q_vcmp_gtor_QVhfVhf(Q6_Q_vcmp_gt_VhVh(c, a), a, b), 0x01010101)",
    "gtxacc_hf": "Q6_V_vand_QR(Q6_Q_vcmp_gtxacc_QVhfVhf(Q6_Q_vcmp_gt_VhVh(c, a), a, b), 0x01010101)",
    "mpyacc_hf": "Q6_Vhf_vmpyacc_VhfVhfVhf(c, a, b)", "dmpy": "Q6_Vsf_vdmpy_VhfVhf(a, b)",
    "dmpyacc": "Q6_Vsf_vdmpyacc_VsfVhfVhf(c, a, b)", "move": "Q6_Vw_vfmv_Vw(a)",
    "add_lo": "Q6_V_lo_W(Q6_Wsf_vadd_VhfVhf(a, b))", "sub_hi": "Q6_V_hi_W(Q6_Wsf_vsub_VhfVhf(a, b))",
    "mpy_hi": "Q6_V_hi_W(Q6_Wsf_vmpy_VhfVhf(a, b))",
    "mpyacc_lo": "Q6_V_lo_W(Q6_Wsf_vmpyacc_WsfVhfVhf(Q6_W_vcombine_VV(a, c), a, b))",
    "h_to_hf": "Q6_Vhf_vcvt_Vh(a)", "uh_to_hf": "Q6_Vhf_vcvt_Vuh(a)",
    "hf_to_h": "Q6_Vh_vcvt_Vhf(a)", "hf_to_uh": "Q6_Vuh_vcvt_Vhf(a)",
    "b_to_hf_lo": "Q6_V_lo_W(Q6_Whf_vcvt_Vb(a))", "ub_to_hf_hi": "Q6_V_hi_W(Q6_Whf_vcvt_Vub(a))",
    "hf_to_b": "Q6_Vb_vcvt_VhfVhf(a, b)", "hf_to_ub": "Q6_Vub_vcvt_VhfVhf(a, b)",
}  # fmt: skip


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    functions = [f"FUNCTION({name}, {expression})" for name, expression in EXPRESSIONS.items()]
    text = TOP + "\n".join(functions) + "\n"
    return Host(tmp_path_factory.mktemp("models"), text)


def floats(seed: int) -> np.ndarray:
    x = np.random.default_rng(seed).normal(size=COUNT).astype(np.float32)
    x[seed % 7 :: 23] = np.nan
    return x


def halves(seed: int, scale: float = 1.0) -> np.ndarray:
    return (np.random.default_rng(seed).normal(size=2 * COUNT) * scale).astype(np.float16)


def test_extremes_prefer_the_number(host: Host) -> None:
    a, b = floats(1), floats(2)
    assert np.isnan(a).any()
    np.testing.assert_array_equal(host.call("vfmax", a, b), np.fmax(a, b))
    np.testing.assert_array_equal(host.call("vfmin", a, b), np.fmin(a, b))
    h, k = halves(1), halves(2)
    h[::9] = np.nan
    words = [x.view(np.uint32) for x in (h, k)]
    np.testing.assert_array_equal(host.call("vfmax_hf", *words, result=np.uint32).view(np.float16), np.fmax(h, k))
    np.testing.assert_array_equal(host.call("vfmin_hf", *words, result=np.uint32).view(np.float16), np.fmin(h, k))


def test_joined_comparisons(host: Host) -> None:
    a, b = floats(3), floats(4)
    c = np.random.default_rng(5).integers(-(2**31), 2**31, COUNT).astype(np.int32)
    q, greater = c > a.view(np.int32), a > b
    for name, wanted in (("gtand", q & greater), ("gtor", q | greater), ("gtxacc", q ^ greater)):
        assert (host.call(name, a, b, c, result=np.uint32).astype(bool) == wanted).all()
    h, k, i = halves(3), halves(4), np.random.default_rng(6).integers(-(2**15), 2**15, 2 * COUNT).astype(np.int16)
    words = [x.view(np.uint32) for x in (h, k, i)]
    q, greater = i > h.view(np.int16), h > k
    for name, wanted in (("gtand_hf", q & greater), ("gtor_hf", q | greater), ("gtxacc_hf", q ^ greater)):
        got = host.call(name, *words, result=np.uint32).view(np.uint16)
        assert (got == wanted * np.uint16(0x101)).all()


def test_sums_of_products_of_halves(host: Host) -> None:
    a, b, c = halves(7), halves(8), floats(10)
    wa, wb = a.view(np.uint32), b.view(np.uint32)
    x, y = a.astype(np.float32), b.astype(np.float32)
    for name, wanted in [
        ("dmpy", x[0::2] * y[0::2] + x[1::2] * y[1::2]),
        ("dmpyacc", c + (x[0::2] * y[0::2] + x[1::2] * y[1::2])),
        ("add_lo", (x + y)[0::2]),
        ("sub_hi", (x - y)[1::2]),
        ("mpy_hi", (x * y)[1::2]),
        ("mpyacc_lo", c + (x * y)[0::2]),
    ]:
        np.testing.assert_array_equal(host.call(name, wa, wb, c), wanted)
    h = halves(9)
    got = host.call("mpyacc_hf", wa, wb, h.view(np.uint32), result=np.uint32).view(np.float16)
    np.testing.assert_array_equal(got, h + a * b)


def test_conversions_of_halves(host: Host) -> None:
    words = np.random.default_rng(11).integers(0, 2**32, COUNT).astype(np.uint32)
    for name, kind in (("h_to_hf", np.int16), ("uh_to_hf", np.uint16)):
        got = host.call(name, words, result=np.uint32).view(np.float16)
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(got, words.view(kind).astype(np.float16))
    low = host.call("b_to_hf_lo", words, result=np.uint32).view(np.float16)
    np.testing.assert_array_equal(low, words.view(np.int8)[0::2].astype(np.float16))
    high = host.call("ub_to_hf_hi", words, result=np.uint32).view(np.float16)
    np.testing.assert_array_equal(high, words.view(np.uint8)[1::2].astype(np.float16))
    assert (host.call("move", words, result=np.uint32) == words).all()


def test_halves_to_integers_saturate(host: Host) -> None:
    h, k = halves(12, 200), halves(13, 200)
    h[:4] = [np.inf, -np.inf, np.nan, 65504]
    wide = [np.nan_to_num(x.astype(np.float64), nan=0, posinf=1e9, neginf=-1e9) for x in (h, k)]
    for name, kind in (("hf_to_h", np.int16), ("hf_to_uh", np.uint16)):
        limits = np.iinfo(kind)
        got = host.call(name, h.view(np.uint32), result=np.uint32).view(kind)
        assert (got == np.clip(np.trunc(wide[0]), limits.min, limits.max)).all()
    for name, byte in (("hf_to_b", np.int8), ("hf_to_ub", np.uint8)):
        limits = np.iinfo(byte)
        got = host.call(name, h.view(np.uint32), k.view(np.uint32), result=np.uint32).view(byte)
        for place, numbers in ((1, wide[0]), (0, wide[1])):
            assert (got[place::2] == np.clip(np.trunc(numbers), limits.min, limits.max)).all()
