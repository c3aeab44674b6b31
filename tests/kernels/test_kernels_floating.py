"""Functions of hvx_float.h on the host's models against float64, and what clang makes of them for Hexagon."""

from __future__ import annotations

import importlib.util
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_floating_host import INCLUDE, ONE, ROOT, TEMPLATES, TWO, Host, folder_with_header, tool
from kernels_floating_samples import EDGES, REFERENCE, SMALLEST, spread, ulps

from opkg.kernels.strategies.floating.ops import LOWERING

HEADER = (TEMPLATES / "hvx_float.h").read_text("utf-8")
FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=False)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    return Host(tmp_path_factory.mktemp("floats"))


def samples(name: str) -> np.ndarray:
    """Dense where the function does something, spread over all exponents, and edges."""
    rng = np.random.default_rng(sum(name.encode()))
    dense = {
        "exp": (-87.3, 88.0), "sigmoid": (-87.0, 40.0), "tanh": (-10.0, 10.0), "erf": (-4.5, 4.5), "log": (0.3, 3.0),
        "sqrt": (1.0, 4.0), "rsqrt": (1.0, 4.0),
    }.get(name, (-70.0, 70.0))  # fmt: skip
    x = np.concatenate([rng.uniform(*dense, 60000).astype(np.float32), spread(rng, 60000), EDGES, -EDGES])
    if name in ("sqrt", "rsqrt", "log"):
        x = np.abs(x)
        return x[x > 0] if name != "sqrt" else x
    return x[(x > -87.3) & (x < 88)] if name in ("exp", "sigmoid") else x


def stated(name: str) -> float:
    """The error that the header states for a function of one operand."""
    found = re.search(rf"///[^\n]*?([\d.]+) ulp[^\n]*\n(?:OPKG[^\n]*\n)*OPKG_\w+ HVX_Vector {name}_sf\(", HEADER)
    return float(found[1]) if found else 0.5 if f" {name}_sf(" in HEADER else math.nan


@pytest.mark.parametrize("name", ONE)
def test_functions_are_as_exact_as_the_header_says(host: Host, name: str) -> None:
    x = samples(name)
    wanted = REFERENCE[name](x.astype(np.float64))
    worst = float(ulps(host.call(name, x), wanted).max())
    limit = LOWERING[name].ulp
    assert worst <= limit
    assert limit == (stated(name) if limit > 0.5 else limit)
    assert limit <= 1.6 * worst + 0.01  # the statement is not idle


@pytest.mark.parametrize("name", [n for n in TWO if n not in ("pow", "quotient")])
def test_arithmetic_is_rounded_once(host: Host, name: str) -> None:
    rng = np.random.default_rng(7)
    a, b = spread(rng, 60000, -60, 60), spread(rng, 60000, -60, 60)
    b[:9000] = a[:9000] * rng.choice([1, 1.0000001, 3, 7, 0.1], 9000).astype(np.float32)
    assert (host.call(name, a, b) == REFERENCE[name](a, b)).all()


@given(st.lists(st.tuples(FLOATS, FLOATS), min_size=1, max_size=40))
@settings(max_examples=150, deadline=None)
def test_quotients_of_all_numbers(host: Host, pairs: list[tuple[float, float]]) -> None:
    a, b = np.array(pairs, np.float32).T.copy()
    got = host.call("div", a, b)
    with np.errstate(all="ignore"):
        wanted = a / b
    usual = (b != 0) & (np.abs(wanted) >= np.float32(SMALLEST)) & np.isfinite(wanted)
    assert (got[usual] == wanted[usual]).all()
    assert (np.abs(got[(b != 0) & ~usual & np.isfinite(wanted)]) <= SMALLEST).all()
    assert np.isinf(got[(b == 0) | np.isinf(wanted)]).all()


def test_fast_quotients(host: Host) -> None:
    rng = np.random.default_rng(11)
    a, b = spread(rng, 200000), spread(rng, 200000)
    with np.errstate(all="ignore"):
        wanted = a.astype(np.float64) / b
    inside = (np.abs(wanted) > SMALLEST) & (np.abs(wanted) < 2.0**127)
    worst = float(ulps(host.call("quotient", a[inside], b[inside]), wanted[inside]).max())
    assert 1 < worst <= LOWERING["quotient"].ulp
    odd = np.array(
        [[0, 3], [-0.0, -3], [1e-40, 1], [1, 0], [-1, 1e-40], [0, 0], [1e30, 1e-30], [1e-30, 1e30]], np.float32
    )
    got = host.call("quotient", *odd.T.copy())
    assert got.tolist() == [0, 0, math.inf, math.inf, math.inf, math.inf, math.inf, 0]


def test_roots_are_rounded_once(host: Host) -> None:
    rng = np.random.default_rng(8)
    x = np.concatenate([np.abs(spread(rng, 200000)), np.arange(1, 4097, dtype=np.float32) ** 2, EDGES])
    assert (host.call("sqrt", x) == np.sqrt(x)).all()


