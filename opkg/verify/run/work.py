"""What one `verify` call works on: its options, machines and progress, and each package's builds and cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op, OpPackage
from opkg.verify.cases.case import Case
from opkg.verify.cases.reference import Meaning
from opkg.verify.judge.outcome import Column
from opkg.verify.machines.base import MOST_RANKS
from opkg.verify.machines.execute import Job
from opkg.verify.machines.resume import Kept, digest
from opkg.verify.machines.table import MachineState
from opkg.verify.options import Built, Progress, Report, VerifyOptions

if TYPE_CHECKING:
    from opkg.verify.rules.machine_cases import RuleCase, RuleCases

RULES_INTERFACE = "qhpi"  # whose packages have their rules as callbacks
RULE_MACHINES = ("host", "htp")  # load packages; the others run kernels only
ONERT = "onert"  # runs custom kernels in Samsung's runtime
OPENVINO = "openvino"  # runs extension ops in OpenVINO
MODELS = "executorch"  # runs models around the ops, lowered with the package's builders
ONNX_MODELS = "onnxruntime"  # runs ONNX models around the ops, made with the package's generated helpers
CORE_MACHINE = "htp"  # has the core's ops, too


@dataclass(slots=True)
class Work:
    """One package's part of a run."""

    package: OpPackage
    builds: dict[Kind, Future[Built]] = field(default_factory=dict)  # by kind_of
    cases: list[Case] = field(default_factory=list)
    meanings: dict[str, Meaning] = field(default_factory=dict)  # of the ops that have one
    rules: RuleCases | None = None  # of packages that have rules, when a machine runs them

    def rule_cases(self, machine: str, interface: str) -> list[RuleCase]:
        """The cases of rules that a machine can run."""
        if self.rules is None or interface != RULES_INTERFACE or machine not in RULE_MACHINES:
            return []
        return [case for case in self.rules.cases if machine == CORE_MACHINE or not case.needs_core]


@dataclass(slots=True)
class Run:
    """State of one `verify` call."""

    root: Path
    options: VerifyOptions
    machines: list[MachineState]
    report: Report
    findings: list[Diagnostic] = field(default_factory=list)
    done: dict[str, int] = field(default_factory=dict)
    total: int = 0
    lock: Lock = field(default_factory=Lock)
    stop: Event = field(default_factory=Event)
    enough: Event = field(default_factory=Event)  # a case failed, and that is to end the run
    more: Callable[[Op], Sequence[Case]] | None = None  # further cases of an op
    kept: list[Kept] = field(default_factory=list)  # results of the same run, which was interrupted

    def columns(self) -> list[Column]:
        """Every column of the table, those that are skipped included."""
        found = []
        for state in self.machines:
            lacking = state.availability
            for interface in state.machine.interfaces if lacking.ok else state.machine.interfaces[:1]:
                label = (
                    state.label if interface == state.machine.interfaces[0] else f"{state.machine.title} {interface}"
                )
                checks = state.machine.checks
                name = state.machine.name.removesuffix(f"-{checks}")
                found.append(Column(label, name, interface, lacking.reason, lacking.install, checks))
        return found

    @property
    def resumed(self) -> int:
        """Cases that were not run again."""
        return sum(len(each.found) for each in self.kept)

    def keep(self, job: Job, files: Sequence[Path]) -> Job:
        """The job, which goes on where the same one was interrupted. `files`: what its results depend on."""
        kept = Kept(job.folder, job.name, digest(files, job.command, job.variables), self.options.fresh)
        with self.lock:
            self.kept.append(kept)
        return replace(job, kept=kept)

    def advance(self, key: str, count: int, text: str) -> None:
        """Cases finished by one runner; called from several threads."""
        with self.lock:
            self.done[key] = count
            self.report(Progress("run", text, min(sum(self.done.values()), self.total), self.total))


def ops_of(package: OpPackage, options: VerifyOptions) -> tuple[Op, ...]:
    return tuple(op for op in package.ops if not options.ops or op.name in options.ops)


Kind = tuple[str, str, str, str]


def kind_of(state: MachineState, interface: str) -> Kind:
    """What machines share a build of: architecture ("": this host's), what is looked for, interface, model of floats."""
    return state.machine.arch, state.machine.checks, interface, state.machine.model


def fitting(work: Work, interface: str) -> list[Case]:
    """The cases whose tensors an interface can carry."""
    most = MOST_RANKS[interface]
    return [case for case in work.cases if all(len(tensor.shape) <= most for tensor in case.tensors)]
