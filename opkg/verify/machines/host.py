"""The host machine: our own simulation of the HTP plugin interfaces, on this CPU."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from opkg.verify import toolchain
from opkg.verify.machines.base import Availability, RunFiles
from opkg.verify.runners import HOST_CLASSIC, HOST_QHPI


@dataclass(frozen=True, slots=True)
class HostMachine:
    """Runs both interfaces; needs a C++ compiler and make."""

    name: str = "host"
    title: str = "host"
    arch: str = ""
    interfaces: tuple[str, ...] = ("qhpi", "classic")
    asked: bool = False
    also: str = ""
    make_target: str = "x86"

    def available(self, root: Path = Path()) -> Availability:
        lacking = toolchain.missing()
        if lacking:
            return Availability(False, reason=f"no {lacking}", install=toolchain.INSTALL)
        return Availability(True)

    def runner(self, interface: str) -> str:
        return HOST_CLASSIC if interface == "classic" else HOST_QHPI

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        return (str(runner), "--interface", files.interface, *files.arguments())
