"""What onert and OpenVINO share: their machines run cases in a process of their own, inside a runtime that others made."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.paths import Paths
from opkg.verify.judge.results import RawResult
from opkg.verify.judge.verdict import judge
from opkg.verify.machines import execute
from opkg.verify.machines.base import RunFiles


@dataclass(frozen=True, slots=True)
class SeparateMachine:
    """What such a machine is beside `available` and `command`. The process (harness/run_cases.py of each) may be ended by a
    kernel without harm."""

    name: str
    title: str
    interfaces: tuple[str, ...]
    also: str  # a target that its library comes from
    arch: str = ""
    checks: str = ""
    model: str = ""
    asked: bool = True
    make_target: str = "x86"

    def runner(self, interface: str) -> str:
        return ""

    def variables(self, files: RunFiles) -> Mapping[str, str] | None:
        return None


def command(program: Path, files: RunFiles, given: Mapping[str, object]) -> tuple[str, ...]:
    """How the process is started, with options of its own (`given`) and those that all have."""
    options = {**given, "cases": files.cases, "data": files.data, "timeout": f"{files.timeout:g}"}
    words = (word for name, value in options.items() for word in (f"--{name}", str(value)))
    return (sys.executable, "-I", str(program), *words)


def findings(
    ops: Sequence[Op], cases: Sequence[Case], note: Callable[[Op, Sequence[Case]], Diagnostic | None]
) -> list[Diagnostic]:
    """One note per op about the cases that the runtime cannot hold."""
    notes = (note(op, [case for case in cases if case.op.name == op.name]) for op in ops)
    return [found for found in notes if found is not None]


def run(
    cases: Sequence[Case], job: execute.Job, start: float, report: Callable[[int], None], fail_fast: bool
) -> list[CaseOutcome]:
    """Runs all cases, or up to the first that fails. `start`: seconds beside a case's own, until the runtime is loaded."""
    job = replace(job, cases=len(cases), timeout=job.timeout + start)
    if fail_fast:
        job = replace(job, fails=lambda result: not judged(cases[result.case], result).ok)
    results = execute.run(job, report)
    return [judged(case, result) for case, result in zip(cases, results, strict=True)]


def judged(case: Case, result: RawResult) -> CaseOutcome:
    """The outcome of a case. What a computation became is portable C++, and all its elements count as such."""
    if result.status == "ok" and case.op.compute is not None:
        result = replace(result, paths=Paths(0, sum(tensor.elements for tensor in case.outputs)))
    return judge(case, result)


def written(case: Case, file: BinaryIO, described: Callable[[CaseTensor], dict[str, Any]]) -> list[dict[str, Any]]:
    """Writes a case's inputs that are no constants: the numbers, and the same in the other order, which are allowed wherever
    these are. Returns what the list of calls says of them."""
    records = []
    for tensor in case.inputs:
        if tensor.absent or tensor.spec.static or tensor.stored is None:
            continue
        record = described(tensor)
        record["offset"] = file.tell()
        file.write(np.ascontiguousarray(tensor.stored).tobytes())
        record["other"] = file.tell()
        file.write(np.ascontiguousarray(tensor.stored.ravel()[::-1]).tobytes())
        records.append(record)
    return records
