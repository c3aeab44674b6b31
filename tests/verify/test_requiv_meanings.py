"""Meanings of core ops: against ONNX's reference implementation where it has the op, by hand where it has not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.rules.core import HtpType
from opkg.rules.sim import Output, Settings
from opkg.verify.cases.rng import Rng
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules.equivalence import check
from opkg.verify.rules.meaning import Arg, Call, Unfit
from opkg.verify.rules.meanings import bare, meaning_of, table
from opkg.verify.rules.search import Search
from opkg.verify.rules.tensors import FLOATS, WHOLE, rounded, stored, unsaturated
from opkg.verify.rules.world import World

from .rulelib import rule


def compute(op: str, *operands: Array, shape: tuple[int, ...] | None = None) -> Array:
    """A core op on arrays: whole numbers are Int32 constants, others Float32."""
    args = []
    for operand in operands:
        whole = operand.dtype.kind == "i"
        output = Output(HtpType.Int32 if whole else HtpType.Float32, operand.shape)
        args.append(Arg(operand, output, whole))
    found = World([]).compute(Call(f"q::{op}", tuple(args), HtpType.Float32, shape))
    assert not isinstance(found, tuple)
    return found


def numbers(*values: int) -> Array:
    return np.array(values, np.int64).reshape(1, 1, 1, -1)


def random(*shape: int, seed: int = 0) -> Array:
    return Rng(seed, "test", str(shape)).array(shape) * 4 - 2


def onnx(op: str, *operands: Array, **attributes: object) -> Array:
    """What ONNX's own reference gives."""
    helper = pytest.importorskip("onnx.helper")
    reference = pytest.importorskip("onnx.reference")
    names = [f"i{n}" for n in range(len(operands))]
    inputs = [
        helper.make_tensor_value_info(n, 7 if o.dtype.kind == "i" else 11, o.shape)
        for n, o in zip(names, operands, strict=True)
    ]
    node = helper.make_node(op, names, ["o"], **attributes)
    graph = helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("o", 11, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    (found,) = reference.ReferenceEvaluator(model).run(None, dict(zip(names, operands, strict=True)))
    return np.asarray(found)


def first(array: Array) -> Array:
    """NHWC as NCHW."""
    return array.transpose(0, 3, 1, 2)


def last(array: Array) -> Array:
    """NCHW as NHWC."""
    return array.transpose(0, 2, 3, 1)


def _conv() -> tuple[Array, Array]:
    x, w, b = random(1, 7, 6, 4), random(3, 2, 2, 6), random(1, 1, 1, 6, seed=1)
    pads, stride, dilation = numbers(1, 0, 2, 1), numbers(2, 1), numbers(2, 1)
    mine = compute("Conv2d", x, w, b, stride, pads.reshape(1, 1, 2, 2), dilation, numbers(2))
    theirs = onnx(
        "Conv", first(x), w.transpose(3, 2, 0, 1), b.reshape(-1), group=2, strides=[2, 1], pads=[1, 2, 0, 1],
        dilations=[2, 1],
    )  # fmt: skip
    return mine, last(theirs)


def _depthwise() -> tuple[Array, Array]:
    x, w, b = random(2, 5, 6, 3), random(3, 3, 1, 6), random(1, 1, 1, 6, seed=1)
    mine = compute("DepthWiseConv2d", x, w, b, numbers(1, 2), numbers(1, 1, 0, 1).reshape(1, 1, 2, 2))
    theirs = onnx(
        "Conv", first(x), w.transpose(3, 2, 0, 1), b.reshape(-1), group=3, strides=[1, 2], pads=[1, 0, 1, 1]
    )  # fmt: skip
    return mine, last(theirs)


def _pool(op: str, theirs: str, *more: Array, **attributes: object) -> tuple[Array, Array]:
    x = random(1, 7, 8, 3)
    mine = compute(op, x, numbers(3, 2), numbers(2, 1), numbers(1, 1, 0, 1).reshape(1, 1, 2, 2), *more)
    return mine, last(
        onnx(theirs, first(x), kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1], **attributes)
    )  # fmt: skip


