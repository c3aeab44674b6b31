"""No decision on quantized elements is wrong: all pairs of bytes, scales of many kinds, vector and portable code."""

from __future__ import annotations

import numpy as np
import pytest
from kernels_decide import OPS, calls_of, renumbered, scale_pairs, units_of, wrong
from kernels_kit import Kit

PAIRS = [("u8", "u8"), ("s8", "u8"), ("u16", "u16"), ("s16", "u8")]
SWEEP = 500


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kit, dict[tuple[str, str, str], list[int]]]:
    units, places = [], {}
    for a, b in PAIRS:
        for name in OPS:
            made = units_of(name, a, b)
            places[name, a, b] = list(range(len(units), len(units) + len(made)))
            units += made
    return Kit(tmp_path_factory.mktemp("decide"), units), places


def _check(program: tuple[Kit, dict[tuple[str, str, str], list[int]]], a: str, b: str, count: int, seed: int) -> None:
    kit, places = program
    rng = np.random.default_rng(seed)
    taken = refused = 0
    for scales in scale_pairs(count, seed):
        for name in OPS:
            numbers = places[name, a, b]
            call = calls_of(kit.units[numbers[0]], numbers[0], scales, rng)
            results = kit.run([renumbered(call, number) for number in numbers])
            for number, got in zip(numbers, results, strict=True):
                refused += got is None
                taken += got is not None and kit.units[number].lowered is not None
                assert got is not None or kit.units[number].lowered is not None
                if got is not None:
                    assert not any(wrong(name, call, got).values()), (name, number, call.scales, wrong(name, call, got))
    print(f"{a} {b}: {count} pairs of scales, vector code {taken} calls, refused {refused}")
    assert taken > refused


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_some_scales(program: tuple[Kit, dict[tuple[str, str, str], list[int]]], a: str, b: str) -> None:
    _check(program, a, b, 5, 1)


@pytest.mark.sweep
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_many_scales(program: tuple[Kit, dict[tuple[str, str, str], list[int]]], a: str, b: str) -> None:
    _check(program, a, b, SWEEP, 2)
