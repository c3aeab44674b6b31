"""Runs the cases of a package inside onert and judges them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op, OpPackage
from opkg.verify.cases.case import Case
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.machines import execute, runners, separate, toolchain
from opkg.verify.machines.onert import calls, holding

# Seconds beside a case's own, which its process keeps itself: Python and the runtime load, the last case is written.
START = 20.0
GUARD = toolchain.SIM / "onert" / "guard.cpp"


def symbol(package: OpPackage) -> str:
    """The function of the package's library that gives its table of kernels."""
    return f"{package.cpp_namespace}_onert_ops"


def findings(ops: Sequence[Op], cases: Sequence[Case]) -> list[Diagnostic]:
    """One note per op about the cases that the runtime cannot hold."""
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
    packages = job.folder / "nnpackages"
    shutil.rmtree(packages, ignore_errors=True)
    calls.write(cases, packages, *files)
    guard = ("--guard", str(runners.shared("opkg-onert-guard", GUARD, (), root)))
    return separate.run(cases, replace(job, command=(*job.command, *guard)), START, report, fail_fast)
