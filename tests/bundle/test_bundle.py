"""`opkg bundle`: contexts for a SoC whose kernels both libraries have, and scripts that run them on a (fake) device."""

from __future__ import annotations

import json
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from bundle_spec import SPEC
from fake_device import RUNTIME, script, shellcheck

from opkg.cli.main import run
from opkg.device.elf import Elf
from opkg.device.socs import socs
from opkg.verify.bundle.names import has_name
from opkg.verify.machines import device


def test_what_is_in_it(bundle: Path) -> None:
    facts = json.loads((bundle / "bundle.json").read_text())
    assert (facts["soc"], facts["soc_model"], facts["arch"]) == ("SM8550", 43, "v73")
    assert facts["packages"] == [{"library": "libtest_bundle.so", "provider": "test_bundleInterfaceProvider"}]
    assert len(facts["runs"]) == 4
    for one in facts["runs"]:
        folder = bundle / "cases" / one["name"]
        context = (folder / "context.bin").read_bytes()
        assert b"soc_type=SM8550;arch=73;" in context
        (kernel,) = one["kernels"]
        assert f"test.bundle::{kernel}".encode() in context
        for half in ("arm", "dsp"):
            assert has_name((bundle / half / "libtest_bundle.so").read_bytes(), kernel)
        (output,) = one["outputs"]
        size = {"float32": 4, "uint8": 1}[output["type"]]
        for dim in output["dims"]:
            size *= dim
        assert (folder / "expected" / "y.raw").stat().st_size == size
        assert (folder / "input_list.txt").read_text() == f"x:=cases/{one['name']}/inputs/x.raw\n"
        assert not (folder / "inputs" / "scale.raw").exists()
    readme = (bundle / "README.md").read_text()
    assert "Nobody has run this bundle on a device" in readme
    assert "libQnnHtpV73Skel.so" in readme
    assert "{" not in readme


def test_scripts_pass_shellcheck(bundle: Path) -> None:
    shellcheck(bundle)
    for name in ("compare.sh", "push.sh", "run.sh"):
        assert (bundle / name).stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize("endpoint", ["adb", "root@phone"])
