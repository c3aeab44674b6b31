"""What a machine is: where packages run. One row per machine; adding one is adding a module to the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from opkg.spec.model import OpPackage

TARGETS = {
    "qhpi": "qnn-htp-qhpi",
    "classic": "qnn-htp-classic",
    "onert": "onert",
    "openvino": "openvino-extension",
}  # interface: the target that generates it

# The highest rank of a tensor; the classic interface's tensors have four dimensions (facts/htp-op-package.md). What onert
# and OpenVINO cannot hold is said case by case (holding.py of their machines).
MOST_RANKS = {"qhpi": 5, "classic": 4, "onert": 99, "openvino": 99}


def targets_of(package: OpPackage) -> frozenset[str]:
    """Names of the package's targets; one that names none has QHPI."""
    return frozenset(target.text for target in package.targets) or frozenset((TARGETS["qhpi"],))


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a machine can be used here, its version, and otherwise why not and how to install it."""

    ok: bool
    version: str = ""
    reason: str = ""
    install: str = ""


@dataclass(frozen=True, slots=True)
class RunFiles:
    """What a runner is given."""

    library: Path
    provider: str
    interface: str
    cases: Path
    data: Path
    timeout: float
    trace: bool = False
    reports: Path = Path("report")  # a sanitizer adds ".PID"

    def arguments(self) -> tuple[str, ...]:
        """The options that all runners understand."""
        found: tuple[str, ...] = ("--package", str(self.library), "--provider", self.provider)
        found += ("--cases", str(self.cases), "--data", str(self.data), "--timeout", f"{self.timeout:g}")
        return found + (("--trace",) if self.trace else ())


class Machine(Protocol):
    """A place where cases run."""

    @property
    def name(self) -> str:
        """As `--on` has it."""
        ...

    @property
    def title(self) -> str:
        """Head of its columns."""
        ...

    @property
    def arch(self) -> str:
        """Of a machine that runs kernels without a package: the architecture they are compiled for; else empty."""
        ...

    @property
    def checks(self) -> str:
        """What a column of `--sanitize` looks for ("memory", "threads", "alignment"); empty for others."""
        ...

    @property
    def model(self) -> str:
        """The architecture whose floating point a host runs ("v79"); empty: that of v68 to v75."""
        ...

    @property
    def asked(self) -> bool:
        """Whether it runs only when `--on` names it."""
        ...

    @property
    def also(self) -> str:
        """A target that a package needs beside that of the interface; or empty."""
        ...

    @property
    def interfaces(self) -> tuple[str, ...]: ...

    @property
    def make_target(self) -> str:
        """Target of the generated Makefile; also names the build folder."""
        ...

    def runner(self, interface: str) -> str:
        """Name of the executable that runs packages of an interface; empty when what is built runs by itself."""
        ...

    def available(self, root: Path = Path()) -> Availability:
        """Whether this machine can be used here, for a project at `root`."""
        ...

    def command(self, runner: Path, files: RunFiles) -> tuple[str, ...]:
        """The command that runs the cases, without where the results go."""
        ...

    def variables(self, files: RunFiles) -> Mapping[str, str] | None:
        """The command's whole environment; None: that of this process."""
        ...


def interfaces_of(machine: Machine, package: OpPackage) -> tuple[str, ...]:
    """The interfaces of a package that this machine runs: those that a target of its generates. Kernels are the same in
    each, so a machine that runs only them, or looks for their faults, takes the first."""
    targets = targets_of(package)
    if machine.also and machine.also not in targets:
        return ()
    found = tuple(i for i in machine.interfaces if TARGETS[i] in targets)
    return found[:1] if machine.arch or machine.checks else found
