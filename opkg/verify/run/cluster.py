"""Verification of many packages on a Dask cluster: one task a package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from opkg.spec.diagnostics import Span
from opkg.spec.model import OpPackage
from opkg.verify.cluster import PATIENCE, Task, run_on
from opkg.verify.options import Report, VerifyOptions, silent

if TYPE_CHECKING:
    from opkg.verify.judge.outcome import VerifyResult


class Job(NamedTuple):
    """One package to verify. `root`: absolute path of its project, the same on every worker (a shared file system)."""

    root: str
    package: OpPackage
    options: VerifyOptions


def verify_on(
    address: str, jobs: Sequence[Job], report: Report = silent, patience: float = PATIENCE
) -> list[VerifyResult]:
    """The results of the jobs, in their order; raises as `run_on`."""
    tasks = [
        Task(job.package.name, job.root, partial(_verified, job), Span(job.options.prefix + job.package.path))
        for job in jobs
    ]
    return run_on(address, tasks, report, patience)


def _verified(job: Job) -> VerifyResult:
    from opkg.verify.api import verify

    return verify(Path(job.root), [job.package], job.options)
