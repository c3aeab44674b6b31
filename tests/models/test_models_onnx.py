"""ONNX files as models: what is read, what is refused, and `opkg fuse` on them."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opkg.cli.main import run
from opkg.models.model import Model, Quantization, links
from opkg.models.partition.limits import HTP, OPENVINO
from opkg.models.partition.plan import plan
from opkg.models.read import read_model
from opkg.spec.diagnostics import Diagnostic, MissingTool

if importlib.util.find_spec("onnx") is None:
    if os.environ.get("CI"):
        raise RuntimeError("the package onnx is missing")
    pytest.skip("the package onnx is missing", allow_module_level=True)
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT


def init(name: str, *shape: int) -> Any:
    return numpy_helper.from_array(np.random.default_rng(0).standard_normal(shape).astype("float32"), name)


def gated(batch: int | str = 8, opset: int = 17) -> Any:
    """MatMul, a gate of four elementwise ops, MatMul, residual."""
    nodes = [
        helper.make_node("MatMul", ["x", "w0"], ["m"], "first"),
        helper.make_node("Add", ["m", "b0"], ["a"], "bias"),
        helper.make_node("Sigmoid", ["a"], ["s"], "gate"),
        helper.make_node("Mul", ["a", "s"], ["g"], "silu"),
        helper.make_node("Mul", ["g", "half"], ["k"], "scale"),
        helper.make_node("MatMul", ["k", "w1"], ["n"], "second"),
        helper.make_node("Add", ["n", "x"], ["y"], "residual"),
    ]
    half = numpy_helper.from_array(np.float32(0.5), "half")
    weights = [init("w0", 64, 256), init("b0", 256), init("w1", 256, 64), half]
    return model(nodes, {"x": (batch, 64)}, {"y": (batch, 64)}, weights, opset)


def model(nodes: list[Any], inputs: Any, outputs: Any, weights: Any = (), opset: int = 17, **more: Any) -> Any:
    values = [
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in each.items()]
        for each in (inputs, outputs)
    ]
    graph = helper.make_graph(nodes, "made", *values, list(weights))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8, **more)


def read(proto: Any, folder: Path, **dims: int) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    path = folder / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    return read_model(str(path), dims)


def good(proto: Any, folder: Path, **dims: int) -> Model:
    found, findings = read(proto, folder, **dims)
    assert found is not None, findings
    return found


def refused(proto: Any, folder: Path) -> list[Diagnostic]:
    found, findings = read(proto, folder)
    assert found is None
    assert all(finding.span.path == str(folder / "m.onnx") for finding in findings)
    return [finding for finding in findings if finding.is_error]


@pytest.mark.parametrize("opset", range(13, 23))
def test_opsets(tmp_path: Path, opset: int) -> None:
    found = good(gated(opset=opset), tmp_path)
    assert [node.op for node in found.nodes] == ["MatMul", "Add", "Sigmoid", "Mul", "Mul", "MatMul", "Add"]
    assert (found.inputs, found.outputs) == (("x",), ("y",))
    assert found.tensor("k").fixed == (8, 256)  # inferred
    np.testing.assert_array_equal(found.constants["half"].read(), np.float32(0.5))


def test_the_plan_of_a_gate(tmp_path: Path) -> None:
    found = plan(good(gated(), tmp_path), HTP)
    names = [node.name for node in found.model.nodes]
    (kernel,) = found.kernels
    assert [names[number] for number in kernel.nodes] == ["bias", "gate", "silu", "scale"]
    assert (kernel.inputs, kernel.outputs) == (("m", "b0"), ("k",))
    row = 8 * 256 * 4
    assert kernel.after == 2 * row + 256 * 4
    assert kernel.before == (2 * row + 256 * 4) + 2 * row + 3 * row + (2 * row + 4)
    assert {names[number] for number in found.left} == {"first", "second"}
    assert [names[number] for number in found.singles] == ["residual"]
    assert found.before - found.after == kernel.before - kernel.after


def test_a_target_whose_products_take_what_follows(tmp_path: Path) -> None:
    found = plan(good(gated(), tmp_path), OPENVINO)
    (kernel,) = found.kernels
    assert [found.model.nodes[number].name for number in kernel.nodes] == ["gate", "silu", "scale"]
    assert found.left[1] == "computed with first"


def test_old_opsets_and_sizes(tmp_path: Path) -> None:
    (finding,) = refused(gated(opset=12), tmp_path)
    assert (finding.id, finding.message) == ("OPK701", "opset 12; 13 is the oldest that is read")
    (finding,) = refused(gated(batch="n"), tmp_path)
    assert finding.id == "OPK702"
    assert "--dim n=1" in finding.hint
    assert good(gated(batch="n"), tmp_path, n=3).tensor("y").fixed == (3, 64)
    _, findings = read(gated(batch="batch"), tmp_path, batches=3)
    assert findings[0].message == "no input has a dimension named batches"
    assert "'batch'" in findings[0].hint


def test_dimensions_of_other_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.xml").write_text("<net/>")
    assert run(["fuse", str(tmp_path / "m.xml"), "--dry-run", "--dim", "n=1"]) == 2
    assert "--dim is for ONNX files" in capfd.readouterr().err


def test_a_file_cut_off_anywhere(tmp_path: Path) -> None:
    data = gated().SerializeToString()
    path = tmp_path / "m.onnx"
    for end in [0, 1, 2, 5, *range(10, len(data), 4999), len(data) - 1]:
        path.write_bytes(data[:end])
        found, findings = read_model(str(path), {})
        assert found is None, end
        assert {finding.id for finding in findings if finding.is_error} <= {"OPK700", "OPK701", "OPK702"}
        assert findings, end


def test_damaged_files(tmp_path: Path) -> None:
    """Bytes changed, lost and added: a model or a finding, never an exception."""
    choose = random.Random(1)
    nodes = [
        helper.make_node("Constant", [], ["two"], value_float=2.0),
        helper.make_node("Constant", [], ["sizes"], value_ints=[3, 5]),
        helper.make_node("Split", ["x", "sizes"], ["a", "b"], "split", axis=1),
        helper.make_node("QuantizeLinear", ["a", "two"], ["q"]),
        helper.make_node("Concat", ["q", "b"], ["y"], axis=1),
    ]
    whole = model(nodes, {"x": (2, 8)}, {"y": (2, 8)}).SerializeToString()
    path = tmp_path / "m.onnx"
    read_well = 0
    for _ in range(400):
        data, at = bytearray(whole), choose.randrange(len(whole))
        data[at : at + choose.randrange(2)] = bytes(choose.randrange(256) for _ in range(choose.randrange(2)))
        path.write_bytes(data)
        found, findings = read_model(str(path), {})
        assert found is not None or any(finding.is_error for finding in findings)
        if found is not None:
            plan(found, HTP)
            read_well += 1
    assert 0 < read_well < 400


@pytest.mark.parametrize(
    ("name", "data"),
    [("m.onnx", b"\x08\x07 this is text"), ("m.onnx", bytes(range(255, 0, -1))), ("m.txt", b"x"), ("m", b"")],
)
def test_no_models(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    found, findings = read_model(str(tmp_path / name), {})
    assert found is None
    assert [finding.id for finding in findings] in (["OPK700"], ["OPK701"])
    assert read_model(str(tmp_path), {})[1][0].id == "OPK700"


def test_wrong_orders(tmp_path: Path) -> None:
    nodes = [helper.make_node("Relu", ["b"], ["c"]), helper.make_node("Relu", ["x"], ["b"])]
    (finding,) = refused(model(nodes, {"x": (4,)}, {"c": (4,)}), tmp_path)
    assert finding.message == "Relu(b) reads b, which nothing before it gives"
    twice = [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Abs", ["x"], ["y"], "again")]
    (finding,) = refused(model(twice, {"x": (4,)}, {"y": (4,)}), tmp_path)
    assert finding.message == "again gives y, which is there already"
    (finding,) = refused(model(twice[:1], {"x": (4,)}, {"z": (4,)}), tmp_path)
    assert finding.message == "no node gives the output z"


def test_an_op_that_nobody_knows(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Abs", ["x"], ["a"]),
        helper.make_node("Thing", ["a"], ["t"], "thing", domain="acme"),
        helper.make_node("Relu", ["t"], ["y"], "after"),
    ]
    proto = model(nodes, {"x": (4,)}, {"y": (4,)})
    proto.opset_import.append(helper.make_opsetid("acme", 1))
    found, findings = read(proto, tmp_path)
    assert found is not None
    assert [finding.id for finding in findings if not finding.is_error] == ["OPK703"]
    left = plan(found, HTP).left
    assert left == {1: "no op that opkg knows", 2: "t has no fixed shape"}


def test_external_data(tmp_path: Path) -> None:
    proto = gated()
    onnx.save(proto, tmp_path / "e.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    found, _ = read_model(str(tmp_path / "e.onnx"), {})
    assert found is not None
    np.testing.assert_array_equal(found.constants["w0"].read(), numpy_helper.to_array(init("w0", 64, 256)))
    whole = (tmp_path / "w.bin").read_bytes()
    (tmp_path / "w.bin").write_bytes(whole[:1000])
    found, findings = read_model(str(tmp_path / "e.onnx"), {})
    assert found is None
    assert "w.bin has 1000 bytes, 65536 are needed" in findings[0].message
    (tmp_path / "w.bin").unlink()
    _, findings = read_model(str(tmp_path / "e.onnx"), {})
    assert {finding.id for finding in findings} == {"OPK704"}
    assert "No such file" in findings[0].message


def test_external_data_outside(tmp_path: Path) -> None:
    proto = gated()
    tensor = proto.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="../../etc/passwd")
    (finding,) = refused(proto, tmp_path)
    assert (finding.id, "outside" in finding.message) == ("OPK704", True)


def test_several_results_and_constants(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Constant", [], ["two"], value_float=2.0),
        helper.make_node("Constant", [], ["sizes"], value_ints=[3, 5]),
        helper.make_node("Split", ["x", "sizes"], ["a", "b"], "split", axis=1),
        helper.make_node("Mul", ["a", "two"], ["c"]),
        helper.make_node("Concat", ["c", "b"], ["y"], axis=1),
    ]
    found = good(model(nodes, {"x": (2, 8)}, {"y": (2, 8)}), tmp_path)
    assert [node.outputs for node in found.nodes] == [("a", "b"), ("c",), ("y",)]
    assert found.tensor("b").fixed == (2, 5)
    assert found.nodes[0].attributes == {"axis": 1}
    assert found.constants["sizes"].read().tolist() == [3, 5]
    assert plan(found, HTP).left == {0: "moving op", 2: "moving op"}


def test_what_a_branch_reads_counts_as_read(tmp_path: Path) -> None:
    def branch(name: str, op: str) -> Any:
        out = helper.make_tensor_value_info(name, FLOAT, (4,))
        return helper.make_graph([helper.make_node(op, ["a"], [name])], name, [], [out])

    nodes = [
        helper.make_node("Abs", ["x"], ["a"]),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("If", ["c"], ["d"], "if", then_branch=branch("p", "Neg"), else_branch=branch("q", "Abs")),
        helper.make_node("Add", ["b", "d"], ["y"]),
    ]
    proto = model(nodes, {"x": (4,)}, {"y": (4,)})
    proto.graph.input.append(helper.make_tensor_value_info("c", TensorProto.BOOL, ()))
    found = good(proto, tmp_path)
    assert found.nodes[2].within == ("a",)
    (kernel,) = plan(found, HTP).kernels
    assert (kernel.nodes, kernel.inputs) == ((1, 3), ("a", "d"))  # a is read by the branches too: it cannot vanish
    assert links(found).used("a") == (1, 2)


def test_functions_take_the_place_of_their_calls(tmp_path: Path) -> None:
    body = [helper.make_node("Sigmoid", ["v"], ["s"]), helper.make_node("Mul", ["v", "s"], ["w"])]
    silu = helper.make_function("acme", "Silu", ["v"], ["w"], body, [helper.make_opsetid("", 17)])
    proto = model([helper.make_node("Silu", ["x"], ["y"], domain="acme")], {"x": (4,)}, {"y": (4,)}, functions=[silu])
    proto.opset_import.append(helper.make_opsetid("acme", 1))
    found = good(proto, tmp_path)
    assert [node.op for node in found.nodes] == ["Sigmoid", "Mul"]


def test_quantization(tmp_path: Path) -> None:
    scale, zero = numpy_helper.from_array(np.float32(0.25), "scale"), numpy_helper.from_array(np.uint8(7), "zero")
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["q"]),
        helper.make_node("DequantizeLinear", ["q", "scale", "zero"], ["y"]),
    ]
    found = good(model(nodes, {"x": (4,)}, {"y": (4,)}, [scale, zero]), tmp_path)
    assert found.tensor("q").dtype == "uint8"
    assert found.tensor("q").quantization == Quantization((0.25,), (7,))


def test_without_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingTool):
        read(gated(), tmp_path)
    assert run(["fuse", str(tmp_path / "m.onnx"), "--dry-run"]) == 3
    assert "pip install 'opkg[onnx]'" in capfd.readouterr().out


def test_fuse(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(gated().SerializeToString())
    assert run(["fuse", str(path), "--dry-run"]) == 0
    out = capfd.readouterr().out
    assert "Sigmoid Mul Mul" in out
    assert "MatMul (first, second): heavy op" in out
    assert "7 nodes: 3 become 1 node of 1 fused op, 5 are left" in out
    assert run(["fuse", str(path), "--dry-run", "--format", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["ops"][0]["places"][0]["nodes"] == ["gate", "silu", "scale"]
    taken = "computed with first, which fuses it already"
    why = {"first": "heavy op", "bias": taken, "second": "heavy op", "residual": "no neighbour to join"}
    assert found["left"] == why
    assert run(["fuse", str(path), "--target", "openvino"]) == 2
    assert "--dry-run" in capfd.readouterr().err
    path.write_bytes(b"no model")
    assert run(["fuse", str(path), "--dry-run"]) == 1
    assert "[OPK701]" in capfd.readouterr().out
