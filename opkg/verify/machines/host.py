"""The host machine: our own simulation of the HTP plugin interfaces, on this CPU."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opkg.verify.machines import toolchain
from opkg.verify.machines.base import Availability, RunFiles
from opkg.verify.machines.runners import HOST_CLASSIC, HOST_QHPI
from opkg.verify.machines.sanitizers import MEMORY, THREADS, Checker, checker


@dataclass(frozen=True, slots=True)
class HostMachine:
    """Runs both interfaces; needs a C++ compiler and make.

    With `checks` the package is built with a sanitizer, or runs in valgrind where the compiler has none. `model`: the
    floating point of another architecture than v68 to v75, as "v79".
    """

    checks: str = ""
    model: str = ""
    arch: str = ""
    asked: bool = False
    also: str = ""
    make_target: str = "x86"

    @property
    def name(self) -> str:
        return "-".join(word for word in ("host", self.model, self.checks) if word)

    @property
    def title(self) -> str:
        return " ".join(word for word in ("host", self.model, self.checks) if word)

    @property
    def interfaces(self) -> tuple[str, ...]:
        """Kernels of the classic interface have no slices."""
        return ("qhpi",) if self.checks == THREADS or self.model else ("qhpi", "classic")

    def available(self, root: Path = Path()) -> Availability:
        lacking = toolchain.missing()
        if lacking:
            return Availability(False, reason=f"no {lacking}", install=toolchain.INSTALL)
        if not self.checks:
            return Availability(True)
        found = checker(self.checks)
        if isinstance(found, Checker):
            return Availability(True, version=found.title)
        return Availability(
            False, reason=found, install="apt-get install g++ (its libasan, libubsan, libtsan) or valgrind"
        )

    def runner(self, interface: str) -> str:
        base = HOST_CLASSIC if interface == "classic" else HOST_QHPI
        found = self._checker()
        return base + (f"-{found.name}" if found is not None and found.built_in else "")

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        found = self._checker()
        plain = (str(runner), "--interface", files.interface, *files.arguments())
        return plain if found is None else (*found.prefix(files.reports), *plain, "--reports", str(files.reports))

    def variables(self, files: RunFiles) -> Mapping[str, str] | None:
        found = self._checker()
        return None if found is None else {**os.environ, **found.variables(files.reports)}

    def _checker(self) -> Checker | None:
        found = checker(self.checks) if self.checks else None
        return found if isinstance(found, Checker) else None


V79 = HostMachine(model="v79", asked=True)  # its qfloat has other roundings, infinity and NaN
SANITIZED = (HostMachine(MEMORY), HostMachine(THREADS))
