"""Runs the cases of a package inside OpenVINO and judges them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op, OpPackage
from opkg.verify.cases.case import Case
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.paths import Paths
from opkg.verify.judge.results import RawResult
from opkg.verify.judge.verdict import judge
from opkg.verify.machines import execute
from opkg.verify.machines.openvino import calls, holding

START = 60.0  # seconds beside a case's own: Python, OpenVINO and its plugin load


def findings(ops: Sequence[Op], cases: Sequence[Case]) -> list[Diagnostic]:
    """One note per op about the cases that OpenVINO cannot hold."""
    notes = (holding.finding(op, [case for case in cases if case.op.name == op.name]) for op in ops)
    return [note for note in notes if note is not None]


def held(cases: Sequence[Case]) -> list[Case]:
    """The cases that can be run."""
    return [case for case in cases if not holding.reason(case)]


def run(
    package: OpPackage,
    root: Path,
    cases: Sequence[Case],
    job: execute.Job,
    files: tuple[Path, Path],
    report: Callable[[int], None],
    fail_fast: bool,
) -> list[CaseOutcome]:
    """Runs all cases, or up to the first that fails; `files`: the list of calls and the data that the job's command names."""
    models = job.folder / "models"
    shutil.rmtree(models, ignore_errors=True)
    calls.write(cases, package.name, models, *files)
    job = replace(job, cases=len(cases), timeout=job.timeout + START)
    if fail_fast:
        job = replace(job, fails=lambda result: not judged(cases[result.case], result).ok)
    results = execute.run(job, report)
    return [judged(case, result) for case, result in zip(cases, results, strict=True)]


def judged(case: Case, result: RawResult) -> CaseOutcome:
    """The outcome of a case. What a computation became is portable C++, and all its elements count as such."""
    if result.status == "ok":
        result = replace(result, paths=Paths(0, sum(tensor.elements for tensor in case.outputs)))
    return judge(case, result)
