"""Shapes of ops whose params number dimensions: models say them, since the provider takes no node without."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opkg.cli.main import run
from opkg.spec.reader import read
from opkg.targets.onnxruntime.shape_rules import shape_rule
from opkg.targets.onnxruntime.target import modules

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

SPEC = """\
opkg: 1
package: {name: test.shaped, version: 1.0.0, targets: [qnn-htp-qhpi, onnxruntime]}
ops:
  Below:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, rank: 1..4}}
    params: {axis: {dtype: int32, default: -1, axis_of: x}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x - max(x, axis=axis, keepdims=True)
  Total:
    types: {T: [float32]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    params:
      axis: {dtype: int32, axis_of: x}
      times: {dtype: int32, default: 1}
    outputs: {y: {dtype: T, shape: "reduce(x, [axis], true)"}}
    compute: y = times * sum(x, axis=axis, keepdims=True)
  Lines:
    types: {T: [float32]}
    inputs: {x: {dtype: T, shape: [A, B]}}
    params: {first: {dtype: int32, default: 1, range: 0 .. A - 1}}
    outputs: {y: {dtype: T, shape: "[A - first, B]"}}
    compute: "y = x[first:]"
  Halves:
    types: {T: [float32]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}}
    outputs: {y: {dtype: T, shape: "[batch..., C // 2]"}}
    constraints: [C % 2 == 0]
    compute: "y = x[..., : C // 2] * x[..., -(C // 2) :]"
  Split:
    types: {T: [float32]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    params: {at: {dtype: int32, range: 1 .. A - 1}}
    outputs:
      y: {dtype: T, shape: "[A - at, B]"}
      z: {dtype: T, shape: y.shape}
      w: {dtype: T, shape: "[y.shape[0], rank(z)]"}
    compute: |
      y = x[at:, :, 0]
      z = y + 1
      w = x[at:, :2, 0]
  Framed:
    types: {T: [float32]}
    inputs: {x: {dtype: T, shape: [A, B, C]}}
    params: {widths: {dtype: int32, shape: [3, 2], default: [0, 1, 2, 0, 3, 1]}}
    outputs: {y: {dtype: T, rank: 3, shape: [...]}}
    compute: y = pad(x, widths, 1)
"""
FLOAT = 1


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    found, findings = read(SPEC.encode(), "specs/shaped.yaml")
    assert found is not None, findings
    root = tmp_path_factory.mktemp("shaped")
    for name, text in modules(found).items():
        path = root / "test_shaped_onnxruntime" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    sys.path.insert(0, str(root))
    yield importlib.import_module("test_shaped_onnxruntime")
    sys.path.remove(str(root))


def shapes(package: Any, op: str, dims: list[int], declared: bool = False, **params: Any) -> list[list[int]]:
    """Of the op's output, as the model says it; the model runs and its result has that shape."""
    tensor = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph([], "small", [tensor("x", FLOAT, dims)], [tensor("z", FLOAT, None)])
    package.make_node(op, ["x"], ["y"], **params).add_to(graph)
    graph.node.append(onnx.helper.make_node("Neg", ["y"], ["z"]))
    if declared:
        graph.value_info.append(tensor("y", FLOAT, None))
    opsets = [onnx.helper.make_opsetid("", 18)]
    model = package.add_functions(onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8))
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    (z,) = session.run(None, {"x": np.ones(dims, np.float32)})
    found = [[d.dim_value for d in v.type.tensor_type.shape.dim] for v in model.graph.value_info if v.name == "y"]
    assert found == [list(z.shape)]
    return found


@pytest.mark.parametrize("declared", [False, True])
def test_a_param_that_numbers_a_dimension(package: Any, declared: bool) -> None:
    assert shapes(package, "Below", [2, 3, 5], declared, axis=-2) == [[2, 3, 5]]


def test_a_default(package: Any) -> None:
    assert shapes(package, "Below", [7]) == [[7]]


@pytest.mark.parametrize(("axis", "wanted"), [(-1, [2, 3, 1]), (-3, [1, 3, 5])])
def test_params_behind_the_inputs(package: Any, axis: int, wanted: list[int]) -> None:
    assert package.OPS["Total"].as_inputs
    assert shapes(package, "Total", [2, 3, 5], axis=axis, times=2) == [wanted]


def test_a_param_that_numbers_elements(package: Any) -> None:
    assert shapes(package, "Lines", [5, 2], first=2) == [[3, 2]]


def test_outputs_with_shapes_of_others() -> None:
    """A shape may be that of an output before, or read it."""
    found, findings = read(SPEC.encode(), "specs/shaped.yaml")
    assert found is not None, findings
    rule = "\n".join(shape_rule(next(op for op in found.ops if op.name == "Split")))
    names: dict[str, Any] = {}
    exec(f"from __future__ import annotations\n{rule}", names)
    assert [list(dims) for dims in names["split"](([5, 2, 4],), {"at": 2})] == [[3, 2], [3, 2], [3, 2]]


def test_sizes_that_number_elements(package: Any) -> None:
    """Also of what such an op gives, which is behind another op."""
    tensor = onnx.helper.make_tensor_value_info
    names = ["x", "a", "b", "y"]
    made = onnx.helper.make_graph([], "small", [tensor("x", FLOAT, [3, 5, 24])], [tensor("y", FLOAT, None)])
    for before, behind in itertools.pairwise(names):
        package.make_node("Halves", [before], [behind]).add_to(made)
    opsets = [onnx.helper.make_opsetid("", 18)]
    model = package.add_functions(onnx.helper.make_model(made, opset_imports=opsets, ir_version=8))
    found = {v.name: [d.dim_value for d in v.type.tensor_type.shape.dim] for v in model.graph.value_info}
    assert found == {"a": [3, 5, 12], "b": [3, 5, 6]}
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    assert session.run(None, {"x": np.ones((3, 5, 24), np.float32)})[0].shape == (3, 5, 3)


@pytest.mark.parametrize("value", [(1, 2, 0, 0, 0, 3), ((1, 2), (0, 0), (0, 3))])
def test_a_param_of_two_dimensions(package: Any, value: Any) -> None:
    """The package checks its shape, so the constant has it however the value is given."""
    (constant,) = package.make_node("Framed", ["x"], ["y"], widths=value).initializers
    assert onnx.numpy_helper.to_array(constant).tolist() == [[1, 2], [0, 0], [0, 3]]
    assert shapes(package, "Framed", [2, 3, 5], widths=value) == [[5, 3, 8]]
    assert shapes(package, "Framed", [2, 3, 5]) == [[3, 5, 9]]


@pytest.mark.parametrize("given", [{"axis": -2, "times": 3}, {"times": 3, "axis": -2}, {"axis": -2}])
def test_attributes_of_other_tools_in_any_order(package: Any, given: dict[str, int]) -> None:
    """They become constants behind the inputs, those that are missing with their defaults."""
    tensor = onnx.helper.make_tensor_value_info
    node = onnx.helper.make_node("Total", ["x"], ["y"], domain=package.DOMAIN, **given)
    graph = onnx.helper.make_graph([node], "small", [tensor("x", FLOAT, [2, 3, 5])], [tensor("y", FLOAT, None)])
    model = package.add_functions(
        onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8)
    )
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    x = np.random.default_rng(0).standard_normal((2, 3, 5)).astype(np.float32)
    wanted = given.get("times", 1) * x.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(session.run(None, {"x": x})[0], wanted, rtol=1e-5, atol=1e-6)


def test_attributes_that_there_are_not(package: Any) -> None:
    node = onnx.helper.make_node("Total", ["x"], ["y"], domain=package.DOMAIN, axis=-1, twice=1)
    model = onnx.helper.make_model(onnx.helper.make_graph([node], "small", [], []))
    with pytest.raises(ValueError, match="Total has no param 'twice'"):
        package.add_functions(model)


@pytest.mark.xdist_group("onnxruntime")
def test_between_convolutions_on_htp(
    runtime: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without a shape the function was computed by the backend's own ops, which it cannot prepare (1002)."""
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    Path("specs/s.yaml").write_text(SPEC.split("  Total:")[0].replace("[float32, ufixed8]", "[ufixed8]"))
    assert run(["verify", "--on", "onnxruntime", "--generate", "--cases", "2"]) == 0, capfd.readouterr()
    text = capfd.readouterr().out
    assert "EPFail" not in text
    assert "Below u8 as it stands: " in text
    assert "Below u8 between Transpose nodes: " in text
