"""Numbers, values of rank 0, in ONNX models: the provider writes [1], which packages take."""

from __future__ import annotations

from pathlib import Path

import pytest

from opkg.cli.main import run

SPEC = """\
opkg: 1
package: {name: test.numbers, version: 1.0.0, targets: [qnn-htp-qhpi, onnxruntime]}
ops:
  Highest:
    types: {T: [float32, ufixed8]}
    inputs: {x: {dtype: T, shape: [rows..., C], rank: 1..5}, least: {dtype: T, shape: []}}
    outputs: {y: {dtype: T, shape: [rows...]}}
    compute: y = max(max(x, least), axis=-1, keepdims=False)
    tests: {cases: [{name: number, x: {shape: [7]}}]}
  Whole:
    inputs: {x: {dtype: float32, shape: [A, B]}}
    outputs: {y: {dtype: float32, shape: "reduce(x, [0, 1], false)"}}
    compute: y = max(x, axis=[0, 1], keepdims=False)
"""


@pytest.mark.xdist_group("onnxruntime")
def test_numbers_on_htp(
    runtime: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Inputs, outputs and what reduces all dimensions: every node runs in the package."""
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    Path("specs/s.yaml").write_text(SPEC)
    for only, ran in (
        (["--case", "f32-number"], "1 case"),
        (["--case", "u8-number"], "1 case"),
        (["--cases", "1"], ""),
    ):
        assert run(["verify", "--on", "onnxruntime", "--generate", *only]) == 0, capfd.readouterr()
        text = capfd.readouterr().out
        assert runtime in text
        assert ran in text
        assert "0 failures" in text
