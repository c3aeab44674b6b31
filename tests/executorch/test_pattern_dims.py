"""Patterns whose bounds are named dimensions: one spec for heads of every size."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from executorch_lib import HERE, load, write

from opkg.spec.reader import read

pytestmark = pytest.mark.executorch
SPEC = """\
opkg: 1
package: {name: test.rope, version: 1.0.0, targets: [qnn-htp-qhpi, executorch-builder]}
ops:
  Rope:
    types: {T: [float32]}
    inputs:
      x: {dtype: T, shape: "[batch..., L, D]", rank: 3..4}
      cos: {dtype: T, shape: "[L, D]"}
      sin: {dtype: T, shape: "[L, D]"}
    outputs:
      y: {dtype: T, shape: x.shape}
    constraints:
      - {require: D % 2 == 0, message: halves of one size are turned}
    compute: y = x * cos + concat(-x[..., D // 2:], x[..., :x.shape[-1] // 2], axis=-1) * sin
    pattern: |
      turned = torch.cat([-x[..., D // 2 :], x[..., : D // 2]], dim=-1)
      y = x * cos + turned * sin
  Glu:
    types: {T: [float32]}
    inputs: {x: {dtype: T, shape: "[batch..., D]"}}
    outputs: {y: {dtype: T, shape: "[batch..., D // 2]"}}
    constraints: [D % 2 == 0]
    compute: y = x[..., :D // 2] * sigmoid(x[..., -(D // 2):])
"""


def test_one_pattern_for_every_size(interpreter: str, tmp_path: Path) -> None:
    (tmp_path / "rope.yaml").write_text(SPEC)
    environment = {**os.environ, "PYTHONPATH": str(write(load(tmp_path / "rope.yaml"), tmp_path))}
    script = [interpreter, str(HERE / "rope_script.py")]
    done = subprocess.run(script, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found.pop("computed") == [True, True, True]
    fused = {"sizes": 4, "sample": 1, "uneven": 0, "odd": 0, "rank": 0}
    assert {name: each["fused"] for name, each in found.items()} == fused
    bound = (
        "argument 'tensors' of aten_cat_default: argument 'start' of aten_slice_copy_tensor: it is 5, the pattern has 4"
    )
    where = "is not fused at aten_add_tensor: "
    assert {name: each["said"] for name, each in found.items()} == {
        **{"sizes": [], "sample": []},
        "uneven": [f"[test.rope] rope is nearly at aten_add_tensor: 7 of 7 calls; {bound}"],  # of heads of 8
        "odd": [f"[test.rope] rope {where}halves of one size are turned"],
        "rank": [f"[test.rope] rope {where}'cos' has rank 3; allowed is 2"],
    }
    assert found["sizes"]["calls"] == 4
    assert max(each["off"] for each in found.values()) == 0.0


@pytest.mark.parametrize(
    ("written", "wanted", "message"),
    [
        ("D // 2 :", "E // 2 :", "this is no index of a pattern"),
        ("dim=-1", "dim=E", "'E' is no input, param or earlier result"),
        ("D // 2 :", "cos // 2 :", "this is no index of a pattern"),
        ("D // 2 :", "x.shape[-1] :", "this is no index of a pattern"),
    ],
)
def test_other_names_are_no_sizes(written: str, wanted: str, message: str) -> None:
    assert written in SPEC
    package, findings = read(SPEC.replace(written, wanted, 1).encode(), "f.yaml")
    assert package is None or any(finding.is_error for finding in findings)
    assert any(message in finding.message for finding in findings), findings
