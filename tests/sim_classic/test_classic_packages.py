"""Packages in the style people write, compiled as they are, run and compared with numpy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from classiclib import QNN, Case, Machine, one_op, scalar

Get = Callable[[str], Machine]
RNG = np.random.default_rng(7)
SHAPES = [(37,), (5, 9), (3, 4, 33), (2, 9, 10, 40)]  # ranks 1 to 4


def quantize(real: np.ndarray, dtype: str, so: tuple[float, int]) -> np.ndarray:
    info = np.iinfo(QNN[dtype][1])
    return np.clip(np.rint(real / so[0]) - so[1], info.min, info.max).astype(QNN[dtype][1])


def dequantize(stored: np.ndarray, so: tuple[float, int]) -> np.ndarray:
    return (stored.astype(np.float64) + so[1]) * so[0]


def integers(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    info = np.iinfo(QNN[dtype][1])
    return RNG.integers(info.min, info.max, shape, QNN[dtype][1], endpoint=True)


def floats(shape: tuple[int, ...], dtype: str = "f32") -> np.ndarray:
    return RNG.normal(0, 4, shape).astype(QNN[dtype][1])


def test_relu_float_all_ranks(machine: Get) -> None:
    data = [floats(shape) for shape in SHAPES]
    for x, result in zip(data, machine("activations").run(*(one_op("Relu", "f32", x) for x in data)), strict=True):
        np.testing.assert_array_equal(result.y, np.maximum(x, 0))
        assert result.kernels == ["reluImpl<PlainFloatTensor>"]


@pytest.mark.parametrize(
    ("dtype", "kernel"),
    [("u8", "reluImpl<QuantUint8Tensor>"), ("u16", "reluImpl<Tensor>"), ("s8", "reluImpl<Tensor>")],
)
def test_relu_quantized_requantizes(machine: Get, dtype: str, kernel: str) -> None:
    so, out_so = (0.05, -120 if dtype != "s8" else 5), (0.03, -3)
    data = [integers(dtype, shape) for shape in SHAPES]
    cases = [one_op("Relu", dtype, x, so=so, out=(dtype, x.shape, out_so)) for x in data]
    for x, result in zip(data, machine("activations").run(*cases), strict=True):
        expected = quantize(np.maximum(dequantize(x, so), 0), dtype, out_so)
        assert np.abs(result.y.astype(int) - expected.astype(int)).max() <= 1
        assert result.kernels == [kernel]
        assert result.log[0] == ("debug", f"Relu over {x.shape[-1]} channels")


@pytest.mark.parametrize(
    ("params", "low", "high"),
    [
        ([], 0.0, 6.0),
        ([scalar("max_value", "f32", 2.5)], 0.0, 2.5),
        ([scalar("max_value", "f32", 1.5), scalar("min_value", "f32", -1.0)], -1.0, 1.5),
    ],
)
@pytest.mark.parametrize("dtype", ["f32", "f16", "s8", "u8"])
def test_params_are_ordered_and_defaulted(machine: Get, dtype: str, params: list[str], low: float, high: float) -> None:
    shape, so = (2, 3, 5, 7), (0.0625, -20) if dtype in ("s8", "u8") else None
    x = integers(dtype, shape) if so else floats(shape, dtype)
    [result] = machine("activations").run(one_op("ReluMinMax", dtype, x, *params, so=so))
    real = dequantize(x, so) if so else x.astype(np.float64)
    expected = np.clip(real, low, high)
    expected = quantize(expected, dtype, so) if so else expected.astype(x.dtype)
    np.testing.assert_array_equal(result.y, expected)


def test_kernel_can_refuse_params(machine: Get) -> None:
    case = one_op("ReluMinMax", "f32", floats((4,)), scalar("min_value", "f32", 9.0))
    [result] = machine("activations").run(case)
    assert (result.status, result.record["code"]) == ("error", 10)
    assert "ErrorBadInput" in result.message
    assert ("error", "ReluMinMax: min_value 9.000000 is above max_value 6.000000") in result.log


def test_unlisted_param_is_dropped(machine: Get) -> None:
    [result] = machine("activations").run(one_op("ReluMinMax", "f32", floats((4,)), scalar("slope", "f32", 9.0)))
    assert result.status == "ok"
    assert any("slope" in text and level == "warn" for level, text in result.log)


def test_chain_of_ops(machine: Get) -> None:
    x = floats((1, 4, 4, 40))
    case = Case("chain")
    case.input("x", "f32", x)
    case.native("t", "f32", x.shape)
    case.output("y", "f32", x.shape)
    case.node("ReluMinMax", ["x"], ["t"], scalar("min_value", "f32", -3.0), name="first")
    case.node("Relu", ["t"], ["y"], name="n1")
    [result] = machine("activations").run(case, trace=True)
    np.testing.assert_array_equal(result.y, np.clip(x, 0, 6))
    assert [kernel["node"] for kernel in result.record["kernels"]] == ["first", "n1"]
    assert result.record["trace"][:3] == [
        "registered 2 ops, 7 kernels, 2 rules",
        'rule EARLY |  | Op("Relu", "X") | GT(DIM_DEPTH("X"), 32) | '
        'AUTOSPLIT(3, "I", 32, Op("Relu", TYPICAL_SLICE("X", "I")))',
        'rule LATE + 10 | relaxed_precision | Op("Relu", Op("Relu", "X")) | OK | Op("Relu", "X")',
    ]


@pytest.mark.parametrize("shape", [(1,), (128,), (3, 5, 7), (2, 9, 10, 40)])
def test_hvx_saturating_add(machine: Get, shape: tuple[int, ...]) -> None:
    a, b = integers("u8", shape), integers("u8", shape)
    case = Case("add")
    case.input("a", "u8", a, (0.1, 0))
    case.input("b", "u8", b, (0.1, 0))
    case.output("y", "u8", shape, (0.1, 0))
    [result] = machine("vectors").run(case.node("AddClip", ["a", "b"], ["y"]))
    np.testing.assert_array_equal(result.y, np.minimum(a.astype(int) + b, 255))
    assert result.kernels == ["addClipU8"]


def test_hvx_table(machine: Get) -> None:
    x, entries = integers("u8", (3, 100)), integers("u8", (256,))
    case = Case("table")
    case.input("x", "u8", x, (1, 0))
    case.static("t", "u8", entries, (1, 0))
    case.output("y", "u8", x.shape, (1, 0))
    [result] = machine("vectors").run(case.node("Table", ["x", "t"], ["y"]))
    np.testing.assert_array_equal(result.y, entries[x])


def test_halves_and_widening(machine: Get) -> None:
    x, q = floats((9, 33), "f16"), integers("u8", (5, 77))
    half, wide = machine("vectors").run(
        one_op("Half", "f16", x), one_op("Widen", "u8", q, so=(1, 0), out=("u16", q.shape, (1, 0)))
    )
    np.testing.assert_array_equal(half.y, (x.astype(np.float32) * 0.5).astype(np.float16))
    assert half.kernels == ["half<PlainFloat16Tensor>"]  # the cheaper TCM kernel does not match main memory
    np.testing.assert_array_equal(wide.y, q.astype(int) * 257)


@pytest.mark.parametrize("shape", [(8, 8, 32), (1, 9, 10, 40), (2, 1, 1, 1), (33,)])
@pytest.mark.parametrize(
    ("dtype", "kernel"),
    [
        ("u8", "scaleU8"),
        ("u16", "scaleWide<QUint16CroutonTensor_TCM>"),
        ("s8", "scaleWide<QInt8CroutonTensor_TCM>"),
        ("i32", "scaleWide<Int32CroutonTensor_TCM>"),
    ],
)
def test_croutons_in_tcm(machine: Get, dtype: str, kernel: str, shape: tuple[int, ...]) -> None:
    x = integers(dtype, shape)
    if dtype == "i32":
        x //= 8
    so = None if dtype == "i32" else (1.0, 0)
    [result] = machine("vectors").run(one_op("Scale", dtype, x, scalar("factor", "i32", 3), so=so))
    wide = x.astype(np.int64) * 3
    expected = np.minimum(wide, 255) if dtype == "u8" else wide.astype(x.dtype)
    np.testing.assert_array_equal(result.y, expected)
    assert result.kernels == [kernel]


@pytest.mark.parametrize("dtype", ["f16", "u16", "u8"])
def test_flat_to_crouton(machine: Get, dtype: str) -> None:
    shape, so = (1, 9, 7, 40), None if dtype == "f16" else (0.5, -3)
    x = integers(dtype, shape) if so else floats(shape, dtype)
    [result] = machine("vectors").run(one_op("Mirror", dtype, x, so=so))
    np.testing.assert_array_equal(result.y, x[:, :, ::-1])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["f32", "s16", "u8"])
def test_axis_param_moves_to_rank_4(machine: Get, dtype: str, shape: tuple[int, ...]) -> None:
    x = floats(shape) if dtype == "f32" else integers(dtype, shape)
    so = None if dtype == "f32" else (0.25, -3)
    axis = scalar("axis", "ui32", len(shape) - 1)
    [result] = machine("legacy").run(one_op("ArgMax", dtype, x, axis, so=so, out=("i32", (*shape[:-1], 1), None)))
    np.testing.assert_array_equal(result.y[..., 0], x.argmax(-1))


def test_other_axis_is_refused_by_the_kernel(machine: Get) -> None:
    case = one_op("ArgMax", "f32", floats((3, 4)), scalar("axis", "ui32", 0), out=("i32", (3, 1), None))
    [result] = machine("legacy").run(case)
    assert (result.status, result.record["code"]) == ("error", 7)
    assert ("error", "ArgMax: axis 2") in result.log


def test_mandatory_param(machine: Get) -> None:
    [result] = machine("legacy").run(one_op("ArgMax", "f32", floats((3, 4)), out=("i32", (3, 1), None)))
    assert (result.status, result.record["stage"]) == ("error", "compose")
    assert "param axis is mandatory" in result.message


def test_param_without_default_is_left_out(machine: Get) -> None:
    x = integers("i32", (4, 6)) // 2
    bias = scalar("bias", "i32", -7)
    plain, biased = machine("legacy").run(one_op("AddInt", "i32", x), one_op("AddInt", "i32", x, bias))
    assert (plain.kernels, biased.kernels) == (["addInt"], ["addIntBias"])
    np.testing.assert_array_equal(plain.y, x)
    np.testing.assert_array_equal(biased.y, x - 7)


@pytest.mark.parametrize("truth", [False, True])
def test_tensor_param_and_bool_param(machine: Get, truth: bool) -> None:
    x, negate = floats((7,)), scalar("negate", "b8", truth)
    given = Case("given")
    given.input("x", "f32", x)
    given.static("w", "f32", [1.0, 2.0, 3.0])
    given.output("y", "f32", x.shape)
    given.node("Weighted", ["x"], ["y"], negate, "tensor weights w")
    default, result = machine("legacy").run(one_op("Weighted", "f32", x, negate), given)
    sign = -1 if truth else 1
    np.testing.assert_array_equal(default.y, sign * x * np.resize(np.float32([0.5, 0.25]), 7))
    np.testing.assert_array_equal(result.y, sign * x * np.resize(np.float32([1, 2, 3]), 7))


DTYPES = [("u8", 1), ("u16", 2), ("s16", 3), ("f32", 4), ("i32", 5), ("s8", 7), ("i64", 9)]


@pytest.mark.parametrize(("dtype", "number"), DTYPES)
def test_generic_tensor_knows_its_type(machine: Get, dtype: str, number: int) -> None:
    so = (0.25, -3) if dtype[0] in "us" else None
    x = np.array([11, 12], QNN[dtype][1])
    [result] = machine("legacy").run(one_op("Describe", dtype, x, so=so, out=("f32", (6,), None)))
    scale, zero = (0.25, 3) if so else (1, 0)
    assert result.y.tolist() == [number, scale, zero, 4, (11 - zero) * scale, scale * zero]


@pytest.mark.parametrize("count", [1, 31, 32, 33, 64, 100, 1000])
def test_helpers_for_unaligned_memory(machine: Get, count: int) -> None:
    """The helpers of hvx_internal.h and on scalars, HVX from HTP's headers alone, names of QnnOpDef.h."""
    x = floats((1, 1, 1, count))
    half, pack = machine("sliding").run(one_op("Half", "f32", x), one_op("Pack", "f32", x))
    np.testing.assert_allclose(half.y, x * np.float32(0.5), rtol=2.5e-7)  # qfloat rounds to 23 bits or so
    step = np.exp2(7 - np.frexp(np.abs(x).max())[1])
    np.testing.assert_array_equal(pack.y, np.clip(np.trunc(x * step + np.copysign(0.5, x)), -128, 127))
