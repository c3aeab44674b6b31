"""Shape inference and the checks of a call, rule by rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opkg.spec.dtypes import DTYPES
from opkg.spec.evaluate import EvaluationError, TensorInfo
from opkg.spec.infer import Call, check_call
from opkg.spec.model import Op
from opkg.spec.reader import read, read_file
from opkg.spec.shapes import broadcast, concat, reduce

F32, F16, U8, S8, I32 = (DTYPES[name] for name in ("float32", "float16", "ufixed8", "sfixed8", "int32"))


def op(body: str) -> Op:
    """The op that the lines describe."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").splitlines())
    package, diagnostics = read(f"opkg: 1\npackage: {{name: a.b}}\nops:\n  Op:\n{lines}".encode(), "f")
    assert package is not None, diagnostics
    return package.ops[0]


def f32(*shape: int) -> TensorInfo:
    return TensorInfo(shape, F32)


def u8(*shape: int, scale: float = 0.5, offset: int = 0) -> TensorInfo:
    return TensorInfo(shape, U8, scale, offset)


def call(op_: Op, /, combination: int = 0, params: dict[str, Any] | None = None, **tensors: Any) -> Call:
    return check_call(op_, op_.combinations[combination], tensors, params or {})


UNARY = op("inputs:\n  x: {dtype: float32, rank: 2..3}\noutputs:\n  y: {dtype: float32, shape: x.shape}")


def test_elementwise() -> None:
    assert call(UNARY, x=f32(2, 3)) == Call({"y": (2, 3)}, {}, {}, {}, ())
    assert call(UNARY, x=f32(2, 3)).ok


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({}, "input 'x' is missing"),
        ({"x": None}, "input 'x' is missing"),
        ({"x": TensorInfo((2, 3), F16)}, "'x' has element type float16, not float32"),
        ({"x": f32(2)}, "'x' has rank 1; allowed is 2 to 3"),
        ({"x": f32(2, 0)}, "'x' has shape [2, 0]; every dimension must be at least 1"),
        ({"x": (f32(2, 3), f32(2, 3))}, "'x' is one tensor, not 2"),
        ({"x": f32(2, 3), "z": f32(1)}, "Op has no tensor 'z'"),
        ({"x": f32(2, 3), "y": f32(3, 2)}, "'y' has shape [3, 2], not [2, 3]"),
        ({"x": f32(2, 3), "y": TensorInfo((2, 3), F16)}, "'y' has element type float16, not float32"),
    ],
)
def test_violations(tensors: dict[str, Any], message: str) -> None:
    assert message in call(UNARY, **tensors).violations


DIMS = op("""
inputs:
  a: {dtype: float32, shape: [batch..., N, "N * 2"]}
  b: {dtype: float32, shape: [N, C]}
  c: {dtype: float32, shape: [batch..., 4], optional: true}
outputs:
  y: {dtype: float32, shape: [batch..., C]}
  z: {dtype: float32, shape: [N, ...]}
constraints:
  - {require: "z.shape[1] == C", message: z has C columns}
  - c.rank == 2
  - {require: present(c) or C < 100, message: large C needs c}
""")


def test_dimensions_and_runs() -> None:
    found = call(DIMS, a=f32(5, 6, 3, 6), b=f32(3, 7))
    assert found.outputs == {"y": (5, 6, 7), "z": None}
    assert (found.dims, found.rests, found.violations) == ({"N": 3, "C": 7}, {"batch": (5, 6)}, ())
    assert call(DIMS, a=f32(3, 6), b=f32(3, 7), z=f32(3, 7)).outputs == {"y": (7,), "z": (3, 7)}
    assert call(DIMS, a=f32(3, 6), b=f32(4, 7)).violations[0] == "dimension N is 3 in 'a' and 4 in 'b'"
    assert "dimension 1 of 'a' is 5, not 6" in call(DIMS, a=f32(3, 5), b=f32(3, 7)).violations
    assert call(DIMS, a=f32(3, 6), b=f32(3, 7), z=f32(3, 8)).violations == ("z has C columns",)
    assert call(DIMS, a=f32(3, 6), b=f32(3, 7), z=f32(4, 7)).violations == ("dimension 0 of 'z' is 4, not 3",)
    wrong = call(DIMS, a=f32(5, 3, 6), b=f32(3, 7), c=f32(6, 4))
    assert wrong.violations == ("dimensions batch are [5] in 'a' and [6] in 'c'",)


def test_constraints_on_absent_tensors() -> None:
    assert call(DIMS, a=f32(3, 6), b=f32(3, 7)).ok
    assert call(DIMS, a=f32(3, 6), b=f32(3, 7), c=f32(4)).violations == ("c.rank == 2 must hold",)
    assert call(DIMS, a=f32(3, 6), b=f32(3, 100)).violations == ("large C needs c",)


