"""Programs for the tests of the Hexagon machine: compiled with clang for qemu-hexagon, or for this host."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from opkg.verify.machines.hexagon import runtime, toolchain

ROOT = Path(__file__).resolve().parents[2]


def absent(why: str) -> None:
    """Skips on a developer's machine, fails in CI."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def need(arch: str) -> None:
    """Skips without the tools. An emulator that is too old for an architecture is no failure in CI either."""
    lacking = toolchain.missing()
    if lacking:
        absent(f"no {lacking}")
    if arch not in toolchain.runnable():
        pytest.skip(f"qemu-hexagon is too old for {arch}")


def on_hexagon(text: str, arch: str, folder: Path) -> Path:
    """A program of one C source and the run time."""
    need(arch)
    source, program = folder / f"program_{arch}.c", folder / f"program_{arch}.elf"
    source.write_text(text)
    extra = ["-O1", "-Wall", "-Wextra", "-Werror", f"-I{toolchain.RUNTIME}"]
    objects = toolchain.compile([source], arch, extra, folder / arch)
    toolchain.link([*objects, *runtime.objects(arch, folder)], program)
    return program


def on_host(text: str, folder: Path) -> Path:
    """The same, for this host, with the mathematical functions of the run time under the prefix `opkg_`."""
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        absent("no gcc")
    source, program = folder / "program_host.c", folder / "program_host"
    source.write_text(text)
    ours = [str(p) for p in sorted(toolchain.RUNTIME.glob("math_*.c"))] + [str(toolchain.RUNTIME / "arithmetic.c")]
    flags = [
        "-std=gnu11",
        "-O1",
        "-ffp-contract=off",
        "-fno-builtin",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-DOPKG_MATH_PREFIX=opkg_",
    ]
    command = [str(compiler), *flags, f"-I{toolchain.RUNTIME}", str(source), *ours, "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]
    return program


def run(program: Path, stdin: bytes) -> bytes:
    """What a program of either kind writes."""
    if re.search(r"\.elf$", program.name):
        ran = toolchain.run(program, stdin=stdin)
        assert ran.status == 0, ran.stderr.decode()
        return ran.stdout
    done = subprocess.run([str(program)], input=stdin, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
