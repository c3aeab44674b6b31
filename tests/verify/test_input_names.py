"""Inputs and params with the names that torch and Python use: mapped in generated C++ and Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.cli.main import run

SPEC = """\
opkg: 1
package:
  name: test.names
  targets: [qnn-htp-qhpi, qnn-htp-classic, executorch-builder, onnxruntime, openvino-extension, onert]
ops:
  Blend:
    types: {T: [float32]}
    inputs:
      self: {dtype: T, rank: 1..4}
      other: {dtype: T, shape: self.shape}
      input: {dtype: T, shape: self.shape, optional: true}
    params:
      alpha: {dtype: float32, default: 1.5, range: "> 0"}
      dim: {dtype: int32, default: -1, axis_of: self}
    outputs:
      out: {dtype: T, shape: self.shape}
    constraints:
      - {require: self.rank < 5, message: five are too many}
    compute: |
      t = self * alpha + max(other, axis=dim, keepdims=True)
      out = t + input if present(input) else t
  Parts:
    types: {T: [float32, ufixed8]}
    inputs:
      list: {dtype: T, shape: "[batch..., type]", rank: 1..4}
      len: {dtype: T, shape: list.shape}
      print: {dtype: T, shape: list.shape}
      torch: {dtype: T, shape: list.shape}
    params:
      range: {dtype: float32, default: 0.5}
      np: {dtype: int32, default: 2, range: 1 .. 4}
    outputs:
      id: {dtype: T, shape: list.shape}
      result: {dtype: T, shape: list.shape}
    compute: |
      id = list * len + range * print
      result = torch - np * list
  Fused:
    types: {T: [float32]}
    inputs:
      self: {dtype: T, rank: 1..4}
      other: {dtype: T, shape: self.shape}
    outputs:
      out: {dtype: T, shape: self.shape}
    pattern: torch.relu(self + other)
    compute: out = max(self + other, 0)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    Path("specs/names.yaml").write_text(SPEC)
    assert run(["generate"]) == 0
    return tmp_path


@pytest.mark.sweep
def test_in_cpp(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """onert's kernels see ranks as they are: dimensions are counted from either end there."""
    assert run(["verify", "--on", "host,onert", "--cases", "3", "--op", "Blend,Fused"]) == 0, capfd.readouterr()


@pytest.mark.sweep
def test_in_python_and_everywhere(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    machines = "host,htp,hexagon-v73,executorch,onnxruntime,openvino,onert"
    assert run(["verify", "--on", machines, "--cases", "4", "--large", "0"]) == 0, capfd.readouterr()
