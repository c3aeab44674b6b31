"""`opkg onnx patch`: ops of a spec in the place of what their patterns say, in float and QDQ models, and why elsewhere not."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opkg.cli.main import run

if importlib.util.find_spec("onnx") is None or importlib.util.find_spec("onnxruntime") is None:
    if os.environ.get("CI"):
        raise RuntimeError("the package onnx or onnxruntime is missing")
    pytest.skip("the package onnx or onnxruntime is missing", allow_module_level=True)
import onnx
import onnxruntime
from fuse_models import Maker, mlp, mobilenet_v3, quantized, resnet_se
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper, numpy_helper

from opkg.fuse.patch.api import Patched, patch
from opkg.spec.diagnostics import OpkgError
from opkg.spec.model import OpPackage
from opkg.spec.reader import read

GENERATED = Path(__file__).resolve().parents[2] / "examples/onnxruntime/generated/nn_vision/onnxruntime"
SPEC = """\
opkg: 1
package: {name: acme.acts, version: 1.0.0, targets: [qnn-htp-qhpi, onnxruntime]}
ops:
  ErfGate:
    types: {T: [float32, float16, ufixed8]}
    inputs: {x: {dtype: T, rank: 1..5}}
    outputs: {y: {dtype: T, shape: x.shape}}
    pattern: F.gelu(x)
    compute: y = x * 0.5 * (1 + erf(x / 1.4142135623730951))
  HardGate:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, rank: 1..5}}
    outputs: {y: {dtype: T, shape: x.shape}}
    pattern: F.hardswish(x)
    compute: y = x * clip(x + 3, 0, 6) / 6
  AddRelu:
    types: {T: [float32, ufixed8]}
    inputs: {a: {dtype: T, rank: 1..5}, b: {dtype: T, rank: 1..5}}
    outputs: {y: {dtype: T, shape: "broadcast(a, b)"}}
    pattern: torch.relu(a + b)
    compute: y = max(a + b, 0)
  Leak:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 2..4}}
    params: {alpha: {dtype: float32, default: 0.01}, more: {dtype: float32, default: 0.5}}
    outputs: {y: {dtype: T, shape: x.shape}}
    pattern: F.leaky_relu(x, alpha) * more
    compute: y = where(x > 0, x, alpha * x) * more
  RowNorm:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[batch..., C]", rank: 1..4}, gain: {dtype: T, shape: "[C]", static: true}}
    params: {eps: {dtype: float32, default: 0.00001}}
    outputs: {y: {dtype: T, shape: x.shape}}
    pattern: x * torch.rsqrt(torch.mean(x * x, -1, keepdim=True) + eps) * gain
    compute: y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + eps) * gain
  Wrong:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 1..5}}
    outputs: {y: {dtype: T, shape: x.shape}}
    pattern: F.hardswish(x)
    compute: y = x * clip(x + 3, 0, 6) / 7
  Bits:
    types: {T: [int32]}
    inputs: {a: {dtype: T, rank: 1..4}, b: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: "broadcast(a, b)"}}
    pattern: torch.maximum(a, b) + a
    compute: y = max(a, b) + (a & b) + (a ^ b) - b - (a & b) - (a ^ b) + b + a
  ChannelGate:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, shape: "[N, H, W, C]", layout: NHWC}, slope: {dtype: T, shape: "[C]"}}
    outputs: {y: {dtype: T, shape: x.shape, layout: NHWC}}
    pattern: x * torch.sigmoid(slope * x)
    compute: y = x * sigmoid(slope * x)
  Dotted.Six:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 1..4}}
    outputs: {y: {dtype: T, shape: x.shape}}
    pattern: F.relu6(x)
    compute: y = clip(x, 0, 6)
  SoftAt:
    types: {T: [float32]}
    inputs: {x: {dtype: T, rank: 1..4}}
    params: {axis: {dtype: int32, default: -1, axis_of: x}}
    outputs: {y: {dtype: T, shape: x.shape}}
    pattern: torch.softmax(x, axis)
    compute: |
      e = exp(x - max(x, axis=axis, keepdims=True))
      y = e / sum(e, axis=axis, keepdims=True)
  ChannelNorm:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, shape: "[N, H, W, C]", layout: NHWC}}
    outputs: {y: {dtype: T, shape: "[N, H, W, 1]", layout: NHWC}}
    pattern: torch.sqrt(torch.sum(x * x, -1, keepdim=True))
    compute: y = sqrt(sum(x * x, axis=-1, keepdims=True))
