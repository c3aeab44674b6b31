"""The files of openvino-extension: style, findings, and what is said without OpenVINO."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from opkg.spec.diagnostics import MissingTool
from opkg.spec.reader import read_file
from opkg.targets.openvino_extension import TARGET
from opkg.verify.machines.build import build
from opkg.verify.machines.table import MACHINES

SPEC = Path(__file__).parents[2] / "examples" / "openvino" / "specs" / "blocks.yaml"
OP = """\
opkg: 1
package: {{name: acme.ops, version: 1.0.0, targets: [openvino-extension]}}
ops:
  One:
    types: {{T: [{types}]}}
    inputs: {{{inputs}}}
    outputs: {{y: {{dtype: T, shape: x.shape}}}}
    {meaning}
"""


def test_formatted(tmp_path: Path) -> None:
    tool = shutil.which("clang-format") or str(Path(sys.executable).parent / "clang-format")
    package, _ = read_file(SPEC, "specs/blocks.yaml")
    assert package is not None
    for artifact in TARGET.render(package):
        (tmp_path / artifact.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / artifact.path).write_text(artifact.text)
    names = [path for path in tmp_path.rglob("*") if path.suffix in (".h", ".cpp")]
    assert len(names) > 20
    done = subprocess.run([tool, "--dry-run", "-Werror", *names], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("types", "inputs", "meaning", "found"),
    [
        ("float32", "x: {dtype: T, variadic: 1..3}", "reference: r:f", [("OPK740", "error")]),
        (
            "float32",
            "b: {dtype: T, rank: 1, optional: true}, x: {dtype: T, rank: 1}",
            "compute: y = x + b if present(b) else x",
            [("OPK740", "error")],
        ),
        ("ufixed4", "x: {dtype: T}", "compute: y = -x", [("OPK741", "error")]),
        ("uint8, ufixed8", "x: {dtype: T}", "compute: y = x + 1", [("OPK741", "info")]),
        ("float32", "x: {dtype: T}", "reference: r:f", [("OPK742", "info")]),
    ],
)
def test_findings(tmp_path: Path, types: str, inputs: str, meaning: str, found: list[tuple[str, str]]) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(OP.format(types=types, inputs=inputs, meaning=meaning))
    package, findings = read_file(path, "one.yaml")
    assert package is not None, findings
    seen = [(f.id, f.severity.value) for f in TARGET.check(package) if f.id.startswith("OPK74")]
    assert seen == found


def test_shapes_of_outputs_are_not_left_open(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    text = OP.format(types="float32", inputs="x: {dtype: T, rank: 3}", meaning="compute: y = max(x, axis=1)")
    path.write_text(text.replace("shape: x.shape", "shape: [...]"))
    package, findings = read_file(path, "one.yaml")
    assert package is not None, findings
    (why,) = [f.message for f in TARGET.check(package) if f.id == "OPK740"]
    assert "the shape of output 'y' is left open (`...`)" in why


def test_without_openvino(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SPEC.parents[1], tmp_path / "p", ignore=shutil.ignore_patterns("build"))
    package, _ = read_file(tmp_path / "p" / "specs" / "blocks.yaml", "specs/blocks.yaml")
    assert package is not None
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "openvino" else real(name))
    state = MACHINES["openvino"].available()
    assert not state.ok
    assert "opkg[openvino]" in state.install
    with pytest.raises(MissingTool):
        build(tmp_path / "p", package, "openvino")
