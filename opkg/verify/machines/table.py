"""The table of machines, and which of them a run uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic, MissingTool, Misuse, Span, error, nearest
from opkg.verify.machines.base import Availability, Machine, RunFiles, interfaces_of
from opkg.verify.machines.executorch.machine import ExecutorchMachine
from opkg.verify.machines.hexagon.machine import ALIGNMENT, GROUP, HexagonMachine
from opkg.verify.machines.hexagon.toolchain import ARCHITECTURES
from opkg.verify.machines.host import SANITIZED, V79, HostMachine
from opkg.verify.machines.htp import HtpMachine
from opkg.verify.machines.onert.machine import OnertMachine
from opkg.verify.machines.onnxruntime.machine import OnnxruntimeMachine
from opkg.verify.machines.openvino.machine import OpenvinoMachine

_TABLE: tuple[Machine, ...] = (
    HostMachine(),
    V79,
    HtpMachine(),
    ExecutorchMachine(),
    OnertMachine(),
    OpenvinoMachine(),
    OnnxruntimeMachine(),
    *(HexagonMachine(arch) for arch in ARCHITECTURES),
)
MACHINES: dict[str, Machine] = {m.name: m for m in _TABLE}
# A name for several machines, of which those that are here run.
GROUPS = {GROUP: tuple(name for name, machine in MACHINES.items() if machine.arch)}


@dataclass(frozen=True, slots=True)
class MachineState:
    """A machine and whether it is here."""

    machine: Machine
    availability: Availability
    name: str = ""  # under which it was asked for, when that is a group's

    @property
    def label(self) -> str:
        """Head of its column: `htp 2.51`."""
        return f"{self.machine.title} {self.availability.version}".strip()


def check_names(names: Sequence[str]) -> None:
    """Raises Misuse for the first name that no machine has."""
    known = (*MACHINES, *GROUPS)
    unknown = [name for name in names if name not in known]
    if unknown:
        near = nearest(unknown[0], known)
        listed = f"known machines: {', '.join(n for n in known if n not in GROUPS[GROUP])}"
        hint = f"did you mean '{near}'?" if near else listed
        raise Misuse([error("OPK431", f"unknown machine '{unknown[0]}'", Span(""), hint)])


def choose(names: tuple[str, ...], root: Path = Path(), sanitize: bool = False) -> list[MachineState]:
    """The machines of a run. Named ones must be here (MissingTool), of a group at least one.

    With none named: all but those that must be asked for, of which one must be here. `sanitize`: the host, which is then
    the one that is used with none named, and hexagon become those that look for faults.
    """
    if sanitize:
        return _sanitized(choose(names or ("host",), root), root)
    check_names(names)
    grouped = {member for name in names for member in GROUPS.get(name, ())}
    wanted = {*names, *grouped} if names else {name for name, machine in MACHINES.items() if not machine.asked}
    states = [MachineState(m, m.available(root)) for m in MACHINES.values() if m.name in wanted]
    gone = [s for s in states if not s.availability.ok]
    if not names and len(gone) < len(states):
        gone = []
    needed = [s for s in gone if not names or s.machine.name in names]
    for name in names:
        members = [s for s in states if s.machine.name in GROUPS.get(name, ())]
        if members and not any(s.availability.ok for s in members):
            needed.append(replace(members[0], name=name))
    if needed:
        raise MissingTool([_missing(state) for state in needed])
    return states


def _sanitized(states: list[MachineState], root: Path) -> list[MachineState]:
    found: list[MachineState] = []
    for state in states:
        machine = state.machine
        if isinstance(machine, HostMachine):
            found += [MachineState(m, m.available(root)) for m in SANITIZED]
        elif isinstance(machine, HexagonMachine):
            found.append(replace(state, machine=replace(machine, checks=ALIGNMENT)))
        else:
            found.append(state)
    lacking = [s for s in found if isinstance(s.machine, HostMachine) and not s.availability.ok]
    if lacking:
        raise MissingTool([_missing(state) for state in lacking])
    return found


def _missing(state: MachineState) -> Diagnostic:
    lacking = state.availability
    message = f"machine '{state.name or state.machine.name}' is not available: {lacking.reason}"
    return error("OPK430", message, Span(""), f"install it: {lacking.install}" if lacking.install else "")


__all__ = ["GROUPS", "MACHINES", "Availability", "Machine", "MachineState", "RunFiles", "choose", "interfaces_of"]
