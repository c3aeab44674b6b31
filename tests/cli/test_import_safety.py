"""Nothing that opkg starts imports from the current folder, which may be anybody's checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRAPS = ("json", "importlib", "torch", "executorch", "re", "click", "yaml", "numpy", "sitecustomize", "opkg_executorch")
TRAP = "import os\nopen(os.environ['TRAP'], 'a').write(__file__ + '\\n')\n"


@pytest.fixture
def trapped(tmp_path: Path) -> tuple[Path, Path]:
    """A folder full of modules that tell when they are imported, and where they tell it."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in TRAPS:
        (folder / f"{name}.py").write_text(TRAP)
    return folder, tmp_path / "told"


def run(command: list[str], folder: Path, told: Path, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TRAP": str(told), "PYTHONPATH": str(ROOT), **more}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def test_doctor_imports_nothing_from_the_current_folder(trapped: tuple[Path, Path]) -> None:
    folder, told = trapped
    done = run([sys.executable, "-P", "-m", "opkg", "doctor"], folder, told, OPKG_EXECUTORCH_PYTHON=sys.executable)
    assert done.returncode in (0, 3), done.stderr
    assert "ExecuTorch" in done.stdout
    assert not told.exists(), told.read_text()


def test_doctor_runs_nothing_of_the_current_folder(trapped: tuple[Path, Path]) -> None:
    """An environment in it is found by what its metadata say."""
    folder, told = trapped
    site = folder / ".venv-executorch" / "lib" / "python3.11" / "site-packages"
    (folder / ".venv-executorch" / "bin").mkdir(parents=True)
    python = folder / ".venv-executorch" / "bin" / "python"
    python.write_text('#!/bin/sh\necho run > "$TRAP"\necho "{}"\n')
    python.chmod(0o755)
    for name, version in (("torch", "2.13.0"), ("executorch", "1.5.1"), ("onnxruntime_qnn", "2.5.0")):
        (site / f"{name}-{version}.dist-info").mkdir(parents=True)
        (site / f"{name}-{version}.dist-info" / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
    (site / "onnxruntime_qnn").mkdir()
    (site / "onnxruntime_qnn" / "libQnnHtp.so").write_bytes(b"")
    (site / "onnxruntime_qnn" / "build_and_package_info.py").write_text("qnn_version = '2.49.40'\n" + TRAP)
    environment = {"OPKG_CACHE_DIR": str(folder.parent / "cache")}
    done = run([sys.executable, "-P", "-m", "opkg", "doctor"], folder, told, **environment)
    assert done.returncode in (0, 3), done.stderr
    assert "1.5.1, torch 2.13.0, QNN 2.49" in done.stdout
    assert not told.exists(), told.read_text()


def test_the_trap_would_tell(trapped: tuple[Path, Path]) -> None:
    folder, told = trapped
    assert run([sys.executable, "-c", "import json"], folder, told).returncode == 0
    assert "json.py" in told.read_text()


@pytest.mark.parametrize("verb", [("new", "Op", "--dir", "p"), ("targets",), ("schema",), ("validate", "p")])
def test_no_verb_imports_from_the_current_folder(trapped: tuple[Path, Path], verb: tuple[str, ...]) -> None:
    folder, told = trapped
    shutil.copytree(ROOT / "examples" / "layout" / "specs", folder / "p" / "specs")
    if verb[0] == "new":
        shutil.rmtree(folder / "p")
    run([sys.executable, "-P", "-m", "opkg", *verb], folder, told)
    assert not told.exists(), told.read_text()


def test_as_a_module_it_does_so_only_before_it_starts(trapped: tuple[Path, Path]) -> None:
    """`python -m` itself has the current folder first on the path; opkg takes it off."""
    folder, told = trapped
    for name in ("importlib", "re"):  # which Python imports on its way to opkg
        (folder / f"{name}.py").unlink()
    done = run([sys.executable, "-m", "opkg", "doctor"], folder, told, OPKG_EXECUTORCH_PYTHON=sys.executable)
    assert done.returncode in (0, 3), done.stderr
    assert not told.exists(), told.read_text()


def test_every_interpreter_is_started_without_the_current_folder() -> None:
    """Each command line in opkg that has -c or -m for Python has -P before it."""
    found = 0
    for path in sorted((ROOT / "opkg").rglob("*.py")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if "python)" in line or "sys.executable" in line or "str(runner)" in line:
                for flag in ('"-c"', '"-m"'):
                    if flag in line and "hexagon" not in path.parts:
                        found += 1
                        assert '"-P", ' + flag in line, f"{path}:{number}"
    assert found >= 5
