"""Fixed-point kernels: never more than 1 step away from the correctly rounded result, for all operands and many scales."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_fixed import case_of, distances, random_case, refusal_of, typical, wild
from kernels_kit import Call, Kit

OPS = {
    "add": case_of("y = a + b", "a:u8 b:u8"),
    "sub": case_of("y = a - b", "a:s8 b:s8", "y:s8"),
    "add_relu": case_of("y = max(a + b, 0)", "a:s8 b:s8", "y:s8"),
    "add_clip": case_of("y = clip(2 * a - b + p, -8 * p, 9)", "a:u8 b:s8", params="p"),
    "multiply": case_of("y = a * b", "a:u8 b:u8"),
    "multiply_signed": case_of("y = a * b + 1", "a:s8 b:u8", "y:s8"),
    "leaky": case_of("y = x if x > 0 else alpha * x", "x:s8", "y:s8", "alpha"),
    "leaky_max": case_of("y = max(x, 0.1 * x) + p", "x:u8", "y:u8", "p"),
    "absolute": case_of("y = abs(a) - b", "a:s8 b:u8"),
    "greatest": case_of("y = max(a, b) * 0.5", "a:u8 b:s8"),
    "distance": case_of("y = abs(a - b)", "a:u8 b:u8"),
    "three": case_of("y = a - b / p + c", "a:u8 b:s8 c:u8", params="p"),
    "five": case_of("y = a + b - c + 0.5 * d - e", "a:u8 b:u8 c:s8 d:u8 e:u8"),
    "eight": case_of("y = a + b - c + 0.5 * d - e + f + g - 2 * h", "a:u8 b:u8 c:s8 d:u8 e:u8 f:u8 g:s8 h:u16", "y:s8"),
    "names": case_of("out = max(high, n) * in_ + key - y_shift_", "high:u8 n:u8 in_:s8 y_shift_:u8", "out:u8", "key"),
    "product_sum": case_of("y = a * b - c", "a:u8 b:u8 c:u8"),
    "square": case_of("y = (a - b) ** 2", "a:u8 b:u8"),
    "square_sum": case_of("y = 0.5 * (a - b) * (a - b) - c - (a - b) * max(a - b, c)", "a:u8 b:s8 c:u8", "y:s8"),
    "square_of_product": case_of("y = a * b + (a * b) ** 2", "a:s8 b:u8"),
    "chain": case_of("y = max((a + b) * c - d, 0)", "a:u8 b:u8 c:u8 d:u8"),
    "requantize": case_of("y = x", "x:u16"),
    "add_16": case_of("y = a + b", "a:u16 b:s16", "y:s8"),
    "multiply_16": case_of("y = a * b", "a:u16 b:u16"),
    "mixed": case_of("y = a * b + c", "a:u16 b:u8 c:s8"),
    "channels": case_of("y = x * s + b", "x:u8 s:u8[C] b:u8[C]"),
    "channels_16": case_of("y = x * s + b", "x:u8 s:s16[C] b:s16[C]"),
    "prelu": case_of("y = x if x > 0 else alpha * x", "x:u8 alpha:u8[C]"),
    "to_16": case_of("y = a - b", "a:u8 b:u8", "y:u16"),
    "multiply_to_16": case_of("y = a * b", "a:u8 b:s8", "y:s16"),
    "add_all_16": case_of("y = a + b", "a:u16 b:u16", "y:u16"),
    "multiply_all_16": case_of("y = a * b", "a:u16 b:u16", "y:u16"),
    "multiply_add_16": case_of("y = 0.5 * a * b - c + a", "a:s16 b:u16 c:s16", "y:s16"),
    "multiply_8_16": case_of("y = max(a * b + p, 0)", "a:u8 b:s16", "y:u16", "p"),
    "min_16": case_of("y = min(a, b + 0.5)", "a:u16 b:s16", "y:u16"),
    "extremes_16": case_of("y = 1 - 2 * max(min(abs(a), b), a * c)", "a:s16 b:u16 c:u16", "y:s16"),
    "relu_16": case_of("y = max(x, 0)", "x:s16", "y:u16"),
    "table": case_of("y = sigmoid(a) * b - c", "a:s8 b:u8 c:u8"),
    "table_choice": case_of("y = (exp(-p * a) if a > 1 else sqrt(abs(a))) - b", "a:u8 b:s8", "y:s8", "p"),
    "uniform": case_of(
        "y = (a - b if p * p < 1 or q > 9 else b * floor(q + 2.5)) + sigmoid(p)", "a:u8 b:u8", params="p q"
    ),
    "choice": case_of("y = a if a > b else c", "a:u8 b:s8 c:u8"),
    "choices": case_of("y = a if a > b else (0.5 * c if c <= -0.3 else b - c)", "a:u8 b:s8 c:u8", "y:s8"),
    "choice_equal": case_of(
        "y = -a if not (a == b or p <= b) and b != 0.25 else (a if b < p else 0)", "a:u8 b:s8", "y:s8", "p"
    ),
    "choice_16": case_of("y = a - b if a > b or not a < 0.5 * c else sign(a - b)", "a:u16 b:u16 c:s16", "y:u16"),
    "choice_size_16": case_of("y = a if abs(a - b) > 0.5 else 0", "a:u16 b:s16", "y:s16"),
    "choice_size": case_of("y = a if 0.5 * b >= abs(a) else -b", "a:u8 b:s8", "y:s8"),
    "choice_channels": case_of("y = x - s if x > t else (x if x == s else 2)", "x:u8 s:u8[C] t:s16[C]", "y:s8"),
    "two_results": case_of("y = a + b; z = a - b", "a:u8 b:u8", "y:u8 z:s8"),
}
NAMES = list(OPS)
CASES = list(OPS.values())


RANDOM = [random_case(seed) for seed in range(12)]


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    return Kit(tmp_path_factory.mktemp("fixed"), [case.unit for case in CASES])


@pytest.fixture(scope="module")
def random_kit(tmp_path_factory: pytest.TempPathFactory) -> Kit:
    return Kit(tmp_path_factory.mktemp("fixed_random"), [case.unit for case in RANDOM])


@pytest.mark.parametrize("name", NAMES)
def test_typical_scales(kit: Kit, name: str) -> None:
    """With scales that fit the data nearly all calls are taken, and few results differ from the correctly rounded ones."""
    number, case, rng = NAMES.index(name), OPS[name], np.random.default_rng(len(name))
    calls = [typical(case, number, rng) for _ in range(20)]
    taken, different = 0, []
    for call, got in zip(calls, kit.run(calls), strict=True):
        if got is None:
            continue
        taken += 1
        for steps in distances(case, call, got).values():
            assert steps.max() <= 1, (call.scales, call.params)
            different.append(float((steps != 0).mean()))
    assert taken >= 19, f"{taken} of {len(calls)}"
    most = 0.02 if len(case.unit.snippet.inputs) < 5 else 0.06  # coefficients of many bytes have fewer bits
    assert np.median(different) < most, different
    assert np.mean(different) < 2.5 * most, different


@pytest.mark.parametrize("name", NAMES)
def test_extreme_scales(kit: Kit, name: str) -> None:
    """Scales over twelve orders of magnitude, zero points at the ends: refused, or within 1 step."""
    number, case, rng = NAMES.index(name), OPS[name], np.random.default_rng(100 + len(name))
    calls = [wild(case, number, rng, n=1024) for _ in range(40)]
    taken = 0
    for call, got in zip(calls, kit.run(calls), strict=True):
        if got is None:
            continue
        taken += 1
        for steps in distances(case, call, got).values():
            assert steps.max() <= 1, (call.scales, call.params)
    assert taken >= 4


@given(st.integers(0, len(RANDOM) - 1), st.integers(0, 2**32), st.booleans())
@settings(max_examples=150, deadline=None, database=None)
def test_random_expressions(random_kit: Kit, number: int, seed: int, extreme: bool) -> None:
    case, rng = RANDOM[number], np.random.default_rng(seed)
    call = (wild if extreme else typical)(case, number, rng, n=512)
    got = random_kit.run([call])[0]
    for steps in distances(case, call, got).values() if got is not None else ():
        assert steps.max() <= 1, (case.spec, call.scales, call.params)


def test_random_expressions_are_taken(random_kit: Kit) -> None:
    """Most random expressions at typical scales are for the vector code: the test above is not empty."""
    rng = np.random.default_rng(5)
    calls = [typical(case, number, rng, n=256) for number, case in enumerate(RANDOM) for _ in range(5)]
    taken = [got is not None for got in random_kit.run(calls)]
    assert np.mean(taken) > 0.6, np.mean(taken)


def test_signed_elements_that_lie_as_unsigned(tmp_path_factory: pytest.TempPathFactory) -> None:
    """As QHPI hands them over: zero points are moved with the elements."""
    cases = [
        case_of("y = a + b", "a:s8 b:s8", "y:s8", unsigned=True),
        case_of("y = max(a * b, 0)", "a:s16 b:s8", "y:s8", unsigned=True),
    ]
    kit = Kit(tmp_path_factory.mktemp("unsigned"), [case.unit for case in cases], unsigned=True)
    rng = np.random.default_rng(3)
    calls = [typical(case, number, rng) for number, case in enumerate(cases) for _ in range(6)]
    for call, got in zip(calls, kit.run(calls), strict=True):
        assert got is not None
        assert distances(cases[call.unit], call, got)["y"].max() <= 1


@pytest.mark.parametrize("n", [1, 127, 128, 129, 4096 + 37])
def test_sizes_and_misaligned_rows(kit: Kit, n: int) -> None:
    rng = np.random.default_rng(n)
    calls = []
    for number, case in enumerate(CASES):
        call = typical(case, number, rng, n=8192)
        inputs = {
            name: a if name in call.fixed else np.resize(rng.permutation(a), n) for name, a in call.inputs.items()
        }
        calls.append(Call(number, inputs, n, call.scales, call.params, call.fixed, shift=int(rng.choice([0, 2, 126]))))
    for call, got in zip(calls, kit.run(calls), strict=True):
        for steps in distances(CASES[call.unit], call, got).values() if got is not None else ():
            assert steps.max() <= 1


ON_HEXAGON = [
    "add",
    "add_relu",
    "multiply",
    "leaky",
    "requantize",
    "channels_16",
    "mixed",
    "add_all_16",
    "to_16",
    "chain",
]


@pytest.mark.parametrize("arch", ["v66", "v73"])
def test_hexagon_computes_what_the_host_does(kit: Kit, tmp_path_factory: pytest.TempPathFactory, arch: str) -> None:
    hexagon = Kit(tmp_path_factory.mktemp("fixed_hexagon"), [OPS[name].unit for name in ON_HEXAGON], arch=arch)
    rng = np.random.default_rng(9)
    calls = [typical(OPS[name], NAMES.index(name), rng, n=1000) for name in ON_HEXAGON for _ in range(2)]
    there = [replace(call, unit=ON_HEXAGON.index(NAMES[call.unit])) for call in calls]
    for wanted, got in zip(kit.run(calls), hexagon.run(there), strict=True):
        assert (wanted is None) == (got is None)
        for name, array in (wanted or {}).items():
            assert got is not None
            np.testing.assert_array_equal(array, got[name])


@pytest.mark.parametrize(
    ("compute", "tensors", "outputs", "why"),
    [
        ("y = a / b", "a:u8 b:u8", "y:u8", "division by a tensor"),
        ("y = sqrt(a) + b", "a:u16 b:u8", "y:u8", "'sqrt' of a tensor"),
        ("y = exp(a) * b", "a:u8 b:u16", "y:u16", "16-bit lanes are not enough"),
        ("y = a ** 0.7 + b", "a:u16 b:u8", "y:u8", "'pow' has no"),
        ("y = (a + c) * floor(a * b)", "a:u8 b:u8 c:u16", "y:u16", "whole numbers of two inputs"),
        ("y = a + b", "a:u8 b:f32", "y:u8", "not quantized"),
        ("y = b + (a if b > 1 else -a)", "a:u8 b:u8", "y:u8", "sign of an input"),
        ("y = a if a * b > 1 else -a", "a:u8 b:u8", "y:u8", "a comparison of a 'mul'"),
        ("y = sum(a, axis=-1, keepdims=True) + a", "a:u8", "y:u8", "reduction"),
    ],
)
def test_what_it_cannot(compute: str, tensors: str, outputs: str, why: str) -> None:
    assert why in refusal_of(compute, tensors, outputs)
