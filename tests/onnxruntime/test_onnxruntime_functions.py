"""Functions made from `compute:`: ONNX's checker takes them, and the CPU provider computes what the reference does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opkg.models.onnx_function import functions
from opkg.models.onnx_nodes import Unfit
from opkg.spec.model import OpPackage
from opkg.spec.reader import read

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

HEAD = """\
opkg: 1
package: {name: test.functions, version: 1.0.0, targets: [qnn-htp-qhpi]}
ops:
"""
OP = """\
  Op{number}:
    types: {{T: [{dtype}]}}
    inputs: {{a: {{dtype: T, shape: [N, C]}}, b: {{dtype: T, shape: [N, C]}}}}
    params: {{k: {{dtype: {param}, default: 2}}}}
    outputs: {{y: {{dtype: {result}, shape: [{shape}]}}}}
    compute: |
      {compute}
"""
A, B = (np.array([[-3.5, -1.0, 0.0, 0.5, 2.0, 7.25], [1.0, -0.25, 3.0, -6.0, 0.75, 9.0]]),
        np.array([[2.0, -1.5, 4.0, 0.5, -3.0, 1.0], [0.25, 2.0, -2.0, 5.0, 1.5, -7.0]]))  # fmt: skip
M, N = (np.array([[-7, 5, 0, 3, -2147483648, 12], [9, -4, 2147483647, -1, 8, 6]]),
        np.array([[2, -3, 4, 0, 1, 5], [-2, 3, 1, 2, -5, 0]]))  # fmt: skip


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


REALS = {
    "y = clip(a, -1, k)": np.clip(A, -1, 2),
    "y = clip(a, b, k)": np.minimum(np.maximum(A, B), 2),
    "y = a * sigmoid(k * b) / 3": A * sigmoid(2 * B) / 3,
    "y = sin(a) + cos(b) + asin(a / 10) + atan(b) + log1p(abs(a)) + log1p(a / 1e6)": (
        np.sin(A) + np.cos(B) + np.arcsin(A / 10) + np.arctan(B) + np.log1p(np.abs(A)) + np.log1p(A / 1e6)
    ),
    "y = softplus(a) + silu(b) + mish(b) + hardswish(a)": (
        np.logaddexp(A, 0) + B * sigmoid(B) + B * np.tanh(np.logaddexp(B, 0)) + A * np.clip(A + 3, 0, 6) / 6
    ),
    "y = cumsum(a, axis=-1) + argmax(a, axis=-1, keepdims=True) - argmin(b, axis=0, keepdims=True) + argmax(b)": (
        np.cumsum(A, -1) + A.argmax(-1, keepdims=True) - B.argmin(0, keepdims=True) + B.argmax()
    ),
    "y = concat(a[:, 3:], b[..., :3], axis=-1) + transpose(transpose(a)[::-1, None])[:, 0] + b[1, 2::-1][-1:]": (
        np.concatenate([A[:, 3:], B[:, :3]], -1) + A[:, ::-1] + B[1, 2::-1][-1:]
    ),
    "y = reshape(pad(tile(a, (2, 1)), ((0, 0), (1, 2)), k), (-1, a.shape[1]))[:2]": (
        np.pad(np.tile(A, (2, 1)), ((0, 0), (1, 2)), constant_values=2).reshape(-1, 6)[:2]
    ),
    "y = concat(-a[..., C // 2 :], a[..., : C // 2], axis=-1)"
    " * concat(b[:, -C // 4 :], b[:, C % 4 : b.shape[1] - N], b[:, (N - 1) * 2 :: 2], axis=-1)": (
        np.concatenate([-A[:, 3:], A[:, :3]], -1) * B[:, [4, 5, 2, 3, 2, 4]]
    ),
    "y = a if pad(a > b, ((1, 0), (0, 2)))[1:, :-2] else -b": np.where(A > B, A, -B),
    "y = take(a, cast(b[0], int32), axis=-1) + b[:, -1:]": (
        A[:, np.clip(np.where(B[0] <= -1, np.trunc(B[0]) + 6, np.trunc(B[0])), 0, 5).astype(int)] + B[:, -1:]
    ),
    "y = trunc(a) + round(b) + ceil(a) - floor(b)": np.trunc(A) + np.rint(B) + np.ceil(A) - np.floor(B),
    "y = a % b + a // b": np.mod(A, B) + np.floor_divide(A, B),
    "y = sqrt(abs(a)) + rsqrt(b * b) + exp(b) + log(abs(b)) + tanh(a) + a ** 2": (
        np.sqrt(np.abs(A)) + 1 / np.abs(B) + np.exp(B) + np.log(np.abs(B)) + np.tanh(A) + A * A
    ),
    "y = a if a > b and not b == 2 else -b": np.where((A > B) & (B != 2), A, -B),
    "y = a if k > 1 else b": A,
    "y = (a if k > 3 and k < 9 else 2 * b) + (3 if k == 2 else 4)": 2 * B + 3,
    "y = a if k > 3 else 0": 0 * A,
    "y = 1.0 if a != b else sign(a)": np.where(A != B, 1.0, np.sign(A)),
    "y = a - mean(a, axis=-1, keepdims=True)": A - A.mean(-1, keepdims=True),
    "y = max(a, b, 0) + min(a, axis=0, keepdims=True)": np.maximum(np.maximum(A, B), 0) + A.min(0, keepdims=True),
    "y = cast(cast(a * k, int32), float32)": np.trunc(A * 2),
}  # fmt: skip
INTEGERS = {
    "y = a + b * k": np.clip(M + N * 2, -(2**31), 2**31 - 1),
    "y = a // b": np.where(N == 0, 0, M // np.where(N == 0, 1, N)),
    "y = a % b": np.where(N == 0, 0, M % np.where(N == 0, 1, N)),
    "y = (a & b) | (a ^ 5)": (M & N) | (M ^ 5),
    "y = a >> abs(b)": M >> np.abs(N),
    "y = clip(a, -100, 100) << abs(b)": np.clip(M, -100, 100) << np.abs(N),
    "y = ~b + sum(b, axis=-1, keepdims=True)": ~N + N.sum(-1, keepdims=True),
    "y = cast(a / k, int32)": np.trunc(np.float32(M) / np.float32(2)).clip(-(2**31), 2**31 - 1),
}  # fmt: skip


def package(computes: list[str], dtype: str, param: str, result: str = "T", shape: str = "N, C") -> OpPackage:
    ops = [
        OP.format(number=n, dtype=dtype, param=param, result=result, shape=shape, compute=c)
        for n, c in enumerate(computes)
    ]
    found, findings = read((HEAD + "".join(ops)).encode(), "functions.yaml")
    assert found is not None, [finding.message for finding in findings]
    return found


def run(made: OpPackage, inputs: dict[str, Any], as_inputs: bool) -> list[Any]:
    """All ops of a package in one model on the CPU provider; params have their default, or are constants of it."""
    number = {"float32": 1, "float16": 10, "int32": 6}
    nodes, values, bodies, initializers = [], [], [], []
    for op in made.ops:
        (function,) = (each.function for each in functions(op, made.name, as_inputs))
        bodies.append(onnx.parser.parse_function(function.text(18)))
        extra = []
        if as_inputs:
            whole = op.params[0].dtype.name != "float32"
            extra = [f"k_{op.name}"]
            array = np.asarray(2, np.int32 if whole else np.float32)
            initializers.append(onnx.numpy_helper.from_array(array, extra[0]))
        nodes.append(onnx.helper.make_node(op.name, [*inputs, *extra], [f"y_{op.name}"], domain=made.name))
        dtype = op.outputs[0].dtype.of(op.combinations[0]).name
        values.append(onnx.helper.make_tensor_value_info(f"y_{op.name}", number[dtype], inputs["a"].shape))
    given = [
        onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in inputs.items()
    ]
    graph = onnx.helper.make_graph(nodes, "g", given, values, initializers)
    imports = [onnx.helper.make_opsetid("", 18), onnx.helper.make_opsetid(made.name, 1)]
    model = onnx.helper.make_model(graph, opset_imports=imports, functions=bodies, ir_version=10)
    onnx.checker.check_model(model)
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return list(session.run(None, inputs))


@pytest.mark.parametrize("as_inputs", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_real_numbers(dtype: str, as_inputs: bool) -> None:
    made = package(list(REALS), dtype, "float32")
    inputs = {"a": A.astype(dtype), "b": B.astype(dtype)}
    for compute, got in zip(REALS, run(made, inputs, as_inputs), strict=True):
        assert got.dtype == dtype
        np.testing.assert_allclose(
            got, REALS[compute], rtol=2e-6 if dtype == "float32" else 1e-3, atol=1e-6, err_msg=compute
        )


@pytest.mark.parametrize("as_inputs", [False, True])
def test_integers(as_inputs: bool) -> None:
    made = package(list(INTEGERS), "int32", "int32")
    inputs = {"a": M.astype(np.int32), "b": N.astype(np.int32)}
    for compute, got in zip(INTEGERS, run(made, inputs, as_inputs), strict=True):
        assert got.dtype == np.int32
        np.testing.assert_array_equal(got, INTEGERS[compute], err_msg=compute)


@pytest.mark.parametrize(
    ("compute", "op"),
    [
        ("y = a if k > 1 else -b", "If"),
        ("y = a if k > 1 else 0", "Where"),  # of other shapes
        ("y = a if a > k else b", "Where"),
        ("y = a - (1 if k > 1 else 2)", "If"),
        ("y = a if k > 1 else sum(b, axis=0, keepdims=True)", "Where"),
    ],
)
def test_a_test_of_params_alone_is_an_if(compute: str, op: str) -> None:
    (made,) = functions(package([compute], "float32", "float32").ops[0], "test.functions", as_inputs=True)
    assert [n.op_type for n in made.function.nodes if n.op_type in ("If", "Where")] == [op]


def test_halves_do_not_overflow_on_the_way() -> None:
    made = package(["y = log(1 + exp(k * a))"], "float16", "float32")
    (got,) = run(made, {"a": np.full((1, 2), 20, np.float16), "b": np.zeros((1, 2), np.float16)}, True)
    assert got.tolist() == [[40.0, 40.0]]


def test_one_function_for_each_number_of_inputs() -> None:
    spec = OP.replace("{{dtype: T, shape: [N, C]}}}}", "{{dtype: T, shape: [N, C], optional: true}}}}")
    text = spec.format(
        number=0, dtype="int32", param="float32", result="T", shape="N, C",
        compute="y = a + b if present(b) else -a",
    )  # fmt: skip
    found, findings = read((HEAD + text).encode(), "functions.yaml")
    assert found is not None, [finding.message for finding in findings]
    made = functions(found.ops[0], found.name, as_inputs=False)
    assert [(each.function.overload, each.function.inputs, each.inputs) for each in made] == [
        ("1", ("a",), 1),
        ("2", ("a", "b"), 2),
    ]
    assert not any("If" in node.op_type or "Where" in node.op_type for each in made for node in each.function.nodes)


def test_older_opsets_have_axes_as_attributes() -> None:
    (op,) = package(["y = max(a, axis=1, keepdims=True) + b"], "float32", "float32").ops
    old, new = (functions(op, "d", False, opset)[0].function for opset in (13, 18))
    assert (old.opset, new.opset) == (13, 18)
    assert "ReduceMax <axes = [1], keepdims = 1> (a)" in old.text()
    assert "ReduceMax <keepdims = 1> (a, c" in new.text()


def test_what_older_opsets_cannot_say() -> None:
    (op,) = package(["y = a & b"], "int32", "int32").ops
    with pytest.raises(Unfit, match="'&' needs opset 18"):
        functions(op, "d", False, 13)


def test_all_functions_of_the_examples_are_read_by_onnx() -> None:
    count = 0
    for path in sorted((Path(__file__).parents[2] / "examples").glob("*/specs/*.yaml")):
        found, _ = read(path.read_bytes(), str(path))
        for op in found.ops if found is not None else ():
            for as_inputs in (False, True):
                try:
                    made = functions(op, "some.domain", as_inputs)
                except Unfit:
                    continue
                for each in made:
                    parsed = onnx.parser.parse_function(each.function.text())
                    assert list(parsed.output) == [tensor.name for tensor in op.outputs]
                    count += 1
    assert count > 100


@pytest.mark.parametrize("place", ["C", "a.shape[-1]", "N - 1"])
def test_a_single_place_that_is_a_size_has_no_function(place: str) -> None:
    (op,) = package([f"y = a[{place}] + b"], "float32", "int32").ops
    with pytest.raises(Unfit, match="ONNX slices ranges"):
        functions(op, "d", True)
