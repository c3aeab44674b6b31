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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kernels_fixed import spec_of
from kernels_floating_host import (
    COMPARE,
    HALVES,
    INCLUDE,
    MODELS,
    ONE,
    ROOT,
    TWO,
    WORDS,
    Host,
    folder_with_header,
    tool,
)
from kernels_floating_samples import EDGES, REFERENCE, SMALLEST, pairs, patterns, samples, spread, ulps
from kernels_headers import TEMPLATES
from kernels_kit import snippets_of

from opkg.kernels.lowered import Lowered
from opkg.kernels.strategies.floating.ops import LOWERING
from opkg.kernels.strategies.floating.strategy import lower

HEADER = "".join([(TEMPLATES / name).read_text("utf-8") for name in ("hvx_math.h", "hvx_pow.h", "hvx_angles.h")])
FLOATS = st.floats(width=32)
MATH = ("sqrt", "rsqrt", "exp", "log", "sigmoid", "tanh", "erf", "log1p", "sin", "cos", "atan")
WHOLE = ("sign", "abs", "neg", "trunc", "floor", "ceil", "round")


@pytest.fixture(scope="module", params=[pytest.param(WORDS, marks=pytest.mark.sweep), *MODELS], ids="v{}".format)
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Host:
    return Host(tmp_path_factory.mktemp("floats"), request.param)


def stated(name: str) -> float:
    """The error that the header states for a function; what is rounded to nearest is off by half a unit."""
    found = re.search(rf"///([^\n]*\n)(?:///[^\n]*\n)*OPKG_\w+ HVX_Vector {name}_sf\(", HEADER)
    assert found is not None, name
    number = re.search(r"([\d.]+) ulp", found[0])
    return float(number[1]) if number else 0.5 if "rounded to nearest" in found[0] else math.nan


@pytest.mark.parametrize("name", MATH)
def test_functions_are_as_exact_as_the_header_says(host: Host, name: str) -> None:
    x = samples(name, np.random.default_rng(sum(name.encode())), 60000)
    with np.errstate(all="ignore"):
        wanted = REFERENCE[name](x.astype(np.float64))
    off = ulps(host.call(name, x), wanted)
    worst, limit = float(off.max()), LOWERING[name].ulp
    assert worst <= limit, x[off.argmax()]
    assert limit == stated(name)
    assert limit <= 1.6 * worst + 0.01 or host.model != 68  # the statement is not idle


WORST = {  # of all numbers around, not only of samples
    "sqrt": (3.0213969,), "log1p": (0.39658633,), "sigmoid": (-2.7091918,), "erf": (0.97464174,), "log": (0.69935977,),
    "pow": (1.1890239715576172, 512.2509765625),
}  # fmt: skip


@pytest.mark.parametrize("name", WORST)
def test_functions_where_they_are_least_exact(host: Host, name: str) -> None:
    numbers = [np.full(32, number, np.float32) for number in WORST[name]]
    wanted = REFERENCE[name](*[number.astype(np.float64) for number in numbers])
    assert (ulps(host.call(name, *numbers), wanted) <= LOWERING[name].ulp).all()


@pytest.mark.parametrize("name", ["sin", "atan"])
def test_a_kernel_says_what_is_computed_one_by_one(name: str) -> None:
    lowered = lower(snippets_of(spec_of(f"y = {name}(x)", "x:f32", "y:f32"))[0])
    assert isinstance(lowered, Lowered), lowered
    assert ("beyond 1600 one by one" in lowered.title) == (name == "sin")


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_waves_near_their_zeros(host: Host, name: str) -> None:
    """The floats around multiples of pi / 2, before and behind where lanes are computed one by one: all their digits cancel."""
    quarters = (np.arange(-1100, 1101) * (np.pi / 2)).astype(np.float32).view(np.int32)
    x = np.concatenate([(quarters + off).view(np.float32) for off in range(-20, 21)])
    x = x[np.isfinite(x)]
    wanted = REFERENCE[name](x.astype(np.float64))
    assert np.abs(wanted).min() < 1e-7
    assert ulps(host.call(name, x), wanted).max() <= LOWERING[name].ulp


