"""Which compiler, make and nm are here, and our own C++ sources that ship with opkg."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import opkg

SIM = Path(opkg.__file__).resolve().parent / "sim"
INCLUDE = SIM / "include"
RUNNER = SIM / "runner"
LEAST_SLICE = 256  # bytes for each slice of a generated kernel in what verify builds: small cases run in several


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C++ compiler: the path to run and the first line of its version."""

    path: str
    version: str


@functools.cache
def _compiler(path: str) -> Compiler | None:
    try:
        found = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except OSError:
        return None
    lines = found.stdout.splitlines()
    return Compiler(path, lines[0]) if found.returncode == 0 and lines else None


def compiler() -> Compiler | None:
    """The C++ compiler for this machine: $CXX, else g++, else clang++."""
    wanted = os.environ.get("CXX")
    for name in (wanted,) if wanted else ("g++", "clang++"):
        path = shutil.which(name or "")
        if path is not None and (found := _compiler(path)) is not None:
            return found
    return None


def missing() -> str:
    """What this machine lacks to build C++; empty when nothing."""
    if compiler() is None:
        wanted = os.environ.get("CXX")
        return f"C++ compiler $CXX={wanted}" if wanted else "C++ compiler (g++ or clang++)"
    return "" if shutil.which("make") else "make"


INSTALL = "apt-get install g++ make"


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds a lock file: processes that work on the same files take turns."""
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


class Builds:
    """The compilers that run, so that an interrupted run ends them, too. Used by several threads."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._ended = False

    def begin(self) -> None:
        """Lets commands run again."""
        self._ended = False

    def run(
        self, command: Sequence[str], env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end, in a process group of its own, with its outputs as text. After the end none is begun."""
        with self._lock:
            if self._ended:
                return subprocess.CompletedProcess(command, -signal.SIGKILL, "", "ended")
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                errors="replace", env=env, cwd=cwd, start_new_session=True,
            )  # fmt: skip
            self._running.add(process)
        try:
            said, complained = process.communicate()
        finally:
            with self._lock:
                self._running.discard(process)
        return subprocess.CompletedProcess(command, process.returncode, said, complained)

    def end(self) -> None:
        """Ends all of them with everything below them, and those that wait for their turn."""
        with self._lock:
            self._ended = True
            for process in self._running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


BUILDS = Builds()
