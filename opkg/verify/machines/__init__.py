"""The table of machines, and which of them a run uses."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.diagnostics import MissingTool, OpkgError, Span, error, nearest
from opkg.verify.machines.base import Availability, Machine, RunFiles, interfaces_of
from opkg.verify.machines.host import HostMachine
from opkg.verify.machines.htp import HtpMachine

MACHINES: dict[str, Machine] = {m.name: m for m in (HostMachine(), HtpMachine())}


@dataclass(frozen=True, slots=True)
class MachineState:
    """A machine and whether it is here."""

    machine: Machine
    availability: Availability

    @property
    def label(self) -> str:
        """Head of its column: `htp 2.51`."""
        return f"{self.machine.name} {self.availability.version}".strip()


def choose(names: tuple[str, ...]) -> list[MachineState]:
    """The machines of a run. Named ones must be here (MissingTool); with none named, all, of which one must be here."""
    unknown = [name for name in names if name not in MACHINES]
    if unknown:
        near = nearest(unknown[0], tuple(MACHINES))
        hint = f"did you mean '{near}'?" if near else f"known machines: {', '.join(MACHINES)}"
        raise OpkgError([error("OPK431", f"unknown machine '{unknown[0]}'", Span(""), hint)])
    states = [MachineState(m, m.available()) for m in MACHINES.values() if not names or m.name in names]
    gone = [s for s in states if not s.availability.ok]
    if not names and len(gone) < len(states):
        gone = []
    if gone:
        raise MissingTool(
            [
                error("OPK430", f"machine '{s.machine.name}' is not available: {s.availability.reason}", Span(""),
                      f"install it: {s.availability.install}" if s.availability.install else "")
                for s in gone
            ]
        )  # fmt: skip
    return states


__all__ = ["MACHINES", "Availability", "Machine", "MachineState", "RunFiles", "choose", "interfaces_of"]
