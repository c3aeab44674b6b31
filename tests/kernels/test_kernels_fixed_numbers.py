"""The numbers of fixed-point kernels (opkg/hvx_fixed*.h): errors are bounds, products fit, bad quantizations are refused;
inverses of numbers of a row (opkg/hvx_inverse.h) are as near as they say."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from kernels_kit import TEMPLATES, absent

HERE = Path(__file__).parent
FLAGS = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror"]


@pytest.mark.parametrize("program", ["fixed_numbers.cpp", "inverses.cpp"])
@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
def test_numbers(tmp_path: Path, compiler: str, program: str) -> None:
    if shutil.which(compiler) is None:
        absent(f"{compiler} is not installed")
    (tmp_path / "opkg").symlink_to(TEMPLATES)
    out = tmp_path / "numbers"
    command = [compiler, *FLAGS, f"-I{tmp_path}", str(HERE / program), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    ran = subprocess.run([str(out)], capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stdout
