"""Fused ops of OpenVINO's models compute what OpenVINO does."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

if importlib.util.find_spec("openvino") is None:
    if os.environ.get("CI") and platform.machine() == "x86_64":
        raise RuntimeError("the package openvino is missing")
    pytest.skip("the package openvino is missing", allow_module_level=True)
import openvino as ov

from opkg.cli.main import run
from opkg.fuse import api, openvino_write
from opkg.fuse.find import find
from opkg.fuse.openvino_run import OpenvinoRuntime
from opkg.fuse.proof import cases, read_op, wrong
from opkg.fuse.values import drawn
from opkg.models.partition.limits import HTP, OPENVINO
from opkg.models.read import read_model

sys.path.append(str(Path(__file__).parents[1] / "models"))
import fuse_models
import openvino_models

# Ops of each block: places, nodes of one place.
OPS = {
    "boxes": [(1, 12)], "boxes_5d": [], "branches": [(1, 2), (1, 3), (1, 4)], "convnext": [(1, 9)], "gates": [(1, 9)],
    "mobilenet_v3": [], "resnet_se": [(1, 3)], "rope": [(1, 3)], "swiglu": [(1, 3), (1, 7)],
}  # fmt: skip


@pytest.mark.parametrize("name", OPS)
def test_blocks(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / "m.xml")
    ov.save_model(openvino_models.block(name), path, compress_to_fp16=False)
    model, findings = read_model(path, {})
    assert model is not None, findings
    found = api.usable(find(model, HTP), path)
    assert sorted((len(op.places), len(op.ops)) for op in found.ops) == OPS[name]
    if name == "boxes_5d":  # its constants have five dimensions
        assert any("whose graph HTP does not prepare" in why for why in found.left.values())
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


def end_of(folder: Path, name: str, block: Any, *options: str) -> tuple[dict[str, Any], Path]:
    """What `opkg fuse` says of a model, and the folder with its ops."""
    ov.save_model(block, folder / f"{name}.xml", compress_to_fp16=False)
    said = subprocess.run(
        [sys.executable, "-m", "opkg", "fuse", f"{name}.xml", "--on", "host", "--format", "json", *options],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout + said.stderr
    return json.loads(said.stdout), folder / f"{name}-ops"


def inferred(model: Any, inputs: list[Any]) -> list[Any]:
    compiled = ov.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    results = compiled(inputs)
    return [results[at].copy() for at in range(len(compiled.outputs))]


def hold_rewritten(said: dict[str, Any], own: Path, file: Path, batches: tuple[int, ...], most: float) -> None:
    """The written model: what it says, that it needs the library, and what it computes, at other batches too."""
    stem = file.stem
    (xml,) = own.glob("*.fused.xml")
    assert xml.with_suffix(".bin").is_file()
    with pytest.raises(RuntimeError, match=f"fused.{stem}"):
        ov.Core().read_model(xml)
    (library,) = own.glob("build/*/openvino-x86/lib*_openvino.so")
    core = ov.Core()
    core.add_extension(library)
    after = core.read_model(xml)
    needs = {key: after.get_rt_info(["opkg", key]).astype(str) for key in ("extension", "package", "ops")}
    names = [op["name"] for op in said["ops"]]
    assert needs == {"extension": library.name, "package": f"fused.{stem}", "ops": " ".join(names)}
    places = sum(len(op["places"]) for op in said["ops"])
    assert sum(node.get_type_name() in names for node in after.get_ops()) == places
    before = ov.Core().read_model(file)
    assert [port.get_names() for port in after.outputs] == [port.get_names() for port in before.outputs]
    random = np.random.default_rng(5)
    for batch in batches:
        shapes = {at: [batch, *list(port.shape)[1:]] for at, port in enumerate(before.inputs)}
        before.reshape(shapes)
        after.reshape(shapes)
        inputs = [random.standard_normal(shape).astype(np.float32) for shape in shapes.values()]
        for old, new in zip(inferred(before, inputs), inferred(after, inputs), strict=True):
            assert old.shape == new.shape
            assert np.max(np.abs(old - new)) <= most * max(1.0, float(np.max(np.abs(old))))


def test_the_model_with_its_ops(tmp_path: Path) -> None:
    said, own = end_of(tmp_path, "swiglu", openvino_models.block("swiglu"))
    assert said["rewritten"]["nodes"] == {"before": 14, "after": 6}
    (run,) = said["end_to_end"]
    assert (run["placed"], run["kernels"]) == ([2, 2], None)
    assert run["errors"][1] < 1e-6
    assert run["note"].startswith("with inputs twice as long off by ")
    hold_rewritten(said, own, tmp_path / "swiglu.xml", (1, 3), 1e-6)


def hold_drawn(seed: int, folder: Path) -> int:
    """A random model (splits, concats, diamonds, several results) with its ops by their twins in Python; how many places."""
    file = str(folder / f"m{seed}.xml")
    ov.save_model(openvino_models.drawn(seed, 40), file, compress_to_fp16=False)
    model, findings = read_model(file, {})
    assert model is not None, findings
    found = api.usable(find(model, OPENVINO), file)
    if not found.ops:
        return 0
    own = folder / f"ops{seed}"
    api.write_project(found, file, str(own), None, f"drawn.m{seed}")
    (package,) = own.glob("generated/*/openvino/python/*_openvino")
    after = openvino_write.rewritten(file, found, openvino_write.twins(package), {"extension": "none"})
    before = ov.Core().read_model(file)
    places = sum(len(op.places) for op in found.ops)
    inside = sum(len(place.nodes) for op in found.ops for place in op.places)
    assert openvino_write.count(after) == openvino_write.count(before) - inside + places
    random = np.random.default_rng(seed)
    for batch in (1, 3):
        shapes = {at: [batch, *list(port.shape)[1:]] for at, port in enumerate(before.inputs)}
        before.reshape(shapes)
        after.reshape(shapes)
        inputs = [random.standard_normal(shape).astype(np.float32) for shape in shapes.values()]
        shaken = [inferred(before, [each * np.float32(1 + by) for each in inputs]) for by in (1e-6, -1e-6, 3e-6)]
        for at, (old, new) in enumerate(zip(inferred(before, inputs), inferred(after, inputs), strict=True)):
            assert old.shape == new.shape
            finite = np.isfinite(old)
            np.testing.assert_array_equal(finite, np.isfinite(new))
            worth = sum(np.abs(each[at] - old) for each in shaken)[finite]  # what rounding costs this model
            assert np.all(np.abs(new - old)[finite] <= 2e-5 * np.maximum(1.0, np.abs(old[finite])) + 10 * worth)
    return places


def test_drawn_models(tmp_path: Path) -> None:
    assert sum(hold_drawn(seed, tmp_path) for seed in range(3)) > 3


@pytest.mark.sweep
def test_many_drawn_models(tmp_path: Path) -> None:
    assert sum(hold_drawn(seed, tmp_path) for seed in range(3, 60)) > 60


@pytest.mark.sweep
@pytest.mark.parametrize("name", OPS)
def test_models_with_their_ops(name: str, tmp_path: Path) -> None:
    said, own = end_of(tmp_path, name, openvino_models.block(name))
    if OPS[name]:
        hold_rewritten(said, own, tmp_path / f"{name}.xml", (1,) if name in ("rope", "boxes") else (1, 2, 5), 2e-6)


# In QDQ form, made of ONNX's by OpenVINO: places and nodes of one place of each op within OpenVINO's limits; bytes, times fewer.
QUANTIZED = {
    "mobilenet_v3": ([(1, 3), (2, 5)], 1.90),
    "resnet_se": ([(1, 5)], 1.37),
    "convnext": ([(1, 5), (1, 6), (1, 7)], 1.89),
    "transformer": ([(1, 4), (2, 2), (2, 6), (2, 15), (3, 5), (4, 3), (4, 4)], 1.72),
}


def quantized(name: str, folder: Path) -> Any:
    """A block of tests/fuse/fuse_models.py in QDQ form as OpenVINO's model: FakeQuantize, weights of 8 bits."""
    proto = fuse_models.quantized(getattr(fuse_models, name)())
    (folder / "q.onnx").write_bytes(proto.SerializeToString())
    return ov.convert_model(folder / "q.onnx")


