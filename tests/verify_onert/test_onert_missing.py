"""What opkg says where onert is not: exit code 3 and how to get it; a package without the target."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import onertprojects as projects
import pytest

from opkg.spec.diagnostics import MissingTool
from opkg.verify.machines.onert import library
from opkg.verify.machines.table import choose

# An interpreter in which a package cannot be found.
WITHOUT = "import sys; sys.modules[{name!r}] = None; from opkg.cli.main import main; main(sys.argv[1:])"


def opkg(*words: str, cwd: Path, without: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    command = ["-c", WITHOUT.format(name=without)] if without else ["-m", "opkg"]
    environment = {**os.environ, "NO_COLOR": "1", **more}
    return subprocess.run([sys.executable, *command, *words], cwd=cwd, env=environment, capture_output=True, text=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    projects.both(tmp_path)
    return tmp_path


def test_no_wheel(project: Path) -> None:
    done = opkg("verify", "--on", "onert", cwd=project, without="onert")
    assert done.returncode == 3
    assert "machine 'onert' is not available: no libonert.so found" in done.stderr + done.stdout
    assert "pip install 'opkg[onert]'" in done.stderr + done.stdout


def test_no_writer(project: Path, runtime: Path) -> None:
    done = opkg("verify", "--on", "onert", cwd=project, without="flatbuffers")
    assert done.returncode == 3
    assert "pip install flatbuffers" in done.stderr + done.stdout


def test_a_variable_that_names_nothing(project: Path) -> None:
    done = opkg("verify", "--on", "onert", cwd=project, OPKG_ONERT_LIB="/nowhere/libonert.so")
    assert done.returncode == 3
    assert "OPKG_ONERT_LIB=/nowhere/libonert.so is no file" in done.stderr + done.stdout


def test_a_variable_names_the_library_or_its_folder(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (runtime, runtime.parent):
        monkeypatch.setenv("OPKG_ONERT_LIB", str(value))
        assert library.library() == runtime
        assert library.version() == ""


def test_only_when_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "onert" not in {state.machine.name for state in choose(())}
    monkeypatch.setenv("OPKG_ONERT_LIB", "/nowhere")
    with pytest.raises(MissingTool):
        choose(("onert",))


def test_a_package_without_the_target(tmp_path: Path, runtime: Path) -> None:
    (tmp_path / "specs").mkdir()
    text = (projects.HEAD + projects.PAIR).replace("[onert]", "[qnn-htp-qhpi]")
    (tmp_path / "specs" / "edge.yaml").write_text(text)
    assert opkg("generate", cwd=tmp_path).returncode == 0
    done = opkg("verify", "--on", "onert", cwd=tmp_path)
    assert done.returncode == 1
    assert "acme.edge has no target that a machine runs" in done.stderr + done.stdout
    assert "add onert to its targets" in done.stderr + done.stdout


def test_stale_files_are_not_run(project: Path, runtime: Path) -> None:
    done = opkg("verify", "--on", "onert", cwd=project)  # written without `opkg generate`: there is no manifest
    assert done.returncode == 1
    assert "run: opkg generate" in done.stderr + done.stdout or "OPK403" in done.stderr + done.stdout


@pytest.mark.parametrize("without", ["", "onert", "flatbuffers"])
def test_doctor(tmp_path: Path, runtime: Path, without: str) -> None:
    done = opkg("doctor", "--format", "json", cwd=tmp_path, without=without)
    rows = {row["name"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert rows["onert"]["found"] == (without != "onert")
    assert rows["onert"]["needed_for"] == "verify --on onert"
    if without == "flatbuffers":
        assert not rows["flatbuffers"]["found"]
    text = opkg("doctor", cwd=tmp_path, without=without).stdout.splitlines()[-1]
    assert ("onert" in text) == (not without)
