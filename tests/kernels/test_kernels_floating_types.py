"""Element types that the float strategy reads and writes beside floats: whole numbers, bools, quantized elements."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kernels_kit import NUMPY, Call, Kit, Unit, snippets_of

from opkg.kernels.lowered import Lowered
from opkg.kernels.strategies.floating.strategy import lower

SPEC = """
  Op:
    inputs:
      m: {{dtype: {m}, rank: 1..4}}
      a: {{dtype: {a}, shape: m.shape}}
    params:
      flag: {{dtype: bool8, default: true}}
      k: {{dtype: int32, default: 2}}
    outputs:
      y: {{dtype: {y}, shape: m.shape}}
    compute: y = {text}
"""
BOOLS, WORDS, BYTES, WIDE, FLAG, MIXED, LIMITS, STEPS8, STEPS16, SUM, DIFFERENCE, STORED, NEGATED = range(13)
TEXTS = [
    ("bool8", "float32", "float32", "a if m else -a"),
    ("int32", "float32", "float32", "cast(m, float32) * a if m > 3 else a"),
    ("int8", "float32", "int8", "cast(cast(m, float32) * a, int8)"),
    ("ufixed16", "sfixed16", "sfixed16", "m * tanh(a)"),
    ("float32", "float16", "float16", "m * cast(k, float32) if flag else a + m"),
    ("ufixed8", "float16", "float32", "m + a"),
    ("float32", "float32", "uint8", "cast(m * a, uint8)"),
    ("float32", "float32", "ufixed8", "max(m, a)"),
    ("float32", "float32", "sfixed16", "max(m, a)"),
    ("int32", "int32", "ufixed16", "max(m + a, 0) * 0.5"),
    ("int32", "int32", "sfixed16", "m - a"),
    ("sfixed32", "sfixed32", "ufixed8", "m + a"),
    ("int32", "int32", "sfixed16", "-m"),
]


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    units = []
    for m, a, y, text in TEXTS:
        (snippet,) = snippets_of(SPEC.format(m=m, a=a, y=y, text=text))
        made = lower(snippet)
        assert isinstance(made, Lowered), made
        units.append(Unit(snippet, made))
    return Kit(tmp_path_factory.mktemp("types"), units)


def run(kit: Kit, unit: int, m: np.ndarray, a: np.ndarray, **options: object) -> np.ndarray:
    params = {p.name: float(p.name == "flag" or 2) for p in kit.units[unit].snippet.params}
    params |= options.pop("params", {})  # type: ignore[call-overload]
    (got,) = kit.run([Call(unit, {"m": m, "a": a}, params=params, **options)])  # type: ignore[arg-type]
    assert got is not None
    return got["y"]


@pytest.mark.parametrize("count", [1, 31, 128, 129, 300])
def test_bools_and_whole_numbers(kit: Kit, count: int) -> None:
    rng = np.random.default_rng(count)
    a = rng.normal(size=count).astype(np.float32)
    m = rng.integers(0, 3, count).astype(np.uint8)
    assert (run(kit, BOOLS, m, a) == np.where(m != 0, a, -a)).all()
    words = (rng.integers(-(2**31), 2**31, count) >> rng.integers(0, 31, count)).astype(np.int32)
    assert (run(kit, WORDS, words, a, shift=4) == np.where(words > 3, words.astype(np.float32) * a, a)).all()


def test_small_whole_numbers_saturate(kit: Kit) -> None:
    rng = np.random.default_rng(2)
    m, a = rng.integers(-128, 128, 777).astype(np.int8), (rng.normal(size=777) * 2).astype(np.float32)
    wanted = np.clip(np.trunc(m.astype(np.float32) * a), -128, 127)
    assert (run(kit, BYTES, m, a) == wanted).all()
    assert (run(kit, LIMITS, m.astype(np.float32), a) == np.clip(np.trunc(m.astype(np.float32) * a), 0, 255)).all()


def test_quantized_16_bits(kit: Kit) -> None:
    rng = np.random.default_rng(3)
    m, a = rng.integers(0, 65536, 500).astype(np.uint16), rng.integers(-32768, 32768, 500).astype(np.int16)
    scales = {"m": (1e-3, 20000), "a": (1e-4, -5), "y": (2e-3, 100)}
    got = run(kit, WIDE, m, a, scales=scales)
    real = (m.astype(float) - 20000) * np.float32(1e-3) * np.tanh((a.astype(float) + 5) * np.float32(1e-4))
    wanted = np.clip(np.rint(real / np.float32(2e-3)) + 100, -32768, 32767)
    assert np.abs(got - wanted).max() <= 1
    assert (got != wanted).mean() < 0.01


def test_zero_points_and_scales_that_are_refused(kit: Kit) -> None:
    m, a = np.zeros(64, np.uint16), np.zeros(64, np.int16)
    for name, given in (("m", (1e-3, 70000)), ("a", (0.0, 0)), ("y", (np.inf, 0)), ("m", (1e-3, -40000))):
        scales = {"m": (1e-3, 0), "a": (1e-3, 0), "y": (1e-3, 0)} | {name: given}
        assert kit.run([Call(WIDE, {"m": m, "a": a}, scales=scales)]) == [None]


def test_shared_bools_and_whole_numbers(kit: Kit) -> None:
    rng = np.random.default_rng(4)
    m, a = rng.normal(size=200).astype(np.float32), rng.normal(size=200).astype(np.float16)
    on = run(kit, FLAG, m, a, params={"flag": 1, "k": -3})
    off = run(kit, FLAG, m, a, params={"flag": 0, "k": -3})
    assert (on == (m * np.float32(-3)).astype(np.float16)).all()
    assert (off == (a.astype(np.float32) + m).astype(np.float16)).all()


def test_three_widths_in_one_step(kit: Kit) -> None:
    rng = np.random.default_rng(5)
    m, a = rng.integers(0, 256, 333).astype(np.uint8), rng.normal(size=333).astype(np.float16)
    got = run(kit, MIXED, m, a, scales={"m": (0.5, 17)})
    assert (got == (m.astype(np.float32) - 17) / 2 + a.astype(np.float32)).all()


@pytest.mark.parametrize(
    ("unit", "zeros", "low", "high"), [(STEPS8, (0, 255), 0, 255), (STEPS16, (-32768, 7, 32767), -32768, 32767)]
)
def test_quantized_edges(kit: Kit, unit: int, zeros: tuple[int, ...], low: int, high: int) -> None:
    """Halves go to the even step, the zero point of NaN, all else saturates."""
    steps = [
        0.5,
        1.5,
        2.5,
        -0.5,
        -1.5,
        254.5,
        255.5,
        65535.5,
        2.0**22,
        -(2.0**22),
        12582912.0,
        -12582912.0,
        -12582913.0,
        1e30,
    ]
    numbers = np.array([*steps, -1e30, -0.0, np.inf, -np.inf, np.nan], np.float32)
    for zero in zeros:
        got = run(kit, unit, numbers / 2, numbers / 2, scales={"y": (0.5, zero)})
        wanted = np.clip(
            np.rint(np.nan_to_num(numbers.astype(np.float64), nan=0, posinf=1e300, neginf=-1e300)) + zero, low, high
        )
        assert (got == wanted).all(), zero


WORDS_AT = (0, 1, -1, 2**31 - 1, -(2**31), 2**30, -(2**30) - 1, 2**24 + 1, -(2**24) - 3)


@pytest.mark.parametrize(("unit", "scale"), [(SUM, 7e4), (SUM, 0.5), (DIFFERENCE, 1.4e5), (DIFFERENCE, 1.0)])
def test_sums_of_words_have_all_of_their_bits(kit: Kit, unit: int, scale: float) -> None:
    """Whatever cancels, and with a bit more than words have."""
    rng = np.random.default_rng(6)
    m, a = [(rng.integers(-(2**31), 2**31, 3000) >> rng.integers(0, 31, 3000)).astype(np.int32) for _ in range(2)]
    m[:81], a[:81] = np.repeat(np.array(WORDS_AT, np.int32), 9), np.tile(np.array(WORDS_AT, np.int32), 9)
    a[100:1500] = -m[100:1500] + rng.integers(-100, 100, 1400).astype(np.int32)
    got = run(kit, unit, m, a, scales={"y": (scale, 3)})
    exact = m.astype(np.int64) + a if unit == SUM else m.astype(np.int64) - a
    real = np.maximum(exact, 0) * 0.5 if unit == SUM else exact.astype(np.float64)
    low, high = (0, 65535) if unit == SUM else (-32768, 32767)
    wanted = np.clip(np.rint(real / float(np.float32(scale))) + 3, low, high)
    assert np.abs(got - wanted).max() <= 1
    assert (got != wanted).mean() < 0.01


def test_words_with_another_sign_are_quantized(kit: Kit) -> None:
    m = np.array(WORDS_AT * 40, np.int32)
    got = run(kit, NEGATED, m, m, scales={"y": (7e4, 3)})
    wanted = np.clip(np.rint(-m.astype(np.float64) / float(np.float32(7e4))) + 3, -32768, 32767)
    assert np.abs(got - wanted).max() <= 1
    made = kit.units[NEGATED].lowered
    assert made is not None
    assert made.error == "0.5 ulp of single precision, then within 1 step of the correctly rounded result"


def test_stored_words(kit: Kit) -> None:
    rng = np.random.default_rng(7)
    m, a = [rng.integers(-(2**31), 2**31, 1000).astype(np.int32) for _ in range(2)]
    a[:500] >>= 12
    scales = {"m": (1e-6, 0), "a": (2e-6, 0), "y": (30.0, 120)}
    got = run(kit, STORED, m, a, scales=scales)
    real = m * float(np.float32(1e-6)) + a * float(np.float32(2e-6))
    wanted = np.clip(np.rint(real / 30.0) + 120, 0, 255)
    assert np.abs(got - wanted).max() <= 1
    # Where words cancel beyond a step, or have another zero point, it is for the portable code.
    assert kit.run([Call(STORED, {"m": m, "a": a}, scales=scales | {"y": (1e-4, 0)})]) == [None]
    assert kit.run([Call(STORED, {"m": m, "a": a}, scales=scales | {"m": (1e-6, 1)})]) == [None]


def test_results_in_quantized_words_have_too_many_bits() -> None:
    (snippet,) = snippets_of(SPEC.format(m="float32", a="float32", y="sfixed32", text="m * a"))
    assert "is sfixed32" in str(lower(snippet))


@pytest.mark.parametrize(
    ("y", "text"),
    [
        ("ufixed8", "(m + a) * (m // 2)"),  # divided
        ("ufixed8", "m * a * m"),  # may wrap
        ("float32", "(m + a) * 0.5"),  # exact for all that is known
        ("ufixed8", "m if m + a > 0 else a"),  # decided on
    ],
)
def test_sums_of_words_that_are_no_reals(y: str, text: str) -> None:
    (snippet,) = snippets_of(SPEC.format(m="int32", a="int32", y=y, text=text))
    assert isinstance(lower(snippet), str)


def test_what_may_cancel_of_words_is_bounded() -> None:
    (snippet,) = snippets_of(SPEC.format(m="int32", a="int32", y="ufixed8", text="m + a * 3"))
    made = lower(snippet)
    assert isinstance(made, Lowered)
    assert any("within_a_step" in line for line in made.prepare)


DEQUANTIZE = """\
  Op:
    types: {{T: [int8, uint8, int16, uint16], F: [float32, float16]}}
    inputs: {{x: {{dtype: T}}, s: {{dtype: float32, shape: x.shape}}, z: {{dtype: T, shape: x.shape}}}}
    params: {{zero: {{dtype: int32, default: 3}}}}
    outputs: {{y: {{dtype: F, shape: x.shape}}}}
    compute: y = {compute}
