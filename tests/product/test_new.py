"""`opkg new`: projects and further ops that validate and verify at once; on failure nothing is touched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KINDS = ("elementwise", "reduction", "layout", "custom")


def opkg(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "opkg", *words]
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one op of every kind, each added by a command of its own."""
    base = tmp_path_factory.mktemp("new")
    made = opkg(
        "new",
        "OpElementwise",
        "--kind",
        "elementwise",
        "--package",
        "acme.vision",
        "--dir",
        "p",
        "--no-input",
        cwd=base,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    for kind in KINDS[1:]:
        more = opkg("new", f"Op{kind.capitalize()}", "--kind", kind, "--no-input", cwd=base / "p")
        assert more.returncode == 0, more.stdout + more.stderr
    return base / "p"


def test_every_kind_validates_and_is_formatted_like_the_first(project: Path) -> None:
    done = opkg("validate", cwd=project)
    assert done.returncode == 0, done.stdout
    text = (project / "specs" / "vision.yaml").read_text()
    assert [line for line in text.splitlines() if line.startswith("  Op")] == [f"  Op{k.capitalize()}:" for k in KINDS]


def test_every_kind_verifies_at_once(project: Path) -> None:
    done = opkg("verify", "--on", "host", "--cases", "6", cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr
    for kind in KINDS:
        assert f"Op{kind.capitalize()}" in done.stdout
    assert "0 failures" in done.stdout


def test_check_passes_after_new(project: Path) -> None:
    done = opkg("check", cwd=project)
    assert done.returncode == 0, done.stdout


def test_an_existing_op_is_refused_and_nothing_changes(project: Path) -> None:
    before = snapshot(project)
    done = opkg("new", "OpLayout", "--kind", "layout", "--no-input", cwd=project)
    assert done.returncode == 1
    assert "op 'OpLayout' exists already" in done.stdout
    assert snapshot(project) == before


@pytest.mark.parametrize("name", ["class", "9lives", "a b", "../up", "Ünïcode"])
def test_a_name_that_does_not_do_is_refused_and_nothing_changes(project: Path, name: str) -> None:
    before = snapshot(project)
    done = opkg("new", name, "--no-input", cwd=project)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert snapshot(project) == before


def test_a_kernel_file_in_the_way_is_not_touched(project: Path) -> None:
    mine = project / "kernels" / "in_the_way.cpp"
    mine.write_text("// mine\n")
    before = snapshot(project)
    done = opkg("new", "InTheWay", "--kind", "custom", "--no-input", cwd=project)
    assert done.returncode == 1
    assert "is in the way" in done.stdout
    assert snapshot(project) == before
    mine.unlink()


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file.txt").write_text("mine")
    done = opkg("new", "Op", "--dir", "full", "--no-input", cwd=tmp_path)
    assert done.returncode == 1
    assert snapshot(tmp_path) == {"full/file.txt": b"mine"}


def test_comments_and_order_of_the_spec_stay(tmp_path: Path) -> None:
    assert opkg("new", "First", "--package", "a.b", "--dir", "p", "--no-input", cwd=tmp_path).returncode == 0
    spec = tmp_path / "p" / "specs" / "b.yaml"
    spec.write_text(spec.read_text().replace("ops:", "# all of them\nops:") + "\n# the end\n")
    before = spec.read_text()
    done = opkg("new", "Second", "--no-input", cwd=tmp_path / "p")
    assert done.returncode == 0, done.stdout + done.stderr
    after = spec.read_text()
    start = after.index("  Second:")
    end = after.index("# the end")
    assert start < end
    without = after[:start].rstrip("\n") + "\n\n" + after[end:]
    assert without == before


def test_the_workflow_installs_opkg_from_where_a_variable_says(project: Path, tmp_path: Path) -> None:
    """Its steps are run with a `pip` that writes down its arguments; opkg is published nowhere."""
    import yaml

    workflow = yaml.safe_load((project / ".github" / "workflows" / "opkg.yml").read_text())
    assert workflow["env"] == {"OPKG_SOURCE": "${{ vars.OPKG_SOURCE }}"}
    install, *steps = [step["run"] for step in workflow["jobs"]["check"]["steps"] if "run" in step]
    (tmp_path / "pip").write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$SAID"\n')
    (tmp_path / "pip").chmod(0o755)
    said = tmp_path / "said"
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "SAID": str(said), "OPKG_SOURCE": ""}
    unset = subprocess.run(["bash", "-c", install], env=environment, capture_output=True, text=True)
    assert unset.returncode != 0
    assert "set the variable OPKG_SOURCE" in unset.stderr
    assert not said.exists()
    environment["OPKG_SOURCE"] = "git+https://host/opkg.git@main"
    assert subprocess.run(["bash", "-c", install], env=environment).returncode == 0
    assert said.read_text().split() == ["install", "git+https://host/opkg.git@main"]
    assert [step.split()[:2] for step in steps] == [["opkg", "validate"], ["opkg", "check"], ["opkg", "verify"]]
    for step in steps[:2]:
        assert opkg(*step.split()[1:], cwd=project).returncode == 0
