"""Whole quotients, rests and rounded sums of quantized tensors are those of the exact numbers, for all elements."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from pathlib import Path

import numpy as np
import pytest
from kernels_fixed import spec_of
from kernels_kit import NUMPY, Call, Kit, Unit, snippets_of

from opkg.kernels.lowered import Lowered
from opkg.kernels.strategies.fixed import strategy as fixed

Array = np.ndarray
WHOLE = {
    "a // b": lambda a, b: a // b,
    "floor(-a / b)": lambda a, b: -a // b,
    "ceil(a / b)": lambda a, b: -(-a // b),
    "trunc(a / b)": lambda a, b: np.where((a < 0) != (b < 0), -(abs(a) // abs(b)), abs(a) // abs(b)),
}


SUMS = {  # of a and b in steps of which 1 is `one`
    "floor(a + b)": lambda a, b, one: (a + b) // one,
    "ceil(2 * a - b + 0.5)": lambda a, b, one: -((-4 * a + 2 * b - one) // (2 * one)),
    "trunc(a - b)": lambda a, b, one: np.where(a < b, -((b - a) // one), (a - b) // one),
    "round(a + b)": lambda a, b, one: (2 * (a + b) + one) // (2 * one) - ((2 * (a + b) + one) % (4 * one) == 2 * one),
}


def unit_of(compute: str, tensors: str, output: str, unsigned: bool = False) -> Unit:
    snippet = snippets_of(spec_of(f"y = {compute}", tensors, output), unsigned)[0]
    lowered = fixed.lower(snippet)
    assert isinstance(lowered, Lowered), lowered
    assert ("in three words" if compute in SUMS else "digit by digit") in lowered.title
    return Unit(snippet, lowered)


def _scale_of(rng: np.random.Generator, kind: int, other: float) -> float:
    match kind % 4:
        case 0:
            found = other
        case 1:
            found = other * float(rng.choice([0.5, 2, 3, 1 / 3, 7, 1 / 255]))
        case _:
            found = other * float(np.exp(rng.uniform(-3, 3)))
    return float(np.float32(found))


def call_of(unit: Unit, number: int, rng: np.random.Generator, kind: int, n: int = 4096) -> Call:
    """Elements of all sizes; a fifth of the dividends are multiples of their divisors, as near as steps allow."""
    a, b = unit.snippet.inputs
    zeros = {}
    for o in (a, b, unit.snippet.outputs[0]):
        low, high = o.storage.limits
        zeros[o.name] = int(rng.choice([low, (low + high + 1) // 2, rng.integers(low, high + 1), high]))
    scale_a = float(np.float32(np.exp(rng.uniform(-6, 1))))
    if unit.snippet.text.startswith("y = round") or kind == 1:  # many halves and whole numbers
        scale_a = float(rng.choice([0.5, 0.25, 0.125, 1.5, 0.0625]))
    scale_b = _scale_of(rng, kind, scale_a)
    ratio = scale_a / scale_b
    span = [2 ** rng.uniform(2, o.storage.bits) for o in (a, b)]
    first, second = (
        np.clip(zeros[o.name] + rng.integers(-int(s), int(s) + 1, n), *o.storage.limits)
        for o, s in zip((a, b), span, strict=True)
    )
    near = np.rint((second - zeros["b"]) * rng.integers(-9, 10, n) / ratio) + zeros["a"]
    first = np.where(rng.random(n) < 0.3, np.clip(near, *a.storage.limits), first)
    size = 1.0 if "%" not in unit.snippet.text else 2 * scale_b
    scale_y = float(np.float32(size * np.exp(rng.uniform(-2, 3 if unit.snippet.outputs[0].storage.bits == 8 else 0.5))))
    inputs = {o.name: v.astype(NUMPY[o.storage]) for o, v in ((a, first), (b, second))}
    quantized = {"a": (scale_a, zeros["a"]), "b": (scale_b, zeros["b"]), "y": (scale_y, zeros["y"])}
    return Call(number, inputs, -1, quantized)


def check(unit: Unit, compute: str, call: Call, got: Array) -> None:
    (sa, za), (sb, zb), (sy, zy) = (call.scales[name] for name in "aby")
    one = lcm(Fraction(sa).denominator, Fraction(sb).denominator)
    a = (call.inputs["a"].astype(np.int64) - za) * int(Fraction(sa) * one)  # in steps that both are made of
    b = (call.inputs["b"].astype(np.int64) - zb) * int(Fraction(sb) * one)
    none = (b == 0) & (compute not in SUMS)
    by = np.where(none, 1, b)
    low, high = unit.snippet.outputs[0].storage.limits
    if compute in SUMS:
        stored = np.clip(np.rint(SUMS[compute](a, b, one) / sy) + zy, low, high)
    elif compute == "a % b":
        real = (a % by).astype(float) / one
        stored = np.where(none, zy, np.clip(np.rint(real / sy) + zy, low, high))
    else:
        real = WHOLE[compute](a, by).astype(float)
        stored = np.clip(np.rint(real / sy) + zy, low, high)
        side = np.where(a < 0, low, high) if compute != "floor(-a / b)" else np.where(a > 0, low, high)
        stored = np.where(none, np.where(a == 0, zy, side), stored)
    off = np.abs(got.astype(np.int64) - stored.astype(np.int64))
    worst = int(off.argmax())
    at = (call.inputs["a"][worst], call.inputs["b"][worst], got[worst], stored[worst])
    assert off.max() <= 1, f"{compute} {call.scales}: {at}"


CASES = [
    ("a % b", "a:u8 b:u8", "y:u8"), ("a // b", "a:u8 b:u8", "y:u8"), ("a // b", "a:s8 b:s8", "y:s8"),
    ("a % b", "a:s8 b:s8", "y:s8"), ("floor(-a / b)", "a:u8 b:u8", "y:u8"), ("ceil(a / b)", "a:u8 b:s8", "y:s8"),
    ("trunc(a / b)", "a:s8 b:u8", "y:u16"), ("a % b", "a:u16 b:u16", "y:u16"), ("a // b", "a:s16 b:s16", "y:s16"),
    ("a % b", "a:s16 b:u8", "y:s16"), ("ceil(a / b)", "a:u16 b:s16", "y:u8"), ("a // b", "a:u8 b:u16", "y:s16"),
    ("floor(a + b)", "a:u8 b:u8", "y:u8"), ("ceil(2 * a - b + 0.5)", "a:u16 b:s16", "y:s16"),
    ("trunc(a - b)", "a:s8 b:u16", "y:u8"), ("round(a + b)", "a:s16 b:u16", "y:u16"), ("round(a + b)", "a:u8 b:s8", "y:s8"),
]  # fmt: skip


def _run(folder: Path, arch: str, turns: int, seed: int, n: int) -> None:
    kit = Kit(folder, [unit_of(*case) for case in CASES], arch)
    rng = np.random.default_rng(seed)
    calls = [call_of(unit, number, rng, turn, n) for turn in range(turns) for number, unit in enumerate(kit.units)]
    found = kit.run(calls)
    for call, got in zip(calls, found, strict=True):
        if got is not None:
            check(kit.units[call.unit], CASES[call.unit][0], call, got["y"])
    assert sum(got is None for got in found) < len(calls) // 8  # left to the portable code


def test_decides_as_whole_numbers_do(tmp_path: Path) -> None:
    _run(tmp_path, "v66", 4, 1, 1000)


@pytest.mark.sweep
@pytest.mark.parametrize("arch", ["", "v73"])
def test_decides_as_whole_numbers_do_elsewhere(tmp_path: Path, arch: str) -> None:
    _run(tmp_path, arch, 4, 1, 129)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(8))
def test_decides_as_whole_numbers_do_for_many_scales(tmp_path: Path, seed: int) -> None:
    _run(tmp_path, "v66", 60, 100 + seed, 4096)