"""
FLOAT, HALF, INT = 1, 10, 6


@pytest.fixture(scope="module")
def package() -> OpPackage:
    found, findings = read(SPEC.encode(), "acts.yaml")
    assert found is not None, [finding.message for finding in findings]
    return found


@pytest.fixture
def put(package: OpPackage, tmp_path: Path) -> Callable[..., Patched]:
    """Patches a model with ops by name."""

    def patched(proto: Any, *names: str, **how: Any) -> Patched:
        path = tmp_path / "model.onnx"
        onnx.save(proto, path)
        ops = {op.name: op for op in package.ops}
        return patch(str(path), {}, [(ops[name], package.name) for name in names], **how)

    return patched


def kinds(result: Patched) -> list[str]:
    return [node.op_type for node in onnx.load_model_from_string(result.data).graph.node]


def why(result: Patched) -> str:
    (finding,) = [finding for finding in result.findings if finding.id == "OPK792"]
    return finding.message


def small(
    *nodes: Any, shape: tuple[int, ...] = (2, 3, 8), dtype: int = FLOAT, opset: int = 18, **constants: Any
) -> Any:
    """A model of `x` to `y`; more inputs are those that nothing gives."""
    made = {name for node in nodes for name in node.output} | set(constants)
    given = dict.fromkeys(name for node in nodes for name in node.input if name and name not in made)
    values = [helper.make_tensor_value_info(name, dtype, shape) for name in given]
    kind = helper.tensor_dtype_to_np_dtype(dtype)
    tensors = [
        numpy_helper.from_array(v if isinstance(v, np.ndarray) else np.asarray(v, kind), n)
        for n, v in constants.items()
    ]
    graph = helper.make_graph(list(nodes), "small", values, [helper.make_tensor_value_info("y", dtype, None)], tensors)
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return onnx.shape_inference.infer_shapes(proto)


def node(op: str, inputs: str, output: str, **attributes: Any) -> Any:
    return helper.make_node(op, inputs.split(), [output], **attributes)


def test_subgraphs_of_float_models(put: Callable[..., Patched]) -> None:
    result = put(mlp(), "ErfGate")
    assert result.ok
    assert kinds(result) == ["MatMul", "ErfGate", "MatMul"] * 3
    elements = 17 * 128
    assert [(place.before, place.after) for place in result.found.places] == [
        (4 * (11 * elements + 3), 8 * elements)
    ] * 3
    assert result.nodes == (21, 9)
    assert result.bytes[0] - result.bytes[1] == 3 * (4 * (11 * elements + 3) - 8 * elements)
    (output,) = result.outputs
    assert output.largest <= 1e-6 * output.value
    proto = onnx.load_model_from_string(result.data)
    assert {(each.domain, each.name) for each in proto.functions} == {("acme.acts", "ErfGate")}


def test_two_ops_and_what_is_put_nowhere(put: Callable[..., Patched]) -> None:
    result = put(mobilenet_v3(), "HardGate", "AddRelu")
    assert kinds(result).count("HardGate") == 2
    (finding,) = result.findings
    assert (finding.id, finding.severity.value) == ("OPK792", "warning")
    assert "Conv_output_0 is made by Conv, not Add" in finding.message
    assert kinds(put(resnet_se(), "AddRelu"))[-1] == "AddRelu"


@pytest.mark.parametrize("kind", ["uint8", "int8"])
def test_models_in_qdq_form(put: Callable[..., Patched], kind: str) -> None:
    """The op stands between DequantizeLinear and QuantizeLinear; steps in between are gone."""
    proto = quantized(mobilenet_v3(), kind)
    result = put(proto, "HardGate")
    if kind == "int8":
        assert not result.data
        assert "no combination of element types x sfixed8, y sfixed8" in why(result)
        return
    made = onnx.load_model_from_string(result.data)
    givers = {name: each for each in made.graph.node for name in each.output}
    placed = [each for each in made.graph.node if each.op_type == "HardGate"]
    assert len(placed) == 2
    for each in placed:
        assert [givers[name].op_type for name in each.input] == ["DequantizeLinear"]
        (reader,) = [other for other in made.graph.node if each.output[0] in other.input]
        assert reader.op_type == "QuantizeLinear"
    assert "Clip" not in kinds(result)
    steps = [name for each in made.graph.node if each.op_type == "DequantizeLinear" for name in each.output]
    readers = [name for each in made.graph.node for name in each.input]
    assert [readers.count(name) for name in steps] == [1] * len(steps)  # the provider ends the process on a shared one
    more = len(steps) - sum(each.op_type == "DequantizeLinear" for each in proto.graph.node) + 2 * 3
    assert len(made.graph.node) == len(proto.graph.node) - 2 * (4 - 1) - 2 * 2 * 3 + more
    (output,) = result.outputs
    assert 0 < output.largest < 0.05 * output.value
    assert output.allowed is None


FORMS = {
    "HardGate": [
        [("HardSwish", "x", "y", {})],
        [("HardSigmoid", "x", "h", {"alpha": 1 / 6, "beta": 0.5}), ("Mul", "h x", "y", {})],
        [("Add", "three x", "a", {}), ("Clip", "a zero six", "c", {}), ("Mul", "x c", "m", {}), ("Div", "m six", "y", {})],
        [("Add", "x three", "a", {}), ("Clip", "a zero six", "c", {}), ("Div", "c six", "d", {}), ("Mul", "d x", "y", {})],
        [("Add", "x three", "a", {}), ("Relu", "a", "r", {}), ("Min", "six r", "c", {}),
         ("Mul", "c sixth", "d", {}), ("Mul", "x d", "y", {})],
    ],
    "ErfGate": [
        [("Gelu", "x", "y", {})],
        [("Mul", "x inverse", "d", {}), ("Erf", "d", "e", {}), ("Add", "one e", "a", {}), ("Mul", "half a", "h", {}),
         ("Mul", "h x", "y", {})],
        [("Div", "x root", "d", {}), ("Erf", "d", "e", {}), ("Add", "e one", "a", {}), ("Mul", "x half", "h", {}),
         ("Mul", "h a", "y", {})],
    ],
    "RowNorm": [
        [("Mul", "x x", "s", {}), ("ReduceMean", "s last", "m", {}), ("Add", "m eps", "a", {}), ("Sqrt", "a", "q", {}),
         ("Reciprocal", "q", "r", {}), ("Mul", "x r", "n", {}), ("Mul", "gain n", "y", {})],
        [("Pow", "x two", "s", {}), ("ReduceMean", "s last", "m", {}), ("Add", "eps m", "a", {}), ("Sqrt", "a", "q", {}),
         ("Div", "x q", "n", {}), ("Mul", "n gain", "y", {})],
        [("Pow", "x two", "s", {}), ("ReduceMean", "s last", "m", {}), ("Add", "eps m", "a", {}), ("Sqrt", "a", "q", {}),
         ("Div", "one q", "r", {}), ("Mul", "r x", "n", {}), ("Mul", "n gain", "y", {})],
    ],
    "AddRelu": [
        [("Add", "x b", "s", {}), ("Relu", "s", "y", {})],
        [("Add", "b x", "s", {}), ("Max", "zero s", "y", {})],
        [("Add", "b x", "s", {}), ("Clip", "s zero", "y", {})],
    ],
    "Leak": [[("LeakyRelu", "x", "l", {}), ("Mul", "half l", "y", {})], [("LeakyRelu", "x", "l", {}), ("Div", "l two", "y", {})]],
}  # fmt: skip
NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "six": 6, "half": 0.5, "sixth": 1 / 6, "root": 2**0.5, "inverse": 0.5**0.5,
    "eps": 1e-5,
}  # fmt: skip


def written(form: list[Any], dtype: int, opset: int) -> Any:
    names = {name for _, inputs, _, _ in form for name in inputs.split()}
    constants: dict[str, Any] = {name: value for name, value in NUMBERS.items() if name in names}
    if "gain" in names:
        constants["gain"] = np.linspace(0.5, 2, 8).astype(helper.tensor_dtype_to_np_dtype(dtype))
    if "last" in names:
        constants["last"] = np.array([-1], np.int64)
    return small(*(node(op, i, o, **a) for op, i, o, a in form), dtype=dtype, opset=opset, **constants)


@pytest.mark.parametrize(("name", "at"), [(name, at) for name, forms in FORMS.items() for at in range(len(forms))])
def test_all_forms_that_exporters_write(put: Callable[..., Patched], name: str, at: int) -> None:
    result = put(written(FORMS[name][at], FLOAT, 20), name)
    assert result.ok, result.findings
    assert kinds(result) == [name]
    assert result.outputs[0].value > 0.1


def test_halves(put: Callable[..., Patched]) -> None:
    """Functions compute halves in float32; numbers are compared as halves."""
    for name in ("ErfGate", "RowNorm"):
        result = put(written(FORMS[name][1], HALF, 20), name)
        assert result.ok, result.findings
        assert kinds(result) == [name]
    assert "has no combination of element types x float16" in why(
        put(written(FORMS["HardGate"][2], HALF, 20), "HardGate")
    )


def test_other_numbers_attributes_and_dimensions_are_other_ops(put: Callable[..., Patched]) -> None:
    leak = small(node("LeakyRelu", "x", "l", alpha=0.02), node("Mul", "l half", "y"), half=0.5)
    assert "has other attributes" in why(put(leak, "Leak"))
    factor = small(node("LeakyRelu", "x", "l"), node("Mul", "l f", "y"), f=0.25)
    assert "f is not the number 0.5" in why(put(factor, "Leak"))
    clip = small(node("Add", "x t", "a"), node("Clip", "a z s", "c"), node("Mul", "x c", "m"), node("Div", "m s", "y"),
                 t=3, z=0, s=6.5)  # fmt: skip
    assert not put(clip, "HardGate").data
    form = FORMS["RowNorm"][0]
    sideways = small(*(node(op, i.replace("last", "first"), o, **a) for op, i, o, a in form), eps=1e-5,
                     gain=np.ones(8, np.float32), first=np.array([1], np.int64))  # fmt: skip
    assert not put(sideways, "RowNorm").data
    assert "and the model has none" in why(put(small(node("Abs", "x", "y")), "ErfGate"))


def test_a_call_that_the_spec_does_not_allow(put: Callable[..., Patched]) -> None:
    rank = small(node("LeakyRelu", "x", "l"), node("Mul", "l h", "y"), shape=(2, 2, 2, 2, 2), h=0.5)
    assert "rank 5" in why(put(rank, "Leak"))
    open_gain = written(FORMS["RowNorm"][0], FLOAT, 18)
    open_gain.graph.initializer.remove(next(t for t in open_gain.graph.initializer if t.name == "gain"))
    open_gain.graph.input.append(helper.make_tensor_value_info("gain", FLOAT, [8]))
    assert "'gain' must be constant" in why(put(open_gain, "RowNorm"))


def test_names_with_dots_and_numbers_as_tensors(put: Callable[..., Patched]) -> None:
    """A constant without dimensions is an input like others: ONNX Runtime's provider makes [1] of it."""
    result = put(small(node("Add", "x two", "s"), node("Relu", "s", "r"), node("Clip", "r z s6", "y"), two=2, z=0, s6=6),
                 "AddRelu", "Dotted.Six")  # fmt: skip
    assert kinds(result) == ["AddRelu", "Dotted.Six"]
    assert result.ok
    alone = small(node("HardSwish", "x", "y"), shape=())
    assert "rank 0" in why(put(alone, "HardGate"))


