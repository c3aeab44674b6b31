"""Fused ops of OpenVINO's models compute what OpenVINO does."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from pathlib import Path

import pytest

if importlib.util.find_spec("openvino") is None:
    if os.environ.get("CI") and platform.machine() == "x86_64":
        raise RuntimeError("the package openvino is missing")
    pytest.skip("the package openvino is missing", allow_module_level=True)
import openvino as ov

from opkg.cli.main import run
from opkg.fuse import api
from opkg.fuse.find import find
from opkg.fuse.openvino_run import OpenvinoRuntime
from opkg.fuse.proof import cases, read_op, wrong
from opkg.fuse.values import drawn
from opkg.models.partition.limits import HTP
from opkg.models.read import read_model

sys.path.append(str(Path(__file__).parents[1] / "models"))
import openvino_models

# Ops of each block: places, nodes of one place.
OPS = {
    "branches": [(1, 2), (1, 3), (1, 4)], "convnext": [(1, 9)], "gates": [(1, 9)],
    "mobilenet_v3": [], "pointwise": [(1, 12)], "resnet_se": [(1, 3)], "rope": [(1, 3)], "swiglu": [(1, 3), (1, 7)],
}  # fmt: skip


@pytest.mark.parametrize("name", OPS)
def test_blocks(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / "m.xml")
    ov.save_model(openvino_models.block(name), path, compress_to_fp16=False)
    model, findings = read_model(path, {})
    assert model is not None, findings
    found = api.usable(find(model, HTP), path)
    assert sorted((len(op.places), len(op.ops)) for op in found.ops) == OPS[name]
    runtime = OpenvinoRuntime(path, found.model.constants)
    values = runtime.values(drawn(found.model, 1), api.bordering(found))
    for op in found.ops:
        held = cases(found.model, op, read_op(found.model, op, "m.xml"), values)
        assert held.cases
        assert len(held.against) == len(op.outputs) * len(op.places)
        assert wrong(held.against, runtime.name, path) == []


def test_what_a_convolution_takes(tmp_path: Path) -> None:
    """The sum with its bias; a Relu behind that only in other numbers than float32."""
    path = str(tmp_path / "m.xml")
    ov.save_model(openvino_models.block("resnet_se"), path, compress_to_fp16=False)
    model, _ = read_model(path, {})
    assert model is not None
    found = find(model, HTP)
    left = [found.model.nodes[number].op for number, why in found.left.items() if "which fuses it already" in why]
    assert left == ["Add", "Add", "Add", "Add"]


@pytest.mark.sweep
@pytest.mark.parametrize("name", OPS)
def test_kernels_of_blocks(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ov.save_model(openvino_models.block(name), "m.xml", compress_to_fp16=False)
    assert run(["fuse", "m.xml"]) == 0, capfd.readouterr().out