@pytest.mark.parametrize("name", QUANTIZED)
def test_quantized_blocks(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / "m.xml")
    ov.save_model(quantized(name, tmp_path), path, compress_to_fp16=False)
    model, findings = read_model(path, {})
    assert model is not None, findings
    found = api.usable(find(model, OPENVINO), path)
    places, times = QUANTIZED[name]
    assert sorted((len(op.places), len(op.ops)) for op in found.ops) == places
    assert abs(found.before / found.after - times) < 0.01
    assert not any("has no dimension" in why for why in found.left.values())  # weights are constants
    runtime = OpenvinoRuntime(path, found.model.constants)
    values = runtime.values(drawn(found.model, 1), api.bordering(found))
    for op in found.ops:
        held = cases(found.model, op, read_op(found.model, op, "m.xml"), values)
        assert len(held.against) == len(op.outputs) * len(op.places)
        assert wrong(held.against, runtime.name, path) == []
        ends = {op.pattern.steps[at].op for at, _ in op.pattern.outputs}
        assert {each.unit for each in held.against} == {"lsb" if end == "FakeQuantize" else "" for end in ends}


def test_a_wrong_step_is_seen(tmp_path: Path) -> None:
    """Two steps off are no rounding."""
    path = str(tmp_path / "m.xml")
    ov.save_model(quantized("mobilenet_v3", tmp_path), path, compress_to_fp16=False)
    model, _ = read_model(path, {})
    assert model is not None
    found = api.usable(find(model, OPENVINO), path)
    values = dict(OpenvinoRuntime(path, found.model.constants).values(drawn(found.model, 1), api.bordering(found)))
    (op,) = [op for op in found.ops if len(op.places) == 1]
    (name,) = op.places[0].outputs
    steps = np.unique(values[name])
    values[name] = values[name] + 2 * np.min(np.diff(steps))
    held = cases(found.model, op, read_op(found.model, op, "m.xml"), values)
    (finding,) = wrong(held.against, "openvino", path)
    assert finding.id == "OPK763"
    assert "lsb" in finding.message


@pytest.mark.sweep
@pytest.mark.parametrize("name", QUANTIZED)
def test_quantized_models_with_their_ops(name: str, tmp_path: Path) -> None:
    said, own = end_of(tmp_path, name, quantized(name, tmp_path), "--target", "openvino")
    (run,) = said["end_to_end"]
    assert run["errors"][1] < 0.01
    hold_rewritten(said, own, tmp_path / f"{name}.xml", (1,), 0.05)


@pytest.mark.sweep
@pytest.mark.parametrize("name", OPS)
def test_kernels_of_blocks(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ov.save_model(openvino_models.block(name), "m.xml", compress_to_fp16=False)
    assert run(["fuse", "m.xml"]) == 0, capfd.readouterr().out
