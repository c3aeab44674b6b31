"""Models that call ops of a package by name: stock has what `compute:` says, in torch's own calls."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from opkg.spec.reader import read_file
from opkg.targets.executorch_builder import TARGET
from opkg.verify.machines.executorch.environment import Environment

pytestmark = pytest.mark.xdist_group("executorch")
HERE = Path(__file__).parent

SPEC = """\
opkg: 1
package: {name: test.direct, version: 1.0.0, targets: [qnn-htp-qhpi, executorch-builder]}
ops:
  Scaled:
    types: {T: [float32, ufixed8]}
    inputs:
      x: {dtype: T, shape: "[batch..., C]", rank: 1..4}
      gain: {dtype: T, shape: "[C]", optional: true}
    params: {axis: {dtype: int32, default: -1, axis_of: x}}
    outputs:
      y: {dtype: T, shape: x.shape}
      peak: {dtype: T, shape: x.shape}
    compute: |
      e = exp(x - max(x, axis=axis, keepdims=True))
      n = e / sum(e, axis=axis, keepdims=True)
      y = n * gain if present(gain) else n
      peak = clip(x, -0.5, 0.5)
  Counted:
    inputs: {x: {dtype: bool8, rank: 1..4}}
    outputs: {y: {dtype: int32, shape: x.shape}}
    compute: "y = cast(x, int32) * 3"
"""

MODEL = """\
import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(16, 24)

    def forward(self, x):
        return torch.ops.test_direct.scaled(self.first(x), None, 1)


def model():
    return Model()


def inputs():
    return (torch.randn(2, 5, 16),)
"""


def test_calls_become_what_compute_says(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(SPEC)
    package, findings = read_file(tmp_path / "s.yaml")
    assert package is not None, findings
    for artifact in TARGET.render(package):
        target = tmp_path / artifact.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(artifact.text, encoding="utf-8")
    folder = tmp_path / "generated/test_direct/executorch"
    done = subprocess.run(
        [str(environment.python), str(HERE / "decompose_script.py")],
        env=environment.variables([folder]), capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["found"] == {"test_direct.scaled": 2, "test_direct.counted": 1}
    assert (found["ours"], found["wide"], found["places"]) == ([], [], True)
    assert max(found["off"]) < 1e-6


@pytest.mark.sweep
def test_both_columns(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/s.yaml").write_text(SPEC.replace("      peak: {dtype: T, shape: x.shape}\n", "").replace(
        "      peak = clip(x, -0.5, 0.5)\n", "").split("  Counted:")[0])  # fmt: skip
    (tmp_path / "model.py").write_text(MODEL.replace("None, 1)", "None, 1)"))
    for words in (["generate"], ["executorch", "compare", "model.py", "--modes", "float,8a8w", "--format", "json"]):
        done = subprocess.run(
            [sys.executable, "-m", "opkg", "-q", *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    for mode in json.loads(done.stdout)["modes"]:
        assert mode["stock"]["status"] == mode["ours"]["status"] == "ok"
        assert mode["stock"]["decomposed"] == {"test_direct.scaled": 1}
        assert mode["stock"]["operators_delegated"] > mode["ours"]["operators_delegated"]
        assert mode["replaced"][0]["ours"] == "test.direct::Scaled"