def test_what_others_read_stays(put: Callable[..., Patched]) -> None:
    shared = small(node("Add", "x b", "s"), node("Relu", "s", "r"), node("Mul", "s r", "y"))
    assert "s is read by others, too" in why(put(shared, "AddRelu"))
    shared.graph.output.append(helper.make_tensor_value_info("s", FLOAT, [2, 3, 8]))
    assert "s is read by others, too" in why(put(shared, "AddRelu"))


def test_nodes_belong_to_one_place(put: Callable[..., Patched]) -> None:
    """A chain of sums: each Relu takes the Add before it, and Add nodes in between are not taken twice."""
    chain = small(node("Add", "x b", "s"), node("Relu", "s", "r"), node("Add", "r b", "t"), node("Relu", "t", "y"))
    assert kinds(put(chain, "AddRelu")) == ["AddRelu", "AddRelu"]
    one = small(node("Add", "x x", "s"), node("Relu", "s", "y"))
    assert kinds(put(one, "AddRelu")) == ["AddRelu"]


def test_params_go_behind_the_inputs(put: Callable[..., Patched]) -> None:
    """Two float params would be mixed up as attributes, which keep no order."""
    made = onnx.load_model_from_string(put(written(FORMS["Leak"][0], FLOAT, 18), "Leak").data)
    (leak,) = made.graph.node
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in made.graph.initializer}
    assert [constants[name].item() for name in leak.input[1:]] == [np.float32(0.01), np.float32(0.5)]
    assert not leak.attribute