PARAMS = op("""
inputs:
  x: {dtype: float32}
params:
  axis: {dtype: uint32, default: rank(x) - 1, axis_of: x}
  mode: {dtype: uint32, enum: {LOW: 3, HIGH: 5}, default: HIGH}
  beta: {dtype: float32, default: 0.1, range: 0 .. 0.1}
  scale: {dtype: float32, range: "> 0"}
  steps: {dtype: int32, shape: [rank(x)], default: x.shape}
  axes: {dtype: int32, shape: [K, 2], default: [0, 1]}
  keep: {dtype: bool8, default: false}
outputs:
  y: {dtype: float32, shape: [K, axis + 1]}
""")


def test_params() -> None:
    found = call(PARAMS, params={"scale": 2}, x=f32(4, 5))
    assert found.violations == ()
    assert found.outputs == {"y": (1, 2)}
    rounded = float(np.float32(0.1))
    assert found.params == {
        "scale": 2.0, "axis": 1, "mode": 5, "beta": rounded, "steps": (4, 5), "axes": (0, 1), "keep": False,
    }  # fmt: skip
    assert call(PARAMS, params={"scale": 1.0, "axes": (1, 2, 3, 4)}, x=f32(4)).outputs == {"y": (2, 1)}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "param 'scale' is missing"),
        ({"scale": 0.0}, "param 'scale' is 0.0; it must be > 0.0"),
        ({"axis": 2}, "param 'axis' is 2; 'x' has dimensions 0 to 1"),
        ({"axis": -1}, "param 'axis': -1 is not in 0 .. 4294967295"),
        ({"axis": True}, "param 'axis': True is a bool"),
        ({"axis": 0.5}, "param 'axis': 0.5 is no whole number"),
        ({"mode": 4}, "param 'mode' is 4; allowed are LOW (3), HIGH (5)"),
        ({"beta": 0.2}, f"param 'beta' is {float(np.float32(0.2))}; it must be <= {float(np.float32(0.1))}"),
        ({"beta": 1e39}, "param 'beta': 1e+39 does not fit in float32"),
        ({"beta": float("nan")}, "param 'beta': nan does not fit in float32"),
        ({"keep": 1}, "param 'keep': 1 is no bool"),
        ({"steps": 1}, "param 'steps' must be a tensor"),
        ({"axis": (1,)}, "param 'axis' must be a scalar"),
        ({"steps": (1, 2, 3)}, "param 'steps' has 3 elements, not 2"),
        ({"nope": 1}, "Op has no param 'nope'"),
    ],
)
def test_param_violations(params: dict[str, Any], message: str) -> None:
    if params and "scale" not in params:
        params = {"scale": 1.0, **params}
    assert message in call(PARAMS, params=params, x=f32(4, 5)).violations


VARIADIC = op("""
inputs:
  xs: {dtype: float32, variadic: 2..3}
params:
  axis: {dtype: int32, axis_of: xs}
outputs:
  y: {dtype: float32, shape: "concat(axis, xs)"}
constraints:
  - {require: count(xs) == 2 or axis == 0, message: three along axis 0 only}
""")


def test_variadic() -> None:
    assert call(VARIADIC, params={"axis": -1}, xs=(f32(2, 3), f32(2, 4))).outputs == {"y": (2, 7)}
    wrong = call(VARIADIC, params={"axis": 1}, xs=(f32(2, 3), f32(3, 3)))
    assert wrong.violations == (
        "cannot infer the shape of 'y': shapes [2, 3] and [3, 3] cannot be joined along axis 1",
    )
    assert "'xs' is given 1 times; allowed are 2 to 3" in call(VARIADIC, params={"axis": 0}, xs=(f32(2),)).violations
    assert call(VARIADIC, params={"axis": 1}, xs=(f32(2, 3),) * 3).violations == ("three along axis 0 only",)


SPLIT = op("""
types: {T: [float32, ufixed8]}
inputs:
  x: {dtype: T, shape: [N, C]}
outputs:
  ys: {dtype: T, variadic: true, shape: [N, C / count(ys)]}
""".replace("C / count(ys)", "..."))  # fmt: skip


def test_variadic_outputs() -> None:
    assert call(SPLIT, x=f32(2, 6)).outputs == {"ys": None}
    assert call(SPLIT, x=f32(2, 6), ys=(f32(2, 2), f32(2, 4))).outputs == {"ys": ((2, 2), (2, 4))}
    asked = (TensorInfo(None, F32), f32(2, 4))
    assert call(SPLIT, x=f32(2, 6), ys=asked).outputs == {"ys": None}