@pytest.mark.parametrize("name", ["quotient", "pow"])
def test_functions_of_two(host: Host, name: str) -> None:
    a, b = pairs(name, np.random.default_rng(11), 100000)
    with np.errstate(all="ignore"):
        wanted = REFERENCE[name](a.astype(np.float64), b.astype(np.float64))
    off = ulps(host.call(name, a, b), wanted)
    worst, limit = float(off.max()), LOWERING[name].ulp
    assert worst <= limit, (a[off.argmax()], b[off.argmax()])
    assert limit == stated(name)
    assert limit <= 2.5 * worst or host.model > 68  # the worst operands are rare


def same(got: np.ndarray, wanted: np.ndarray) -> bool:
    """Equal numbers, zeros by their value; NaN where NaN is wanted."""
    return bool(((got == wanted) | (np.isnan(got) & np.isnan(wanted))).all())


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "min", "max"])
def test_arithmetic_is_rounded_once(host: Host, name: str) -> None:
    a, b = pairs(name, np.random.default_rng(7), 60000)
    got = host.call(name, a, b)
    with np.errstate(all="ignore"):
        wanted = REFERENCE[name](a, b)
    usual = ~(np.abs(wanted) < SMALLEST) | (name != "div")
    assert same(got[usual], wanted[usual])
    assert (ulps(got[~usual], wanted[~usual].astype(np.float64)) <= 1).all()  # rounded twice


@given(st.lists(st.tuples(FLOATS, FLOATS), min_size=1, max_size=40))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_quotients_of_all_numbers(host: Host, numbers: list[tuple[float, float]]) -> None:
    a, b = np.array(numbers, np.float32).T.copy()
    with np.errstate(all="ignore"):
        wanted = a.astype(np.float64) / b.astype(np.float64)
    assert (ulps(host.call("div", a, b), wanted) <= 1).all()
    assert (ulps(host.call("quotient", a, b), wanted) <= LOWERING["quotient"].ulp).all()


def test_roots_of_squares_are_whole(host: Host) -> None:
    x = np.arange(1, 4097, dtype=np.float32)
    assert (host.call("sqrt", x * x) == x).all()
    with np.errstate(all="ignore"):
        assert same(host.call("sqrt", EDGES), np.sqrt(EDGES))


def test_roots_between_two_numbers(host: Host) -> None:
    """All numbers of an eighth of an octave: few roots are so close to the middle of two floats that the other one is taken."""
    x = np.arange(0x3FA00000, 0x3FA00000 + (1 << 20), dtype=np.uint32).view(np.float32)
    found, wanted = host.call("sqrt", x), np.sqrt(x)
    apart = found != wanted
    assert 0 < apart.sum() < len(x) / 50000
    assert (ulps(found[apart], np.sqrt(x[apart].astype(np.float64))) <= LOWERING["sqrt"].ulp).all()


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers(host: Host, name: str) -> None:
    quarters = (np.arange(-4100, 4100) / 4).astype(np.float32)
    x = np.concatenate([quarters, EDGES, patterns(np.random.default_rng(9), 20000)])
    with np.errstate(all="ignore"):
        got, wanted = host.call(name, x), REFERENCE[name](x)
    assert same(got, wanted)
    if name not in ("ceil", "sign"):
        number = ~np.isnan(x)
        assert (np.signbit(got) == np.signbit(wanted))[number].all()


@given(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=64))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_integers_to_floats(host: Host, words: list[int]) -> None:
    x = np.array(words, np.int32)
    assert (host.call("sf_from_int", x) == x.astype(np.float32)).all()
    stored, zero = x >> 15, (x << 7) >> 15  # 17 bits with the sign
    assert (host.call("sf_from_stored", stored, zero) == (stored - zero).astype(np.float32)).all()


