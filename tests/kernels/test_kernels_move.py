"""move.h: copies of transposed and cut tensors by vectors are those of each element by itself, and write nothing else."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from kernels_headers import copied
from kernels_kit import need_arch
from test_kernels_hvx_access import _host

PROGRAM = Path(__file__).parent / "move_program.cpp"


def _headers(folder: Path) -> str:
    return f"-I{copied(folder / 'own', 'move.h')}"


@pytest.mark.parametrize("copies", [300, pytest.param(40000, marks=pytest.mark.sweep)])
def test_on_the_host(tmp_path: Path, copies: int) -> None:
    """With a tool that looks for reads and writes beside the tensors."""
    flags = (_headers(tmp_path), f"-DOPKG_COPIES={copies}", "-O2", "-fsanitize=address,undefined")
    assert struct.unpack("<2I", _host(tmp_path, PROGRAM, *flags))[0] == 0


@pytest.mark.parametrize("copies", [300, pytest.param(20000, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("arch", ["v66", "v68", "v73"])
def test_in_the_emulator(tmp_path: Path, arch: str, copies: int) -> None:
    from opkg.verify.machines.hexagon import runtime, toolchain

    need_arch(arch)
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", _headers(tmp_path), f"-DOPKG_COPIES={copies}"]
    objects = toolchain.compile([PROGRAM], arch, flags, tmp_path)
    toolchain.link([*objects, *runtime.objects(arch, tmp_path)], tmp_path / "program")
    done = toolchain.run(tmp_path / "program")
    assert done.status == 0
    assert struct.unpack("<2I", done.stdout)[0] == 0
