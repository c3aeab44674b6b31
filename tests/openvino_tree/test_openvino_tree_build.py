"""What is put into a tree of OpenVINO compiles there: against the wheel's headers and stand-ins for what it has not; and runs."""

from __future__ import annotations

import math
import os
import subprocess
from pathlib import Path

import pytest
from openvino_mini import mini
from test_openvino_apply import NEW, SPEC, done

from opkg.verify.machines.openvino import library

STANDINS = Path(__file__).parent / "standins"


@pytest.mark.parametrize("unity", [False, pytest.param(True, marks=pytest.mark.sweep)], ids=["apart", "unity"])
def test_it_compiles_and_runs(tmp_path: Path, unity: bool) -> None:
    wheel = library.folder()
    if wheel is None or not os.path.isfile("/usr/include/xbyak/xbyak.h"):
        assert not os.environ.get("CI"), "openvino or libxbyak-dev is missing (scripts/setup.sh test)"
        pytest.skip("openvino or libxbyak-dev is missing")
    (tmp_path / "own" / "specs").mkdir(parents=True)
    (tmp_path / "own" / "specs" / "acme.yaml").write_text(SPEC)
    root = mini(tmp_path / "openvino", "2026")
    done(tmp_path / "own", "apply", root)
    folders = [root / "src/common/snippets/include", root / "src/plugins/intel_cpu/src", STANDINS]
    (real,) = [path for path in (wheel / "libs").glob("libopenvino.so*") if not path.is_symlink()][:1]
    command = ["g++", "-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", *(f"-I{folder}" for folder in folders)]
    sources = [str(root / path) for path in sorted(NEW) if path.endswith(".cpp")]
    if unity:  # ENABLE_UNITY_BUILD of OpenVINO's CMake: files of a folder are one
        (tmp_path / "unity.cpp").write_text("".join(f'#include "{path}"\n' for path in sources))
        sources = [str(tmp_path / "unity.cpp")]
    command += ["-isystem", str(wheel / "include"), *sources]
    command += [str(STANDINS / "run.cpp"), "-o", str(tmp_path / "run"), str(real), f"-Wl,-rpath,{wheel / 'libs'}"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[:6000]
    ran = subprocess.run([tmp_path / "run"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = [line.split() for line in ran.stdout.splitlines()]
    assert {line[0] for line in lines} == {"Gate", "Gelu"}
    for name, _, *numbers in lines:
        a, b, y = map(float, numbers)
        want = {"Gate": 0.25 * a / (1 + math.exp(-b)) - 2, "Gelu": 0.5 * a * (1 + math.erf(a * math.sqrt(0.5)))}[name]
        assert abs(y - want) <= 2e-6 * max(1, abs(a)), (name, a, b, y, want)