def test_rounding_halves_and_large_numbers(host: Host) -> None:
    x = np.concatenate([np.arange(-4100, 4100) / 4, [-0.0, 8388607.5, -8388607.5, 16777215.0, 1e30]]).astype(np.float32)
    for name in ("trunc", "floor", "ceil", "round"):
        got, wanted = host.call(name, x), REFERENCE[name](x)
        assert (got == wanted).all()
        assert (np.signbit(got) == np.signbit(wanted)).all() or name == "ceil"


@given(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=64))
def test_integers_to_floats(host: Host, words: list[int]) -> None:
    x = np.array(words, np.int32)
    assert (host.call("sf_from_int", x) == x.astype(np.float32)).all()


@given(st.lists(FLOATS, min_size=1, max_size=64))
def test_floats_to_integers(host: Host, numbers: list[float]) -> None:
    x = np.array(numbers, np.float32)
    wanted = np.clip(np.trunc(x.astype(np.float64)), -(2.0**31), 2.0**31 - 1).astype(np.int32)
    assert (host.call("int_from_sf", x, result=np.int32) == wanted).all()


def test_halves_widen_exactly_and_are_rounded_to_nearest(host: Host) -> None:
    every = np.arange(65536, dtype=np.uint16)
    every = every[(every & 0x7C00) != 0x7C00]
    wanted = every.view(np.float16).astype(np.float32)
    words = every.view(np.uint32)
    assert (host.call("even", words) == wanted[0::2]).all()
    assert (host.call("odd", words) == wanted[1::2]).all()
    rng = np.random.default_rng(9)
    even, odd = spread(rng, 50000, -14, 15.9), spread(rng, 50000, -14, 15.9)
    got = host.call("halves", odd, even, result=np.uint32).view(np.float16)
    assert (got[0::2] == even.astype(np.float16)).all()
    assert (got[1::2] == odd.astype(np.float16)).all()


@pytest.mark.parametrize(("bound", "slope"), [(1, 1.5), (3, 1), (8, 1), (50, 1)])
def test_powers(host: Host, bound: float, slope: float) -> None:
    rng = np.random.default_rng(10)
    x = np.abs(spread(rng, 60000, -20, 20))
    y = rng.uniform(-bound, bound, 60000).astype(np.float32)
    wanted = np.power(x.astype(np.float64), y.astype(np.float64))
    inside = (wanted > SMALLEST) & (wanted < 2.0**127)
    assert (ulps(host.call("pow", x, y), wanted) <= 1 + slope * np.abs(y))[inside].all()


def test_powers_of_zero_and_of_negative_numbers(host: Host) -> None:
    x = np.array([-2, -2, -2, -3, 0, 0, -0.0, 5, -8, 0, -1, -1, 2, 2, 1e-30], np.float32)
    y = np.array([2, 3, -1, 0, 2, 0, 0.5, 0, 1 / 3, -1, 2**24, 2**24 + 2, 200, -200, -2], np.float32)
    got = host.call("pow", x, y)
    redone = host.call("large", got, result=np.uint32) != 0
    with np.errstate(all="ignore"):
        wanted = np.power(x.astype(np.float64), y.astype(np.float64))
    undefined = ~np.isfinite(wanted) | (np.abs(wanted) >= 2.0**127)
    assert redone.tolist() == undefined.tolist()
    assert (ulps(got[~undefined], wanted[~undefined]) <= 4).all()


def test_comparisons_and_their_ties(host: Host) -> None:
    x = np.array([0.0, -0.0, 1.0, -1.0, 1.0000001, 1e-38, 3e38, -3e38], np.float32)
    a, b = np.repeat(x, len(x)), np.tile(x, len(x))
    for name, wanted in (("gt", a > b), ("ge", a >= b), ("eq", a == b)):
        assert (host.call(name, a, b, result=np.uint32).astype(bool) == wanted).all()


@pytest.mark.parametrize(
    ("name", "x"),
    [
        ("exp", [89.0, 1e30, 88.8]), ("log", [0.0, -1.0, -0.0, 1e-40]), ("sqrt", [-1.0, -1e-30, 1e-40]),
        ("rsqrt", [0.0, -0.0, -2.0, 1e-40]), ("abs", [math.inf, -math.inf, math.nan, 2.0**127, -(2.0**127)]),
    ],
)  # fmt: skip
def test_what_qfloat_cannot_hold_is_seen(host: Host, name: str, x: list[float]) -> None:
    got = host.call(name, np.array(x, np.float32))
    assert (host.call("large", got, result=np.uint32) == 1).all()


