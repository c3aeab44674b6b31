"""Runs a runner over a case file: goes on after a crash, ends what hangs, and gives every case exactly one result."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from opkg.verify.results import RawResult, read

MOST_RESTARTS = 40
POLL = 0.02
STDERR_KEPT = 2000


@dataclass(frozen=True, slots=True)
class Job:
    """One run: the command without the options that this module adds, and where its files go."""

    command: tuple[str, ...]
    folder: Path
    name: str  # stem of the result files
    cases: int
    timeout: float  # seconds without progress after which the process is ended
    stop: Event = field(default_factory=Event)  # set from outside to end the run
    variables: Mapping[str, str] | None = None  # the whole environment; None: this process's


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a runner with its children (it leads a session of its own)."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


class Stopped(Exception):
    """The run was told to stop; nobody waits for its results."""


def _wait(process: subprocess.Popen[bytes], job: Job, results: Path, progress: Callable[[int], None]) -> bool:
    """Waits for the end. False: nothing was written for the job's time limit, and the process was ended."""
    seen, since = 0, time.monotonic()
    pause = 0.001
    while True:
        try:
            process.wait(pause)
            return True
        except subprocess.TimeoutExpired:
            pass
        if job.stop.is_set():
            raise Stopped
        pause = min(pause * 2, POLL)
        size = _size(results)
        if size != seen:
            seen, since = size, time.monotonic()
            progress(results.read_bytes().count(b"\n"))
        elif time.monotonic() - since > job.timeout:
            _end(process)
            return False


def _attempt(job: Job, start: int, number: int, progress: Callable[[int], None]) -> tuple[list[RawResult], str, str]:
    """One process. Returns its records, what ended it ("" when it ended well), and what it wrote to stderr."""
    results = job.folder / f"{job.name}.{number}.jsonl"
    out = job.folder / f"{job.name}.{number}.bin"
    errors = job.folder / f"{job.name}.{number}.stderr"
    for path in (results, out):
        path.unlink(missing_ok=True)
    command = [*job.command, "--results", str(results), "--out", str(out)]
    if start:
        command += ["--from", str(start)]
    with errors.open("wb") as stderr:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stderr, stderr=stderr, start_new_session=True, env=job.variables
        )
        try:
            alive = _wait(process, job, results, progress)
        except BaseException:  # an interrupt must not leave a runner behind
            _end(process)
            raise
    said = errors.read_bytes()[-STDERR_KEPT:].decode("utf-8", errors="replace").strip()
    if not alive:
        return read(results, out), "timeout", said
    status = process.returncode
    ended = f"crash {-status}" if status < 0 else f"exit {status}" if status else ""
    return read(results, out), ended, said


def _lost(case: int, ended: str, said: str) -> RawResult:
    """The result of the case on which a runner ended without a record."""
    last = said.splitlines()[-1] if said else ""
    if ended == "timeout":
        return RawResult(case, "timeout", message="the runner did not answer and was ended")
    if ended.startswith("crash"):
        number = int(ended.split()[1])
        return RawResult(case, "crash", code=number, message=f"{_signal_name(number)} {last}".strip())
    return RawResult(case, "error", message=f"the runner left no result ({ended or 'exit 0'}) {last}".strip())


def run(job: Job, progress: Callable[[int], None] = lambda done: None) -> list[RawResult]:
    """One result per case, in order. A package that cannot be loaded gives every case that error."""
    found: dict[int, RawResult] = {}
    start, number = 0, 0
    while start < job.cases and number <= MOST_RESTARTS:
        already = len(found)
        records, ended, said = _attempt(job, start, number, _shifted(progress, already))
        number += 1
        fatal = next((r for r in records if r.case == -1 and r.status != "ok"), None)
        found.update((r.case, r) for r in records if start <= r.case < job.cases)
        if fatal is not None or ended in ("exit 2", "exit 3"):
            why = fatal or _lost(-1, ended, said)
            return [found.get(i) or _for(i, why) for i in range(job.cases)]
        start = max((i + 1 for i in found), default=start)
        if ended and not any(r.case >= 0 and r.status != "ok" for r in records[-1:]) and start < job.cases:
            found[start] = _lost(start, ended, said)
            start += 1
        elif not ended:
            break
    gave_up = RawResult(-1, "error", message=f"not run: the runner was started {number} times")
    lost = _lost(-1, "", "")
    why = gave_up if number > MOST_RESTARTS else lost
    return [found.get(i) or _for(i, why) for i in range(job.cases)]


def _shifted(progress: Callable[[int], None], already: int) -> Callable[[int], None]:
    return lambda done: progress(already + done)


def _for(case: int, result: RawResult) -> RawResult:
    """A result that stands for the whole run, given to one case."""
    return RawResult(case, result.status, result.stage, result.code, result.message, log=result.log)
