"""OpenVINO's models: what is read, what is refused, and the greedy partition beside that of its CPU plugin."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opkg.cli.main import run
from opkg.models.model import Model, Quantization, links
from opkg.models.partition.claimed import claimed
from opkg.models.partition.greedy import greedy
from opkg.models.partition.limits import OPENVINO, why_not
from opkg.models.partition.plan import plan
from opkg.models.read import read_model

if importlib.util.find_spec("openvino") is None:
    if os.environ.get("CI") and platform.machine() == "x86_64":
        raise RuntimeError("the package openvino is missing")
    pytest.skip("the package openvino is missing", allow_module_level=True)
import openvino as ov
import openvino.opset13 as ops
from models_kit import acyclic
from openvino._offline_transformations import apply_moc_transformations
from openvino_models import BLOCKS, block, drawn, layers

from opkg.models.openvino_reader import of_openvino


def form(model: Any) -> Model:
    found, findings = of_openvino(model)
    assert found is not None, findings
    return found


def beside(model: Any) -> tuple[list[list[str]], list[list[str]]]:
    """Subgraphs as OpenVINO made them, without nodes that it made itself, and ours."""
    found = form(model)
    edges = links(found)
    taken = claimed(found, edges)
    fits = [not why_not(found, node, OPENVINO) and number not in taken for number, node in enumerate(found.nodes)]
    parts = greedy(found, edges, fits, OPENVINO.tensors)
    ours = [sorted(found.nodes[number].name for number in part.nodes) for part in parts]
    known = {node.name for node in found.nodes}
    theirs = [sorted(known & set(names)) for kind, names in layers(model) if kind == "Subgraph"]
    return sorted(names for names in theirs if names), sorted(ours)


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_are_partitioned_as_openvino_does(name: str) -> None:
    """After the transformations that its converter runs on every model."""
    model = block(name)
    apply_moc_transformations(model, False)
    theirs, ours = beside(model)
    assert theirs
    assert ours == theirs


@pytest.mark.parametrize("seed", range(10))
def test_random_models_with_splits_and_concats(seed: int) -> None:
    model = drawn(seed, 40)
    kinds = {op.get_type_name() for op in model.get_ops()}
    assert {"Split", "Concat"} <= kinds
    theirs, ours = beside(model)
    assert len(theirs) > 3
    assert ours == theirs


@pytest.mark.parametrize("seed", range(3))
def test_dense_models(seed: int) -> None:
    """Subgraphs take each other's results, and change their names as they grow."""
    theirs, ours = beside(drawn(seed, 150, moves=False))
    assert ours == theirs


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(10, 100))
def test_many_random_models(seed: int) -> None:
    for moves in (True, False):
        theirs, ours = beside(drawn(seed, 60, moves))
        assert ours == theirs


@pytest.mark.sweep
def test_where_the_greedy_partition_has_a_cycle_openvino_stops() -> None:
    cycles = 0
    for seed in range(40):
        model = drawn(seed, 500, moves=False)
        found = form(model)
        edges = links(found)
        fits = [not why_not(found, node, OPENVINO) for node in found.nodes]
        parts = [part.nodes for part in greedy(found, edges, fits, OPENVINO.tensors)]
        if acyclic(found, edges, parts):
            theirs, ours = beside(model)
            assert ours == theirs, seed
        else:
            cycles += 1
            with pytest.raises(RuntimeError, match="Loop detected"):
                layers(model)
    assert cycles


def activation(x: Any, kind: str) -> Any:
    made = {
        "Tanh": ops.tanh, "Abs": ops.abs, "Sqrt": ops.sqrt, "HSwish": ops.hswish, "HSigmoid": ops.hsigmoid, "Swish": ops.swish,
        "Exp": ops.exp, "Erf": ops.erf, "Floor": ops.floor, "SoftSign": ops.softsign, "Relu": ops.relu,
        "Elu": lambda x: ops.elu(x, 1.0), "Gelu": lambda x: ops.gelu(x, "erf"), "Clamp": lambda x: ops.clamp(x, 0.0, 1.0),
        "Round": lambda x: ops.round(x, "half_to_even"), "Power": lambda x: ops.power(x, np.float32(2)),
        "Add": lambda x: ops.add(x, np.float32(1)), "Maximum": lambda x: ops.maximum(x, np.float32(0.1)),
        "PRelu": lambda x: ops.prelu(x, np.full(16, 0.1, np.float32)),
    }  # fmt: skip
    return made[kind](x)


