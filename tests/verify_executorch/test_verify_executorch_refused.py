"""What is wrong before a model is run: tools that are missing, packages without the targets, files that are not current."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from modelprojects import SPEC, make

from opkg.spec.diagnostics import MissingTool
from opkg.spec.model import OpPackage
from opkg.verify.api import verify
from opkg.verify.machines.executorch.environment import Environment
from opkg.verify.machines.table import choose
from opkg.verify.options import VerifyOptions

ON = VerifyOptions(on=("executorch",))


def test_it_runs_only_when_it_is_named() -> None:
    assert "executorch" not in [state.machine.name for state in choose(())]


def test_an_interpreter_without_executorch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPKG_EXECUTORCH_PYTHON", "/nowhere/python")
    with pytest.raises(MissingTool) as caught:
        choose(("executorch",), tmp_path)
    finding = caught.value.diagnostics[0]
    assert finding.id == "OPK430"
    assert "/nowhere/python is no interpreter with torch and executorch==1.5.1" in finding.message
    assert "pip install 'opkg[executorch] @ file:///" in finding.hint


def test_libraries_of_another_version(
    environment: Environment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "libQnnHtp.so").touch()
    (tmp_path / "build_and_package_info.py").write_text("qnn_version = '2.51.0'\n")
    monkeypatch.setenv("OPKG_EXECUTORCH_PYTHON", str(environment.python))
    monkeypatch.setenv("OPKG_EXECUTORCH_QNN", str(tmp_path))
    with pytest.raises(MissingTool) as caught:
        choose(("host", "executorch"), tmp_path)
    finding = caught.value.diagnostics[0]
    assert "14001" in finding.message
    assert "onnxruntime-qnn==2.5.0" in finding.hint


def test_the_column_has_the_version(environment: Environment) -> None:
    assert [state.label for state in choose(("executorch",), Path())] == [f"executorch {environment.executorch}"]


def test_generated_files_that_are_not_current(
    environment: Environment, project: tuple[Path, OpPackage], tmp_path: Path
) -> None:
    root = tmp_path / "project"
    shutil.copytree(project[0], root, ignore=shutil.ignore_patterns("build"))
    changed = next(root.glob("generated/*/executorch/*_executorch/hooks.py"))
    changed.unlink()
    result = verify(root, [project[1]], ON)
    assert [(d.id, "opkg generate" in d.hint) for d in result.diagnostics if d.is_error] == [("OPK310", True)]
    assert not result.cells


def test_packages_without_the_targets(environment: Environment, tmp_path: Path) -> None:
    package = make(tmp_path / "a", SPEC.replace("qnn-htp-qhpi, executorch-builder", "qnn-htp-qhpi"))
    found = [(d.severity, d.message, d.hint) for d in verify(tmp_path / "a", [package], ON).diagnostics]
    assert found == [
        (
            "error",
            "acme.models has no target that a machine runs",
            "add qnn-htp-qhpi and executorch-builder to its targets",
        ),
    ]
    options = VerifyOptions(on=("host", "executorch"), cases=1)
    result = verify(tmp_path / "a", [package], options)
    assert [(d.severity, d.message) for d in result.diagnostics] == [
        ("warning", "acme.models is not run on executorch: it has no target executorch-builder")
    ]
    assert {cell.column.machine for cell in result.cells} == {"host"}
    own = SPEC.replace("acme.models", "qti.aisw").replace("qnn-htp-qhpi, executorch-builder", "executorch-builder")
    package = make(tmp_path / "b", own)
    found = [(d.severity, d.message, d.hint) for d in verify(tmp_path / "b", [package], ON).diagnostics]
    assert [message for severity, message, _ in found if severity == "error"] == [
        "qti.aisw has no library to run: its ops are QNN's own"
    ]