"""


@pytest.mark.parametrize("compute", ["(x - zero) * s", "(5 - x + z) * s", "cast(x, F) + 0 * (s + z)"])
def test_integers_less_their_zero_points(compute: str, tmp_path: Path) -> None:
    """Dequantized elements of all values at the ends of the types; int params too large for this are refused."""
    snippets = snippets_of(DEQUANTIZE.format(compute=compute))
    made = [lower(snippet) for snippet in snippets]
    kit = Kit(tmp_path, [Unit(s, m) for s, m in zip(snippets, made, strict=True) if isinstance(m, Lowered)])
    assert len(kit.units) == len(snippets)
    rng = np.random.default_rng(7)
    for length, zero in ((1, 3), (77, -(1 << 20)), (1000, 1 << 20), (64, 1 + (1 << 20))):
        for number, snippet in enumerate(snippets):
            dtype = NUMPY[snippet.operand("x").storage]
            low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
            x, z = (rng.choice([low, low + 1, -1, 0, 1, high], length).clip(low, high).astype(dtype) for _ in "xz")
            s = rng.standard_normal(length).astype(np.float32)
            given = {o.name: {"x": x, "s": s, "z": z}[o.name] for o in snippet.inputs}
            (got,) = kit.run([Call(number, given, params={p.name: zero for p in snippet.params})])
            if zero > 1 << 20 and snippet.params:
                assert got is None
                continue
            assert got is not None
            with np.errstate(over="ignore"):
                real = {name: a.astype(np.float64) for name, a in (("x", x), ("s", s), ("z", z))}
                told = compute.replace("cast(x, F)", "x")
                wanted = np.asarray(eval(told, {"zero": zero, **real}))
                wanted = wanted.astype(np.float32).astype(got["y"].dtype)
            assert np.array_equal(got["y"], wanted), snippet.function


def test_int_params_that_floats_are_compared_with(tmp_path: Path) -> None:
    """Those that single precision rounds are for the portable code: 16777220.0 is above 16777219."""
    (snippet,) = snippets_of(SPEC.format(m="float32", a="float32", y="float32", text="m if m > k else a"))
    made = lower(snippet)
    assert isinstance(made, Lowered)
    kit = Kit(tmp_path, [Unit(snippet, made)])
    m, a = np.linspace(16777000, 16777500, 100).astype(np.float32), np.zeros(100, np.float32)
    for k, taken in ((2, True), (16777218, True), (16777219, False), (-16777217, False)):
        (got,) = kit.run([Call(0, {"m": m, "a": a}, params={"k": k})])
        assert (got is not None) is taken
        if got is not None:
            assert (got["y"] == np.where(m.astype(np.float64) > k, m, 0)).all()
