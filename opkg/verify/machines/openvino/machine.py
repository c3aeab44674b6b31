"""The OpenVINO machine: the package's extension ops on the CPU device of PyPI's `openvino`, through its Python API."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path

from opkg.verify.machines import toolchain
from opkg.verify.machines.base import Availability, RunFiles
from opkg.verify.machines.openvino import library as runtime
from opkg.verify.machines.separate import SeparateMachine, command

NAME = INTERFACE = "openvino"
HARNESS = Path(__file__).resolve().parent / "harness" / "run_cases.py"


@dataclass(frozen=True, slots=True)
class OpenvinoMachine(SeparateMachine):
    """Needs the wheel, whose headers the ops are built with, a C++ compiler and make."""

    name: str = NAME
    title: str = NAME
    interfaces: tuple[str, ...] = (INTERFACE,)
    also: str = "openvino-extension"

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

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        """`runner` is the package's library."""
        given = {
            "library": files.library,
        }
        return command(HARNESS, files, given)