def test_shapes_that_functions_do_not_tell_are_said(put: Callable[..., Patched]) -> None:
    """The provider takes no node of which they are unknown."""
    proto = small(node("Softmax", "x", "s", axis=-1), node("Neg", "s", "y"), shape=(2, 5))
    del proto.graph.value_info[:]
    made = onnx.load_model_from_string(put(proto, "SoftAt").data)
    (value,) = made.graph.value_info
    assert (value.name, [dim.dim_value for dim in value.type.tensor_type.shape.dim]) == ("s", [2, 5])


def test_branches_are_left_alone(put: Callable[..., Patched]) -> None:
    """What an If holds stays as it is, and what it reads from outside keeps its name."""
    value = helper.make_tensor_value_info("b", FLOAT, [2, 5])
    clip = node("Clip", "r low high", "b")
    branches = {
        "then_branch": helper.make_graph([clip], "then", [], [value]),
        "else_branch": helper.make_graph([node("Mul", "r r", "b")], "else", [], [value]),
    }
    nodes = node("Clip", "x low high", "r"), node("If", "c", "y", **branches)
    proto = small(*nodes, shape=(2, 5), low=np.float32(0), high=np.float32(6), c=np.array(True))
    made = onnx.load_model_from_string(put(proto, "Dotted.Six").data)
    assert [each.op_type for each in made.graph.node] == ["Dotted.Six", "If"]
    assert made.graph.node[1] == proto.graph.node[1]


