"""The executorch machine: a small model around each call, lowered by ExecuTorch with the package's builders and run on x86."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opkg.verify.machines import toolchain
from opkg.verify.machines.base import Availability, RunFiles
from opkg.verify.machines.executorch.packages import TARGET

NAME = "executorch"


@dataclass(frozen=True, slots=True)
class ExecutorchMachine:
    """Needs an interpreter with ExecuTorch, QNN's libraries that fit it, a C++ compiler and make.

    `make_target` and `runner`: the package is built as for the others; what runs it is opkg/verify/machines/executorch/column.py.
    """

    name: str = NAME
    title: str = NAME
    arch: str = ""
    checks: str = ""
    model: str = ""
    interfaces: tuple[str, ...] = ("qhpi",)
    asked: bool = True
    also: str = TARGET
    make_target: str = "x86"

    def available(self, root: Path = Path()) -> Availability:
        from opkg.verify.machines.executorch import environment

        lacking = toolchain.missing()
        if lacking:
            return Availability(False, reason=f"no {lacking}", install=toolchain.INSTALL)
        found = environment.find(root)
        if isinstance(found, environment.Missing):
            return Availability(False, reason=found.reason, install=found.install)
        return Availability(True, version=found.executorch)

    def runner(self, interface: str) -> str:
        return ""

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        """`runner` is the interpreter."""
        return (str(runner), "-P", "-m", "opkg_executorch.run_cases", "--cases", str(files.cases))

    def variables(self, files: RunFiles) -> Mapping[str, str] | None:
        return None
