"""What the guide of OpenVINO's snippets says of kernels, shown by `opkg kernel show` for the fused ops of a model."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

import pytest

if importlib.util.find_spec("onnx") is None or importlib.util.find_spec("onnxruntime") is None:
    if os.environ.get("CI"):
        raise RuntimeError("the package onnx or onnxruntime is missing")
    pytest.skip("the package onnx or onnxruntime is missing", allow_module_level=True)
from fuse_models import quantized, statements

from opkg.cli.main import run
from opkg.fuse import api
from opkg.fuse.find import find
from opkg.models.onnx_reader import of_proto
from opkg.models.partition.limits import HTP

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`float` and `qdq`: projects of the fused ops of the model."""
    folder = tmp_path_factory.mktemp("statements")
    proto = statements()
    for name, each in (("float", proto), ("qdq", quantized(proto))):
        model, findings = of_proto(each, "m.onnx", {})
        assert model is not None, findings
        found = api.usable(find(model, HTP), "m.onnx")
        api.write_project(found, "m.onnx", str(folder / name), None, "fused.m")
    return folder


def shown(capfd: Capture, project: Path, *args: str) -> str:
    assert run(["-C", str(project), "kernel", "show", *args]) == 0
    return capfd.readouterr().out


def test_walks(projects: Path, capfd: Capture) -> None:
    """GELU by its five ops reads and writes tensors eleven times; as one op it reads one and writes one."""
    text = shown(capfd, projects / "float", "FusedGelu")
    assert "memory walks  11 one operation at a time, 2 in one kernel, 5.5 times fewer" in text


def test_the_diamond(projects: Path, capfd: Capture) -> None:
    """The guide has three registers, for values that it loads first; an operand that is read once needs none of its own."""
    text = shown(capfd, projects / "float", "Diamond")
    found = re.search(r"registers +(\d+) of 32 vectors", text)
    assert found is not None
    assert int(found[1]) <= 3


@pytest.mark.parametrize(
    ("length", "loop"),
    [
        (20, "a masked tail of 20:"),
        (32, "1 step of 32 elements:"),
        (100, "3 steps of 32 elements, a masked tail of 4:"),
    ],
)
def test_main_loop_and_tail(projects: Path, capfd: Capture, length: int, loop: str) -> None:
    """floor(L / V) steps, none for L < V; the tail is there when something is left."""
    text = shown(capfd, projects / "float", "FusedGelu", "--stage", "linear", "--shape", f"x=1,{length}")
    assert f"vectors, {loop}" in text


@pytest.mark.parametrize("form", ["float", "qdq"])
def test_a_broadcast_is_loaded_before_the_loop(projects: Path, capfd: Capture, form: str) -> None:
    """One load for both of its readers; the guide has one for each."""
    lines = shown(capfd, projects / form, "Narrow", "--stage", "linear").splitlines()
    (load,) = (number for number, line in enumerate(lines) if "broadcast_load first" in line)
    (loop,) = (number for number, line in enumerate(lines) if line.lstrip().startswith("vectors, "))
    name = lines[load].split()[0]
    assert load < loop
    assert sum(name in re.split(r"[ ,]+", line.partition("=")[2]) for line in lines[loop:]) == 2


def test_bytes_are_widened_where_they_are_loaded(projects: Path, capfd: Capture) -> None:
    """Quantized ops work in 16 bits: bytes become words in registers, and bytes again in the store."""
    text = shown(capfd, projects / "qdq", "Narrow", "--stage", "registers")
    assert re.search(r"= Q6_W\w*_\w*Vub\w*\((x|first)\[", text)
    assert re.search(r"Q6_Vub_v(asr_VhVhR_rnd_sat|pack_VhVh_sat|sat_VhVh)", text)
    assert text.count("load('x')") == 1
