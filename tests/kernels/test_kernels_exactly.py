"""What exact sums, products and quotients of floats decide (opkg/hvx_exactly.h), beside fractions; which kernels ask for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from kernels_floating_host import MODELS, TOP, Array, Host
from kernels_kit import Call, Kit, Unit, snippets_of

from opkg.kernels.choose import choose

WHOLE: dict[str, Callable[[Fraction], int]] = {
    "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "round": round
}  # fmt: skip
COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "gt": lambda a, b: a > b, "lt": lambda a, b: a < b, "ge": lambda a, b: a >= b, "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
}  # fmt: skip
OPERANDS = {
    "product": ("_parts(product_parts(a, b))", lambda a, b, c: a * b),
    "sum": ("_parts(sum_parts(a, b))", lambda a, b, c: a + b),
    "linear": ("_parts(more_parts(product_parts(a, b), c))", lambda a, b, c: a * b + c),
    "sums": ("_parts(more_parts(sum_parts(a, b), c))", lambda a, b, c: a + b + c),
    "quotient": ("_quotient(a, b)", lambda a, b, c: a / b),
    "steps": ("_steps(a, b, c)", lambda a, b, c: a / b),
}
REST = {
    "modulo": ("modulo_sf(a, b)", lambda a, b: a % b),
    "few": ("modulo_steps(a, b, c)", lambda a, b: a % b),
    "down": ("quotient_down_sf(a, b)", lambda a, b: a // b),
}
LONG = [0.7, -0.1, 1 / 3, 2.0 / 3 * 1e-5, -math.pi * 1e5, 1.0 + 2.0**-52, 16777217.0 / 2**24]


def _source() -> str:
    lines = [TOP.replace("hvx_float.h", "hvx_remainder.h")]
    lines += [f"FUNCTION({r}_{name}, {r}{text})" for r in WHOLE for name, (text, _) in OPERANDS.items()]
    lines += [f"FUNCTION({c}_far, one_where({c}_parts(abs_parts(difference_parts(a, b)), c)))" for c in COMPARE]
    lines += [f"FUNCTION({c}_product, one_where({c}_parts(compared_product(a, b), c)))" for c in COMPARE]
    more = "_parts(compared_more(compared_product(a, b), neg_sf(c)), Q6_V_vzero())"
    lines += [f"FUNCTION({c}_more, one_where({c}{more}))" for c in COMPARE]
    lines += [f"FUNCTION({name}, {text})" for name, (text, _) in REST.items()]
    for at, divisor in enumerate(LONG):
        lines.append(f"FUNCTION(modulo_{at}, modulo_long(a, long_divisor({divisor!r})))")
        lines.append(f"FUNCTION(down_{at}, quotient_down_long(a, long_divisor({divisor!r})))")
    return "\n".join([*lines, "FUNCTION(one, modulo_one(sum_parts(a, b)))"]) + "\n"


@pytest.fixture(scope="module", params=MODELS)
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Host:
    return Host(tmp_path_factory.mktemp("exactly"), request.param, _source())


def _spread(rng: np.random.Generator, low: int, high: int, count: int) -> Array:
    found = np.clip(rng.standard_normal(count) * 2.0 ** rng.uniform(low, high, count), -3e38, 3e38).astype(np.float32)
    return np.where(found == 0, np.float32(1), found)


def _cases(rng: np.random.Generator, count: int) -> list[tuple[Array, Array]]:
    """Products and quotients at whole numbers and halves and beside them, of all sizes."""
    b, k = _spread(rng, -20, 20, count), rng.integers(-5000, 5000, count) / 2
    tiny, many = _spread(rng, -140, -110, count), rng.integers(-(2**25), 2**25, count) / 2
    return [
        ((k / b.astype(float)).astype(np.float32), b),
        ((k * b).astype(np.float32), b),
        ((many * b).astype(np.float32), b),
        ((k * tiny).astype(np.float32), tiny),
        (_spread(rng, -140, 5, count), _spread(rng, -140, 5, count)),
        (rng.integers(-999, 999, count).astype(np.float32) / 2, (2.0 ** rng.integers(-4, 4, count)).astype(np.float32)),
    ]


def _fractions(*arrays: Array) -> list[tuple[Fraction, ...]]:
    return [tuple(map(Fraction, map(float, each))) for each in zip(*arrays, strict=True)]


def _inverse(b: Array) -> tuple[Array, Array]:
    """Divisors whose inverse single precision holds, and the inverses."""
    b = np.where(np.abs(b) > 1e-37, b, np.float32(0.3)).astype(np.float32)
    return b, (np.float32(1) / b).astype(np.float32)


def test_whole_numbers(host: Host) -> None:
    rng = np.random.default_rng(1)
    for a, b in _cases(rng, 300):
        for name, (_, exact) in OPERANDS.items():
            c = (np.round(_spread(rng, -4, 8, len(a)) * 2) / 2).astype(np.float32)
            b, c = _inverse(b) if name == "steps" else (b, c)
            values = [exact(*each) for each in _fractions(a, b, c)]
            for rounding, function in WHOLE.items():
                got = host.call(f"{rounding}_{name}", a, b, c)
                for value, found in zip(values, got, strict=True):
                    whole = function(value)
                    if abs(whole) < 1 << 24:
                        assert float(found) == whole, (rounding, name, value)
                        assert whole or not value or math.copysign(1, found) == (1 if value > 0 else -1)
                    else:
                        assert (
                            math.isinf(found) or abs(Fraction(float(found)) - whole) <= abs(whole) * Fraction(2) ** -22
                        )


def test_comparisons(host: Host) -> None:
    rng = np.random.default_rng(2)
    for a, b in _cases(rng, 500):
        c = np.abs(a - b).astype(np.float32)
        for name, function in COMPARE.items():
            got = host.call(f"{name}_far", a, b, c)
            assert [bool(g) for g in got] == [function(abs(x - y), z) for x, y, z in _fractions(a, b, c)], name


def test_comparisons_of_products(host: Host) -> None:
    """With the float that they are rounded to, of all sizes: what is left of small ones is no float."""
    rng = np.random.default_rng(4)
    for low, high in ((-149, -70), (-75, -60), (-20, 20), (60, 64)):
        a, b = _spread(rng, low, high, 1000), _spread(rng, low if low > -149 else -5, high if low > -149 else 5, 1000)
        c = np.clip(a.astype(float) * b, -3e38, 3e38).astype(np.float32)
        for name, function in COMPARE.items():
            got = host.call(f"{name}_product", a, b, c)
            wanted = [function(x * y, z) for x, y, z in _fractions(a, b, c)]
            assert [bool(g) for g in got] == wanted, (name, low)
            assert [bool(g) for g in host.call(f"{name}_more", a, b, c)] == wanted, (name, low)


def test_remainders(host: Host) -> None:
    rng = np.random.default_rng(3)
    for a, b in [*_cases(rng, 300), (_spread(rng, -140, 127, 3000), _spread(rng, -140, 127, 3000))]:
        for name, (_, exact) in REST.items():
            b, c = _inverse(b)
            for found, (x, y) in zip(host.call(name, a, b, c), _fractions(a, b), strict=True):
                wanted = exact(x, y)
                if abs(wanted) < 1 << 24 or name != "down":
                    assert found == np.float32(float(wanted)), (name, x, y)
        sums = [float((x + y) % 1) for x, y in _fractions(a, b)]
        assert np.allclose(host.call("one", a, b), np.float32(sums), rtol=1.2e-7, atol=0)


def test_remainders_of_long_divisors(host: Host) -> None:
    """Constants that no float is: whole numbers exactly, what remains within an ulp."""
    rng = np.random.default_rng(5)
    for at, divisor in enumerate(LONG):
        whole = np.concatenate([rng.integers(-(2**21), 2**21, 300), rng.integers(-99, 99, 300)])
        near = (whole * divisor).astype(np.float32)
        a = np.concatenate([near, np.nextafter(near, np.float32(0)), _spread(rng, -30, 60, 300)]).astype(np.float32)
        results = host.call(f"down_{at}", a), host.call(f"modulo_{at}", a)
        for x, down, rest in zip(map(Fraction, map(float, a)), *results, strict=True):
            wanted, left = x // Fraction(divisor), float(x % Fraction(divisor))
            assert down == np.float32(wanted), (divisor, float(x))
            assert abs(float(rest) - left) <= abs(left) * 2.0**-23, (divisor, float(x))
        ends = np.array([0.0, -0.0, math.inf, -math.inf, math.nan, 3e38, -3e38], np.float32)
        with np.errstate(all="ignore"):
            rests = np.mod(ends.astype(float), divisor).astype(np.float32)
            downs = np.floor_divide(ends.astype(float), divisor).astype(np.float32)
        assert np.array_equal(host.call(f"modulo_{at}", ends), rests, equal_nan=True), divisor
        assert np.array_equal(host.call(f"down_{at}", ends), downs, equal_nan=True), divisor


def test_what_is_no_number(host: Host) -> None:
    inf = math.inf
    ends = np.array([0.0, -0.0, 1, -1, 0.5, -0.5, inf, -inf, math.nan, 3e38], np.float32)
    a, b = (each.ravel().copy() for each in np.meshgrid(ends, ends))
    wide = a.astype(float), b.astype(float)
    with np.errstate(all="ignore"):
        wanted = {f"{r}_product": getattr(np, "rint" if r == "round" else r)(wide[0] * wide[1]) for r in WHOLE}
        wanted |= {f"{r}_quotient": getattr(np, "rint" if r == "round" else r)(wide[0] / wide[1]) for r in WHOLE}
        wanted |= {"modulo": np.mod(*wide), "down": np.floor_divide(*wide)}
        wanted = {name: values.astype(np.float32) for name, values in wanted.items()}
    for name, values in wanted.items():
        assert np.array_equal(host.call(name, a, b), values, equal_nan=True), name


SPEC = """\
  Op:
    types: {{T: [float32, float16]}}
    inputs: {{x: {{dtype: T}}, z: {{dtype: T, shape: x.shape}}}}
    params: {{s: {{dtype: float32, default: 0.1}}, n: {{dtype: int32, default: 3}}}}
    outputs: {{y: {{dtype: {out}, shape: x.shape}}}}
    compute: y = {compute}
