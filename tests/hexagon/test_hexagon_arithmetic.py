"""The run time's arithmetic and mathematics against numpy, on the host and in qemu."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import arithmetic_program
import hexlib
import numpy as np
import pytest
from arithmetic_program import Array, Machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.hexagon
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, math.inf, -math.inf, math.nan, 5e-324, 2.0**-1022, 2.0**-1074 * 3,
           1.7976931348623157e308, -1e300, 2.0**52 + 0.5, 2.0**52, 2.0**53 - 1, 0.49999999999999994, 3.0, 10.0]  # fmt: skip


@pytest.fixture(scope="module", params=["host", "v66", "v73"])
def machine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    folder = tmp_path_factory.mktemp(request.param)
    text = arithmetic_program.source()
    if request.param == "host":
        return Machine(hexlib.on_host(text, folder))
    return Machine(hexlib.on_hexagon(text, request.param, folder))


def _doubles() -> Array:
    """Bit patterns at random, numbers of moderate size, halves, and special ones at the end."""
    raw = RANDOM.integers(0, 2**64, 4000, dtype="u8").view("f8")
    return np.concatenate([raw, RANDOM.uniform(-5, 5, 3000), np.rint(RANDOM.uniform(-20, 20, 500)) / 2, SPECIAL])


def _floats() -> Array:
    raw = RANDOM.integers(0, 2**32, 4000, dtype="u4").view("f4")
    return np.concatenate([raw, RANDOM.uniform(-5, 5, 3000).astype("f4"), np.array(SPECIAL).astype("f4")])


with np.errstate(all="ignore"):
    RANDOM = np.random.default_rng(20)
    DOUBLES, FLOATS = _doubles(), _floats()


def paired(values: Array) -> tuple[Array, Array]:
    """Random pairs, and every pair of special values."""
    few = values[-len(SPECIAL) :]
    a, b = np.meshgrid(few, few)
    return np.concatenate([values, a.ravel()]), np.concatenate([RANDOM.permutation(values), b.ravel()])


def same(found: Array, wanted: Array) -> None:
    """Equal bit by bit, except that any NaN is like any other."""
    wanted = wanted.astype(found.dtype)
    bits = f"u{found.itemsize}"
    differs = (found.view(bits) != wanted.view(bits)) & ~((found != found) & (wanted != wanted))
    assert not differs.any(), list(zip(found[differs][:5], wanted[differs][:5], strict=True))


def close(found: Array, wanted: Array, limit: float) -> None:
    """Relative error below the limit; subnormal results may differ in their last places."""
    error = np.abs(found - wanted) / np.abs(wanted)
    good = (error <= limit) | (found == wanted) | (np.isnan(found) & np.isnan(wanted))
    good |= (np.abs(wanted) < 2.3e-308) & (np.abs(found - wanted) < 1e-322)
    assert good.all(), list(zip(found[~good][:5], wanted[~good][:5], strict=True))


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with np.errstate(all="ignore"):
        yield


BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "muldf3": np.multiply, "divdf3": np.divide,
    "fmod": np.fmod, "copysign": np.copysign, "nextafter": np.nextafter,
}  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
def test_exact_doubles_of_two_operands(machine: Machine, name: str) -> None:
    a, b = paired(DOUBLES)
    same(machine(name, a, b), BINARY[name](a, b))


@pytest.mark.parametrize("name", ["addf", "mulf", "divf", "divsf3"])
def test_exact_floats_of_two_operands(machine: Machine, name: str) -> None:
    a, b = paired(FLOATS)
    same(machine(name, a, b), BINARY[name[:3]](a, b))


def test_remainder_and_fma(machine: Machine) -> None:
    a, b = (np.concatenate([v[:2000], v[4000:6000]]) for v in paired(DOUBLES))
    fit = np.isfinite(a) & (b != 0) & ~np.isnan(b)
    a, b = a[fit], b[fit]
    same(machine("remainder", a, b), np.array([math.remainder(x, y) for x, y in zip(a, b, strict=True)]))
    x, y = RANDOM.uniform(-2, 2, (2, 3000))
    z = -x * y + RANDOM.choice([0.0, 1.0, 1e-17, 1e-30, 2.0**-60], 3000) * RANDOM.uniform(-1, 1, 3000)
    exact = [float(Fraction(i) * Fraction(j) + Fraction(k)) for i, j, k in zip(x, y, z, strict=True)]
    same(machine("fma", x, y, z), np.array(exact) + 0.0)
    p, q, r = (v.astype("f4") for v in (x, y, z))
    exact = [
        float(Fraction(float(i)) * Fraction(float(j)) + Fraction(float(k))) for i, j, k in zip(p, q, r, strict=True)
    ]
    same(machine("fmaf", p, q, r), np.array(exact).astype("f4"))


@pytest.mark.parametrize("name", ["floor", "ceil", "trunc", "rint", "nearbyint", "fabs"])
def test_rounding(machine: Machine, name: str) -> None:
    reference = getattr(np, {"nearbyint": "rint"}.get(name, name))
    same(machine(name, DOUBLES), reference(DOUBLES))
    same(machine(f"{name}f", FLOATS), reference(FLOATS))


def test_rounding_of_ties_away_from_zero(machine: Machine) -> None:
    whole = np.trunc(DOUBLES)
    wanted = np.where(np.abs(DOUBLES - whole) >= 0.5, whole + np.copysign(1.0, DOUBLES), whole)
    same(machine("round", DOUBLES), wanted)
    small = DOUBLES[np.abs(DOUBLES) < 2e9]
    assert (machine("lrint", small) == np.rint(small).astype("i4")).all()
    assert (machine("llrint", small) == np.rint(small).astype("i8")).all()
    assert (machine("llround", small) == machine("round", small).astype("i8")).all()


def test_square_roots(machine: Machine) -> None:
    same(machine("sqrtdf2", DOUBLES), np.sqrt(DOUBLES))
    same(machine("sqrtf", FLOATS), np.sqrt(FLOATS))


def test_conversions(machine: Machine) -> None:
    same(machine("narrow", DOUBLES), DOUBLES.astype("f4"))
    wide = RANDOM.integers(-(2**63), 2**63, 3000) >> RANDOM.integers(0, 63, 3000)
    same(machine("from_int64", wide), wide.astype("f8"))
    fit = DOUBLES[np.abs(DOUBLES) < 9e18]
    assert (machine("to_int64", fit) == fit.astype("i8")).all()


def test_exponents(machine: Machine) -> None:
    count = RANDOM.integers(-2200, 2200, len(DOUBLES))
    same(machine("ldexp", DOUBLES, count), np.ldexp(DOUBLES, count))
    few = RANDOM.integers(-300, 300, len(FLOATS))
    same(machine("ldexpf", FLOATS, few), np.ldexp(FLOATS, few.astype("i4")))


def test_smaller_and_larger(machine: Machine) -> None:
    a, b = paired(DOUBLES)
    zero = (a == 0) & (b == 0)  # either may be returned
    for name, reference in (("fmin", np.fmin), ("fmax", np.fmax)):
        same(machine(name, a, b)[~zero], reference(a, b)[~zero])


@pytest.mark.parametrize("width", [32, 64])
def test_integer_division(machine: Machine, width: int) -> None:
    suffix = "si3" if width == 32 else "di3"
    a, b = (
        RANDOM.integers(0, 2**64, 9000, dtype="u8") >> RANDOM.integers(64 - width, 64, 9000, dtype="u8")
        for _ in range(2)
    )
    edges = np.array([1, 2, 3, 7, 10, 2 ** (width - 1) - 1, 2 ** (width - 1), 2**width - 1], "u8")
    a = np.concatenate([a, np.repeat(edges, 8)])
    b = np.maximum(np.concatenate([b, np.tile(edges, 8)]), 1)
    unsigned = f"u{width // 8}"
    a, b = a.astype(unsigned), b.astype(unsigned)
    assert (machine(f"udiv{suffix}", a, b) == a // b).all()
    assert (machine(f"umod{suffix}", a, b) == a % b).all()
    x, y = a.view(unsigned.replace("u", "i")), b.view(unsigned.replace("u", "i"))
    fit = ~((x == x.min()) & (y == -1))
    x, y = x[fit], y[fit]
    assert (machine(f"mod{suffix}", x, y) == np.fmod(x, y)).all()
    assert (machine(f"div{suffix}", x, y) == (x - np.fmod(x, y)) // y).all()


SMALL, WIDE = RANDOM.uniform(-5, 5, 3000), RANDOM.uniform(-700, 700, 3000)
TINY = np.exp(RANDOM.uniform(-690, 0, 3000)) * RANDOM.choice([-1.0, 1.0], 3000)
HUGE = np.exp(RANDOM.uniform(0, 700, 3000))
NEAR_ONE = 1 + np.exp(RANDOM.uniform(-36, -1, 3000)) * RANDOM.choice([-1.0, 1.0], 3000)
UNIT = RANDOM.uniform(-1, 1, 3000)
EDGES = np.array(SPECIAL)
ALL = np.concatenate([SMALL, WIDE, TINY, EDGES])
POSITIVE = np.concatenate([np.abs(SMALL), HUGE, np.abs(TINY), NEAR_ONE, EDGES])
TURNS = np.concatenate([SMALL, TINY, RANDOM.uniform(-1e5, 1e5, 3000), [0.0, -0.0, math.inf, math.nan]])
ELEMENTARY = {
    "exp": (np.exp, ALL), "exp2": (np.exp2, ALL), "expm1": (np.expm1, ALL), "tanh": (np.tanh, ALL), "sinh": (np.sinh, ALL),
    "cosh": (np.cosh, ALL), "asinh": (np.arcsinh, np.concatenate([ALL, HUGE])), "log": (np.log, POSITIVE),
    "log2": (np.log2, POSITIVE), "log10": (np.log10, POSITIVE), "log1p": (np.log1p, np.concatenate([POSITIVE, UNIT, TINY])),
    "cbrt": (np.cbrt, np.concatenate([ALL, HUGE])), "acosh": (np.arccosh, np.concatenate([HUGE, np.abs(NEAR_ONE)])),
    "atanh": (np.arctanh, np.concatenate([UNIT, TINY, [1.0, -1.0, 2.0]])), "sin": (np.sin, TURNS), "cos": (np.cos, TURNS),
    "tan": (np.tan, TURNS), "atan": (np.arctan, np.concatenate([ALL, HUGE])), "asin": (np.arcsin, UNIT),
    "acos": (np.arccos, UNIT),
}  # fmt: skip


@pytest.mark.parametrize("name", ELEMENTARY)
def test_elementary_functions(machine: Machine, name: str) -> None:
    reference, operands = ELEMENTARY[name]
    close(machine(name, operands), reference(operands), 2e-15)
    few = operands.astype("f4")
    same(machine(f"{name}f", few), reference(few.astype("f8")).astype("f4"))


@pytest.mark.parametrize("name", ["erf", "erfc", "tgamma", "lgamma"])
def test_error_and_gamma_functions(machine: Machine, name: str) -> None:
    reference = getattr(math, {"tgamma": "gamma"}.get(name, name))
    operands = {
        "erf": np.concatenate([SMALL, TINY, [0.0, -0.0, 7.0, -7.0]]),
        "erfc": np.concatenate([SMALL, TINY, RANDOM.uniform(0, 26, 2000), [30.0, -30.0]]),
        "tgamma": np.concatenate([RANDOM.uniform(-20, 170, 3000), np.arange(1.0, 171.0)]),
        "lgamma": np.concatenate([RANDOM.uniform(3, 1000, 3000), RANDOM.uniform(0.05, 0.5, 300)]),
    }[name]
    wanted = np.array([reference(x) for x in operands])
    close(machine(name, operands), wanted, 3e-14 if name == "lgamma" else 5e-15)
    few = operands.astype("f4")
    exact = np.array([reference(float(x)) for x in few])
    steps = np.abs(machine(f"{name}f", few).astype("f8") - exact) / np.spacing(np.abs(exact).astype("f4"))
    assert (steps[np.abs(exact) < 3e38] <= 0.5001).all()


def test_powers(machine: Machine) -> None:
    x = np.concatenate([np.abs(SMALL), NEAR_ONE, HUGE, np.abs(TINY)])
    y = np.concatenate([WIDE, RANDOM.uniform(-1e6, 1e6, 3000), SMALL, SMALL])
    close(machine("pow", x, y), np.power(x, y), 2e-15)
    a, b = np.meshgrid(EDGES, EDGES)
    close(machine("pow", a.ravel(), b.ravel()), np.power(a.ravel(), b.ravel()), 2e-15)
    whole = np.rint(RANDOM.uniform(-9, 9, 3000))
    close(machine("pow", SMALL, whole), np.power(SMALL, whole), 2e-15)


def test_angles_and_lengths(machine: Machine) -> None:
    y, x = (np.concatenate([v, w]) for v, w in ((SMALL, TINY), (WIDE, SMALL)))
    a, b = np.meshgrid(EDGES, EDGES)
    y, x = np.concatenate([y, a.ravel()]), np.concatenate([x, b.ravel()])
    close(machine("atan2", y, x), np.arctan2(y, x), 2e-15)
    close(machine("hypot", y, x), np.hypot(y, x), 2e-15)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.floats(), st.floats()), min_size=1, max_size=200))
def test_any_operands(machine: Machine, pairs: list[tuple[float, float]]) -> None:
    a, b = (np.array(v) for v in zip(*pairs, strict=True))
    with np.errstate(all="ignore"):
        for name in ("mul", "div", "muldf3", "divdf3", "fmod"):
            same(machine(name, a, b), BINARY[name](a, b))
        same(machine("sqrtdf2", a), np.sqrt(a))
        same(machine("rint", a), np.rint(a))
        close(machine("exp", a), np.exp(a), 2e-15)
        close(machine("log", a), np.log(a), 2e-15)