def test_what_qfloat_can_hold_is_not_seen(host: Host) -> None:
    x = np.array([0, -0.0, 1, -1, 1e-38, 1.7e38, -1.7e38], np.float32)
    assert (host.call("large", x, result=np.uint32) == 0).all()
    for name in ("exp", "sigmoid", "tanh", "erf"):
        low = host.call(name, np.array([-1e30, -200.0, -104.0, -87.5], np.float32))
        assert (host.call("large", low, result=np.uint32) == 0).all()


def test_the_limits_of_halves(host: Host) -> None:
    floats = np.array([65504, -65504, 65505, -65505, 65520, 1e38, math.inf, math.nan, 0], np.float32)
    assert host.call("large_for_hf", floats, result=np.uint32).tolist() == [0, 0, 1, 1, 1, 1, 1, 1, 0]
    halves = np.array([65504, -65504, math.inf, -math.inf, math.nan, 1, 0, 6e-8], np.float16)
    seen = host.call("large_hf", halves.view(np.uint32), result=np.uint32).view(np.uint16)
    assert seen.tolist() == [0, 0, 1, 1, 1, 0, 0, 0]


def test_the_polynomials_are_as_exact_as_their_fit() -> None:
    spec = importlib.util.spec_from_file_location("fit_hvx_float", ROOT / "scripts" / "fit_hvx_float.py")
    assert spec is not None
    assert spec.loader is not None
    fits = importlib.util.module_from_spec(spec)
    sys.modules["fit_hvx_float"] = fits
    spec.loader.exec_module(fits)
    for fit in fits.FITS:
        found = re.search(rf"{fit.name}\[\] = {{(.*?)}}", HEADER, re.DOTALL)
        assert found is not None, fit.name
        numbers = [float(np.float32(text.strip().rstrip("f"))) for text in found[1].split(",")]
        x = np.linspace(fit.low, fit.high, 4001)[1:-1]
        error = (np.polyval(numbers[::-1], fit.argument(x)) - fit.target(x)) * fit.weight(x)
        assert np.abs(error).max() <= 1.05 * fits.solve(fit)[1] + 1e-12, fit.name


HEXAGON = ["--target=hexagon-unknown-none-elf", "-mhvx", "-mhvx-length=128B", "-ffreestanding", "-G0"]


@pytest.mark.hexagon
@pytest.mark.parametrize("architecture", [68, 73])
def test_clang_compiles_without_ieee_instructions(architecture: int, tmp_path: Path) -> None:
    clang = tool("clang-19")
    names = [f"{n}_sf(a)" for n in ONE] + [f"{n}_sf(a, b)" for n in TWO]
    functions = [
        f'extern "C" HVX_Vector f{i}(HVX_Vector a, HVX_Vector b) {{ (void)b; return {n}; }}'
        for i, n in enumerate(names)
    ]
    text = '#include "opkg/hvx_float.h"\nusing namespace opkg::hvx;\n' + "\n".join(functions)
    text += '\nextern "C" HVX_Vector halves(HVX_Vector a) { const HVX_VectorPair w = sf_from_hf(a);'
    text += " return hf_from_sf(Q6_V_hi_W(w), Q6_V_lo_W(w)); }\n"
    (folder_with_header(tmp_path) / "floats.cpp").write_text(text)
    target = [*HEXAGON, f"-mcpu=hexagonv{architecture}"]
    flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-fno-exceptions", "-fno-rtti"]
    include = ["-isystem", str(INCLUDE.parent / "freestanding"), f"-I{tmp_path}"]
    assembly = tmp_path / "floats.s"
    compiled = [clang, *target, *flags, *include, "-S", str(tmp_path / "floats.cpp"), "-o", str(assembly)]
    _run(compiled)
    written = assembly.read_text()
    assert ".qf32 = vmpy(" in written
    assert "call " not in written  # constants are made without memcpy, polynomials without loops
    assert "loop0" not in written
    # The assembler knows IEEE instructions with -mhvx-ieee-fp only: it proves that there are none.
    _run([clang, *target, "-c", str(assembly), "-o", str(tmp_path / "floats.o")])
    assembly.write_text(written + "\n{\n v0.sf = vadd(v0.sf,v1.sf)\n}\n")
    with pytest.raises(AssertionError, match="invalid instruction"):
        _run([clang, *target, "-c", str(assembly), "-o", str(tmp_path / "floats.o")])


def test_the_header_is_empty_without_float_instructions(tmp_path: Path) -> None:
    folder = folder_with_header(tmp_path)
    text = '#define OPKG_HVX_FLOAT 0\n#include "opkg/hvx_float.h"\nnamespace opkg::hvx { int exp_sf; }\n'
    (folder / "none.cpp").write_text(text)
    _run(
        [tool("g++"), "-std=c++17", "-fsyntax-only", "-Werror", f"-I{folder}", f"-I{INCLUDE}", str(folder / "none.cpp")]
    )


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[:3000]
