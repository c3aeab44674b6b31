"""One source gives one object: compilers run at fixed addresses, where that is forbidden it is said, and they end with a run."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hexlib
import pytest
from hexprojects import EXAMPLES

from opkg.verify.machines.hexagon import steady, toolchain
from opkg.verify.machines.toolchain import Builds

pytestmark = pytest.mark.hexagon
# Gave 3 objects in 6 compiles with address space layout randomization (clang-19, v68, -O1 and -O2).
UNSTEADY = EXAMPLES / "rules" / "generated" / "nn_fused" / "qhpi"
SOURCE = "src/add_relu_kernels.cpp"


@pytest.fixture
def compiler() -> None:
    if toolchain.clang() is None:
        hexlib.absent("no clang for Hexagon")


@pytest.fixture
def forbidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that does not let `setarch -R` run anything, as Docker's default profile does not."""
    fake = tmp_path / "bin" / "setarch"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'setarch: failed to set personality: Operation not permitted' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:/usr/bin:/bin")
    return fake


def test_twelve_compiles_are_one_object(compiler: None, tmp_path: Path) -> None:
    if not steady.prefix():
        pytest.skip("setarch -R is not permitted here")
    include = [
        "-O1",
        "-fPIC",
        f"-I{UNSTEADY / 'include'}",
        f"-I{UNSTEADY / 'src'}",
        f"-I{UNSTEADY.parents[1]}",
        "-Wno-psabi",
    ]
    objects = [tmp_path / f"{number:02}.o" for number in range(12)]  # names of one length: clang keeps them on its heap
    commands = [toolchain.compile_command(UNSTEADY / SOURCE, "v68", include, path) for path in objects]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(toolchain.checked, commands))
    found = {path.read_bytes() for path in objects}
    assert len(found) == 1


def test_makefile_and_cmake_fix_addresses(compiler: None, tmp_path: Path) -> None:
    if not steady.prefix():
        pytest.skip("setarch -R is not permitted here")
    make = [
        "make", "-n", "-C", str(UNSTEADY), "hexagon", f"OUT={tmp_path / 'out'}",
        f"HEXAGON_INCLUDE={toolchain.FREESTANDING}",
    ]  # fmt: skip
    said = subprocess.run(make, capture_output=True, text=True, check=True).stdout
    compiles = [line for line in said.splitlines() if " -c " in line]
    assert compiles
    assert all(line.startswith("setarch -R ") for line in compiles)
    if shutil.which("cmake") is None or shutil.which("ld.lld-19") is None:
        hexlib.absent("no cmake or no lld")
    cmake = [
        "cmake", "-S", str(UNSTEADY), "-B", str(tmp_path / "cmake"), "-DCMAKE_TOOLCHAIN_FILE=../../opkg/hexagon.cmake",
        f"-DHEXAGON_INCLUDE={toolchain.FREESTANDING}", 
    ]  # fmt: skip
    subprocess.run(cmake, capture_output=True, check=True)
    (rules,) = (tmp_path / "cmake" / "CMakeFiles").rglob("build.make")
    commands = [line for line in rules.read_text().splitlines() if " -c " in line and ".o " in line]
    assert len(commands) == len(compiles)
    assert all("setarch -R " in line for line in commands)


def test_where_it_is_forbidden_that_is_said(forbidden: Path, tmp_path: Path) -> None:
    assert steady.prefix() == ()
    finding = steady.warning()
    assert finding is not None
    assert (finding.id, finding.is_error) == ("OPK437", False)
    assert "not permitted" in finding.message
    done = subprocess.run(
        [sys.executable, "-m", "opkg", "-C", str(EXAMPLES / "math"), "bench", "Greater", "--arch", "v66", "--size", "128"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 3:  # without compiler or emulator there is nothing to say
        assert "[OPK437]" in done.stderr
    make = ["make", "-n", "-C", str(UNSTEADY), "hexagon", f"OUT={tmp_path / 'out'}", "HEXAGON_INCLUDE=x"]
    said = subprocess.run(make, capture_output=True, text=True, check=True).stdout
    assert "setarch -R does not work here" in said
    assert not [line for line in said.splitlines() if line.startswith("setarch")]


def test_compilers_that_wait_for_their_turn_end_with_those_that_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that is ended used to compile all that was left first."""
    monkeypatch.setattr(toolchain, "compile_command", lambda *_: ["sleep", "20"])
    sources = [tmp_path / f"kernel_{number}.cpp" for number in range(9)]
    builds = Builds()
    monkeypatch.setattr(toolchain, "BUILDS", builds)
    begun = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(toolchain.compile, sources, "v66", (), tmp_path)
        time.sleep(0.5)
        builds.end()
        with pytest.raises(toolchain.ToolFailed):
            made.result()
    assert time.monotonic() - begun < 10
    assert builds.run(["true"]).returncode != 0
    builds.begin()
    assert builds.run(["true"]).returncode == 0