@given(st.lists(FLOATS, min_size=1, max_size=64))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_floats_to_integers(host: Host, numbers: list[float]) -> None:
    x = np.array(numbers, np.float32)
    real = np.nan_to_num(x.astype(np.float64), nan=0.0, posinf=1e300, neginf=-1e300)
    wanted = np.clip(np.trunc(real), -(2.0**31), 2.0**31 - 1).astype(np.int32)
    assert (host.call("int_from_sf", x, result=np.int32) == wanted).all()
    for zero in (-32768, 0, 200, 65535):
        stored = host.call("stored_from_sf", x, np.full_like(x, zero, np.int32), result=np.int32).astype(np.int64)
        near = np.abs(real) < 2.0**22
        assert (stored[near] == np.rint(real[near]).astype(np.int64) + zero).all()
        assert (stored[~near] * np.sign(real[~near]) >= 2**21).all()


def test_halves_widen_exactly_and_are_rounded_to_nearest(host: Host) -> None:
    every = np.arange(65536, dtype=np.uint16)
    wanted = every.view(np.float16).astype(np.float32)
    words = every.view(np.uint32)
    assert same(host.call("even", words), wanted[0::2])
    assert same(host.call("odd", words), wanted[1::2])
    rng = np.random.default_rng(9)
    even, odd = (np.concatenate([spread(rng, 50000, -26, 17), EDGES]) for _ in range(2))
    got = host.call("halves", odd, even, result=np.uint32).view(np.float16)
    with np.errstate(all="ignore"):
        assert same(got[0::2], even.astype(np.float16))
        assert same(got[1::2], odd.astype(np.float16))


@pytest.mark.parametrize("name", HALVES)
def test_halves_are_rounded_once(host: Host, name: str) -> None:
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, 65536, 200000).astype(np.uint16).view(np.float16) for _ in range(2))
    operands = [a] if name in ("neg", "abs") else [a, b]
    got = host.call(f"{name}_hf", *[x.view(np.uint32) for x in operands], result=np.uint32).view(np.float16)
    with np.errstate(all="ignore"):
        assert same(got, REFERENCE[name](*operands))


@pytest.mark.parametrize("name", COMPARE)
def test_comparisons_and_their_ties(host: Host, name: str) -> None:
    a, b = np.repeat(EDGES, len(EDGES)), np.tile(EDGES, len(EDGES))
    assert (host.call(name, a, b, result=np.uint32).astype(bool) == REFERENCE[name](a, b)).all()
    with np.errstate(over="ignore"):
        h, k = a.astype(np.float16), b.astype(np.float16)
    got = host.call(f"{name}_hf", h.view(np.uint32), k.view(np.uint32), result=np.uint32).view(np.uint16)
    assert (got == REFERENCE[name](h, k)).all()


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
def test_clang_compiles_without_calls_and_loops(architecture: int, tmp_path: Path) -> None:
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
    for ieee in (1, 0):
        made = [*flags, f"-DOPKG_HVX_IEEE={ieee}"]
        _run([clang, *target, *made, *include, "-S", str(tmp_path / "floats.cpp"), "-o", str(assembly)])
        written = assembly.read_text()
        assert ".qf32 = vmpy(" in written
        bodies = re.findall(r"^f(\d+):(.*?)^\.Lfunc_end", written, re.DOTALL | re.MULTILINE)
        assert len(bodies) == len(names)
        for at, body in bodies:  # constants are made without memcpy, polynomials without loops
            far = names[int(at)] in ("sin_sf(a)", "cos_sf(a)")  # one lane after the other where some are far from 0
            assert ("beyond_many_turns" in body) == far, names[int(at)]
            assert "call " not in body
            assert "loop0" not in body
        # The assembler knows IEEE instructions with -mhvx-ieee-fp only: it shows whether there are any.
        assembled = [clang, *target, "-c", str(assembly), "-o", str(tmp_path / "floats.o")]
        if ieee:
            with pytest.raises(AssertionError, match="invalid instruction"):
                _run(assembled)
            assembled.insert(1, "-mhvx-ieee-fp")
        _run(assembled)


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