"""
_STEP = Fraction(float(np.float32(0.1)))


def _clipped(low: int, value: int, high: int) -> int:
    return min(max(value, low), high)


KERNELS: dict[str, tuple[str, Callable[[Fraction, Fraction], Fraction | int]]] = {
    "cast(clip(round(x / s) + n, 0, 255), uint8)": ("uint8", lambda x, z: _clipped(0, round(x / _STEP) + 3, 255)),
    "cast(round(x / z), int8)": ("int8", lambda x, z: _clipped(-128, round(x / z), 127)),
    "cast(clip(round(x / s + n), 0, 255), uint8)": ("uint8", lambda x, z: _clipped(0, round(x / _STEP + 3), 255)),
    "round(x / z - n)": ("T", lambda x, z: round(x / z - 3)),
    "floor(x / s + n)": ("T", lambda x, z: math.floor(x / _STEP + 3)),
    "cast(x * s, int16)": ("int16", lambda x, z: _clipped(-32768, math.trunc(x * _STEP), 32767)),
    "floor(x + z)": ("T", lambda x, z: math.floor(x + z)),
    "-1 if abs(x - z) < 1 else 1": ("T", lambda x, z: -1 if abs(x - z) < 1 else 1),
    "x // z": ("T", lambda x, z: x // z),
    "x // 0.7": ("T", lambda x, z: x // Fraction(0.7)),
}


def test_kernels(tmp_path: Path) -> None:
    """Of floats and halves, any length; each decision is that of the exact numbers."""
    snippets = [s for text, (out, _) in KERNELS.items() for s in snippets_of(SPEC.format(compute=text, out=out))]
    units, rng = [], np.random.default_rng(4)
    for snippet in snippets:
        chosen = choose(snippet)
        assert chosen is not None
        assert chosen.strategy == "floating", snippet.text
        units.append(Unit(snippet, chosen.lowered))
    kit = Kit(tmp_path, units)
    for length in (1, 3, 100, 1000):
        calls = []
        for number, snippet in enumerate(snippets):
            dtype = np.float32 if snippet.inputs[0].storage.bits == 32 else np.float16
            z = (rng.integers(1, 9, length) / 4).astype(dtype)
            x = (rng.integers(-300, 300, length) / 2 * rng.choice([0.1, 0.25, 1.0], length)).astype(dtype)
            given = {o.name: {"x": x, "z": z}[o.name] for o in snippet.inputs}
            params = {p.name: {"s": float(np.float32(0.1)), "n": 3}[p.name] for p in snippet.params}
            calls.append((Call(number, given, params=params), x, z))
        results = kit.run([call for call, _, _ in calls])
        for got, (call, x, z), (_, exact) in zip(
            results, calls, [k for k in KERNELS.values() for _ in "ab"], strict=True
        ):
            assert got is not None
            wanted = [float(exact(a, b)) for a, b in _fractions(x, z)]
            assert np.array_equal(got["y"].astype(float), wanted), snippets[call.unit].text


@pytest.mark.parametrize(
    "compute",
    [
        "floor(x * s + z)",
        "x if x * z >= s else z",
        "x if x * z + s > 0.5 else z",
        "(x + z) % 1",
        "x % z",
        "x % 0.7",
        "round(x / s) * s",
    ],
)
def test_is_computed_in_vectors(compute: str) -> None:
    for snippet in snippets_of(SPEC.format(compute=compute, out="T")):
        assert choose(snippet) is not None


@pytest.mark.parametrize(
    "compute",
    [
        "floor(x * s * z)",
        "floor(exp(x))",
        "floor(x * 0.1)",
        "cast(cast(floor(x / z), int32), T)",
        "x if round(x / s) > z else z",
        "x if x * s + z > z else z",
    ],
)
def test_is_left_to_portable_code(compute: str) -> None:
    """Values that are rounded more than once; whole numbers that single precision may not hold; products, and one number
    more, beside numbers that may be as small as what a float has not of them."""
    for snippet in snippets_of(SPEC.format(compute=compute, out="T")):
        assert choose(snippet) is None
