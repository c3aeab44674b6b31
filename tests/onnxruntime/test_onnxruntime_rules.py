"""Ops without a function: the package's rules say what they give, in models and to ONNX's shape inference."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opkg.cli.main import run
from opkg.spec.reader import read
from opkg.targets.onnxruntime.target import modules

onnx = pytest.importorskip("onnx")

SPEC = """\
opkg: 1
package: {name: test.ruled, version: 1.0.0, targets: [qnn-htp-qhpi, onnxruntime]}
ops:
  Depth:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, shape: [N, H, W, C]}}
    params: {block: {dtype: uint32, default: 2, range: 1 .. 4}}
    outputs: {y: {dtype: T, shape: [N, "H / block", "W / block", "C * block * block"], quantization: same as x}}
    constraints: [H % block == 0 and W % block == 0]
    reference: references:depth
  Least:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, rank: 1..4}}
    params:
      axis: {dtype: int32, default: -1, axis_of: x}
      keep: {dtype: bool8, default: true}
    outputs: {y: {dtype: T, shape: "reduce(x, [axis], keep)"}}
    compute: y = min(x, axis=axis, keepdims=keep)
  Folded:
    types: {T: [float32]}
    inputs: {x: {dtype: T, shape: [A, B, C, D]}}
    params: {axes: {dtype: int32, shape: [K], axis_of: x}}
    outputs:
      y: {dtype: T, shape: "reduce(x, axes, false)"}
      places: {dtype: int32, shape: [K, "max(A, B)"]}
    reference: references:folded
  Joined:
    types: {T: [float32]}
    inputs: {xs: {dtype: T, variadic: true, shape: [A, B, C, D]}}
    params: {at: {dtype: uint32, default: 1, axis_of: xs}}
    outputs: {y: {dtype: T, shape: "concat(at, xs)"}}
    reference: references:joined
  Picked:
    types: {T: [float32]}
    inputs:
      len: {dtype: T, shape: [rows..., C], rank: 2..4}
      of: {dtype: T, optional: true}
    outputs:
      y: {dtype: T, shape: "broadcast(len, of) if present(of) else len.shape"}
      flat: {dtype: bool8, shape: ["size(len) / C", "round_up(C, 8) - C + rank(len)"]}
    reference: references:picked
