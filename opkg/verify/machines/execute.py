"""Runs a runner over a case file: goes on after a crash, ends what hangs, and gives every case exactly one result.

A runner leads a session and process group of its own. Whatever ends it, and also when it ends by itself, everything
below it ends with it: what a kernel started does not outlive the run.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from opkg.verify.judge.results import NOT_RUN, RawResult, read
from opkg.verify.machines.resume import Kept

MOST_RESTARTS = 40
POLL = 0.02
STDERR_KEPT = 2000
MOST_TIMEOUTS = 3  # in a row; what then follows would most likely hang as well


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
    fails: Callable[[RawResult], bool] | None = None  # of a run that ends with the first result of which this is true
    enough: Event = field(default_factory=Event)  # set when such a result was found, here or elsewhere
    kept: Kept | None = None  # results of the same run, which was interrupted


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _descendants(of: int) -> list[int]:
    """All processes below one, by what /proc says now."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(folder.name))
        except (OSError, ValueError, IndexError):
            continue
    found: list[int] = []
    waiting = [of]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a runner with everything below it (it leads a session of its own, which a descendant may have left)."""
    below = _descendants(process.pid) if process.poll() is None else []
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for number in below:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(number, signal.SIGKILL)
    process.wait()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


class Stopped(Exception):
    """The run was told to stop; nobody waits for its results."""


class _Watch:
    """Looks at results as they come, and says when there is no point in more of them."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._timeouts = 0
        self._seen: set[int] = set()
        self.why = ""

    def over(self, records: Sequence[RawResult]) -> bool:
        """Whether the run is over after these results; each is looked at once."""
        for record in records:
            if record.case < 0 or record.case in self._seen or self.why:
                continue
            self._seen.add(record.case)
            self._timeouts = self._timeouts + 1 if record.status == "timeout" else 0
            if self._timeouts >= MOST_TIMEOUTS:
                self.why = f"{MOST_TIMEOUTS} cases in a row did not end in time"
            elif self._job.fails is not None and self._job.fails(record):
                self._job.enough.set()
                self.why = "a case failed"
        if not self.why and self._job.enough.is_set():
            self.why = "a case failed elsewhere"
        return bool(self.why)


def _wait(
    process: subprocess.Popen[bytes], job: Job, files: tuple[Path, Path], progress: Callable[[int], None], watch: _Watch
) -> bool:
    """Waits for the end. False: nothing was written for the job's time limit, and the process was ended."""
    results, out = files
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
            whole = results.read_bytes()
            progress(whole.count(b"\n"))
            if (job.fails is not None or b'"timeout"' in whole) and watch.over(read(results, out)):
                return True
        elif time.monotonic() - since > job.timeout:
            return False
        elif job.enough.is_set() and watch.over(()):
            return True


def _attempt(
    job: Job, start: int, number: int, progress: Callable[[int], None], watch: _Watch
) -> tuple[list[RawResult], str, str]:
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
            alive = _wait(process, job, (results, out), progress, watch)
        finally:
            _end(process)
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
    """One result per case, in order. A package that cannot be loaded gives every case that error; what is behind the end
    of a run that was ended is NOT_RUN, with the reason."""
    found: dict[int, RawResult] = {}
    watch = _Watch(job)
    number = first = job.kept.first if job.kept is not None else 0
    if job.kept is not None:
        found.update(job.kept.found)
    start = len(found)
    while start < job.cases and number - first <= MOST_RESTARTS:
        already = len(found)
        records, ended, said = _attempt(job, start, number, _shifted(progress, already), watch)
        number += 1
        fatal = next((r for r in records if r.case == -1 and r.status != "ok"), None)
        found.update((r.case, r) for r in records if start <= r.case < job.cases)
        if fatal is not None or ended in ("exit 2", "exit 3"):
            why = fatal or _lost(-1, ended, said)
            return [found.get(i) or _for(i, why) for i in range(job.cases)]
        start = max((i + 1 for i in found), default=start)
        lost = ended and not any(r.case >= 0 and r.status != "ok" for r in records[-1:]) and start < job.cases
        if lost and not watch.why:
            found[start] = _lost(start, ended, said)
            start += 1
        if watch.over([found[i] for i in sorted(found)]):
            rest = RawResult(-1, NOT_RUN, message=watch.why)
            return [found.get(i) or _for(i, rest) for i in range(job.cases)]
        if not ended:
            break
    if job.kept is not None:
        job.kept.whole()
    gave_up = RawResult(-1, "error", message=f"not run: the runner was started {number - first} times")
    why = gave_up if number - first > MOST_RESTARTS else _lost(-1, "", "")
    return [found.get(i) or _for(i, why) for i in range(job.cases)]


def _shifted(progress: Callable[[int], None], already: int) -> Callable[[int], None]:
    return lambda done: progress(already + done)


def _for(case: int, result: RawResult) -> RawResult:
    """A result that stands for the whole run, given to one case."""
    return RawResult(case, result.status, result.stage, result.code, result.message, log=result.log)
