"""Older releases of the provider, each in an environment of its own: the example passes, and doctor says what they have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from opkg.targets.onnxruntime.releases import RELEASES, features, release
from opkg.verify.machines.onnxruntime import machine

ROOT = Path(__file__).resolve().parents[2]
# Release of the provider -> the onnxruntime beside it, and a part of what doctor says.
OLDER = {
    "2.3.0": ("1.24.4", "QNN 2.47; ops need a function"),
    "2.4.0": ("1.32.0", "QNN 2.48; ops need a function, traces"),
}
pytestmark = pytest.mark.xdist_group("onnxruntime")


def test_rows_of_all_releases() -> None:
    assert list(RELEASES) == ["2.3.0", "2.4.0", "2.5.0", "2.6.0", "2.7.0"]
    assert [row.version for row in RELEASES.values() if row.domains_variable] == ["2.7.0"]
    found = release("2.5.3")
    assert found is not None
    assert found.qnn == "2.49"
    assert release("2.2.9") is None
    assert features("2.2.9") == "older than 2.3.0: not known to work"


@pytest.mark.parametrize(
    ("provider", "runtime", "why"),
    [
        ("2.2.0", "1.24.0", "too old"),
        ("2.3.0", "1.25.0", "does not load"),
        ("2.3.0", "1.24.4", ""),
        ("2.7.0", "1.32.0", ""),
    ],
)
def test_pairs_that_do_not_go_together(monkeypatch: pytest.MonkeyPatch, provider: str, runtime: str, why: str) -> None:
    known = {"onnxruntime-qnn": provider, "onnxruntime": runtime}
    monkeypatch.setattr(machine, "version", known.__getitem__)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    found = machine.OnnxruntimeMachine().available()
    assert found.ok == (not why), found.reason
    assert why in found.reason


@pytest.mark.sweep
@pytest.mark.parametrize("version", list(OLDER))
def test_an_older_release(version: str, project: Path, tmp_path: Path) -> None:
    """Its packages come before those of this environment, which has the rest of what opkg needs."""
    runtime, said = OLDER[version]
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, f"onnxruntime-qnn=={version}", f"onnxruntime=={runtime}", "onnx>=1.19", "numpy"], check=True)
    own = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    Path(own, "rest.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    doctor = subprocess.run(
        [str(python), "-m", "opkg", "doctor", "--format", "json"], capture_output=True, text=True, env=variables
    )
    tools = {tool["name"]: tool for tool in map(json.loads, doctor.stdout.splitlines())}
    assert tools["onnxruntime"]["version"].startswith(f"{runtime}, onnxruntime-qnn {version} (")
    assert said in tools["onnxruntime"]["version"]
    command = [str(python), "-m", "opkg", "-C", str(project), "verify", "--on", "onnxruntime", "--cases", "4"]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"onnxruntime {version}" in done.stdout
    assert "4 ops, 11 kernels, 11 cases, 0 failures" in done.stdout
    assert "ChannelGate u8  between Transpose nodes: 0 layout conversions, 0 transposes" in done.stdout