"""
ONES = np.ones((2, 4, 6, 3), np.float32)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    found, findings = read(SPEC.encode(), "specs/ruled.yaml")
    assert found is not None, findings
    root = tmp_path_factory.mktemp("ruled")
    for name, text in modules(found).items():
        path = root / "test_ruled_onnxruntime" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    sys.path.insert(0, str(root))
    yield importlib.import_module("test_ruled_onnxruntime")
    sys.path.remove(str(root))


def said(package: Any, op: str, *inputs: Any, outputs: int = 1, **params: Any) -> list[tuple[int, list[int]]]:
    """Element types and shapes of the outputs: in the model, and the same by the schemas, without those in the model."""
    names = [f"input{at}" for at in range(len(inputs))]
    results = [f"result{at}" for at in range(outputs)]
    given = [onnx.helper.make_tensor_value_info(n, 1, x.shape) for n, x in zip(names, inputs, strict=True)]
    graph = onnx.helper.make_graph([], "small", given, [onnx.helper.make_tensor_value_info("z", 1, None)])
    package.make_node(op, names, results, **params).add_to(graph)
    graph.node.append(onnx.helper.make_node("Identity", results[:1], ["z"]))
    opsets = [onnx.helper.make_opsetid("", 18)]
    model = package.add_functions(onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8))
    assert not model.functions
    found = [_told(model.graph.value_info, name) for name in results]
    del model.graph.value_info[:]
    importlib.import_module("test_ruled_onnxruntime.schemas").register_schemas()
    inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph.value_info
    assert [_told(inferred, name) for name in results] == found
    return found


def _told(values: Any, name: str) -> tuple[int, list[int]]:
    (kind,) = [value.type.tensor_type for value in values if value.name == name]
    return kind.elem_type, [dim.dim_value for dim in kind.shape.dim]


@pytest.mark.parametrize("block", [1, 2])
def test_numbers_of_a_param(package: Any, block: int) -> None:
    assert said(package, "Depth", ONES, block=block) == [(1, [2, 4 // block, 6 // block, 3 * block**2])]


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("axis", [-1, -3])
def test_params_behind_the_inputs(package: Any, axis: int, keep: bool) -> None:
    assert package.OPS["Least"].as_inputs
    wanted = ONES.min(axis=axis, keepdims=keep).shape
    assert said(package, "Least", ONES, axis=axis, keep=keep) == [(1, list(wanted))]
    assert said(package, "Least", ONES) == [(1, [2, 4, 6, 1])]


def test_a_list_of_dimensions_and_its_length(package: Any) -> None:
    wanted = ONES.min(axis=(0, 2)).shape
    found = said(package, "Folded", ONES, outputs=2, axes=(-4, -2))
    assert found == [(1, list(wanted)), (6, [2, 4])]


def test_any_number_of_inputs(package: Any) -> None:
    others = [ONES, ONES[:, :1], ONES[:, :3]]
    assert said(package, "Joined", *others) == [(1, list(np.concatenate(others, axis=1).shape))]


def test_an_optional_input_and_names_of_python(package: Any) -> None:
    assert said(package, "Picked", ONES[:, :1], outputs=2) == [(1, [2, 1, 6, 3]), (9, [12, 9])]
    assert said(package, "Picked", ONES[:, :1], ONES[0], outputs=2)[0] == (1, [2, 4, 6, 3])


def test_what_the_package_would_refuse_stays_open(package: Any) -> None:
    """No shape is made up: an axis that there is not."""
    graph = onnx.helper.make_graph(
        [],
        "small",
        [onnx.helper.make_tensor_value_info("x", 1, (3,))],
        [onnx.helper.make_tensor_value_info("z", 1, None)],
    )
    package.make_node("Least", ["x"], ["y"], axis=-2).add_to(graph)
    graph.node.append(onnx.helper.make_node("Identity", ["y"], ["z"]))
    model = package.add_functions(onnx.helper.make_model(graph, ir_version=8))
    assert not model.graph.value_info


@pytest.mark.xdist_group("onnxruntime")
def test_between_convolutions_on_htp(
    runtime: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A session takes such an op in the middle of a model; before, its type inference failed."""
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    least = SPEC[SPEC.index("  Least:") : SPEC.index("  Folded:")]
    Path("specs/s.yaml").write_text(SPEC.split("  Depth:")[0] + least.replace("[float32, ufixed8]", "[ufixed8]"))
    assert run(["verify", "--on", "onnxruntime", "--generate", "--cases", "2"]) == 0, capfd.readouterr()
    text = capfd.readouterr().out
    assert runtime in text
    assert "Fail" not in text
    assert "Least u8 as it stands: " in text
    done = subprocess.run([sys.executable, "-c", _REFUSED], capture_output=True, text=True, check=False)
    assert "said nothing computes a node of Least: the package refused it" in done.stdout, done.stdout + done.stderr


_REFUSED = """
import sys
sys.path.insert(0, "generated/test_ruled/onnxruntime")
from onnx import helper
from test_ruled_onnxruntime import add_functions, make_node
from test_ruled_onnxruntime.session import NotPlaced, create_session
sides = [helper.make_tensor_value_info(name, 1, shape) for name, shape in (("x", [1, 2, 3, 4, 5]), ("y", [1, 2, 3, 4, 1]))]
graph = helper.make_graph([], "g", sides[:1], sides[1:])
make_node("Least", ["x"], ["y"]).add_to(graph)
model = add_functions(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10))
try:
    create_session(model, "build/test_ruled/qhpi-x86/libtest_ruled.so")
except NotPlaced as failure:
    print("said", failure)
"""
