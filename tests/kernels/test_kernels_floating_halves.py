"""Kernels of the float strategy on halves as they are: one rounding at most, and what qfloat lacks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from kernels_kit import Call, Kit, Unit, snippets_of

from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.halves import half_bits
from opkg.kernels.strategies.floating.strategy import lower

SPEC = """
  Op:
    inputs:
      a: {{dtype: float16, rank: 1..4}}
      b: {{dtype: float16, shape: a.shape}}
    params:
      p: {{dtype: float32, default: 0.5}}
    outputs:
      y: {{dtype: {output}, shape: a.shape}}
    compute: y = {text}
"""
Reference = Callable[[np.ndarray, np.ndarray, float], np.ndarray]
CASES: list[tuple[str, Reference]] = [
    ("max(a + b, 0.0)", lambda a, b, p: np.maximum(a + b, 0)),
    ("a - b", lambda a, b, p: a - b),
    ("-abs(a * b)", lambda a, b, p: -np.abs(a * b)),
    ("clip(a, p, 6.0) if a > b else b", lambda a, b, p: np.where(a > b, np.minimum(np.maximum(a, p), 6), b)),
    ("a if a != b and not (a <= 1.0) else -b", lambda a, b, p: np.where((a != b) & ~(a <= 1), a, -b)),
]
BOOLS: list[tuple[str, Reference]] = [
    ("a >= b or a == 0.5", lambda a, b, p: (a >= b) | (a == 0.5)),
    ("a < b", lambda a, b, p: a < b),
]


def made(text: str, output: str = "float16") -> tuple[Snippet, Lowered]:
    (snippet,) = snippets_of(SPEC.format(text=text, output=output))
    found = lower(snippet)
    assert isinstance(found, Lowered), found
    return snippet, found


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    units = [made(text) for text, _ in CASES] + [made(text, "bool8") for text, _ in BOOLS] + [made("a * p")]
    for _, lowered in units:
        assert lowered.title == "Half precision, 64 elements at a time"
    return Kit(tmp_path_factory.mktemp("halves"), [Unit(*unit) for unit in units])


def numbers(seed: int, count: int) -> np.ndarray:
    """Normal halves of all sizes whose sums and products are normal, and small whole numbers."""
    rng = np.random.default_rng(seed)
    wide = rng.choice([-1, 1], count) * np.exp2(rng.uniform(-6, 6, count))
    return np.where(rng.random(count) < 0.3, rng.integers(-2, 3, count), wide).astype(np.float16)


def test_kernels_round_once(kit: Kit) -> None:
    references = [reference for _, reference in (*CASES, *BOOLS)]
    calls = [
        Call(unit, {"a": numbers(1, n), "b": numbers(2, n)}, params=_params(kit, unit, 0.1), shift=shift)
        for unit in range(len(references))
        for n, shift in ((1, 0), (63, 2), (64, 0), (130, 6), (1000, 0))
    ]
    for call, got in zip(calls, kit.run(calls), strict=True):
        assert got is not None
        a, b = (call.inputs[name].astype(np.float64) for name in ("a", "b"))
        wanted = references[call.unit](a, b, float(np.float32(0.1)))
        assert (got["y"] == wanted.astype(got["y"].dtype)).all(), call.unit


def _params(kit: Kit, unit: int, p: float) -> dict[str, float]:
    return {"p": p} if kit.units[unit].snippet.params else {}


def test_a_param_is_rounded_too(kit: Kit) -> None:
    a = numbers(3, 2000)
    (got,) = kit.run([Call(len(CASES) + len(BOOLS), {"a": a}, params={"p": 0.3})])
    assert got is not None
    wanted = a.astype(np.float64) * np.float32(0.3)
    assert (np.abs(got["y"] - wanted) <= np.spacing(np.abs(wanted).astype(np.float16)) * 1.001).all()


def test_special_numbers_are_computed_like_all_others(kit: Kit) -> None:
    product = 2
    for value in (np.nan, np.inf, -np.inf, 300.0, 6e-8):
        a = np.ones(100, np.float16)
        a[70] = value
        (got,) = kit.run([Call(product, {"a": a, "b": np.full(100, 250, np.float16)})])
        assert got is not None
        with np.errstate(over="ignore"):
            wanted = CASES[product][1](a, np.float16(250), 0.0)
        assert ((got["y"] == wanted) | (np.isnan(got["y"]) & np.isnan(wanted))).all()
    param = len(CASES) + len(BOOLS)  # a param beyond the range of halves is for the portable code
    ones = {"a": np.ones(64, np.float16)}
    calls = [Call(param, ones, params={"p": p}) for p in (np.inf, np.nan, 70000.0, 2.0)]
    assert [got is None for got in kit.run(calls)] == [True, True, True, False]


@pytest.mark.parametrize("text", ["a + b + a", "a * 0.1", "a if a > p else b", "exp(a)", "a * b + p", "a * (p + 1.0)"])
def test_what_would_round_twice_is_computed_in_single_precision(text: str) -> None:
    assert made(text)[1].title.startswith("Single precision")


def test_what_is_promised() -> None:
    assert made("max(a, b)")[1].error == "exact"
    assert made("a + b")[1].error == "0.5 ulp of half precision"
    assert made("a * p")[1].error.startswith("params rounded to half precision, then 0.5 ulp")
    assert [half_bits(x) for x in (1.0, -2, 0.1, 65504.0, 65520.0, 1e6, 6e-8, 0)] == [
        0x3C00, 0xC000, None, 0x7BFF, None, None, None, 0,
    ]  # fmt: skip
