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
    operands = [{"tensor": "x"}, {"name": "scale", "value": 0.25}, {"name": "zero_point", "value": 7}]
    node = {
        "name": "q",
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
    ("target", "op"),
    [
        ("aten.mul.Tensor", "Mul"), ("aten.relu_.default", "Relu"), ("aten._softmax.default", "Softmax"),
        ("aten._to_copy.default", "Cast"),
        ("aten.cumsum.default", "aten.cumsum.default"), ("acme.mul.default", "acme.mul.default"),
    ],
)  # fmt: skip
def test_names_of_ops(target: str, op: str) -> None:
    assert op_of(target) == op
