"""The built wheel works in an empty environment, from any folder: templates, schema and C++ sources ship inside."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def opkg(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("empty-environment")
    venv.create(folder, with_pip=True)
    subprocess.run(
        [folder / "bin" / "pip", "install", "-q", "--disable-pip-version-check", str(wheel)],
        check=True,
        capture_output=True,
    )
    return folder / "bin" / "opkg"


def run(opkg: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environment["OPKG_CACHE_DIR"] = os.environ.get("OPKG_CACHE_DIR", str(ROOT / "build" / "cache"))
    return subprocess.run([str(opkg), *words], cwd=cwd, capture_output=True, text=True, env=environment)


def test_the_wheel_holds_what_is_rendered_and_compiled(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "opkg/_data/schemas/opspec.schema.json" in names
    assert "opkg/_data/templates/qnn_htp_qhpi/op.cpp.j2" in names
    assert "opkg/_data/templates/project/{{cookiecutter.slug}}/references.py" in names
    assert "opkg/sim/include/opkg/qhpi_abi.h" in names
    assert "opkg/sim/runner/host_main.cpp" in names
    assert {
        "opkg/device/tables/dsp-exports.tsv",
        "opkg/sim/loader/loader.cpp",
        "opkg/sim/freestanding/malloc.h",
    } <= names
    assert not [n for n in names if "__pycache__" in n or n.startswith(("tests/", "examples/"))]


def test_a_new_op_verifies_from_the_installed_wheel(opkg: Path, tmp_path: Path) -> None:
    assert run(opkg, "--version", cwd=tmp_path).stdout.strip().endswith("0.1.0")
    made = run(opkg, "new", "HardGate", "--package", "acme.vision", "--dir", "vision", "--no-input", cwd=tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    project = tmp_path / "vision"
    for verb in (["validate"], ["generate"], ["check"], ["verify", "--on", "host", "--cases", "4"]):
        done = run(opkg, *verb, cwd=project)
        assert done.returncode == 0, f"opkg {verb}: {done.stdout}{done.stderr}"
    assert "0 failures" in done.stdout
    assert run(opkg, "schema", cwd=tmp_path).stdout.startswith("{")
    assert "qnn-htp-qhpi" in run(opkg, "targets", cwd=tmp_path).stdout


def test_rules_from_the_installed_wheel(opkg: Path, tmp_path: Path) -> None:
    """Tables, page template, stand-in headers for the preprocessor, meanings of core ops: all of it ships."""
    rules, graph = ROOT / "examples/rules/cpp/fuse.cpp", ROOT / "examples/rules/graphs/add_relu.txt"
    for words in (["check"], ["check", "--preprocess"], ["format", "--check"], ["explain"]):
        done = run(opkg, "rules", words[0], str(rules), *words[1:], cwd=tmp_path)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    done = run(opkg, "rules", "apply", str(graph), str(rules), "--html", "page.html", "--dot", "g.dot", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "AddRelu(" in done.stdout
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!doctype html>")
    done = run(opkg, "rules", "test", str(ROOT / "examples/rules/cpp/patterns.cpp"), "--cases", "6", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 rules: 2 equivalent" in done.stdout