def test_push_run_compare(bundle: Path, phone: dict[str, str], endpoint: str) -> None:
    for words in (("push.sh", endpoint), ("run.sh", endpoint), ("compare.sh",)):
        done = script(bundle, phone, *words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    assert done.stdout.splitlines()[-1] == "4 cases, 0 failures"


def test_what_goes_wrong_is_said(bundle: Path, phone: dict[str, str]) -> None:
    assert script(bundle, phone, "push.sh", "adb").returncode == 0
    failed = script(bundle, {**phone, "FAKE_FAILS": "ScaledBy-u8-000"}, "run.sh", "adb")
    assert failed.returncode == 1
    assert "ScaledBy-u8-000: failed" in failed.stderr
    compared = script(bundle, phone, "compare.sh")
    assert compared.returncode == 1
    assert "ScaledBy-u8-000: no output y" in compared.stdout
    for wrong in ("ScaledBy-u8-001", "ScaledBy-f32-000"):
        assert script(bundle, {**phone, "FAKE_WRONG": wrong}, "run.sh", "adb").returncode == 0
        compared = script(bundle, phone, "compare.sh")
        assert compared.returncode == 1
        assert f"{wrong}: y: 1 of " in compared.stdout
        assert "4 cases, 1 failures" in compared.stdout
    assert script(bundle, {**phone, "QNN_LIBRARIES": "/nowhere"}, "push.sh", "adb").returncode == 3
    assert script(bundle, phone, "push.sh").returncode == 2
    assert script(bundle, phone, "run.sh", "adb", "more").returncode == 2
    assert script(bundle, {**phone, "BUNDLE_DIR": "/x; rm -rf y"}, "push.sh", "adb").returncode == 2


def test_what_dry_runs_say_is_what_runs_do(bundle: Path, phone: dict[str, str]) -> None:
    """The lines that are printed, run by a shell, are the run itself."""
    said = {name: script(bundle, phone, name, "--dry-run", "adb") for name in ("push.sh", "run.sh")}
    assert not Path(phone["BUNDLE_DIR"]).exists()
    assert len(shlex.split(said["run.sh"].stdout.splitlines()[0])) == 3
    shutil.rmtree(bundle / "out", ignore_errors=True)
    (bundle / "out").mkdir()
    for done in said.values():
        assert done.returncode == 0, done.stderr
        again = subprocess.run(["sh", "-e"], input=done.stdout, cwd=bundle, env=phone, capture_output=True, text=True)
        assert again.returncode == 0, again.stderr
    assert script(bundle, phone, "compare.sh").stdout.endswith("4 cases, 0 failures\n")


def test_a_library_without_the_kernels_of_a_context(bundle: Path) -> None:
    """Of another build: the name of one kernel is another one."""
    from opkg.spec.reader import read
    from opkg.verify.bundle.contexts import Prepared, unknown
    from opkg.verify.cases.generate import Plan, generate
    from opkg.verify.cases.reference import References

    package, _ = read(SPEC.encode(), "bundle.yaml")
    assert package is not None
    (op,) = package.ops
    cases, _ = generate(op, References(bundle).load(op, bundle / "bundle.yaml"), Plan(1))
    facts = json.loads((bundle / "bundle.json").read_text())
    (kernel,) = facts["runs"][0]["kernels"]
    prepared = [Prepared(cases[0], b"", (kernel,))]
    library = (bundle / "dsp" / "libtest_bundle.so").read_bytes()
    assert unknown(prepared, library, "lib.so") == []
    renamed = library.replace(kernel[-1:].encode() + b"\0", b"X\0")  # a library holds the end of a name, at least
    assert [finding.id for finding in unknown(prepared, renamed, "lib.so")] == ["OPK797"]
    assert [finding.id for finding in unknown([Prepared(cases[0], b"", ())], library, "lib.so")] == ["OPK797"]


def test_the_runtime_and_other_folders(
    project: Path, bundle: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    runtime = tmp_path / "qnn"
    runtime.mkdir()
    command = ["-C", str(project), "bundle", "--soc", "sm8550", "--cases", "1", "--runtime", str(runtime)]
    out = tmp_path / "out"
    assert run([*command, "-o", str(out)]) == 3
    assert "libQnnHtpV73Skel.so" in capfd.readouterr().out
    for name in RUNTIME:
        (runtime / name).write_bytes(name.encode())
    assert run([*command, "-o", str(out)]) == 0
    assert (out / "dsp" / "libQnnHtpV73Skel.so").read_bytes() == b"libQnnHtpV73Skel.so"
    assert (out / "arm" / "libQnnHtpV73Stub.so").is_file()
    assert "pip download" not in (out / "README.md").read_text()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("kept")
    assert run([*command, "-o", str(tmp_path / "mine")]) == 2
    assert (tmp_path / "mine" / "file").read_text() == "kept"
    assert run(["-C", str(project), "bundle", "--soc", "SM8551"]) == 2
    assert run(["-C", str(project), "bundle", "--soc", "SM8550", "--op", "ScaleBy"]) == 2
    capfd.readouterr()
    for purpose, system in (("executorch", "linux"), ("onnxruntime", "android")):
        words = ["bundle", "--soc", "SM8550", "--for", purpose, "--system", system]
        assert run(["-C", str(project), *words]) == 1
        assert "[OPK799]" in capfd.readouterr().out


def test_for_android(project: Path, tmp_path: Path, phone: dict[str, str]) -> None:
    if device.missing(device.ANDROID):
        pytest.fail(device.missing(device.ANDROID))
    out = tmp_path / "android"
    words = ["bundle", "--soc", "SM8550", "--system", "android", "--cases", "1", "-o", str(out)]
    assert run(["-C", str(project), *words]) == 0
    assert "libc.so" in Elf((out / "arm" / "libtest_bundle.so").read_bytes()).needed
    readme = (out / "README.md").read_text()
    assert "lib/aarch64-android" in readme
    assert "glibc" not in readme
    said = script(out, {**phone, "QNN_LIBRARIES": ""}, "push.sh", "--dry-run", "adb")
    assert said.returncode == 0, said.stderr


_HERE = """\
import sys
import run_models

def one_half(facts, run):
    return f"{run['op']}:{run_models.HERE / 'arm' / run['library']}:{facts['packages'][0]['provider']}:CPU"

run_models.op_packages = one_half
sys.exit(run_models.main())
"""


def test_models_for_onnx_runtime(project: Path, tmp_path: Path, phone: dict[str, str]) -> None:
    """The models run on this machine, where one library is both halves; the scripts take them to a device."""
    out = tmp_path / "models"
    words = ["bundle", "--soc", "SM8550", "--for", "onnxruntime", "--cases", "1", "-o", str(out)]
    assert run(["-C", str(project), *words]) == 0
    facts = json.loads((out / "bundle.json").read_text())
    assert facts["packages"] == [{"library": "libtest_bundle.so", "provider": "test.bundleInterfaceProvider"}]
    assert [one["name"] for one in facts["runs"]] == ["ScaledBy-f32-000", "ScaledBy-u8-000"]
    readme = (out / "README.md").read_text()
    assert "pip install onnxruntime onnxruntime-qnn" in readme
    assert "qnn-net-run" not in readme
    here = tmp_path / "here"
    shutil.copytree(out, here)
    shutil.copy(project / "build" / "test_bundle" / "qhpi-x86" / "libtest_bundle.so", here / "arm")
    for one in facts["runs"]:
        (context,) = (here / "cases" / one["name"]).glob("*.bin")
        assert b"soc_type=SM8550;arch=73;" in context.read_bytes()
        done = subprocess.run(
            [sys.executable, "-c", _HERE, one["name"]], cwd=here, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert script(here, phone, "compare.sh").stdout.endswith("2 cases, 0 failures\n")
    for name in ("push.sh", "run.sh"):
        said = script(out, {**phone, "QNN_LIBRARIES": ""}, name, "--dry-run", "root@phone")
        assert said.returncode == 0, said.stderr
    assert "run_models.py ScaledBy-u8-000" in said.stdout
    assert "libQnnHtp" not in said.stdout


@pytest.mark.sweep
@pytest.mark.parametrize("name", list(socs()))
def test_contexts_for_every_soc(project: Path, name: str) -> None:
    from opkg.project.read import read
    from opkg.verify.bundle.contexts import prepare
    from opkg.verify.cases.generate import Plan, generate
    from opkg.verify.cases.reference import References

    (found,) = read((str(project / "specs"),))
    (package,) = found.packages
    (op,) = package.ops
    cases, _ = generate(op, References(project).load(op, project / package.path), Plan(1))
    soc = socs()[name]
    prepared, findings = prepare(project, package, cases, soc)
    assert not findings
    for each in prepared:
        assert f"arch={soc.arch[1:]};".encode() in each.binary
        assert f"vtcm_size={soc.vtcm << 20};".encode() in each.binary
        assert f"hvx_threads={soc.threads};".encode() in each.binary
        assert len(each.kernels) == 1
