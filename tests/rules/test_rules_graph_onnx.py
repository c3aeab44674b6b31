"""Models as graphs of rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from rules_sim_kit import body, check_books, rules

from opkg.models.onnx_reader import of_proto
from opkg.rules.core import HtpType
from opkg.rules.sim import Graph, apply, read_graph, write_text
from opkg.rules.sim.model_form import graph_of
from opkg.spec.diagnostics import Diagnostic, MissingTool

FLOAT = TensorProto.FLOAT


def model(
    nodes: list[Any], inputs: dict[str, list[Any]], outputs: list[str], consts: dict[str, Any], opset: int = 18
) -> Any:
    made = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in consts.items()],
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("com.x", 1)])


def of_model(
    made: Any, path: str = "<model>", dims: dict[str, int] | None = None
) -> tuple[Graph | None, tuple[Diagnostic, ...]]:
    found, findings = of_proto(made, path, dims or {})
    if found is None:
        return None, findings
    graph, more = graph_of(found, path)
    return graph, (*(each for each in findings if each.id != "OPK703"), *more)


def read(*args: Any, **more: Any) -> Graph:
    found, findings = of_model(model(*args, **more))
    assert findings == ()
    assert found is not None
    check_books(found)
    return found


def test_ops_attributes_and_shapes() -> None:
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("Transpose", ["r"], ["t"], perm=[0, 2, 3, 1]),
        helper.make_node("Reshape", ["t", "s"], ["v"]),
        helper.make_node("Softmax", ["v"], ["y"]),
        helper.make_node("LeakyRelu", ["y"], ["z"], alpha=0.5),
    ]
    weights = np.zeros((4, 3, 3, 3), np.float32)
    made = model(nodes, {"x": [1, 3, 8, 8]}, ["z"], {"w": weights, "s": np.array([1, -1])})
    found, findings = of_model(made)
    assert findings == ()
    assert found is not None
    text = write_text(found, limit=20)
    for line in (
        "input x: Float32[1,3,8,8]",
        "const w: Float32[4,3,3,3] = ?  # 108 values",
        "r: Float32[1,4,8,8] = q::Relu(c)",
        "v: Float32[1,256] = q::Reshape(t)",
        "output z",
    ):
        assert line in text.splitlines()
    conv = found.find("c")
    assert conv is not None
    assert conv.op == "q::Conv2d"
    values = [found.nodes[i].data.array(found.nodes[i].output).tolist() for i in conv.inputs[2:]]  # type: ignore[union-attr]
    assert values == [[[[[1, 1, 1, 1]]]], [[[[1]]]]]
    leaky = found.find("z")
    assert leaky is not None
    assert leaky.op == "onnx::LeakyRelu"
    assert found.find("s") is None, "constants that nothing reads are left out"


def test_unknown_domains_keep_their_name_and_want_a_shape() -> None:
    nodes = [helper.make_node("Own", ["x"], ["o"], domain="com.x", beta=2)]
    found, findings = of_model(model(nodes, {"x": [4]}, ["o"], {}))
    assert found is not None
    node = found.find("o")
    assert node is not None
    assert (node.op, node.output.dtype, len(node.inputs)) == ("com.x::Own", HtpType.UNKNOWN, 2)
    assert [(f.id, f.severity, f.message) for f in findings] == [("OPK586", "warning", "o has no fixed shape")]


def test_depthwise_convolution() -> None:
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], group=3)]
    found = read(nodes, {"x": [1, 3, 8, 8]}, ["y"], {"w": np.zeros((3, 1, 3, 3), np.float32)})
    assert "q::DepthWiseConv2d" in found.ops()
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"])]
    found = read(nodes, {"x": [1, 3, 8]}, ["y"], {"w": np.zeros((3, 3, 3), np.float32)})
    assert "onnx::Conv" in found.ops()


def test_several_outputs_and_missing_inputs() -> None:
    nodes = [
        helper.make_node("Split", ["x"], ["a", "b"], axis=1, num_outputs=2, name="cut"),
        helper.make_node("Clip", ["b", "", "top"], ["c"]),
        helper.make_node("Concat", ["c", "a"], ["y"], axis=1),
    ]
    found = read(nodes, {"x": [1, 4]}, ["y"], {"top": np.float32(6)})
    lines = body(found)
    assert '"cut:all": Multi(2) = q::Split(x, %2)' in lines
    assert 'a: Float32[1,2] = "cut:all".0' in lines
    assert 'b: Float32[1,2] = "cut:all".1' in lines
    assert any(line.startswith("c: Float32[1,2] = q::ReluMinMax(b, %") for line in lines)
    assert any("NONE[0] = ?" in line for line in lines)


def test_quantization_becomes_a_description() -> None:
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "scale", "zero"], ["d"]),
        helper.make_node("DequantizeLinear", ["w", "scale", "one"], ["e"]),
        helper.make_node("DequantizeLinear", ["w2", "scales", "zeros"], ["f"], axis=0),
        helper.make_node("Add", ["d", "e"], ["g"]),
        helper.make_node("Add", ["g", "f"], ["y"]),
    ]
    consts = {
        "scale": np.float32(0.5),
        "zero": np.uint8(128),
        "one": np.int8(1),
        "w": np.array([3, -3], np.int8),
        "w2": np.array([3, -3], np.int8),
        "scales": np.array([1, 2], np.float32),
        "zeros": np.zeros(2, np.int8),
    }
    lines = body(read(nodes, {"x": [2]}, ["y"], consts))
    assert "q: QUInt8[2] zero 128 step 0.5 = q::Quantize(x)" in lines
    assert "d: Float32[2] = q::Dequantize(q)" in lines
    assert "const w: QInt8[2] zero 1 step 0.5 = [1.0, -2.0]" in lines
    assert "e: Float32[2] = q::Dequantize(w)" in lines
    assert any(line.startswith("f: Float32[2] = onnx::DequantizeLinear(w2, scales, zeros") for line in lines)


def test_constant_nodes_and_types() -> None:
    nodes = [
        helper.make_node("Constant", [], ["k"], value=numpy_helper.from_array(np.array([1, 2], np.float32))),
        helper.make_node("Constant", [], ["j"], value_ints=[3, 4]),
        helper.make_node("Cast", ["x"], ["h"], to=TensorProto.FLOAT16),
        helper.make_node("Cast", ["h"], ["l"], to=TensorProto.INT64),
        helper.make_node("Cast", ["l"], ["b"], to=TensorProto.BOOL),
        helper.make_node("Cast", ["b"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("Add", ["f", "k"], ["g"]),
        helper.make_node("Reshape", ["g", "j"], ["y"]),
    ]
    lines = body(read(nodes, {"x": [6, 2]}, ["y"], {}))
    assert "const k: Float32[2] = [1.0, 2.0]" in lines
    assert "h: Float16[6,2] = q::Cast(x)" in lines
    assert "l: Int64[6,2] = q::Cast(h)" in lines
    assert "b: QUInt8[6,2] = q::Cast(l)" in lines
    assert "y: Float32[3,4] = q::Reshape(g)" in lines


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (
            model([helper.make_node("Relu", ["x"], ["y"])], {"x": ["N", 3]}, ["y"], {}),
            "the input x has no fixed shape (dimension N)",
        ),
        (
            model([helper.make_node("Relu", ["x"], ["y"])], {"x": [3]}, ["y"], {}, opset=12),
            "opset 12; 13 is the oldest",
        ),
        (
            model([helper.make_node("Relu", ["q"], ["y"])], {"x": [3]}, ["y"], {}),
            "Relu(q) reads q, which nothing before it gives",
        ),
        (model([helper.make_node("Relu", ["x"], ["y"])], {"x": [3]}, ["z"], {}), "no node gives the output z"),
    ],
)
def test_what_cannot_be_read(made: Any, message: str) -> None:
    found, findings = of_model(made, "m.onnx")
    assert found is None
    assert any(
        f.id in ("OPK701", "OPK702") and f.message.startswith(message) and f.span.path == "m.onnx" for f in findings
    )


def test_named_dimensions_can_be_given() -> None:
    nodes = [helper.make_node("Concat", ["x", "x"], ["t"], axis=0), helper.make_node("Relu", ["t"], ["y"])]
    made = model(nodes, {"x": ["N", 3]}, ["y"], {})
    kept = made.SerializeToString()
    found, findings = of_model(made, dims={"N": 2})
    assert findings == ()
    assert found is not None
    shapes = {node.name: node.output.shape for node in found.nodes.values()}
    assert (shapes["x"], shapes["t"], shapes["y"]) == ((2, 3), (4, 3), (4, 3))
    assert made.SerializeToString() == kept
    assert of_model(made)[1][0].hint == "give the dimension a size: --dim N=1"


def test_subgraphs_are_refused() -> None:
    branch = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["t"])], "b", [], [helper.make_tensor_value_info("t", FLOAT, [3])]
    )
    nodes = [helper.make_node("If", ["p"], ["y"], then_branch=branch, else_branch=branch, name="choice")]
    found, findings = of_model(model(nodes, {"x": [3]}, ["y"], {"p": np.array(True)}))
    assert found is None
    assert findings[0].message == "If choice has a subgraph, which rules cannot see"


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = model(
        [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Relu", ["a"], ["y"])], {"x": [3]}, ["y"], {}
    )
    onnx.save(made, tmp_path / "m.onnx")
    found, findings = read_graph(tmp_path / "m.onnx")
    assert findings == ()
    assert found is not None
    done = apply(found, rules('EARLY, Op("q::Relu", Op("q::Relu", "X")), OK, Op("q::Relu", "X")'))
    assert body(done.graph) == ["%3: Float32[3] = q::Relu(x)"]
    (tmp_path / "bad.onnx").write_bytes(b"no protobuf at all")
    found, findings = read_graph(tmp_path / "bad.onnx")
    assert found is None
    assert [f.id for f in findings] == ["OPK701"]
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingTool, match="needs the package onnx"):
        read_graph(tmp_path / "m.onnx")


def test_an_empty_file_is_no_model(tmp_path: Path) -> None:
    file = tmp_path / "empty.onnx"
    file.write_bytes(b"")
    graph, findings = read_graph(file)
    assert graph is None
    assert [(f.id, f.message) for f in findings] == [("OPK700", "the file is empty")]


def test_an_ir_of_openvino(tmp_path: Path) -> None:
    """The same graph as of ONNX; ops that ONNX has not keep OpenVINO's name; what has a graph of its own is refused."""
    import openvino as ov
    from openvino import opset13 as ops

    x = ops.parameter([1, 4], np.float32, name="x")
    doubled = ops.add(ops.relu(x, name="r"), ops.constant(np.full((1, 4), 2, np.float32), name="two"), name="y")
    ov.save_model(ov.Model([ops.grn(doubled, 0.5, name="s")], [x], "m"), tmp_path / "m.xml", compress_to_fp16=False)
    found, findings = read_graph(tmp_path / "m.xml")
    assert findings == ()
    assert found is not None
    check_books(found)
    assert [line.split(" = ")[1].split("(")[0] for line in body(found) if " = q::" in line] == [
        "q::Relu",
        "q::ElementWiseAdd",
    ]
    assert any("= openvino::GRN(y, " in line for line in body(found))
    chosen = ops.if_op(ops.constant(np.array(True)))
    chosen.set_friendly_name("choice")
    branch = ov.Model([ops.constant(np.zeros((1, 4), np.float32))], [])
    chosen.set_then_body(branch)
    chosen.set_else_body(branch.clone())
    out = chosen.set_output(branch.results[0], chosen.get_function(1).results[0])
    ov.save_model(ov.Model([ops.add(out, x)], [x], "n"), tmp_path / "n.xml", compress_to_fp16=False)
    found, findings = read_graph(tmp_path / "n.xml")
    assert found is None
    assert [f.message for f in findings] == ["openvino::If choice has a subgraph, which rules cannot see"]
