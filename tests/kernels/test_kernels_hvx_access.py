"""hvx.h: what reading and writing rows costs in packets, tests of predicates; rows_table.h: tables for several threads."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest
from kernels_headers import copied
from kernels_kit import SIM, need_arch

HERE = Path(__file__).parent


def _include(folder: Path) -> str:
    return f"-I{copied(folder / 'include', 'hvx.h', 'rows_table.h')}"


def _host(folder: Path, source: Path, *flags: str) -> bytes:
    command = ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", *flags, _include(folder)]
    program = folder / "program"
    command += ["-isystem", str(SIM / "include"), str(source), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    return subprocess.run([str(program)], capture_output=True, check=True, timeout=120).stdout


@pytest.mark.parametrize("arch", ["v66", "v73"])
def test_cost_of_a_row(tmp_path: Path, arch: str) -> None:
    from opkg.verify.machines.hexagon import runtime, toolchain

    need_arch(arch)
    flags = ["-O3", "-Wall", "-Wextra", "-Werror", _include(tmp_path)]
    objects = toolchain.compile([HERE / "hvx_access.cpp"], arch, flags, tmp_path)
    toolchain.link([*objects, *runtime.objects(arch, tmp_path)], tmp_path / "program")
    done = toolchain.run(tmp_path / "program")
    assert done.status == 0
    found = struct.unpack("<11I", done.stdout)
    whole, tail, fixed, loose, loose_tail = (found[i] for i in range(0, 10, 2))
    assert whole / 64 <= 2.12, "saturating add: two packets for each vector and nothing more"
    assert 3 <= tail - whole <= 14, "packets of a masked tail"
    assert fixed / 64 <= 1.75, "a pattern stays in a register"
    assert loose / 64 <= 4.2
    assert loose_tail - loose <= 30
    assert found[1] < 64 * 4 + 4, "vector instructions"
    assert found[10] == 0, "any() of predicates"


def test_any_on_the_host(tmp_path: Path) -> None:
    assert _host(tmp_path, HERE / "hvx_access.cpp") == b"\0\0\0\0"


@pytest.mark.parametrize("flags", [(), ("-fsanitize=thread", "-Wno-tsan")])
def test_tables_of_several_threads(tmp_path: Path, flags: tuple[str, ...]) -> None:
    wrong, made, wrong_threads, made_threads = map(
        int, _host(tmp_path, HERE / "table_cache.cpp", "-pthread", *flags).split()
    )
    assert (wrong, wrong_threads) == (0, 0)
    assert made == 4, "each table once"
    assert 9 <= made_threads < 40000, "far fewer tables are made than asked for"
