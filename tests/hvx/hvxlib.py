"""Compiles and runs the program that calls HVX intrinsics, on the host and in qemu-hexagon."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

INCLUDE = Path(__file__).resolve().parents[2] / "opkg" / "sim" / "include"


def absent(why: str) -> None:
    """Skips on a developer's machine, fails in CI."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def need(tool: str) -> str:
    path = shutil.which(tool)
    if path is None:
        absent(f"{tool} is not installed")
    return str(path)


def emulator(oldest: int) -> str:
    """Path of qemu-hexagon; skips when it is older than this major version. OPKG_QEMU_HEXAGON names another one than PATH's.

    Debian 12 has version 7.2, so an old one is no failure in CI either; none at all is.
    """
    path = os.environ.get("OPKG_QEMU_HEXAGON") or need("qemu-hexagon")
    found = re.search(r"version (\d+)", run([path, "--version"]).decode())
    if found is None or int(found[1]) < oldest:
        pytest.skip(
            f"needs qemu-hexagon {oldest} or newer (Debian 12: apt-get install -t bookworm-backports qemu-user)"
        )
    return path


def run(command: list[str]) -> bytes:
    done = subprocess.run(command, capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr.decode()[:4000]}"
    return done.stdout


def on_host(text: str, folder: Path, compiler: str = "g++", *flags: str) -> bytes:
    path, program = folder / "hvx_host.cpp", folder / "hvx_host"
    path.write_text(text)
    warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-Wno-unused-function", *flags]
    where = ["-fno-pie", "-no-pie"]  # static data below 4 GiB, for gather and scatter
    run([need(compiler), "-std=c++17", "-O1", *where, *warnings, f"-I{INCLUDE}", str(path), "-o", str(program)])
    return run([str(program)])


def errors(text: str) -> str:
    """What g++ says about a source that does not compile."""
    command = [need("g++"), "-std=c++17", "-fsyntax-only", "-fmax-errors=0", f"-I{INCLUDE}", "-xc++", "-"]
    done = subprocess.run(
        command, input=text, capture_output=True, check=False, text=True, timeout=300, env={**os.environ, "LC_ALL": "C"}
    )
    assert done.returncode != 0
    return done.stderr


def on_hexagon(text: str, folder: Path, architecture: int, qemu: str) -> bytes:
    path, object_file, program = folder / "hvx.c", folder / "hvx.o", folder / "hvx.elf"
    path.write_text(text)
    target = ["--target=hexagon-unknown-none-elf", f"-mcpu=hexagonv{architecture}", "-mhvx", "-mhvx-length=128B"]
    flags = ["-O0", "-ffreestanding", "-fno-builtin", "-fno-pic", "-G0", "-w"]
    run([need("clang-19"), *target, *flags, "-c", str(path), "-o", str(object_file)])
    run([need("ld.lld-19"), "-m", "hexagonelf", "-static", str(object_file), "-o", str(program)])
    return run([qemu, str(program)])
