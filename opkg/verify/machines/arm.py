"""Registers the ARM half of a package in Qualcomm's own backend for ARM, in qemu: what a device does before it prepares a graph.

A library for Android is registered in the same backend, which is for Linux: names of Android's C library are looked up in glibc.
Measured with PyPI's onnxruntime-qnn for aarch64 2.7.0: the backend wants a number of the SoC in /sys, loads libQnnHtpPrepare.so,
then the package, and asks it for its ops. Preparing a graph needs a DSP that answers.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from opkg.device.library import PREPARE
from opkg.verify.machines import device, toolchain
from opkg.verify.machines.hexagon.toolchain import ToolFailed
from opkg.verify.machines.runners import cache_folder

BACKEND = "libQnnHtp.so"
VARIABLE = "OPKG_QNN_ARM"  # a folder with QNN's libraries for ARM
SOURCE = toolchain.INCLUDE.parent / "arm" / "register.cpp"
SYSROOT = Path("/usr/aarch64-linux-gnu")  # of Debian's cross compiler
SOC_ID = "557"  # SM8650, as Linux numbers it
_GLIBC = {"libc.so": "libc.so.6", "libm.so": "libm.so.6", "libdl.so": "libdl.so.2"}  # in place of Android's
TIMEOUT = 300.0  # seconds; 90 MB are loaded in an emulator
_NOISE = ("<W>", "LIBNATIVE")


@dataclass(frozen=True, slots=True)
class Registered:
    """`stage`: how far it came ("register"); `code`: QNN's, 0 for success; `log`: what the backend said of errors."""

    stage: str
    code: int
    message: str
    log: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return self.stage == "register" and self.code == 0


def missing(runtime: Path | None) -> str:
    """What is not here to register a package, in words; empty when all is."""
    if runtime is None:
        return f"QNN for ARM: --runtime, or {VARIABLE}, names a folder with {BACKEND} and {PREPARE}"
    lacking = [name for name in (BACKEND, PREPARE) if not (runtime / name).is_file()]
    if lacking:
        return f"{', '.join(lacking)} in {runtime}"
    if not device.cross():
        return device.INSTALL[device.LINUX]
    return "" if shutil.which("qemu-aarch64") else "qemu-aarch64 (apt-get install qemu-user)"


def runtime_folder() -> Path | None:
    """The folder that $OPKG_QNN_ARM names."""
    wanted = os.environ.get(VARIABLE)
    return Path(wanted) if wanted else None


def register(library: Path, provider: str, runtime: Path, root: Path) -> Registered:
    """What the backend says of a package. Raises ToolFailed when the program that asks it does not compile."""
    program = _program(root)
    with tempfile.TemporaryDirectory() as folder:
        number = Path(folder, "sys", "devices", "system", "soc", "soc0", "id")
        number.parent.mkdir(parents=True)
        number.write_text(f"{SOC_ID}\n")
        Path(folder, "lib").symlink_to(SYSROOT / "lib")
        runtime, android = runtime.resolve(), Path(folder, "android")
        android.mkdir()
        for name, own in _GLIBC.items():
            (android / name).symlink_to(SYSROOT / "lib" / own)
        command = ["qemu-aarch64", "-L", folder, "-E", f"LD_LIBRARY_PATH={runtime}:{android}", str(program)]
        words = [str(runtime / BACKEND), str(library.resolve()), provider]
        try:
            done = subprocess.run(
                [*command, *words], capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            return Registered("timeout", 1, f"no answer in {TIMEOUT:.0f} s", ())
    return _told(done.stdout.splitlines(), done.stderr.splitlines(), done.returncode)


def _told(lines: list[str], errors: list[str], status: int) -> Registered:
    """The program's last line; without one, what the emulator or the loader said when the process ended."""
    said = [line.strip() for line in lines if line.strip()]
    log = tuple(line.removeprefix("log: ").strip() for line in said[:-1] if not any(noise in line for noise in _NOISE))
    stage, _, rest = said[-1].partition(" ") if said else ("", "", "")
    number, _, message = rest.partition(" ")
    if not number.isdigit():
        message = next((line for line in reversed(errors) if line.strip()), f"the process ended with {status}")
        return Registered("crash", status or 1, message, log)
    return Registered(stage, int(number), message, log)


def _program(root: Path) -> Path:
    """The program that asks the backend, compiled for ARM when it is not in the cache."""
    compiler = device.cross()
    digest = hashlib.sha256(compiler.encode() + SOURCE.read_bytes()).hexdigest()[:16]
    binary = cache_folder(root).absolute() / f"opkg-arm-register-{digest}"
    if binary.is_file():
        return binary
    binary.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=binary.parent) as folder:
        made = Path(folder, "register")
        command = [compiler, "-std=c++17", "-O1", f"-I{toolchain.INCLUDE}", str(SOURCE), "-o", str(made), "-ldl"]
        done = toolchain.BUILDS.run(command)
        if done.returncode != 0:
            raise ToolFailed(command, done.stderr)
        made.replace(binary)
    return binary