X = random(2, 4, 6, 8)
CASES: dict[str, Callable[[], tuple[Array, Array]]] = {
    "Conv2d": _conv,
    "DepthWiseConv2d": _depthwise,
    "PoolMax2d": lambda: _pool("PoolMax2d", "MaxPool"),
    "PoolAvg2d without padding": lambda: _pool("PoolAvg2d", "AveragePool", numbers(0), count_include_pad=0),
    "PoolAvg2d with padding": lambda: _pool("PoolAvg2d", "AveragePool", numbers(1), count_include_pad=1),
    "MatMul": lambda: (
        compute("MatMul", random(2, 1, 3, 4), random(5, 4), numbers(0), numbers(1)),
        onnx("MatMul", random(2, 1, 3, 4), random(5, 4).T),
    ),
    "FullyConnected": lambda: (
        compute("FullyConnected", random(1, 1, 3, 4), random(1, 1, 5, 4), random(1, 1, 1, 5)).reshape(3, 5),
        onnx("Gemm", random(1, 1, 3, 4).reshape(3, 4), random(1, 1, 5, 4).reshape(5, 4), random(1, 1, 1, 5)[0, 0], transB=1),
    ),
    "Softmax": lambda: (compute("Softmax", X, numbers(1)), onnx("Softmax", X, axis=1)),
    "ReduceSum": lambda: (compute("ReduceSum", X, numbers(1, 2)), onnx("ReduceSum", X, np.array([1, 2]), keepdims=0)),
    "ReduceMean": lambda: (compute("ReduceMean", X, numbers(-1), numbers(1)), onnx("ReduceMean", X, np.array([3]))),
    "Argmax": lambda: (compute("Argmax", X, numbers(2), numbers(1)), onnx("ArgMax", X, axis=2)),
    "Transpose": lambda: (compute("Transpose", X, numbers(0, 3, 1, 2)), onnx("Transpose", X, perm=[0, 3, 1, 2])),
    "Concat": lambda: (compute("Concat", X, X, numbers(2)), onnx("Concat", X, X, axis=2)),
    "Tile": lambda: (compute("Tile", X, numbers(1, 2, 1, 3)), onnx("Tile", X, np.array([1, 2, 1, 3]))),
    "Gather": lambda: (
        compute("Gather", X, np.array([3, 0, 3]), numbers(1)),
        onnx("Gather", X, np.array([3, 0, 3]), axis=1),
    ),
    "Pad": lambda: (
        compute("Pad", X, numbers(2), numbers(0, 0, 1, 2, 0, 1, 0, 0).reshape(1, 1, 4, 2)),
        onnx("Pad", X, np.array([0, 1, 0, 0, 0, 2, 1, 0]), mode="reflect"),
    ),
    "StridedSlice": lambda: (
        compute("StridedSlice", X, numbers(0, 2, 1, 1, 3, 1, 0, 6, 2, 7, 1, -3).reshape(1, 1, 4, 3)),
        onnx("Slice", X, np.array([0, 1, 0, 7]), np.array([2, 3, 6, 1]), np.arange(4), np.array([1, 1, 2, -3])),
    ),
    "DepthToSpace": lambda: (
        compute("DepthToSpace", X, numbers(2, 2)), last(onnx("DepthToSpace", first(X), blocksize=2)),
    ),
    "DepthToSpace, columns first": lambda: (
        compute("DepthToSpace", X, numbers(2, 2), numbers(1)),
        last(onnx("DepthToSpace", first(X), blocksize=2, mode="CRD")),
    ),
    "SpaceToDepth": lambda: (
        compute("SpaceToDepth", X, numbers(2, 2)), last(onnx("SpaceToDepth", first(X), blocksize=2)),
    ),
    "LayerNorm": lambda: (
        compute("LayerNorm", X, random(8), random(8, seed=1), np.array([1e-3])),
        onnx("LayerNormalization", X, random(8), random(8, seed=1), epsilon=1e-3),
    ),
    "Gelu": lambda: (
        compute("Gelu", X), X * 0.5 * (1 + onnx("Erf", X / np.sqrt(2.0))),
    ),
    "Elu": lambda: (compute("Elu", X, np.array([0.5])), onnx("Elu", X, alpha=0.5)),
    "HardSwish": lambda: (compute("HardSwish", X), onnx("HardSwish", X)),
    "Prelu": lambda: (compute("Prelu", X, random(8)), onnx("PRelu", X, random(8))),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_onnx(name: str) -> None:
    mine, theirs = CASES[name]()
    assert mine.shape == theirs.shape
    np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def test_blocks_to_batches_and_back() -> None:
    x = random(2, 5, 6, 3)
    pads = numbers(1, 0, 0, 2).reshape(1, 1, 2, 2)
    batches = compute("SpaceToBatch", x, numbers(2, 4), pads)
    assert batches.shape == (16, 3, 2, 3)
    np.testing.assert_array_equal(batches[0, :, :, 0], np.pad(x, [(0, 0), (1, 0), (0, 2), (0, 0)])[0, ::2, ::4, 0])
    np.testing.assert_array_equal(compute("BatchToSpace", batches, numbers(2, 4), pads), x)


def test_concat_reads_its_axis_first_or_last() -> None:
    x, y = random(1, 2, 3, 4), random(1, 2, 5, 4)
    axis = numbers(2)
    np.testing.assert_array_equal(compute("Concat", axis, x, y), compute("QNN_Concat", x, y, axis))
    with pytest.raises(Unfit, match="without a constant axis"):
        compute("Concat", x, y)


def test_slice_shape_must_stay_inside() -> None:
    x = random(1, 4, 4, 2)
    got = compute("Slice_shape", x, np.array([0, 1, 0, 0]), np.array([1, 3, 2, 2]))
    np.testing.assert_array_equal(got, x[:, 1:4, :2])
    with pytest.raises(Unfit, match="leaves"):
        compute("Slice_shape", x, np.array([0, 2, 0, 0]), np.array([1, 3, 2, 2]))


def test_reshape_takes_the_shape_of_its_node_or_of_an_operand() -> None:
    x = random(1, 2, 3, 4)
    assert compute("Reshape", x, shape=(1, 1, 6, 4)).shape == (1, 1, 6, 4)
    assert compute("Reshape", x, numbers(4, -1, 1, 2)).shape == (4, 3, 1, 2)
    for shape in (None, (1, 1, 1, 23)):
        with pytest.raises(Unfit):
            compute("Reshape", x, shape=shape)


def test_names_of_the_core() -> None:
    assert [bare(n) for n in ("q::Relu", "q::QNN_Relu", "qti.aisw::Relu", "q::Add")] == ["Relu"] * 3 + [
        "ElementWiseAdd"
    ]
    assert bare("acme.test::Relu") is None
    assert meaning_of("q::Nonesuch") is None
    assert len(table()) >= 50


def _unlike(op: str) -> list[str]:
    """Ops whose numbers of operands are tried: all that a meaning names."""
    meaning = table()[op]
    most = meaning.most if meaning.most >= 0 else meaning.least + 2
    return [f"{op} {count}" for count in range(meaning.least, most + 1)]


@pytest.mark.parametrize("form", [form for op in table() for form in _unlike(op)])
def test_every_meaning_proposes_operands_that_it_takes(form: str) -> None:
    op, count = form.split()
    tags = ", ".join(f'"T{i}"' for i in range(int(count)))
    same = rule(f'Op("q::{op}", {tags}), OK, Op("q::{op}", {tags})')
    search = Search(same, World([]), 0, Settings())
    samples = list(search.samples(20))
    assert len(samples) >= 15, search.failed
    assert all(check(same, World([]), sample, Settings()) is True for sample in samples)


types = st.sampled_from([t for t in HtpType if t not in (HtpType.UNKNOWN, HtpType.Multi, HtpType.NONE)])
reals = st.floats(allow_nan=False, width=32)


@given(types, st.integers(-40, 40), st.floats(2.0**-10, 4.0, width=32), st.lists(reals, min_size=1, max_size=8))
def test_rounding_is_idempotent_and_monotonic(dtype: HtpType, zero: int, step: float, values: list[float]) -> None:
    quantized = Output(dtype, (len(values),)).quantized
    output = Output(dtype, (len(values),), zero, step) if quantized else Output(dtype, (len(values),))
    real = np.array(sorted(values))
    once = rounded(real, output)
    np.testing.assert_array_equal(rounded(once, output), once)
    assert (np.diff(once.astype(np.float64)[np.isfinite(once)]) >= 0).all()
    if dtype not in FLOATS | WHOLE:
        near = np.abs(real) < 2.0**20 * step
        assert (np.abs(unsaturated(real[near], output) - real[near]) <= step / 2 * (1 + 1e-6)).all()


def test_bfloat16_rounds_half_to_even() -> None:
    output = Output(HtpType.BFloat16, (5,))
    got = stored(np.array([1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-8 + 2.0**-20, np.inf, -3.0]), output)
    np.testing.assert_array_equal(got, np.array([1.0, 1 + 2.0**-6, 1 + 2.0**-7, np.inf, -3.0], np.float32))
