"""The OpenVINO machine: the package's extension ops on the CPU device of PyPI's `openvino`, through its Python API."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opkg.verify.machines import toolchain
from opkg.verify.machines.base import Availability, RunFiles
from opkg.verify.machines.openvino import library as runtime

NAME = INTERFACE = "openvino"
INSIDE = Path(__file__).resolve().parent / "inside" / "run_cases.py"


@dataclass(frozen=True, slots=True)
class OpenvinoMachine:
    """Needs the wheel, whose headers the ops are built with, a C++ compiler and make.

    What runs the cases is a process of its own (inside/run_cases.py), which a kernel may end without harm.
    """

    name: str = NAME
    title: str = NAME
    arch: str = ""
    checks: str = ""
    model: str = ""
    interfaces: tuple[str, ...] = (INTERFACE,)
    asked: bool = True
    also: str = "openvino-extension"
    make_target: str = "x86"

    def available(self, root: Path = Path()) -> Availability:
        if runtime.folder() is None:
            reason = "no openvino with its headers found"
            if platform.machine() not in ("x86_64", "AMD64"):
                reason += f"; PyPI's is for x86-64, this machine is {platform.machine()}"
            return Availability(False, reason=reason, install=runtime.INSTALL)
        lacking = toolchain.missing()
        if lacking:
            return Availability(False, reason=f"no {lacking}", install=toolchain.INSTALL)
        return Availability(True, version=runtime.version())

    def runner(self, interface: str) -> str:
        return ""

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        """`runner` is the package's library."""
        given = {
            "library": files.library,
            "cases": files.cases,
            "data": files.data,
            "timeout": f"{files.timeout:g}",
        }
        options = (word for name, value in given.items() for word in (f"--{name}", str(value)))
        return (sys.executable, "-I", str(INSIDE), *options)

    def variables(self, files: RunFiles) -> Mapping[str, str] | None:
        return None
