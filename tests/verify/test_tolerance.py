"""Quantisation, rounding and the counting of errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Tolerance
from opkg.verify.judge.tolerance import BINS, histogram, output_stats
from opkg.verify.meaning.numbers import Quant, decode, encode, float32, storage

F32, F16, U8, S16, I32 = (DTYPES[n] for n in ("float32", "float16", "ufixed8", "sfixed16", "int32"))
EXACT = Tolerance()
FIXED = ("ufixed4", "sfixed4", "ufixed8", "sfixed8", "ufixed16", "sfixed16", "sfixed32")


@st.composite
def encodings(draw: st.DrawFn) -> tuple[str, Quant]:
    name = draw(st.sampled_from(FIXED))
    low, high = DTYPES[name].limits
    scale = float32(draw(st.floats(1e-6, 10.0)))
    return name, Quant((scale,), (-draw(st.integers(low, high)),))


@given(encodings(), st.data())
def test_stored_numbers_survive_the_way_through_real_values(encoding: tuple[str, Quant], data: st.DataObject) -> None:
    dtype, quant = DTYPES[encoding[0]], encoding[1]
    numbers = data.draw(st.lists(st.integers(*dtype.limits), min_size=1, max_size=20))
    stored = np.asarray(numbers, dtype=storage(dtype))
    assert np.array_equal(encode(decode(stored, dtype, quant), dtype, quant), stored)


@given(encodings(), st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_a_correct_rounding_has_no_error(encoding: tuple[str, Quant], values: list[float]) -> None:
    dtype, quant = DTYPES[encoding[0]], encoding[1]
    real = np.asarray(values)
    stats = output_stats("y", real, encode(real, dtype, quant), dtype, quant, EXACT)
    assert stats.ok
    assert stats.worst == 0


@given(st.integers(0, 254), st.integers(0, 3))
def test_steps_are_counted(stored: int, off: int) -> None:
    quant = Quant((0.5,), (-3,))
    expected = decode(np.asarray([stored], dtype=np.uint8), U8, quant)
    got = np.asarray([min(stored + off, 255)], dtype=np.uint8)
    stats = output_stats("y", expected, got, U8, quant, Tolerance(lsb=1))
    assert stats.worst == min(off, 255 - stored)
    assert stats.ok == (stats.worst <= 1)


def test_both_neighbours_of_a_tie_are_right() -> None:
    quant = Quant((1.0,), (0,))
    for got in (2, 3):
        assert output_stats("y", np.asarray([2.5]), np.asarray([got], np.uint8), U8, quant, EXACT).worst == 0
    assert output_stats("y", np.asarray([2.5]), np.asarray([4], np.uint8), U8, quant, EXACT).worst == 1


def test_expectations_saturate() -> None:
    quant = Quant((1.0,), (0,))
    stats = output_stats("y", np.asarray([-5.0, 300.0]), np.asarray([0, 255], np.uint8), U8, quant, EXACT)
    assert stats.ok


def test_rounding_is_half_to_even_and_saturates() -> None:
    quant = Quant((1.0,), (0,))
    real = np.asarray([0.5, 1.5, 2.5, -1.0, 999.0, np.inf])
    assert encode(real, U8, quant).tolist() == [0, 2, 2, 0, 255, 255]


def test_per_axis_scales_apply_along_their_dimension() -> None:
    quant = Quant((1.0, 0.5), (0, 0), axis=1)
    real = np.asarray([[4.0, 4.0], [6.0, 6.0]])
    stored = encode(real, S16, quant)
    assert stored.tolist() == [[4, 8], [6, 12]]
    assert np.array_equal(decode(stored, S16, quant), real)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=False), st.integers(0, 5))
def test_ulps_are_counted(value: float, off: int) -> None:
    got = np.asarray([value], dtype=np.float32)
    for _ in range(off):
        with np.errstate(all="ignore"):
            got = np.nextafter(got, np.float32(np.inf))
    if not np.isfinite(got[0]) or (got[0] != 0 and abs(got[0]) < 2.0**-126):
        return
    stats = output_stats("y", np.asarray([value]), got, F32, None, Tolerance(ulp=2))
    crossing = value == 0 or (value < 0 < got[0])
    assert crossing or stats.worst == off
    assert crossing or stats.ok == (off <= 2)


def test_subnormals_may_be_flushed_to_zero() -> None:
    stats = output_stats("y", np.asarray([1e-40, -1e-40]), np.asarray([0, 0], np.float32), F32, None, EXACT)
    assert stats.ok


@pytest.mark.parametrize("got", [0.0, np.inf, -1.0])
def test_nan_only_equals_nan(got: float) -> None:
    expected = np.asarray([np.nan])
    assert not output_stats("y", expected, np.asarray([got], np.float32), F32, None, Tolerance(abs=1e9)).ok
    assert output_stats("y", expected, np.asarray([np.nan], np.float32), F32, None, EXACT).ok


@pytest.mark.parametrize(("expected", "got"), [(np.inf, 3e38), (-np.inf, np.inf), (1.0, np.inf), (1.0, np.nan)])
def test_infinities_must_agree(expected: float, got: float) -> None:
    stats = output_stats(
        "y", np.asarray([expected]), np.asarray([got], np.float32), F32, None, Tolerance(abs=1e9, rel=1)
    )
    assert not stats.ok
    assert stats.worst == np.inf
    assert stats.histogram[-1] == 1
    assert output_stats("y", np.asarray([np.inf]), np.asarray([np.inf], np.float32), F32, None, EXACT).ok


def test_float16_overflows_as_the_type_does() -> None:
    assert output_stats("y", np.asarray([1e6]), np.asarray([np.inf], np.float16), F16, None, EXACT).ok


def test_any_part_of_a_tolerance_suffices() -> None:
    got = np.asarray([1.0 + 1e-4], np.float32)
    for tolerance, ok in ((Tolerance(ulp=2), False), (Tolerance(ulp=2, abs=1e-3), True), (Tolerance(rel=1e-3), True)):
        assert output_stats("y", np.asarray([1.0]), got, F32, None, tolerance).ok == ok


def test_whole_numbers_are_exact_unless_told_otherwise() -> None:
    expected, got = np.asarray([1, 2, 3]), np.asarray([1, 2, 5], np.int32)
    stats = output_stats("y", expected, got, I32, None, EXACT)
    assert (stats.failed, stats.worst, stats.unit) == (1, 2.0, "")
    assert stats.worst_elements[0].index == (2,)
    assert output_stats("y", expected, got, I32, None, Tolerance(lsb=2)).ok


def test_large_int64_differences_are_seen() -> None:
    big = 1 << 62
    expected, got = np.asarray([big], np.int64), np.asarray([big + 1], np.int64)
    assert not output_stats("y", expected, got, DTYPES["int64"], None, EXACT).ok


def test_bools() -> None:
    expected, got = np.asarray([True, False]), np.asarray([1, 1], np.uint8)
    stats = output_stats("y", expected, got, DTYPES["bool8"], None, EXACT)
    assert stats.failed == 1


@given(st.lists(st.one_of(st.integers(0, 10**9).map(float), st.just(np.inf)), max_size=40))
def test_every_element_is_in_one_bin(errors: list[float]) -> None:
    counts = histogram(np.asarray(errors, dtype=np.float64))
    assert len(counts) == len(BINS) + 2
    assert sum(counts) == len(errors)
    assert counts[-1] == errors.count(np.inf)
    assert counts[0] == errors.count(0.0)


def test_worst_elements_put_failures_first() -> None:
    expected = np.zeros((2, 3))
    got = np.asarray([[0, 1, 0], [0, 0, 9]], np.uint8)
    stats = output_stats("y", expected, got, U8, Quant((1.0,), (0,)), Tolerance(lsb=1))
    assert [e.index for e in stats.worst_elements] == [(1, 2), (0, 1)]
    assert (stats.worst_elements[0].expected_stored, stats.worst_elements[0].got_stored) == ("0", "9")
    assert stats.least_failed == 9
