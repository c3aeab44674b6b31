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
from opkg.verify.machines import execute, separate
from opkg.verify.machines.openvino import calls, holding

START = 60.0  # seconds beside a case's own: Python, OpenVINO and its plugin load


def findings(ops: Sequence[Op], cases: Sequence[Case]) -> list[Diagnostic]:
    """One note per op about the cases that OpenVINO cannot hold."""
    return separate.findings(ops, cases, holding.finding)


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
    python = root / "generated" / package.cpp_namespace / "openvino/python"
    given = ("--namespace", package.cpp_namespace, "--python", str(python))
    return separate.run(cases, replace(job, command=(*job.command, *given)), START, report, fail_fast)