def test_again(put: Callable[..., Patched]) -> None:
    """A patched model is patched on: functions that are there stay."""
    m = Maker(18)
    x = m.input("x", 2, 8)
    h = m.op("HardSwish", "/hard", x)
    proto = m.model("two", [m.op("Relu", "/relu", m.op("Add", "/add", h, x))])
    once = onnx.load_model_from_string(put(proto, "HardGate").data)
    twice = put(once, "AddRelu")
    assert kinds(twice) == ["HardGate", "AddRelu"]
    assert not twice.findings
    assert twice.outputs[0].largest == 0
    third = put(onnx.load_model_from_string(twice.data), "HardGate")
    assert not third.data


def test_old_opsets(put: Callable[..., Patched]) -> None:
    assert kinds(put(written(FORMS["AddRelu"][0], FLOAT, 13), "AddRelu")) == ["AddRelu"]
    old = small(node("Max", "x b", "m"), node("Add", "m x", "y"), dtype=INT, opset=13)
    with pytest.raises(OpkgError) as failure:
        put(old, "Bits")
    assert [finding.id for finding in failure.value.diagnostics] == ["OPK793"]
    assert kinds(put(small(node("Max", "x b", "m"), node("Add", "x m", "y"), dtype=INT), "Bits")) == ["Bits"]


def test_a_wrong_compute_is_found(put: Callable[..., Patched]) -> None:
    result = put(small(node("HardSwish", "x", "y")), "Wrong")
    assert not result.ok
    assert [finding.id for finding in result.findings] == ["OPK794"]


