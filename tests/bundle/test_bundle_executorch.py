"""`opkg bundle --for executorch`: programs for a SoC that name libraries without folders, and scripts that run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import fake_device
import pytest
from fake_device import script, shellcheck

from opkg.cli.main import run
from opkg.device.elf import Elf
from opkg.verify.bundle.names import has_name
from opkg.verify.machines import device
from opkg.verify.machines.executorch import environment

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-executorch" / "bin" / "python"


@pytest.fixture(scope="module")
def programs(project: Path) -> Path:
    """A bundle for ExecuTorch, made once."""
    variable = "OPKG_EXECUTORCH_PYTHON"
    lacking = device.missing(device.ANDROID) or (
        "" if variable in os.environ or PYTHON.is_file() else "scripts/setup-executorch.sh"
    )
    if lacking:
        if os.environ.get("CI"):
            pytest.fail(f"missing: {lacking}")
        pytest.skip(f"missing: {lacking}")
    with pytest.MonkeyPatch.context() as patch:
        if variable not in os.environ:
            patch.setenv(variable, str(PYTHON))
        out = project / "build" / "programs"
        words = ["bundle", "--soc", "SM8550", "--for", "executorch", "--cases", "1", "-o", str(out)]
        assert run(["-C", str(project), *words]) == 0
    return out


@pytest.fixture
def runner(programs: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a run of it."""
    found = fake_device.stand_in(tmp_path)
    executorch = tmp_path / "executorch"
    executorch.mkdir()
    text = fake_device.RUNNER.format(python=sys.executable, expected=str(programs / "cases"))
    fake_device.program(executorch / "qnn_executor_runner", text)
    (executorch / "libqnn_executorch_backend.so").write_bytes(b"library")
    return {**found, "EXECUTORCH": str(executorch)}


def test_what_is_in_it(programs: Path, project: Path) -> None:
    facts = json.loads((programs / "bundle.json").read_text())
    assert (facts["for"], facts["system"], facts["soc"], facts["qnn"]) == (
        "executorch",
        "aarch64-android",
        "SM8550",
        "2.49",
    )
    assert [one["name"] for one in facts["runs"]] == ["ScaledBy-f32-000", "ScaledBy-u8-000"]
    assert "libc.so" in Elf((programs / "arm" / "libtest_bundle.so").read_bytes()).needed
    for one in facts["runs"]:
        content = (programs / "cases" / one["name"] / "model.pte").read_bytes()
        assert b"soc_type=SM8550;arch=73;" in content
        assert content.count(b"libtest_bundle.so\0") == 2
        assert content.count(b"libtest_bundle_HTP.so\0") == 1
        assert os.fsencode(project) not in content
        assert b"/libtest_bundle" not in content
        (kernel,) = one["kernels"]
        assert f"test.bundle::{kernel}".encode() in content
        for half in ("arm/libtest_bundle.so", "dsp/libtest_bundle_HTP.so"):
            assert has_name((programs / half).read_bytes(), kernel)
        assert one["outputs"][0]["file"] == "output_0_0.raw"
    readme = (programs / "README.md").read_text()
    assert "qnn_executor_runner" in readme
    assert "qnn-net-run" not in readme
    assert "0x:14" in readme
    assert "{" not in readme
    shellcheck(programs)


@pytest.mark.parametrize("endpoint", ["adb", "root@phone"])
def test_push_run_compare(programs: Path, runner: dict[str, str], endpoint: str) -> None:
    for words in (("push.sh", endpoint), ("run.sh", endpoint), ("compare.sh",)):
        done = script(programs, runner, *words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    assert done.stdout.splitlines()[-1] == "2 cases, 0 failures"


def test_what_goes_wrong_is_said(programs: Path, runner: dict[str, str]) -> None:
    nothing = {**runner, "EXECUTORCH": "/nowhere"}
    lacking = script(programs, nothing, "push.sh", "adb")
    assert lacking.returncode == 3
    assert "/nowhere has no qnn_executor_runner" in lacking.stderr
    said = script(programs, nothing, "push.sh", "--dry-run", "adb")
    assert "adb push /nowhere/qnn_executor_runner" in said.stdout
    assert script(programs, runner, "push.sh", "adb").returncode == 0
    failed = script(programs, {**runner, "FAKE_FAILS": "ScaledBy-u8-000"}, "run.sh", "adb")
    assert failed.returncode == 1
    assert "ScaledBy-u8-000: failed" in failed.stderr
    compared = script(programs, runner, "compare.sh")
    assert compared.returncode == 1
    assert "ScaledBy-u8-000: no output output_0" in compared.stdout
    assert script(programs, {**runner, "FAKE_WRONG": "ScaledBy-f32-000"}, "run.sh", "adb").returncode == 0
    compared = script(programs, runner, "compare.sh")
    assert compared.returncode == 1
    assert "ScaledBy-f32-000: output_0: 1 of " in compared.stdout


_RUN = """\
import json, sys
from pathlib import Path
import numpy as np, torch
from executorch.runtime import Runtime
facts = json.loads(Path("bundle.json").read_text())
for one in facts["runs"]:
    folder = Path("cases", one["name"])
    inputs = [torch.from_numpy(np.fromfile(folder / "inputs" / f"{each['name']}.raw", each["type"]).reshape(each["dims"]))
              for each in one["inputs"]]
    out = Path("out", one["name"])
    out.mkdir(parents=True)
    program = Runtime.get().load_program(str(folder / "model.pte"))
    for at, each in enumerate(program.load_method("forward").execute(inputs)):
        each.numpy().tofile(out / f"output_0_{at}.raw")
"""


@pytest.mark.sweep
def test_another_process_finds_the_library_by_its_name(
    programs: Path, project: Path, runner: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On x86, through LD_LIBRARY_PATH; without, the backend knows no such package."""
    monkeypatch.setenv("OPKG_EXECUTORCH_PYTHON", os.environ.get("OPKG_EXECUTORCH_PYTHON", str(PYTHON)))
    found = environment.find(project)
    assert isinstance(found, environment.Environment)
    folder = project / "build" / "test_bundle" / "qhpi-x86"
    variables = found.variables()
    subprocess.run(["rm", "-rf", "out"], cwd=programs, check=True)
    refused = subprocess.run(
        [str(found.python), "-c", _RUN], cwd=programs, env=variables, capture_output=True, check=False
    )
    assert refused.returncode != 0
    subprocess.run(["rm", "-rf", "out"], cwd=programs, check=True)
    variables["LD_LIBRARY_PATH"] += f":{folder}"
    subprocess.run([str(found.python), "-c", _RUN], cwd=programs, env=variables, capture_output=True, check=True)
    done = script(programs, runner, "compare.sh")
    assert done.stdout.splitlines()[-1] == "2 cases, 0 failures"