def before(x: Any, kind: str) -> Any:
    ones = np.full((16, 16, 3, 3), 0.1, np.float32)
    made = {
        "Conv": lambda: ops.convolution(x, ones, [1, 1], [1, 1], [1, 1], [1, 1]),
        "Reduce": lambda: ops.reduce_mean(x, np.array([2]), True),
        "MatMul": lambda: ops.matmul(x, np.full((14, 14), 0.1, np.float32), False, True),
        "Softmax": lambda: ops.softmax(x, -1),
        "MVN": lambda: ops.mvn(x, np.array([2, 3]), True, 1e-5, "inside_sqrt"),
    }
    return made[kind]()


@pytest.mark.parametrize("kind", ["Conv", "Reduce", "MatMul", "Softmax", "MVN"])
def test_what_is_computed_with_the_node_before(kind: str) -> None:
    """One chain per activation behind a node of this kind, in one model, against what the plugin makes of them."""
    inputs, results = [], []
    names = [
        "Tanh",
        "Abs",
        "Sqrt",
        "HSwish",
        "HSigmoid",
        "Swish",
        "Exp",
        "Erf",
        "Floor",
        "SoftSign",
        "Relu",
        "Elu",
        "Gelu",
        "Clamp",
        "Round",
        "Power",
        "Add",
        "Maximum",
    ]
    for name in [*names, *(["PRelu"] if kind == "Conv" else [])]:
        x = ops.parameter([1, 16, 14, 14], np.float32, name=f"{name}_x")
        inputs.append(x)
        results.append(ops.result(ops.exp(activation(before(x, kind), name))))
    theirs, ours = beside(ov.Model(results, inputs, kind))
    assert ours == theirs


@pytest.mark.parametrize("square", ["Multiply", "Power"])
@pytest.mark.parametrize("scale", ["divide", "inverse", "power"])
def test_normalizations_that_are_written_out(square: str, scale: str) -> None:
    """By the root of the mean square: with a weight and without, of the last dimension and of another one."""
    inputs, results = [], []
    for weight, axis in ((True, -1), (False, 2), (True, 1)):
        x = ops.parameter([1, 24, 64], np.float32, name=f"x{len(inputs)}")
        squares = ops.multiply(x, x) if square == "Multiply" else ops.power(x, np.float32(2))
        total = ops.add(ops.reduce_mean(squares, np.array([axis]), True), np.float32(1e-5))
        if scale == "divide":
            y = ops.divide(x, ops.sqrt(total))
        elif scale == "inverse":
            y = ops.multiply(ops.divide(np.float32(1), ops.sqrt(total)), x)
        else:
            y = ops.multiply(x, ops.power(total, np.float32(-0.5)))
        y = ops.multiply(y, np.linspace(0.5, 1.5, 64, dtype=np.float32)) if weight else y
        inputs.append(x)
        results.append(ops.result(ops.exp(y)))
    theirs, ours = beside(ov.Model(results, inputs, "norms"))
    assert ours == theirs


@pytest.mark.parametrize("name", ["branches", "gates", "resnet_se"])
def test_files_give_what_models_in_memory_give(tmp_path: Path, name: str) -> None:
    ov.save_model(block(name), tmp_path / "m.xml", compress_to_fp16=False)
    found, _ = read_model(str(tmp_path / "m.xml"), {})
    again = form(ov.Core().read_model(tmp_path / "m.xml"))
    assert found is not None
    assert (found.nodes, found.inputs, found.outputs, found.tensors) == (
        again.nodes,
        again.inputs,
        again.outputs,
        again.tensors,
    )
    theirs, ours = beside(ov.Core().read_model(tmp_path / "m.xml"))
    assert ours == theirs


