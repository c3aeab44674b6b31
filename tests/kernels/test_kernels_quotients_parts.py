"""Quotients with guards, as parts of sums, products and extremes, and as integers: within a step of the exact results."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, trunc
from pathlib import Path

import numpy as np
import pytest
from kernels_fixed import refusal_of, spec_of
from kernels_kit import NUMPY, Call, Kit, Unit, snippets_of

from opkg.kernels.lowered import Lowered
from opkg.kernels.strategies.fixed import strategy as fixed

LARGE = Fraction(10) ** 60  # is saturated
Exact = Callable[[Fraction, Fraction, Fraction], Fraction | int]


def _by_zero(exact: Exact, infinite: Exact) -> Exact:
    return lambda a, b, c: exact(a, b, c) if b else infinite(a, b, c)


def _sign(a: Fraction) -> int:
    return (a > 0) - (a < 0)


CASES: list[tuple[str, Exact, str]] = [  # the types of a, b, perhaps c, and y
    ("where(b == 0, a, a // where(b == 0, 1, b))", lambda a, b, _: floor(a / b) if b else a, "u8 u8 u8"),
    ("where(b != 0, a % b, -1)", lambda a, b, _: a % b if b else -1, "s16 s16 s16"),
    ("where(b == 0, 0, round(a / b))", lambda a, b, _: round(a / b) if b else 0, "u16 u16 u16"),
    ("a // where(b == 0, 1, b) + c", lambda a, b, c: floor(a / b if b else a) + c, "u16 u16 u16 u16"),
    ("a // b + c", _by_zero(lambda a, b, c: floor(a / b) + c, lambda a, b, c: LARGE * _sign(a)), "u8 u8 u8 u8"),
    ("where(b == 0, 0, c * (a // b))", lambda a, b, c: c * floor(a / b) if b else 0, "u8 s8 u8 u8"),
    ("where(b == 0, c, max(ceil(a / b), c) - c)", lambda a, b, c: max(ceil(a / b) - c, 0) if b else c, "u8 u8 u16 u8"),
    ("where(b == 0, a, a - b * (a // b) + c)", lambda a, b, c: a % b + c if b else a, "s8 s8 s8 s8"),
    ("cast(where(b == 0, -7, trunc(a / b)), int32)", lambda a, b, _: trunc(a / b) if b else -7, "s8 u8 i32"),
    ("round(a * b * 0.5 + 1)", lambda a, b, _: round(a * b / 2 + 1), "u8 s8 s16"),
]


def unit_of(compute: str, types: str) -> Unit:
    *inputs, output = types.split()
    tensors = " ".join(f"{name}:{type_}" for name, type_ in zip("abc", inputs, strict=False))
    snippet = snippets_of(spec_of(f"y = {compute}", tensors, f"y:{output}"))[0]
    lowered = fixed.lower(snippet)
    assert isinstance(lowered, Lowered), lowered
    return Unit(snippet, lowered)


def _elements(unit: Unit, rng: np.random.Generator, turn: int, n: int) -> Call:
    """Elements of all sizes, ends, zeros, and dividends that are multiples of divisors or lie between two."""
    scales, values = {}, {}
    for o in unit.snippet.inputs:
        low, high = o.storage.limits
        zero = int(rng.choice([low, (low + high + 1) // 2, rng.integers(low, high + 1)]))
        scale = float(rng.choice([0.25, 0.5, 1 / 3, 0.01])) if turn % 2 else float(np.exp(rng.uniform(-4, -1)))
        scales[o.name] = (float(np.float32(scale)), zero)
        size = int(2 ** rng.uniform(2, o.storage.bits))
        values[o.name] = np.clip(zero + rng.integers(-size, size + 1, n), low, high)
        values[o.name] = np.where(rng.random(n) < 0.1, rng.choice([low, zero, high], n), values[o.name])
    (a, za), (b, zb), (low, high) = scales["a"], scales["b"], unit.snippet.inputs[0].storage.limits
    near = np.rint((values["b"] - zb) * rng.integers(-9, 10, n) / 2 * b / a) + za
    values["a"] = np.where(rng.random(n) < 0.3, np.clip(near, low, high), values["a"])
    inputs = {o.name: values[o.name].astype(NUMPY[o.storage]) for o in unit.snippet.inputs}
    return Call(0, inputs, -1, scales)


def _run(folder: Path, arch: str, turns: int, seed: int) -> None:
    units = [unit_of(compute, types) for compute, _, types in CASES]
    kit, rng = Kit(folder, units, arch), np.random.default_rng(seed)
    calls, wanted = [], []
    for turn in range(turns):
        for number, unit in enumerate(units):
            call = _elements(unit, rng, turn, int(rng.choice([1, 17, 130])))
            reals = [[Fraction(call.scales[name][0]) * int(q - call.scales[name][1]) for q in call.inputs[name].astype(int)]
                     for name in call.inputs]  # fmt: skip
            reals += [[Fraction(0)] * len(reals[0])] * (3 - len(reals))
            exact = [Fraction(CASES[number][1](*each)) for each in zip(*reals, strict=True)]
            sizes = [float(abs(number)) for number in exact if abs(number) < LARGE]
            low, high = unit.snippet.outputs[0].storage.limits
            step = float(np.float32((np.quantile(sizes, 0.9) if sizes else 1.0) * 4 / (high - low) + 1e-3))
            zero = int(rng.integers(low, high + 1))
            step, zero = (1.0, 0) if not unit.snippet.outputs[0].quantized else (step, zero)
            calls.append(Call(number, call.inputs, -1, {**call.scales, "y": (step, zero)}))
            wanted.append([min(max(round(number / Fraction(step)) + zero, low), high) for number in exact])
    found = kit.run(calls)
    for call, got, want in zip(calls, found, wanted, strict=True):
        if got is not None:
            off = np.abs(got["y"].astype(np.int64) - np.array(want))
            integer = not units[call.unit].snippet.outputs[0].quantized
            assert off.max() <= (0 if integer else 1), (CASES[call.unit][0], call.scales, got["y"], want)
    assert sum(got is None for got in found) < len(calls) // 4  # left to the portable code


def test_parts_are_exact(tmp_path: Path) -> None:
    _run(tmp_path, "", 6, 1)


@pytest.mark.sweep
@pytest.mark.parametrize("arch", ["v66", "v73"])
def test_parts_are_exact_elsewhere(tmp_path: Path, arch: str) -> None:
    _run(tmp_path, arch, 60, 2)


def test_says_why_not() -> None:
    tensors = "a:u8 b:u8 c:u8"
    assert "a product of what may be infinite" in refusal_of("y = c * (a // b)", tensors)
    assert "may be 0" in refusal_of("y = a // b + c // b", tensors)
    assert "no whole number" in refusal_of("y = cast(a + b, int32)", "a:u8 b:u8", "y:i32")
