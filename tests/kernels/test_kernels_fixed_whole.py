"""Roundings of a linear function of 16-bit elements in fixed point are those of the exact numbers, for all elements."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from kernels_fixed import case_of, distances, refusal_of
from kernels_kit import Call, Kit

Array = np.ndarray
Exact = Callable[[Array, int], Array]  # of top / under, under above 0: whole numbers


def _even(top: Array, under: int) -> Array:
    """Rounded, halves to even."""
    twice, rest = (2 * top + under) // (2 * under), (2 * top + under) % (2 * under)
    return twice - ((rest == 0) & (twice % 2 != 0))


def _floor(top: Array, under: int) -> Array:
    return top // under


# Each text with the linear function that is rounded, as factor and constant, and what rounds it.
OPS: dict[str, tuple[Fraction, Fraction, Exact]] = {
    "y = floor(x)": (Fraction(1), Fraction(0), _floor),
    "y = ceil(x)": (Fraction(1), Fraction(0), lambda top, under: -(-top // under)),
    "y = round(x)": (Fraction(1), Fraction(0), _even),
    "y = trunc(x)": (Fraction(1), Fraction(0), lambda top, under: np.sign(top) * (abs(top) // under)),
    "y = x // 0.75": (1 / Fraction(0.75), Fraction(0), _floor),
    "y = floor(0.5 - x / 0.05)": (-1 / Fraction(0.05), Fraction(1, 2), _floor),
    "y = round(3 - 2 * x)": (Fraction(-2), Fraction(3), _even),
    "y = round(x + 0.5)": (Fraction(1), Fraction(1, 2), _even),
}
NAMES = [(text, dtype) for text in OPS for dtype in ("u16", "s16")]
CASES = [case_of(text, f"x:{dtype}", "y:s16") for text, dtype in NAMES]
# Of x: those that halves and whole numbers meet, those of tenths, wide and narrow ones, one that is nearly 1 / 3.
SCALES = (2.0**-12, 2.0**-7, 0.25, 0.3, 0.1, 0.001, 3.0e-4, 1 / 3, 1e-6, 0.05, 0.40625)


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    return Kit(tmp_path_factory.mktemp("wholes"), [case.unit for case in CASES])


def _expected(text: str, stored: Array, zero: int, scale: float) -> Array:
    factor, constant, rounds = OPS[text]
    step = Fraction(float(np.float32(scale))) * factor
    under = step.denominator * constant.denominator
    elements = stored.astype(np.int64).astype(object) - zero  # of any size
    return np.clip(rounds(elements * (step * under).numerator + int(constant * under), under), -32768, 32767)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[" ".join(name) for name in NAMES])
def test_all_elements(kit: Kit, number: int) -> None:
    text, dtype = NAMES[number]
    least = 0 if dtype == "u16" else -32768
    x = np.arange(least, least + 65536).astype(np.uint16 if dtype == "u16" else np.int16)
    calls = [
        Call(number, {"x": x}, -1, {"x": (scale, least + zero), "y": (1.0, 0)})
        for scale in SCALES
        for zero in (0, 32768, 65535, 21845)
    ]
    taken = 0
    for call, got in zip(calls, kit.run(calls), strict=True):
        scale, zero = call.scales["x"]
        if got is not None:  # else 16 bits do not hold the results
            wrong = np.flatnonzero(got["y"] != _expected(text, x, zero, scale))
            assert not wrong.size, (
                scale,
                zero,
                wrong[:5],
                got["y"][wrong[:5]],
                _expected(text, x, zero, scale)[wrong[:5]],
            )
            taken += 1
    assert taken > len(calls) // 3


def test_what_is_left_of_a_division(tmp_path_factory: pytest.TempPathFactory) -> None:
    texts = {"y = x % 3": (Fraction(3), (3 / 65536, 0)), "y = x - floor(x)": (Fraction(1), (1 / 65536, 0))}
    cases = [case_of(text, "x:u16", "y:u16") for text in texts]
    kit = Kit(tmp_path_factory.mktemp("rests"), [case.unit for case in cases])
    x = np.arange(65536).astype(np.uint16)
    calls = [Call(n, {"x": x}, -1, {"x": (0.0007, 32000), "y": q}) for n, (_, q) in enumerate(texts.values())]
    for case, call, got in zip(cases, calls, kit.run(calls), strict=True):
        assert got is not None
        assert distances(case, call, got)["y"].max() <= 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("y = floor(x + 0.3)", "something else than halves"),
        ("y = floor(x * z)", "a product of 16 bits"),
        ("y = trunc(x + 1)", "something else than a multiple"),
    ],
)
def test_what_is_for_portable_code(text: str, why: str) -> None:
    assert why in refusal_of(text, "x:u16 z:u16" if "z" in text else "x:u16", "y:u16")


def test_fake_quantization(tmp_path: Path) -> None:
    """Limits around a rounding, times a step that is a param: within 1 step of what the exact whole number gives."""
    clipped = (
        "round(clip(x / s, -100, 27))",
        "(clip(round(x / s) + 3, p, 255) - 3)",
        "(clip(round(x / s - p), 0, 255) + p)",
    )
    texts = [f"y = {text} * s" for text in clipped]
    cases = [case_of(text, "x:u16", "y:u16", "s>0 p") for text in texts]
    kit = Kit(tmp_path, [case.unit for case in cases])
    x, zero, out = np.arange(0, 65536, 7).astype(np.uint16), 30000, 20000
    calls = [
        Call(n, {"x": x}, -1, {"x": (scale, zero), "y": (s / 64, out)}, {"s": s, "p": -7.0})
        for n, (scale, s) in itertools.product(range(3), ((2.0**-9, 0.25), (0.001, 0.05), (3.0e-4, 0.3), (1 / 3, 17.0)))
    ]
    for call, got in zip(calls, kit.run(calls), strict=True):
        assert got is not None
        quotient = Fraction(float(np.float32(call.scales["x"][0]))) / Fraction(float(np.float32(call.params["s"])))
        top, under = (x.astype(object) - zero) * quotient.numerator, quotient.denominator
        ways = (
            lambda top, under: np.clip(_even(top, under), -100, 27),
            lambda top, under: np.clip(_even(top, under) + 3, -7, 255) - 3,
            lambda top, under: np.clip(_even(top + 7 * under, under), 0, 255) - 7,
        )
        whole = ways[call.unit](top, under)
        assert abs(got["y"].astype(int) - np.clip(whole * 64 + out, 0, 65535)).max() <= 1
    last = calls[-1]
    others = [replace(last, params={"s": last.params["s"], "p": p}) for p in (0.5, 40000.0, math.nan)]  # no whole ones
    assert kit.run(others) == [None] * 3


def test_a_step_of_either_sign_is_for_portable_code() -> None:
    assert "of a min" in refusal_of("y = round(clip(x / s, -8, 7)) * s", "x:u16", "y:u16", "s")