def test_names_types_and_constants(tmp_path: Path) -> None:
    model = block("branches")
    ov.save_model(model, tmp_path / "m.xml", compress_to_fp16=False)
    found, findings = read_model(str(tmp_path / "m.xml"), {})
    assert found is not None
    assert not findings
    assert {node.op for node in found.nodes} == {
        "Split",
        "Exp",
        "Mul",
        "Tanh",
        "Add",
        "Max",
        "Erf",
        "Concat",
        "Abs",
        "Sigmoid",
    }
    split = next(node for node in found.nodes if node.op == "Split")
    assert [found.tensor(name).fixed for name in split.outputs] == [(1, 24, 16), (1, 24, 16), (1, 24, 32)]
    wide = next(
        name for name, tensor in found.tensors.items() if tensor.fixed == (1, 1, 32) and name in found.constants
    )
    assert found.constants[wide].read().shape == (1, 1, 32)
    assert [kernel.before > kernel.after for kernel in plan(found, OPENVINO).kernels] == [True] * 3


def test_quantization() -> None:
    x = ops.parameter([1, 4], np.float32, name="x")
    ends = [np.float32(value) for value in (-1.28, 1.27)]
    found = form(ov.Model([ops.result(ops.fake_quantize(x, *ends, *ends, 256))], [x], "q"))
    (node,) = found.nodes
    made = found.tensor(node.outputs[0]).quantization
    assert made is not None
    assert made == Quantization((pytest.approx(0.01, rel=1e-5),), (128,))


def saved(folder: Path) -> Path:
    path = folder / "m.xml"
    ov.save_model(block("swiglu"), path, compress_to_fp16=False)
    return path


def test_a_file_cut_off_anywhere(tmp_path: Path) -> None:
    path = saved(tmp_path)
    data = path.read_bytes()
    for end in [0, 1, 20, *range(100, len(data) - 10, 1999)]:
        path.write_bytes(data[:end])
        found, findings = read_model(str(path), {})
        assert found is None
        assert [finding.id for finding in findings] in (["OPK705"], ["OPK700"]), end
        lines = data[:end].count(b"\n") + 1
        assert end < 30 or lines - 1 <= findings[0].span.line <= lines


@pytest.mark.parametrize(
    "text", ["<html></html>", "<net></net>", "no model", "<net><layer name='x'/></net>", "\x00\x01"]
)
def test_no_models(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.xml"
    path.write_text(text)
    found, findings = read_model(str(path), {})
    assert found is None
    assert [finding.id for finding in findings] == ["OPK705"]


def test_weights_that_are_missing(tmp_path: Path) -> None:
    path = saved(tmp_path)
    weights = path.with_suffix(".bin")
    whole = weights.read_bytes()
    weights.write_bytes(whole[:1000])
    _, (finding,) = read_model(str(path), {})
    assert finding.id == "OPK704"
    assert "m.bin has 1000 bytes" in finding.message
    assert "<data" in path.read_text().splitlines()[finding.span.line - 1]
    weights.unlink()
    _, (finding,) = read_model(str(path), {})
    assert "m.bin: No such file" in finding.message


def test_an_op_of_nobody(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path)
    path.write_text(path.read_text().replace('type="Sqrt" version="opset1"', 'type="Thing" version="extension"'))
    assert run(["fuse", str(path), "--dry-run"]) == 1
    out = capfd.readouterr().out
    assert "OPK705" in out
    assert "Thing" in out


def test_open_sizes(tmp_path: Path) -> None:
    x = ops.parameter([-1, 8], np.float32, name="x")
    ov.save_model(ov.Model([ops.result(ops.relu(x))], [x], "m"), tmp_path / "m.xml")
    found, (finding,) = read_model(str(tmp_path / "m.xml"), {})
    assert found is None
    assert (finding.id, "reshape" in finding.hint) == ("OPK702", True)


def test_fuse(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path)
    assert run(["fuse", str(path), "--dry-run", "--target", "openvino"]) == 0
    out = capfd.readouterr().out
    assert "heavy op" in out
    assert ", as one normalization" in out


def test_without_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path)
    monkeypatch.setitem(sys.modules, "openvino", None)
    assert run(["fuse", str(path), "--dry-run"]) == 3
    assert "pip install 'opkg[openvino]'" in capfd.readouterr().out