def gated(slope: tuple[int, ...] = (5, 1, 1), axis: int = 1) -> Any:
    """Convolution, gate per channel, norm along the channels: in NCHW, sizes 1, 5, 4, 5."""
    m = Maker(18)
    x = m.input("x", 1, 3, 4, 5)
    y = m.op("Conv", "/conv", x, m.constant("w", m.random.standard_normal((5, 3, 1, 1))))
    rows = m.constant("slope", np.linspace(-1, 2, 5).reshape(slope))
    y = m.op("Mul", "/gate/Mul_1", y, m.op("Sigmoid", "/gate/Sigmoid", m.op("Mul", "/gate/Mul", y, rows)))
    s = m.op("ReduceSum", "/norm/Sum", m.op("Mul", "/norm/Mul", y, y), m.constant("axes", [axis], "int64"))
    return m.model("gated", [m.op("Sqrt", "/norm/Sqrt", s)])


@pytest.mark.parametrize("slope", [(5, 1, 1), (1, 5, 1, 1)])
def test_ops_in_nhwc_stand_between_transposes(put: Callable[..., Patched], slope: tuple[int, ...]) -> None:
    """The numbers say that channels are channels; a constant per channel gets one dimension."""
    result = put(gated(slope), "ChannelGate", "ChannelNorm")
    assert result.ok
    assert result.outputs[0].value > 1
    turned = ["Transpose", "ChannelGate", "Transpose", "Transpose", "ChannelNorm", "Transpose"]
    assert kinds(result) == ["Conv", *turned]
    gate = result.found.places[0]
    assert [str(step) for step in gate.steps] == ["transposed", "flattened", "transposed"]
    assert gate.after == (2 * 100 + 5) * 4 + 2 * 2 * 100 * 4  # its own tensors, and what both transposes read and write


def test_what_is_no_channel_of_an_op_in_nhwc(put: Callable[..., Patched]) -> None:
    """Width and channels have one size: only the place of the dimension tells them apart."""
    assert "slope goes along another dimension" in why(put(gated((5,)), "ChannelGate"))
    assert not put(gated(axis=3), "ChannelNorm").data
    assert kinds(put(gated(axis=3), "ChannelNorm", nchw=False))[-1] == "ChannelNorm"
    assert kinds(put(gated((5,)), "ChannelGate", nchw=False))[1:2] == ["ChannelGate"]