QUANT = op("""
types: {T: [ufixed8, sfixed8, float32]}
inputs:
  x: {dtype: T, quantization: symmetric}
  w: {dtype: T, quantization: {axis: -1, symmetric: true}}
  z: {dtype: T, quantization: {scale: 0.1, offset: -3}}
outputs:
  y: {dtype: T, shape: x.shape, quantization: same as z}
""")


def test_quantization() -> None:
    w = TensorInfo((2, 3), U8, axis=1, scales=(0.1, 0.2, 0.3), offsets=(-128,) * 3)
    z = u8(1, scale=float(np.float32(0.1)), offset=-3)
    good = {"x": u8(2, offset=-128), "w": w, "z": z}
    assert call(QUANT, **good).ok
    assert call(QUANT, **good, y=u8(2, scale=0.1, offset=-3)).ok
    messages = call(QUANT, **good, y=u8(2, scale=0.2, offset=0)).violations
    assert messages == (
        "'y' has scale 0.2; it must be 0.1, as 'z' has it",
        "'y' has offset 0; it must be -3, as 'z' has it",
    )
    for name, info, message in [
        ("x", u8(2, offset=0), "'x' has offset 0; it must be -128 to be symmetric"),
        ("x", TensorInfo((2,), U8), "'x' has no scale and offset"),
        ("x", u8(2, scale=-1.0, offset=-128), "'x' has scale -1; it must be positive"),
        ("x", TensorInfo((2,), U8, axis=0, scales=(1.0, 1.0)), "'x' must be quantized per tensor, not per channel"),
        ("w", u8(2, 3), "'w' must be quantized per channel of dimension -1"),
        ("w", TensorInfo((2, 3), U8, axis=0, scales=(1.0, 1.0)), "'w' is quantized per channel of dimension 0, not 1"),
        ("w", TensorInfo((2, 3), U8, axis=1, scales=(1.0,), offsets=(-128,)), "'w' has 1 scales for 3 channels"),
        ("w", TensorInfo((2, 1), U8, axis=1, scales=(1.0,), offsets=(0,)),
         "'w' must have offset -128 in every channel to be symmetric"),
        ("z", u8(1, scale=0.2, offset=-3), "'z' has scale 0.2; it must be 0.1"),
    ]:  # fmt: skip
        assert call(QUANT, **{**good, name: info}).violations == (message,)
    floats = {name: f32(2) for name in "xwz"}
    assert call(QUANT, 2, **floats).ok
    signed = TensorInfo((2,), S8, 0.5, 0)
    assert "'x' has offset" not in str(call(QUANT, 1, x=signed, w=signed, z=signed).violations)


def test_reduce_concat_broadcast_errors() -> None:
    with pytest.raises(EvaluationError, match="axis 2 of a tensor of rank 2"):
        reduce((1, 2), (2,), True)
    with pytest.raises(EvaluationError, match="do not broadcast"):
        broadcast([(2,), (3,)])
    with pytest.raises(EvaluationError, match="cannot be joined"):
        concat(0, [(2, 2), (2, 3)])


SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


@settings(max_examples=300, deadline=None)
@given(st.lists(SHAPES, min_size=1, max_size=3))
def test_broadcast_is_numpys(shapes: list[tuple[int, ...]]) -> None:
    try:
        wanted = np.broadcast_shapes(*shapes)
    except ValueError:
        with pytest.raises(EvaluationError):
            broadcast(shapes)
        return
    assert broadcast(shapes) == wanted


@settings(max_examples=200, deadline=None)
@given(SHAPES, st.data())
def test_reduce_and_concat_are_numpys(shape: tuple[int, ...], data: st.DataObject) -> None:
    axes = tuple(data.draw(st.sets(st.integers(0, len(shape) - 1), min_size=1)))
    array = np.zeros(shape)
    assert reduce(shape, axes, True) == array.sum(axis=axes, keepdims=True).shape
    assert reduce(shape, tuple(a - len(shape) for a in axes), False) == (array.sum(axis=axes).shape or (1,))
    axis = axes[0] - len(shape)
    assert concat(axis, [shape, shape]) == np.concatenate([array, array], axis=axis).shape


@pytest.mark.parametrize(("axes", "said"), [((2,), None), ((0,), "the last dimension is normalised")])
def test_a_layer_norm_over_another_dimension_is_refused(axes: tuple[int, ...], said: str | None) -> None:
    package, _ = read_file(Path(__file__).parents[2] / "examples/qnn/specs/qnn.yaml", "qnn.yaml")
    assert package is not None
    norm = next(op for op in package.ops if op.name == "LayerNorm")
    found = call(norm, params={"axes": axes}, x=f32(3, 3, 3), gamma=f32(3), y=f32(3, 3, 3)).violations
    assert not found if said is None else any(said in violation for violation in found)
