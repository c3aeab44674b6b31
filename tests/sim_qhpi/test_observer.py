"""The observer counts a call of a kernel that runs in several slices once, and its slices beside it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from opkg.verify.machines import toolchain
from opkg.verify.machines.executorch import observer

FIXTURES = Path(__file__).parent / "fixtures"
HARNESS = toolchain.SIM.parent / "verify" / "machines" / "executorch" / "harness"
SCRIPT = """
import ctypes, json, sys
from opkg_executorch import observe
backend, package, library = sys.argv[1:]
machine = ctypes.CDLL(backend)
observe.start(library)
ctypes.CDLL(package).load_package()
machine.execute(0, 4)
calls, cut = observe.counts(), observe.slices()
for place, slices in ((0, 4), (0, 1), (1, 6), (1, 6), (2, 1), (1502, 1)):
    machine.execute(place, slices)
print(json.dumps([calls, cut, observe.since(calls), observe.slices_since(cut)]))
"""


def _library(compiler: str, source: str, out: Path, *flags: str) -> Path:
    command = [compiler, "-std=c++17", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", f"-I{toolchain.INCLUDE}"]
    subprocess.run([*command, *flags, str(FIXTURES / source), "-o", str(out), "-lpthread"], check=True, timeout=60)
    return out


def test_a_call_in_slices_counts_once(tmp_path: Path) -> None:
    compiler = toolchain.compiler()
    assert compiler is not None
    backend = _library(compiler.path, "sliced_backend.cpp", tmp_path / "libQnnHtp.so", "-Wl,-soname,libQnnHtp.so")
    package = _library(compiler.path, "sliced_package.cpp", tmp_path / "libpackage.so")
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(backend), str(package), str(observer.library(tmp_path))],
        env={"PYTHONPATH": str(HARNESS)}, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    calls, cut, since, cut_since = json.loads(ran.stdout)
    assert calls == {
        "test::Op/test::cut": 1,
        "test::Op/test::kept": 0,
        "test::Op/test::whole": 0,
        "test::Many/test::one": 0,
    }
    assert cut == {
        "test::Op/test::cut": 4,
        "test::Op/test::kept": 0,
        "test::Op/test::whole": 0,
        "test::Many/test::one": 0,
    }
    assert since == {
        "test::Op/test::cut": 2,
        "test::Op/test::kept": 2,
        "test::Op/test::whole": 1,
        "test::Many/test::one": 1,
    }
    assert cut_since == {
        "test::Op/test::cut": 5,
        "test::Op/test::kept": 12,
        "test::Op/test::whole": 1,
        "test::Many/test::one": 1,
    }
