"""Tasks on a Dask cluster: functions of opkg with their arguments, results in the order of the tasks, as from one machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from opkg.spec.diagnostics import MissingTool, OpkgError, Span, error
from opkg.verify.options import Progress, Report, silent

INSTALL = "pip install 'opkg[dask]'"
PATIENCE = 20.0  # seconds to reach a scheduler
_ONE = threading.Lock()  # references are imported, and programs started: one task at a time in a process
_R = TypeVar("_R")


@dataclass(frozen=True)
class Task(Generic[_R]):
    """One call. `root`: absolute path of a folder that every worker must have; `where`: the place to blame when not."""

    name: str
    root: str
    call: partial[_R]
    where: Span = Span("")


def run_on(
    address: str,
    tasks: Sequence[Task[_R]],
    report: Report = silent,
    patience: float = PATIENCE,
    done: Callable[[_R], None] = lambda result: None,
) -> list[_R]:
    """The results of the tasks, in their order. `address`: of a scheduler (tcp://...); `done` gets each as it comes.

    Raises MissingTool without Dask, or when no scheduler answers (OPK664, OPK665), and what a task raised, as here.
    """
    distributed = _distributed()
    client = _client(distributed, address, patience)
    try:
        futures = [client.submit(_run, task, pure=False, key=f"opkg-{_key()}-{n}") for n, task in enumerate(tasks)]
        try:
            with client.as_current():
                for count, future in enumerate(distributed.as_completed(futures), 1):
                    report(Progress("run", tasks[futures.index(future)].name, count, len(futures)))
                    done(_result(future))
            return [_result(future) for future in futures]
        except BaseException:
            client.cancel(futures)
            raise
    finally:
        client.close()


def workers(address: str, patience: float = PATIENCE) -> int:
    """How many workers a cluster has; at least one. Raises as `run_on`."""
    client = _client(_distributed(), address, patience)
    try:
        return max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
    finally:
        client.close()


def _run(task: Task[_R]) -> _R | OpkgError:
    """What a worker does, in the task's folder. An OpkgError is returned, not raised: it is the user's to see, not the
    cluster's to retry."""
    if not os.path.isdir(task.root):
        hint = "workers see the project at the same path: a shared file system"
        return OpkgError([error("OPK666", f"a worker has no folder {task.root}", task.where, hint)])
    with _ONE:
        before = Path.cwd()
        os.chdir(task.root)
        try:
            return task.call()
        except OpkgError as failure:
            failure.args = (list(failure.diagnostics),)  # what it is made again from on the other side
            return failure
        finally:
            os.chdir(before)


def _result(future: Any) -> Any:
    result = future.result()
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
