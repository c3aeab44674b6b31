"""Verification of many packages on a Dask cluster: one task a package, results as from one machine, in the same order."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from opkg.spec.diagnostics import MissingTool, OpkgError, Span, error
from opkg.spec.model import OpPackage
from opkg.verify.options import Progress, Report, VerifyOptions, silent

if TYPE_CHECKING:
    from opkg.verify.judge.outcome import VerifyResult

INSTALL = "pip install 'opkg[dask]'"
_ONE = threading.Lock()  # references are imported, and programs started: one run at a time in a process


class Job(NamedTuple):
    """One package to verify. `root`: absolute path of its project, the same on every worker (a shared file system)."""

    root: str
    package: OpPackage
    options: VerifyOptions


def verify_on(address: str, jobs: Sequence[Job], report: Report = silent, patience: float = 20.0) -> list[VerifyResult]:
    """The results of the jobs, in their order. `address`: of a scheduler (tcp://...); `patience`: seconds to reach it.

    Raises MissingTool without Dask, or when no scheduler answers (OPK664, OPK665), and what a job raised, as on one machine.
    """
    distributed = _distributed()
    client = _client(distributed, address, patience)
    try:
        futures = [client.submit(run_job, job, pure=False, key=f"opkg-{_key()}-{n}") for n, job in enumerate(jobs)]
        try:
            with client.as_current():
                for done, future in enumerate(distributed.as_completed(futures), 1):
                    name = jobs[futures.index(future)].package.name
                    report(Progress("run", name, done, len(futures)))
            return [_result(future) for future in futures]
        except BaseException:
            client.cancel(futures)
            raise
    finally:
        client.close()


def run_job(job: Job) -> VerifyResult | OpkgError:
    """What a worker does. An OpkgError is returned, not raised: it is the user's to see, not the cluster's to retry."""
    from pathlib import Path

    from opkg.verify.api import verify

    if not os.path.isdir(job.root):
        hint = "workers see the project at the same path: a shared file system"
        where = f"a worker has no folder {job.root}"
        return OpkgError([error("OPK666", where, Span(job.options.prefix + job.package.path), hint)])
    with _ONE:
        try:
            return verify(Path(job.root), [job.package], job.options)
        except OpkgError as failure:
            failure.args = (list(failure.diagnostics),)  # what it is made again from on the other side
            return failure


def _result(future: Any) -> VerifyResult:
    result: VerifyResult | OpkgError = future.result()
    if isinstance(result, OpkgError):
        raise result
    return result


def _key() -> str:
    import secrets

    return secrets.token_hex(6)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingTool([error("OPK664", "Dask is not installed", Span(""), f"install it: {INSTALL}")]) from None
    return distributed


def _client(distributed: Any, address: str, patience: float) -> Any:
    try:
        return distributed.Client(address, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as failure:
        reason = str(failure).splitlines()[0] if str(failure) else type(failure).__name__
        hint = "start one: dask scheduler, and dask worker ADDRESS --nthreads 1 on each machine"
        raise MissingTool([error("OPK665", f"no scheduler answers at {address}: {reason}", Span(""), hint)]) from None
