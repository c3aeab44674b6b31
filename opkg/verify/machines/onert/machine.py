"""The onert machine: the package's custom kernels inside Samsung's runtime, PyPI's `onert`, through its C API."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path

from opkg.verify.machines import toolchain
from opkg.verify.machines.base import Availability, RunFiles
from opkg.verify.machines.onert import library as runtime
from opkg.verify.machines.separate import SeparateMachine, command

NAME = INTERFACE = "onert"
HARNESS = Path(__file__).resolve().parent / "harness" / "run_cases.py"


@dataclass(frozen=True, slots=True)
class OnertMachine(SeparateMachine):
    """Needs libonert.so, `flatbuffers` to write models, a C++ compiler and make."""

    name: str = NAME
    title: str = NAME
    interfaces: tuple[str, ...] = (INTERFACE,)
    also: str = NAME

    def available(self, root: Path = Path()) -> Availability:
        if runtime.library() is None:
            wanted = runtime.wanted()
            reason = f"{runtime.VARIABLE}={wanted} is no file" if wanted else f"no {runtime.LIBRARY} found"
            if not wanted and platform.machine() not in ("x86_64", "AMD64"):
                reason += f"; PyPI's is for x86-64, this machine is {platform.machine()}"
            return Availability(False, reason=reason, install=runtime.INSTALL)
        if runtime.lacks_writer():
            return Availability(False, reason="no flatbuffers, with which models are written", install=runtime.WRITER)
        lacking = toolchain.missing()
        if lacking:
            return Availability(False, reason=f"no {lacking}", install=toolchain.INSTALL)
        return Availability(True, version=runtime.version())

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        """`runner` is the package's library."""
        given = {
            "library": runtime.library(),
            "kernels": files.library,
            "symbol": files.provider,
        }
        return command(HARNESS, files, given)