def test_transposes_of_qdq_models_have_steps(put: Callable[..., Patched]) -> None:
    """Without these ONNX Runtime's provider leaves the op to its function."""
    result = put(quantized(gated()), "ChannelGate")
    made = onnx.load_model_from_string(result.data)
    givers = {name: each for each in made.graph.node for name in each.output}
    for each in (node for node in made.graph.node if node.domain == "acme.acts"):
        assert {givers[name].op_type for name in each.input} == {"DequantizeLinear"}
        assert [o.op_type for o in made.graph.node if each.output[0] in o.input] == ["QuantizeLinear"]
    assert kinds(result).count("Transpose") == 2
    assert 0 < result.outputs[0].largest < 0.05 * result.outputs[0].value


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_random_chains_compute_the_same(
    package: OpPackage, tmp_path_factory: pytest.TempPathFactory, data: Any
) -> None:
    """Ops of all kinds in any order, their operands from anywhere before: whatever is replaced, the numbers stay."""
    m = Maker(20)
    values = [m.input("x", 2, 4), m.input("b", 2, 4)]
    three, zero, six = (m.constant(n, v) for n, v in (("three", 3.0), ("zero", 0.0), ("six", 6.0)))

    def hard(name: str, x: str) -> str:
        c = m.op("Clip", f"{name}c", m.op("Add", f"{name}a", x, three), zero, six)
        return m.op("Div", f"{name}d", m.op("Mul", f"{name}m", c, x), six)

    for at in range(data.draw(st.integers(2, 9))):
        one, other = (data.draw(st.sampled_from(values)) for _ in range(2))
        kind = data.draw(st.sampled_from(["Add", "Relu", "HardSwish", "hard", "Max", "Gelu"]))
        if kind == "hard":
            values.append(hard(f"n{at}", one))
        else:
            values.append(m.op(kind, f"n{at}", *((one, other) if kind in ("Add", "Max") else (one,))))
    outputs = list(dict.fromkeys([values[-1], data.draw(st.sampled_from(values[2:]))]))
    path = tmp_path_factory.mktemp("chain") / "chain.onnx"
    onnx.save(m.model("chain", outputs), path)
    ops = {op.name: op for op in package.ops}
    result = patch(str(path), {}, [(ops[name], package.name) for name in ("AddRelu", "HardGate", "ErfGate")])
    assert all(finding.id == "OPK792" for finding in result.findings)
    covered = [number for place in result.found.places for number in place.nodes]
    assert len(covered) == len(set(covered))
    if result.data:
        onnx.checker.check_model(onnx.load_model_from_string(result.data), full_check=True)
        assert all(output.ok for output in result.outputs)


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("acts.yaml").write_text(SPEC)
    onnx.save(mlp(1), "mlp.onnx", save_as_external_data=True, location="mlp.data", size_threshold=64)
    command = ["onnx", "patch", "mlp.onnx", "--op", "ErfGate", "--spec", "acts.yaml"]
    assert run([*command, "--dry-run"]) == 0
    assert not Path("mlp.patched.onnx").exists()
    shown = capfd.readouterr().out
    assert "ErfGate  Div Erf Add Mul Mul  f32" in shown
    assert "7 nodes, 3 after" in shown
    assert run([*command, "--format", "json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["out"] == "mlp.patched.onnx"
    assert [place["nodes"][-1] for place in said["places"]] == ["/layers.0/act/Mul_1"]
    assert said["nodes"] == {"before": 7, "after": 3}
    x = np.random.default_rng(1).standard_normal((1, 17, 64)).astype("float32")
    was, now = (
        onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]
        for path in ("mlp.onnx", "mlp.patched.onnx")
    )
    np.testing.assert_allclose(now, was, rtol=1e-5, atol=1e-6)
    assert run(command) == 1
    assert "[OPK795]" in capfd.readouterr().out
    assert run([*command, "-o", "mlp.patched.onnx"]) == 0
    assert run([*command, "-o", "mlp.onnx"]) == 2
    assert run(["onnx", "patch", "mlp.onnx", "--op", "ErfGat", "--spec", "acts.yaml", "-o", "no.onnx"]) == 2
    assert run(["onnx", "patch", "mlp.onnx", "--op", "HardGate", "--spec", "acts.yaml", "-o", "no.onnx"]) == 1
    assert not Path("no.onnx").exists()
    Path("acts.yaml").write_text(SPEC.replace("ErfGate", "Gelu").replace("    pattern: F.hardswish(x)\n", ""))
    capfd.readouterr()
    assert run(["onnx", "patch", "mlp.onnx", "--op", "Gelu", "--spec", "acts.yaml", "-o", "no.onnx"]) == 1
    assert "[OPK720]" in capfd.readouterr().out
    assert run(["onnx", "patch", "mlp.onnx", "--op", "HardGate", "--spec", "acts.yaml", "-o", "no.onnx"]) == 1
    assert "HardGate has no pattern [OPK790]" in capfd.readouterr().out
    Path("bad.onnx").write_bytes(Path("mlp.onnx").read_bytes()[:-100])
    assert run(["onnx", "patch", "bad.onnx", "--op", "AddRelu", "--spec", "acts.yaml"]) == 1
    Path("mlp.data").unlink()
    assert run(["onnx", "patch", "mlp.onnx", "--op", "AddRelu", "--spec", "acts.yaml"]) == 1
    assert "internal error" not in "".join(capfd.readouterr())


def test_readers_of_a_step_that_is_a_result_have_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A DequantizeLinear whose result is one of the model's is read from outside, too: every node has a copy."""
    from opkg.fuse.onnx_place import steps_apart

    monkeypatch.syspath_prepend(GENERATED)
    nodes = importlib.import_module("nn_vision_onnxruntime.nodes")
    for apart in (steps_apart, nodes._steps_apart):
        for results, copies in ((["y", "d"], 2), (["y"], 1)):
            step = helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"])
            readers = [helper.make_node("Relu", ["d"], ["r"]), helper.make_node("Add", ["r", "d"], ["y"])]
            outputs = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4]) for name in results]
            graph = helper.make_graph([step, *readers], "g", [], outputs)
            apart(graph)
            steps = [node.output[0] for node in graph.node if node.op_type == "DequantizeLinear"]
            read = [name for node in graph.node for name in node.input if name in steps] + results
            assert len(steps) == 1 + copies
            assert all(read.count(name) == 1 for name in steps)
