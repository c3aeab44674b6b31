"""The environment of ExecuTorch: which interpreter and which libraries are taken, and what is said when something lacks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from opkg.targets.executorch_builder.profiles import KNOWN, PROFILES
from opkg.verify.machines.executorch import environment
from opkg.verify.machines.executorch.environment import REFUSES, Environment, Missing

ROOT = Path(__file__).resolve().parents[2]

FAKE = """#!/bin/sh
echo '{"torch": "%s", "executorch": "%s", "qnn": "", "folder": "%s"}'
"""


def interpreter(folder: Path, libraries: str, executorch: str = "1.5.1") -> Path:
    """Something that answers as an interpreter with these packages does."""
    path = folder / "python"
    path.write_text(FAKE % ("2.13.0", executorch, libraries))
    path.chmod(0o755)
    return path


def wheel(folder: Path, qnn: str) -> Path:
    """The libraries as onnxruntime-qnn has them."""
    package = folder / "site" / "onnxruntime_qnn"
    package.mkdir(parents=True)
    (package / "libQnnHtp.so").write_bytes(b"")
    (package / "libQnnSystem.so").write_bytes(b"")
    (package / "build_and_package_info.py").write_text(f"qnn_version = '{qnn}'\n")
    (package.parent / "onnxruntime_qnn.libs").mkdir()
    return package


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OPKG_EXECUTORCH_QNN", raising=False)
    monkeypatch.setenv("OPKG_CACHE_DIR", str(tmp_path / "cache"))
    environment._asked.cache_clear()


def found(path: Path, monkeypatch: pytest.MonkeyPatch, root: Path) -> Environment | Missing:
    monkeypatch.setenv("OPKG_EXECUTORCH_PYTHON", str(path))
    return environment.find(root)


def test_a_wheel_becomes_a_folder_like_an_sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = wheel(tmp_path, "2.49.40.260712150022")
    here = found(interpreter(tmp_path, str(package)), monkeypatch, tmp_path)
    assert isinstance(here, Environment), here
    assert (here.executorch, here.torch, here.qnn) == ("1.5.1", "2.13.0", "2.49")
    libraries = here.sdk / "lib" / "x86_64-linux-clang"
    assert sorted(path.name for path in libraries.iterdir()) == ["libQnnHtp.so", "libQnnSystem.so"]
    assert (libraries / "libQnnHtp.so").resolve() == package / "libQnnHtp.so"
    # The libraries look for theirs beside the folder they are opened in.
    assert (libraries / ".." / "onnxruntime_qnn.libs").resolve() == package.parent / "onnxruntime_qnn.libs"
    variables = here.variables(["a", "b"], base={"KEPT": "1", "PYTHONHOME": "x"})
    assert variables["LD_LIBRARY_PATH"] == str(libraries)
    assert variables["PYTHONPATH"].split(os.pathsep) == ["a", "b", str(environment.HARNESS)]
    assert "KEPT" in variables
    assert "PYTHONHOME" not in variables
    assert environment.find(tmp_path) == here  # again: the links are there


@pytest.mark.parametrize("qnn", ["2.47.0", "2.48.40", "2.50.40", "2.51.0"])
def test_other_builds_of_qnn_are_refused(qnn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = found(interpreter(tmp_path, str(wheel(tmp_path, qnn))), monkeypatch, tmp_path)
    assert isinstance(here, Missing)
    assert f"QNN {qnn[:4]}, which does not read the device configuration" in here.reason
    assert "14001" in here.reason
    assert "onnxruntime-qnn==2.5.0" in here.install


def test_what_lacks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    for path in (
        tmp_path / "nothing",
        interpreter(tmp_path, "", executorch=""),
    ):
        environment._asked.cache_clear()
        here = found(path, monkeypatch, tmp_path)
        assert isinstance(here, Missing)
        said.append(here.reason)
        assert "opkg[executorch]" in here.install
    assert all(text.startswith(f"OPKG_EXECUTORCH_PYTHON={tmp_path}") for text in said), said
    environment._asked.cache_clear()
    here = found(interpreter(tmp_path, ""), monkeypatch, tmp_path)
    assert here == Missing(f"{tmp_path}/python has no onnxruntime-qnn==2.5.0", environment.QNN_INSTALL)
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("OPKG_EXECUTORCH_QNN", str(empty))
    here = environment.find(tmp_path)
    assert here == Missing(f"OPKG_EXECUTORCH_QNN={empty} has no libQnnHtp.so", environment.QNN_INSTALL)


def test_a_real_sdk_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sdk = tmp_path / "sdk"
    (sdk / "lib" / "x86_64-linux-clang").mkdir(parents=True)
    (sdk / "lib" / "x86_64-linux-clang" / "libQnnHtp.so").write_bytes(b"")
    monkeypatch.setenv("OPKG_EXECUTORCH_QNN", str(sdk))
    here = found(interpreter(tmp_path, ""), monkeypatch, tmp_path)
    assert isinstance(here, Environment)
    assert here.sdk == sdk


def test_the_verb_prints_what_a_shell_can_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = interpreter(tmp_path, str(wheel(tmp_path, "2.49.40")))
    monkeypatch.setenv("OPKG_EXECUTORCH_PYTHON", str(python))
    command = [sys.executable, "-m", "opkg", "-C", str(ROOT / "examples/math"), "executorch", "env"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    script = done.stdout + '\nprintf "%s\\n" "$PYTHONPATH" "$OPKG_EXECUTORCH_PYTHON" "$QNN_SDK_ROOT"'
    lines = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[0].startswith(str(ROOT / "examples/math/generated/nn_math/executorch") + os.pathsep)
    assert lines[1] == str(python)
    assert Path(lines[2], "lib/x86_64-linux-clang/libQnnHtp.so").exists()


@pytest.mark.parametrize("version", ["1.6.0", "1.6.0.dev20260101+cpu", "1.10.0", "2.0.0"])
def test_releases_that_nobody_has_tried(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = interpreter(tmp_path, str(wheel(tmp_path, "2.49.40")), executorch=version)
    here = found(python, monkeypatch, tmp_path)
    assert isinstance(here, Missing)
    assert here.reason == f"{python} has ExecuTorch {version}, newer than 1.5, the newest that this opkg knows"


def test_the_newest_release_is_that_of_the_builders() -> None:
    assert max(tuple(map(int, release.split("."))) for release in KNOWN) == environment.NEWEST


@pytest.mark.parametrize("words", [["executorch", "env"], ["executorch", "judge"], ["fuse", "net.py"]])
def test_verbs_refuse_a_newer_release(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = interpreter(tmp_path, str(wheel(tmp_path, "2.49.40")), executorch="1.6.0")
    monkeypatch.setenv("OPKG_EXECUTORCH_PYTHON", str(python))
    net = tmp_path / "net.py"
    net.write_text("import torch\nmodel = torch.nn.ReLU()\ninputs = (torch.zeros(1, 3),)\n")
    words = [str(net) if word == "net.py" else word for word in words]
    command = [sys.executable, "-m", "opkg", "-C", str(ROOT / "examples/qnn"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stderr + done.stdout
    assert done.returncode == 3, said
    assert "has ExecuTorch 1.6.0, newer than 1.5, the newest that this opkg knows" in said
    assert "Traceback" not in said


def test_without_it_the_verb_ends_with_3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPKG_EXECUTORCH_PYTHON", str(tmp_path / "none"))
    command = [sys.executable, "-m", "opkg", "-C", str(ROOT / "examples/math"), "executorch", "env"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "ExecuTorch is not available" in done.stderr + done.stdout
    assert "[OPK430]" in done.stderr + done.stdout


def test_generated_packages_know_the_same_builds() -> None:
    """One fact in two rooms: which builds of QNN do not read what ExecuTorch writes."""
    assert all(row.refuses == REFUSES for row in PROFILES.values())
