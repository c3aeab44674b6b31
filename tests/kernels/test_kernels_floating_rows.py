"""Whole kernels of the float strategy on the host: every operation, element type, tail and the numbers qfloat lacks."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_floating_host import INCLUDE, tool
from kernels_kit import NUMPY, Call, Kit, Unit, snippets_of

from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.halves import suits
from opkg.kernels.strategies.floating.strategy import lower
from opkg.verify.meaning.bounds import Given, of_graph, stored

SPEC = """
  Op:
    types: {{T: [{types}]}}
    inputs:
      a: {{dtype: T, rank: 1..4}}
      b: {{dtype: T, shape: {shape}}}
    params:
      p: {{dtype: float32, default: 0.5}}
    outputs:
      y: {{dtype: {output}, shape: a.shape}}
    compute: y = {text}
"""
UNARY = ("abs", "exp", "sqrt", "rsqrt", "log", "tanh", "sigmoid", "erf", "floor", "round", "-", "ceil", "trunc", "sign")
SMALLEST = 2.0**-126


def lowered(text: str, types: str = "float32", output: str = "T", shape: str = "a.shape") -> tuple[Snippet, Lowered]:
    (snippet,) = snippets_of(SPEC.format(text=text, types=types, output=output, shape=shape))
    made = lower(snippet)
    assert isinstance(made, Lowered), made
    return snippet, made


def expression(rng: random.Random, depth: int) -> str:
    """A random expression of a, b, p and constants."""
    if depth == 0:
        return rng.choice(["a", "b", "a", "b", "p", "0.5", "3.0"])
    kind = rng.random()
    left = expression(rng, depth - 1)
    if kind < 0.35:
        name = rng.choice(UNARY)
        return f"{name}({left})"
    right = expression(rng, rng.randrange(depth))
    if kind < 0.8:
        return f"({left} {rng.choice('+-*/+*')} {right})"
    if kind < 0.9:
        return f"{rng.choice(['min', 'max'])}({left}, {right})"
    return f"({left} if a {rng.choice(['<', '>', '<=', '>='])} b else {right})"


def expressions(count: int) -> list[str]:
    """Distinct ones that use an input each."""
    rng, found = random.Random(5), []
    while len(found) < count:
        text = expression(rng, 3)
        if "a" in text.replace("max", "").replace("tanh", "") and text not in found:
            found.append(text)
    return found


FIXED = (
    "a * b + p", "a * b - tanh(b)", "abs(a) ** b", "a / p", "0.5 * a * (1.0 + erf(a / 1.4142135))",
    "a * clip(b + 3.0, 0.0, 6.0) / 6.0", "a * tanh(log(1.0 + exp(b)))", "sqrt(a * a + b * b)",
    "rsqrt(abs(a) + 0.001) * b", "exp(-a * a) / (1.0 + exp(b))", "floor(a * 4.0) / 4.0 + round(b) + ceil(p * a)",
    "log(abs(a) + 0.25) if a < b else trunc(a)", "max(a, 0.0) + p * min(b, 0.0)", "sigmoid(a) - sign(b) * abs(p)",
)  # fmt: skip
TEXTS = [*FIXED, *expressions(5)]


@pytest.fixture(scope="module")
def units() -> list[tuple[Snippet, Lowered]]:
    found = [lowered(text) for text in TEXTS]
    found.append(lowered("tanh(a) * b + p", "float16"))
    found.append(lowered("a * p + b", "float32", shape="[1]"))
    found.append(lowered("(a > b or a == p) and not (b == a)", "float32", "bool8"))
    found.append(lowered("sigmoid(a) * b", "ufixed8"))
    found.append(lowered("cast(a * b, int32)", "float32", "int32"))
    found.append(lowered("cast(a, float32) * p", "float16", "float32"))
    found.append(lowered("-max(a, b) * p if a > 0.0 else b", "float16"))
    return found


HALF, BROADCAST, BOOL, FIXED8, INT, WIDER = range(len(TEXTS), len(TEXTS) + 6)


@pytest.fixture(scope="module")
def kit(units: list[tuple[Snippet, Lowered]], tmp_path_factory: pytest.TempPathFactory) -> Kit:
    return Kit(tmp_path_factory.mktemp("floating"), [Unit(snippet, made) for snippet, made in units])


def within(kit: Kit, call: Call, got: np.ndarray) -> float:
    """Share of the elements of which the bound says nothing; all others are checked against it."""
    snippet = kit.units[call.unit].snippet
    values = {name: np.asarray(array, np.float64) for name, array in call.inputs.items()}
    values |= {"p": np.float64(np.float32(call.params["p"]))} if "p" in call.params else {}
    bound = stored(of_graph(snippet.graph, Given(values, halves=suits(snippet)))["y"], snippet.operand("y").dtype)
    good = bound.holds(got.astype(np.float64))
    wrong = np.argmin(good)
    ends = [np.broadcast_to(end, got.shape)[wrong] for end in (bound.low, bound.high)]
    assert good.all(), f"{TEXTS[call.unit : call.unit + 1]}: {got[wrong]} is not in {ends}"
    return float(bound.is_unknown.mean())


def numbers(rng: np.random.Generator, count: int, dtype: type = np.float32) -> np.ndarray:
    return rng.choice([rng.normal(size=count), rng.uniform(-8, 8, count), rng.uniform(0, 1, count)]).astype(dtype)


def params(kit: Kit, unit: int, p: float) -> dict[str, float]:
    return {"p": p} if kit.units[unit].snippet.params else {}


def inputs(kit: Kit, unit: int, rng: np.random.Generator, count: int) -> dict[str, np.ndarray]:
    snippet = kit.units[unit].snippet
    return {o.name: numbers(rng, count, NUMPY[o.storage]) for o in snippet.inputs}


def test_kernels_are_within_the_errors_of_their_parts(kit: Kit) -> None:
    rng = np.random.default_rng(3)
    calls = [
        Call(unit, inputs(kit, unit, rng, count), params=params(kit, unit, 0.37), shift=shift)
        for unit in (*range(len(TEXTS)), HALF)
        for count, shift in ((1, 0), (31, 4), (32, 0), (33, 8), (500, 0), (1000, 124))
    ]
    for call, got in zip(calls, kit.run(calls), strict=True):
        assert got is not None, TEXTS[call.unit : call.unit + 1]
        assert within(kit, call, got["y"]) == 0  # the bound says something about every element


@given(st.integers(0, len(TEXTS) - 1), st.integers(0, 2**32 - 1), st.integers(1, 200), st.floats(-3, 3, width=32))
@settings(max_examples=200, deadline=None)
def test_random_rows(kit: Kit, unit: int, seed: int, count: int, p: float) -> None:
    rng = np.random.default_rng(seed)
    scale = np.float32(2.0 ** rng.choice([rng.integers(-30, 30), rng.integers(-120, 124)]))
    call = Call(unit, {k: v * scale for k, v in inputs(kit, unit, rng, count).items()}, params=params(kit, unit, p))
    (got,) = kit.run([call])
    if got is not None:
        within(kit, call, got["y"])


def test_whole_numbers_of_more_than_24_bits_are_rounded(kit: Kit) -> None:
    unit = next(i for i, text in enumerate(TEXTS) if "ceil(p * a)" in text)  # 1.5 * a is 24503218.5
    data = {"a": np.full(40, 16335479, np.float32), "b": np.full(40, -34001420, np.float32)}
    (got,) = kit.run([call := Call(unit, data, params={"p": 1.5})])
    assert got is not None
    assert within(kit, call, got["y"]) == 0
    assert (got["y"] == 6837280).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38, -3.4e38, 1e-40])
@pytest.mark.parametrize("unit", range(len(FIXED)), ids=FIXED)
def test_special_numbers_are_computed_like_all_others(kit: Kit, unit: int, bad: float) -> None:
    """By single precision as numpy has it; what lies beside them is not touched."""
    rng = np.random.default_rng(4)
    for place in (0, 31, 32, 99):
        data = inputs(kit, unit, rng, 100)
        for name in data:
            data[name][place] = bad
        (got,) = kit.run([Call(unit, data, params=params(kit, unit, 0.5))])
        assert got is not None
        within(kit, Call(unit, data, params=params(kit, unit, 0.5)), got["y"])


def test_halves_take_special_numbers(kit: Kit) -> None:
    other = np.full(70, 300, np.float16)
    for value in (np.inf, -np.inf, np.nan, 300.0, -65504.0):
        for p in (1.0, 65400.0):
            (got,) = kit.run([Call(HALF, {"a": np.full(70, value, np.float16), "b": other}, params={"p": p})])
            assert got is not None
            with np.errstate(over="ignore"):
                wanted = np.float16(np.tanh(np.float64(value)) * 300 + p)
            assert (got["y"] == wanted).all() or np.isnan(wanted) == np.isnan(got["y"]).all()


def test_params_are_any_number(kit: Kit) -> None:
    data = {"a": np.ones(40, np.float32), "b": np.ones(40, np.float32)}
    for p in (np.inf, np.nan, -1.5e38, 1.0):
        (got,) = kit.run([Call(0, data, params={"p": p})])
        assert got is not None
        assert (got["y"] == np.float32(1 + p)).all() or (np.isnan(p) and np.isnan(got["y"]).all())
    divisor = FIXED.index("a / p")  # whose inverse single precision does not hold: for the portable code
    calls = [Call(divisor, {"a": data["a"]}, params={"p": p}) for p in (0.0, 1e-38, np.inf, 3e38, 2.0)]
    assert [got is None for got in kit.run(calls)] == [True, True, True, True, False]


def test_one_number_for_a_row(kit: Kit) -> None:
    rng = np.random.default_rng(6)
    a = numbers(rng, 333)
    call = Call(BROADCAST, {"a": a, "b": np.full(32, 1.25, np.float32)}, params={"p": 0.5}, fixed=frozenset("b"))
    (got,) = kit.run([call])
    assert got is not None
    assert (got["y"] == a * np.float32(0.5) + np.float32(1.25)).all()


def test_bools(kit: Kit) -> None:
    rng = np.random.default_rng(7)
    a, b = (rng.integers(-3, 3, 1000).astype(np.float32) for _ in range(2))
    (got,) = kit.run([Call(BOOL, {"a": a, "b": b}, params={"p": 1.0}, shift=12)])
    assert got is not None
    assert (got["y"] == (((a > b) | (a == 1)) & (b != a))).all()


def test_quantized_elements(kit: Kit) -> None:
    rng = np.random.default_rng(8)
    for scale in (1e-4, 0.02, 3.0):
        scales = {"a": (0.05, 100), "b": (scale, 7), "y": (scale / 2, 128)}
        a, b = (rng.integers(0, 256, 1500).astype(np.uint8) for _ in range(2))
        (got,) = kit.run([Call(FIXED8, {"a": a, "b": b}, scales=scales)])
        real_a, real_b = (np.float32(scales[n][0]) * (x.astype(float) - scales[n][1]) for n, x in (("a", a), ("b", b)))
        wanted = np.clip(np.rint(real_b / (1 + np.exp(-real_a)) / np.float32(scale / 2)) + 128, 0, 255)
        assert got is not None
        assert np.abs(got["y"] - wanted).max() <= 1
        assert (got["y"] != wanted).mean() < 0.001


def test_casts(kit: Kit) -> None:
    rng = np.random.default_rng(9)
    a, b = (rng.normal(size=300).astype(np.float32) * 1e4 for _ in range(2))
    a[:3], b[:3] = [1e6, -1e6, 5e7], [1e6, 1e6, 1e6]
    half = rng.normal(size=300).astype(np.float16)
    got, wide = kit.run([Call(INT, {"a": a, "b": b}), Call(WIDER, {"a": half}, params={"p": 3.0})])
    assert got is not None
    assert wide is not None
    assert (got["y"] == np.clip(np.trunc((a * b).astype(float)), -(2**31), 2**31 - 1)).all()
    assert (wide["y"] == half.astype(np.float32) * np.float32(3)).all()


def test_what_it_cannot_do_is_said() -> None:
    for text, types, output, why in [
        ("a + b * sum(a, axis=-1, keepdims=True)", "float32", "T", "reduces"),
        ("exp(a) // b", "float32", "T", "floor_div"),
        ("a + b", "int32", "T", "no real numbers"),
        ("cast(a + b, int64)", "float32", "int64", "int64"),
    ]:
        spec = SPEC.format(text=text, types=types, output=output, shape="a.shape")
        (snippet,) = snippets_of(spec)
        found = lower(snippet)
        assert isinstance(found, str)
        assert why in found


def test_what_is_promised() -> None:
    _, made = lowered("tanh(a) * b + p")
    assert made.error == (
        "each part within 1.5 ulp of single precision, results less exact where rounded numbers cancel"
    )
    assert (made.arch, made.step, made.float_unit) == (68, 32, True)
    calls = [inst.op for inst in made.body if inst.op.startswith("opkg::hvx::")]
    assert calls == ["opkg::hvx::tanh_sf", "opkg::hvx::mul_add_sf"]
    _, half = lowered("a * b * b", "float16")
    assert half.error == "1.5 ulp of single precision (normal numbers on the way), then rounded to half precision"
    assert half.step == 64


def test_quotients_are_exact_where_a_step_hangs_on_them() -> None:
    calls = {
        text: [inst.op.removeprefix("opkg::hvx::") for inst in lowered(text)[1].body]
        for text in (
            "a / b",
            "floor(a / b)",
            "a / 3.0",
            "round(a / 3.0)",
            "round(a / 4.0)",
            "a / b if a > b else b / a",
        )
    }
    assert "quotient_sf" in calls["a / b"]
    assert "floor_quotient" in calls["floor(a / b)"]
    assert "mul_sf" in calls["a / 3.0"]
    assert "round_steps" in calls["round(a / 3.0)"]
    assert "product_parts" in calls["round(a / 4.0)"]
    assert calls["a / b if a > b else b / a"].count("quotient_sf") == 2


@pytest.mark.hexagon
def test_clang_compiles_the_kernels(kit: Kit, tmp_path: Path) -> None:
    clang = tool("clang-19")
    target = ["--target=hexagon-unknown-none-elf", "-mcpu=hexagonv68", "-mhvx", "-mhvx-length=128B", "-ffreestanding"]
    flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fno-exceptions", "-fno-rtti"]
    include = ["-isystem", str(INCLUDE.parent / "freestanding"), f"-I{kit.folder / 'include'}"]
    assembly = str(tmp_path / "kit.s")
    source = str(kit.folder / "kit.cpp")
    for command in (
        [clang, *target, *flags, *include, "-S", source, "-o", assembly],
        [clang, *target, "-mhvx-ieee-fp", "-c", assembly, "-o", str(tmp_path / "kit.o")],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
        assert done.returncode == 0, done.stderr[:3000]
    assert Path(assembly).read_text().count(".qf32 = vmpy(") > 100
