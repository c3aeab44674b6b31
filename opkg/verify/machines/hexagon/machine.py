"""The hexagon machines: kernels compiled for one architecture with an open compiler, run in qemu-hexagon.

They run the kernels themselves, without the interface around them: every kernel of a combination of element types, flat
and crouton, gets every case that its layout can hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opkg.verify.machines.base import Availability, RunFiles
from opkg.verify.machines.hexagon import toolchain

GROUP = "hexagon"
ALIGNMENT = "alignment"  # of `--sanitize`: misaligned accesses, which the emulator carries out


@dataclass(frozen=True, slots=True)
class HexagonMachine:
    """One architecture ("v66")."""

    arch: str
    checks: str = ""
    model: str = ""
    interfaces: tuple[str, ...] = ("qhpi", "classic")
    asked: bool = True
    also: str = ""
    make_target: str = ""

    @property
    def name(self) -> str:
        return f"{GROUP}-{self.arch}" + (f"-{self.checks}" if self.checks else "")

    @property
    def title(self) -> str:
        return f"{GROUP} {self.arch} {self.checks}".rstrip()

    def available(self, root: Path = Path()) -> Availability:
        lacking = toolchain.missing()
        if lacking:
            return Availability(False, reason=f"no {lacking}", install=toolchain.INSTALL)
        emulator = toolchain.qemu()
        if self.arch not in toolchain.runnable() and emulator is not None:
            oldest = toolchain.ARCHITECTURES[self.arch]
            reason = f"qemu-hexagon {emulator.version} is too old for {self.arch}, which needs version {oldest}"
            return Availability(False, reason=reason, install=toolchain.NEWER_QEMU)
        return Availability(True)

    def runner(self, interface: str) -> str:
        return ""

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        """`runner` is the program itself."""
        emulator = toolchain.qemu()
        assert emulator is not None
        return (emulator.path, str(runner), "--calls", str(files.data))

    def variables(self, files: RunFiles) -> Mapping[str, str] | None:
        return None
