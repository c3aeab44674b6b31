"""Large inputs in DDR (opkg/fetch.h): each part is fetched before it is read, nothing beyond the tensor; it runs."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from kernels_kit import need_arch

from opkg.resources import plain
from opkg.targets.qnn_common.shared import signed_header

PROGRAM = Path(__file__).with_name("fetch_program.cpp")
FLAGS = ("-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Iinclude")
_FUNCTION = re.compile(r"^ *([0-9a-f]+):.*l2fetch", re.MULTILINE)


def _headers(folder: Path) -> None:
    (folder / "include" / "opkg").mkdir(parents=True)
    for name in ("kept.h", "fetch.h", "kernel.h", "small.h"):
        (folder / "include" / "opkg" / name).write_text(plain(f"qnn/{name}"))
    (folder / "include" / "opkg" / "signed.h").write_text(signed_header("a test", unsigned=False))


def test_what_is_fetched(tmp_path: Path) -> None:
    _headers(tmp_path)
    subprocess.run([os.environ.get("CXX", "g++"), *FLAGS, str(PROGRAM), "-o", "program"], cwd=tmp_path, check=True)
    assert subprocess.run(["./program"], cwd=tmp_path, check=False).returncode == 0


@pytest.mark.parametrize("arch", ["v66", "v73"])
def test_the_instruction_runs(tmp_path: Path, arch: str) -> None:
    from opkg.verify.bench.measure import disassembly
    from opkg.verify.bench.stalls import addresses, packets_of
    from opkg.verify.machines.hexagon import runtime, toolchain

    need_arch(arch)
    _headers(tmp_path)
    toolchain.own_headers(tmp_path)
    objects = toolchain.compile([PROGRAM], arch, [*FLAGS, f"-I{tmp_path / 'include'}"], tmp_path)
    program = tmp_path / "program"
    toolchain.link([*objects, *runtime.objects(arch, tmp_path)], program)
    assert toolchain.run(program).status == 0
    text = disassembly(program, arch)
    assert text is not None
    found = [int(at, 16) for at in _FUNCTION.findall(text)]
    starts = [max(start for start in packets_of(text, arch) if start <= at) for at in found]
    ran = set(addresses(toolchain.traced(program, [], [(start, start + 15) for start in starts], b"", 60.0)))
    assert ran & set(starts)
