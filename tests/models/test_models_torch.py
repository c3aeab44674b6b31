"""Models of torch, exported by a process that has it: the form that comes out, and what is said of files that cannot be."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from torch_models import GATE

from opkg.cli.main import run
from opkg.models.model import Model, Quantization
from opkg.models.partition.limits import HTP
from opkg.models.partition.plan import plan
from opkg.models.torch_ops import call_text
from opkg.models.torch_reader import FORMAT, op_of, read_exported
from opkg.spec.diagnostics import OpkgError
from opkg.verify.machines.executorch import exported
from opkg.verify.machines.executorch.environment import Environment, Missing, find

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def environment() -> Environment:
    found = find(ROOT)
    if isinstance(found, Missing):
        message = f"{found.reason}: {found.install}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="module")
def gate(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("gate")
    (folder / "gate.py").write_text(GATE)
    place = exported.export(environment, folder / "gate.py", folder / "made")
    found, findings = read_exported(place, "gate.py")
    assert found is not None, findings
    return found


@pytest.mark.xdist_group("executorch")
def test_the_form(gate: Model) -> None:
    ops = [node.op for node in gate.nodes]
    assert ops == ["Gemm", "Sigmoid", "Mul", "Mul", "Add", "Split", "Greater", "Pow", "Sub", "Where", "Add", "Relu"]
    assert (gate.inputs, len(gate.outputs)) == (("x", "y"), 2)
    split, where = gate.nodes[5], gate.nodes[9]
    assert [gate.tensor(name).fixed for name in split.outputs] == [(4, 8), (4, 8)]
    assert set(gate.nodes[10].inputs) == set(split.outputs)
    assert [gate.tensor(name).dtype for name in where.inputs] == ["bool8", "float32", "float32"]
    scaled, power = gate.nodes[3], gate.nodes[7]
    assert gate.constants[scaled.inputs[1]].read() == np.float32(0.5)
    assert gate.constants[power.inputs[0]].read() == 2  # 2 ** x, in this order
    row = next(name for name in gate.constants if name.endswith("row"))
    np.testing.assert_array_equal(gate.constants[row].read(), np.arange(16, dtype=np.float32))


@pytest.mark.xdist_group("executorch")
def test_its_plan(gate: Model) -> None:
    found = plan(gate, HTP)
    kernels = sorted(" ".join(gate.nodes[number].op for number in kernel.nodes) for kernel in found.kernels)
    assert kernels == ["Greater Pow Sub Where Add Relu", "Sigmoid Mul Mul Add"]
    assert set(found.left) == {0, 5}


@pytest.mark.xdist_group("executorch")
def test_the_command(environment: Environment, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gate.py").write_text(GATE)
    assert run(["fuse", str(tmp_path / "gate.py"), "--dry-run"]) == 0
    assert "Sigmoid Mul Mul Add" in capfd.readouterr().out
    (tmp_path / "bad.py").write_text(
        GATE.replace("torch.sigmoid(a) * a", "torch.sigmoid(a) * float(a.sum())\n        1 / 0")
    )
    assert run(["fuse", str(tmp_path / "bad.py"), "--dry-run"]) == 1
    out = capfd.readouterr().out
    assert "OPK706" in out
    assert f"{tmp_path}/bad.py:" in out


@pytest.mark.xdist_group("executorch")
def test_a_process_that_dies(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text("import os\nprint('last words', flush=True)\nos._exit(7)\n")
    with pytest.raises(OpkgError, match="died: last words"):
        exported.export(environment, tmp_path / "dies.py", tmp_path / "made")
    (tmp_path / "sleeps.py").write_text("import time\ntime.sleep(60)\n")
    with pytest.raises(OpkgError, match="after 0 s"):
        exported.export(environment, tmp_path / "sleeps.py", tmp_path / "made", 0.2)


def test_without_the_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPKG_EXECUTORCH_PYTHON", "/nowhere/python")
    (tmp_path / "gate.py").write_text(GATE)
    assert run(["fuse", str(tmp_path / "gate.py"), "--dry-run"]) == 3
    assert "OPK430" in capfd.readouterr().out


def test_texts_that_are_no_program(tmp_path: Path) -> None:
    place = tmp_path / "model.json"
    for text in ("", "[]", "{}", '{"format": "opkg-model 9"}', json.dumps({"format": FORMAT, "tensors": []})):
        place.write_text(text)
        found, (finding,) = read_exported(place, "m.py")
        assert found is None
        assert (finding.id, finding.span.path) == ("OPK706", "m.py")


def test_quantized_programs(tmp_path: Path) -> None:
    tensors = {"x": {"dtype": "float32", "shape": [4]}, "q": {"dtype": "uint8", "shape": [4]}}
    operands = [{"tensor": "x", "name": "input"}, {"name": "scale", "value": 0.25}, {"name": "zero_point", "value": 7}]
    node = {
        "name": "q",
        "call": [],
        "op": "quantized_decomposed.quantize_per_tensor.default",
        "operands": operands,
        "outputs": ["q"],
    }
    made = {"format": FORMAT, "name": "m", "inputs": ["x"], "outputs": ["q"], "tensors": tensors, "constants": {}}
    (tmp_path / "model.json").write_text(json.dumps({**made, "nodes": [node]}))
    found, _ = read_exported(tmp_path / "model.json", "m.py")
    assert found is not None
    assert found.nodes[0].op == "QuantizeLinear"
    assert found.tensor("q").quantization == Quantization((0.25,), (7,))


@pytest.mark.parametrize(
    ("target", "operands", "op", "attributes"),
    [
        ("aten.add.Tensor", {"self": "x", "other": "y", "alpha": 2}, "Add", {"lacks": "a factor alpha"}),
        ("aten.div.Tensor_mode", {"self": "x", "other": "y", "rounding_mode": "floor"}, "Div",
         {"lacks": "its result is rounded to whole numbers"}),
        ("aten.clamp.default", {"self": "x", "max": 3}, "Clip", {"max": 3}),
        ("aten.clamp.Tensor", {"self": "x", "max": "y"}, "Clip", {"lacks": "its ends are tensors"}),
        ("aten.clamp.Tensor", {"self": "x", "min": "y", "max": 3}, "Clip", {"lacks": "its ends are tensors"}),
        ("aten.relu6.default", {"self": "x"}, "Clip", {"min": 0.0, "max": 6.0}),
        ("aten.hardtanh.default", {"self": "x", "max_val": 2}, "Clip", {"min": -1.0, "max": 2.0}),
        ("aten.hardsigmoid.default", {"self": "x"}, "HardSigmoid", {"alpha": 1 / 6, "beta": 0.5}),
        ("aten.leaky_relu.default", {"self": "x", "negative_slope": 0.2}, "LeakyRelu", {"alpha": 0.2}),
        ("aten.elu.default", {"self": "x", "alpha": 0.5}, "Elu", {"alpha": 0.5}),
        ("aten.elu.default", {"self": "x", "alpha": 0.5, "scale": 2}, "Elu", {"lacks": "a scale"}),
        ("aten.gelu.default", {"self": "x", "approximate": "tanh"}, "Gelu", {"approximate": "tanh"}),
        ("aten.softplus.default", {"self": "x", "beta": 2}, "Softplus", {"lacks": "another beta or threshold than torch's own"}),
        ("aten.round.decimals", {"self": "x", "decimals": 2}, "Round", {"lacks": "it rounds to decimals"}),
        ("aten.mean.dim", {"self": "x", "dim": [-1, 0], "keepdim": True}, "ReduceMean", {"axes": (-1, 0), "keepdims": 1}),
        ("aten.sum.dim_IntList", {"self": "x", "dim": [1]}, "ReduceSum", {"axes": (1,), "keepdims": 0}),
        ("aten.softmax.int", {"self": "x", "dim": 1}, "Softmax", {"axis": 1}),
        ("aten.layer_norm.default", {"input": "x", "normalized_shape": [4, 8], "eps": 1e-6}, "LayerNormalization",
         {"axis": -2, "epsilon": 1e-6}),
        ("aten.rms_norm.default", {"input": "x", "normalized_shape": [8]}, "RMSNormalization",
         {"axis": -1, "epsilon": 2.0**-23}),
    ],
)  # fmt: skip
def test_attributes_are_those_of_onnx(
    target: str, operands: dict[str, object], op: str, attributes: dict[str, object], tmp_path: Path
) -> None:
    """A tensor is named "x" or "y"; the call itself is kept beside the attributes."""
    tensors = {name: {"dtype": "float32", "shape": [4, 8]} for name in ("x", "y", "z")}
    listed = [{"name": k, **({"tensor": v} if v in ("x", "y") else {"value": v})} for k, v in operands.items()]
    node = {"name": "z", "op": target, "operands": listed, "outputs": ["z"], "call": ["{0}"]}
    made = {"format": FORMAT, "name": "m", "inputs": ["x", "y"], "outputs": ["z"], "tensors": tensors, "constants": {}}
    (tmp_path / "model.json").write_text(json.dumps({**made, "nodes": [node]}))
    found, findings = read_exported(tmp_path / "model.json", "m.py")
    assert found is not None, findings
    got = dict(found.nodes[0].attributes)
    assert got.pop("torch", "").count("{0}") == 1
    assert (found.nodes[0].op, got) == (op, attributes)


@pytest.mark.parametrize(
    ("target", "arguments", "text"),
    [
        ("aten.mul.Tensor", ["{0}", "0.5"], "{0} * 0.5"), ("aten.pow.Scalar", ["2.0", "{0}"], "2.0 ** {0}"),
        ("aten.rsub.Scalar", ["{0}", "1"], "1 - {0}"), ("aten.neg.default", ["{0}"], "-{0}"),
        ("aten.add.Tensor", ["{0}", "{1}", "alpha=2"], "torch.add({0}, {1}, alpha=2)"),
        ("aten.silu.default", ["{0}"], "F.silu({0})"),
        ("aten.sum.dim_IntList", ["{0}", "[-1]", "True"], "torch.sum({0}, [-1], True)"),
        ("aten.elu.default", ["{0}", "1.0", "1.0"], "torch.ops.aten.elu.default({0}, 1.0, 1.0)"),
        ("acme.mul.default", ["{0}"], ""), ("aten.mul.Tensor", [], ""),
    ],
)  # fmt: skip
def test_calls_as_a_pattern_has_them(target: str, arguments: list[str], text: str) -> None:
    assert call_text(target, arguments) == text


@pytest.mark.parametrize(
    ("target", "op"),
    [
        ("aten.mul.Tensor", "Mul"), ("aten.relu_.default", "Relu"), ("aten._softmax.default", "Softmax"),
        ("aten._to_copy.default", "Cast"),
        ("aten.cumsum.default", "aten.cumsum.default"), ("acme.mul.default", "acme.mul.default"),
    ],
)  # fmt: skip
def test_names_of_ops(target: str, op: str) -> None:
    assert op_of(target) == op
