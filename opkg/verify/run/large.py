"""Runs the cases with large tensors: one after the other, for each takes about a GB while it is made and compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from opkg.spec.diagnostics import Diagnostic, OpkgError
from opkg.spec.model import Op
from opkg.verify.cases import casefile, large
from opkg.verify.cases.case import Case
from opkg.verify.cases.generate import Plan, large_cases
from opkg.verify.cases.reference import Meaning
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.verdict import judge
from opkg.verify.machines import execute
from opkg.verify.machines.table import MachineState
from opkg.verify.options import VerifyOptions

LEAST_TIMEOUT = 120.0  # seconds for a case
_MAKING = Lock()  # references are the user's code, and run one at a time


@dataclass(frozen=True, slots=True)
class LargeRun:
    """What is run: the cases of `meanings` (by op), on a runner. `paths`: of the files with a case and its data."""

    package: str
    ops: tuple[Op, ...]
    meanings: Mapping[str, Meaning]
    plan: Plan
    job: execute.Job
    paths: tuple[Path, Path]


def is_for(options: VerifyOptions, machine: str, interface: str) -> bool:
    """Whether large cases run on a machine: where memory is what it is, and tensors are cut into tiles."""
    here = (machine, interface) == (large.MACHINE, large.INTERFACE)
    return here and options.large > 0 and (not options.case or names_one(options))


def names_one(options: VerifyOptions) -> bool:
    """Whether the options ask for one of these cases alone."""
    return options.case.rpartition("-")[2] == large.LABEL


def can_run(options: VerifyOptions, states: list[MachineState]) -> bool:
    """Whether one of these cases is asked for, and a machine of a run has them."""
    here = any(s.machine.name == large.MACHINE and s.availability.ok for s in states)
    return here and options.large > 0 and names_one(options)


def most(ops: tuple[Op, ...], options: VerifyOptions, machine: str, interface: str) -> int:
    """The number of large cases, if all are possible."""
    return sum(len(op.combinations) for op in ops) if is_for(options, machine, interface) else 0


def run(work: LargeRun, findings: list[Diagnostic]) -> Iterator[tuple[Case, CaseOutcome]]:
    """Every case without its numbers, and what became of it. Adds what is wrong with references to `findings`."""
    for op in work.ops:
        if op.name not in work.meanings:
            continue  # its reference cannot be loaded
        cases = large_cases(op, work.meanings[op.name], work.plan)
        try:
            while (case := _next(cases)) is not None:
                casefile.write([case], work.package, *work.paths)
                outcome = judge(case, execute.run(work.job)[0])
                bare = [replace(tensor, stored=None) for tensor in case.inputs]
                yield replace(case, inputs=tuple(bare), expected=(), others=(), bounds=()), outcome
        except OpkgError as failed:
            findings += [found for found in failed.diagnostics if found not in findings]


def _next(cases: Iterator[Case]) -> Case | None:
    with _MAKING:
        return next(cases, None)
