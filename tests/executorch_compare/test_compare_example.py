"""A transformer block with two ops of a package in place of ExecuTorch's own lowering, in float and in 8 bits."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from opkg.verify.machines.executorch.environment import Environment

pytestmark = pytest.mark.xdist_group("executorch")
ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "transformer"
SPEC = "specs/llm_block.yaml"
CRASHES = """
import os
import signal
from pathlib import Path

import torch
import torch.nn.functional as F

MARK = Path(__file__).with_suffix(".mark")


class Gate(torch.nn.Module):
    def forward(self, gate, up):
        return F.silu(gate) * up, (gate + up).argmax(-1)


def model():
    if not MARK.exists():
        MARK.touch()
        os.kill(os.getpid(), signal.SIGSEGV)
    return Gate()


def inputs():
    return torch.randn(1, 4, 8), torch.randn(1, 4, 8)
"""


def opkg(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "opkg", "-C", str(EXAMPLE), "executorch", "compare", *words]
    environment = {**os.environ, "NO_COLOR": "1", **variables}
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture(scope="module")
def compared(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    page = tmp_path_factory.mktemp("page") / "compare.html"
    done = opkg("models/block.py", SPEC, "--modes", "float,8a8w", "--format", "json", "--html", str(page))
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert "llm.block::SwiGlu" in page.read_text("utf-8")
    assert [mode["mode"] for mode in found["modes"]] == ["float", "8a8w"]
    return found


@pytest.mark.parametrize("mode", [0, 1])
def test_everything_is_in_one_delegate_with_fewer_operators(compared: dict[str, Any], mode: int) -> None:
    stock, ours = compared["modes"][mode]["stock"], compared["modes"][mode]["ours"]
    for run in (stock, ours):
        assert (run["status"], run["delegates"], run["on_cpu"], run["not_taken"]) == ("ok", 1, {}, [])
    assert len(ours["nodes"]) == len(stock["nodes"]) - 2
    assert ours["operators_delegated"] == stock["operators_delegated"] - 2
    assert not any(node["ours"] for node in stock["nodes"])
    assert [node["type"] for node in ours["nodes"] if node["ours"]] == ["RmsNorm", "RmsNorm", "SwiGlu"]


@pytest.mark.parametrize("mode", [0, 1])
def test_what_was_replaced(compared: dict[str, Any], mode: int) -> None:
    replaced = [(each["ours"], each["stock"], each["module"]) for each in compared["modes"][mode]["replaced"]]
    assert replaced == [
        ("llm.block::RmsNorm", "RmsNorm", "before_attention"),
        ("llm.block::RmsNorm", "RmsNorm", "before_mlp"),
        ("llm.block::SwiGlu", "Sigmoid, 2 ElementWiseMultiply", "mlp"),
    ]
    lines = (EXAMPLE / "models" / "block.py").read_text("utf-8").splitlines()
    words = [lines[each["line"] - 1] for each in compared["modes"][mode]["replaced"]]
    assert "before_attention" in words[0]
    assert "F.silu" in words[2]


@pytest.mark.parametrize(
    ("mode", "norm", "gate"), [(0, "rms_norm_f32", "swi_glu_f32"), (1, "rms_norm_u8_crouton", "swi_glu_u8")]
)
def test_our_kernels_are_called_once_a_layer(compared: dict[str, Any], mode: int, norm: str, gate: str) -> None:
    calls = {f"llm.block::RmsNorm/{norm}": 2, f"llm.block::SwiGlu/{gate}": 1}
    assert compared["modes"][mode]["ours"]["kernel_calls"] == calls
    assert compared["modes"][mode]["stock"]["kernel_calls"] == {}
    # Of a context that was loaded the backend runs kernels in several slices.
    slices = compared["modes"][mode]["ours"]["kernel_slices"]
    assert {name: slices.get(name, 0) > count for name, count in calls.items()} == dict.fromkeys(calls, True)


def test_the_difference_from_pytorch_is_no_larger_than_stock(compared: dict[str, Any]) -> None:
    assert compared["findings"] == []
    floats, eight = compared["modes"]
    (stock,), (ours,) = floats["stock"]["against_float"], floats["ours"]["against_float"]
    assert ours["shape"] == [16, 1, 16, 64]
    assert ours["snr"] > max(60, stock["snr"] - 1)
    assert ours["relative"] < 0.002
    (stock,), (ours,) = eight["stock"]["against_float"], eight["ours"]["against_float"]
    assert ours["snr"] > max(25, stock["snr"] - 1)
    (stock,), (ours,) = eight["stock"]["against_quantized"], eight["ours"]["against_quantized"]
    assert ours["snr"] > max(33, stock["snr"] - 1)
    assert eight["ours"]["quantization"][0]["snr"] > 25


def test_a_run_that_crashes_leaves_the_others(environment: Environment, tmp_path: Path) -> None:
    model = tmp_path / "crashes.py"
    model.write_text(CRASHES)
    done = opkg(str(model), SPEC, "--modes", "float")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning: float stock: load failed: the process ended: signal SIGSEGV [OPK443]" in done.stdout
    assert "died (load)" in done.stdout
    assert "llm.block::SwiGlu/swi_glu_f32 1 call" in done.stdout


def test_a_wrong_model_file_ends_with_1(environment: Environment, tmp_path: Path) -> None:
    model = tmp_path / "wrong.py"
    model.write_text("def inputs():\n    return ()\n")
    done = opkg(str(model), SPEC)
    assert done.returncode == 1
    assert f"{model}" in done.stdout
    assert "error: has no function model() [OPK441]" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_builders_of_another_state_of_the_spec_are_an_error(environment: Environment, tmp_path: Path) -> None:
    project = tmp_path / "transformer"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("build"))
    spec = project / SPEC
    spec.write_text(spec.read_text("utf-8").replace("aten.rms_norm.default", "aten.layer_norm.default"))
    done = opkg(str(project / "models" / "block.py"), str(spec))
    assert done.returncode == 1
    assert "run: opkg generate" in done.stdout
    assert "llm_block_executorch" in done.stdout


def test_without_the_environment_it_ends_with_3() -> None:
    done = opkg("models/block.py", SPEC, OPKG_EXECUTORCH_PYTHON="/nowhere/python")
    assert done.returncode == 3
    assert "OPK430" in done.stdout
    assert "opkg[executorch]" in done.stdout


def test_misuse_ends_with_2() -> None:
    done = opkg("models/block.py", "--modes", "4a4w")
    assert done.returncode == 2
    assert "'4a4w' is none of float, 8a8w, 16a8w" in done.stderr
    assert opkg("models/missing.py").returncode == 2
