"""Runs `opkg` in forked children under adverse conditions, and says what must never be: a traceback, exit 70, a signal."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib
import os
import pkgutil
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import opkg as package
from opkg.cli.main import run

LIMIT = 120.0  # seconds until a run counts as hanging
_CAPABILITY_VERSION, _CAPBSET_DROP = 0x20080522, 24  # linux/capability.h, linux/prctl.h
_NEW_MOUNTS, _BIND, _PRIVATE = 0x20000, 0x1000, 0x44000  # linux/sched.h, linux/mount.h (private: and all below)
_MOUNT_SETATTR, _RECURSIVE, _READ_ONLY = 442, 0x8000, 1


class Ran(NamedTuple):
    """What a run of opkg came to. `code`: as a shell sees it; negative for a signal."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def fault(self) -> str:
        """Why no user may ever see this; empty when it will do."""
        if "Traceback (most recent call last)" in self.out + self.err:
            return "traceback"
        if self.code not in (0, 1, 2, 3):
            return f"exit {self.code}"
        if self.code and not (self.out.strip() or self.err.strip()):
            return f"exit {self.code} without a word"
        return ""

    def __str__(self) -> str:
        return f"opkg {' '.join(map(ascii, self.words))}: {self.fault}\n{self.out[-1500:]}{self.err[-3000:]}"


def no_powers() -> None:
    """Takes root's powers from this process and those it starts, so that permission bits count; nothing for others."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(64):
        libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    libc.capset(header, (ctypes.c_uint32 * 6)())


def small_files(size: int) -> Callable[[], None]:
    """No file may grow beyond `size` bytes: what a full disk is like where nothing can be mounted."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def nothing_outside(folder: Path) -> Callable[[], None]:
    """Nothing but what is below `folder` and in the cache can be written by this process and those it starts.

    For names as /etc/passwd, which root may write: all file systems are read-only in a name space of the process's own.
    Nothing for others than root. Raises OSError where that is not allowed (`can_confine`).
    """
    if os.geteuid():
        return lambda: None

    def prepare() -> None:
        libc = ctypes.CDLL(None, use_errno=True)

        def do(name: str, *arguments: object) -> None:
            if getattr(libc, name)(*arguments):
                raise OSError(ctypes.get_errno(), f"{name}: {os.strerror(ctypes.get_errno())}")

        def read_only(place: bytes, flags: int, on: int, off: int) -> None:
            wanted = (ctypes.c_uint64 * 4)(on, off, 0, 0)
            do("syscall", _MOUNT_SETATTR, -100, place, flags, wanted, ctypes.c_size_t(32))

        cache = Path(os.environ["OPKG_CACHE_DIR"])
        cache.mkdir(parents=True, exist_ok=True)
        places = [os.fsencode(place) for place in (folder, cache)]
        do("unshare", _NEW_MOUNTS)
        do("mount", None, b"/", None, _PRIVATE, None)
        for place in places:
            do("mount", place, place, None, _BIND, None)
        read_only(b"/", _RECURSIVE, _READ_ONLY, 0)
        for place in places:
            read_only(place, 0, 0, _READ_ONLY)
        os.chdir(os.getcwd())  # into the mount above the one that the process stands in
        os.environ["TMPDIR"] = str(folder)

    return prepare


@functools.cache
def can_confine() -> bool:
    """Whether `nothing_outside` keeps its word here: not for root in a container without its powers."""
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            nothing_outside(Path.cwd())()
            os._exit(0)
        os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def import_all() -> None:
    """Imports opkg as a whole, which forked children then need not do one by one."""
    for module in pkgutil.walk_packages(package.__path__, "opkg."):
        if not module.name.endswith("__main__") and ".harness" not in module.name:
            importlib.import_module(module.name)
    importlib.import_module("cookiecutter.main")


def opkg(words: Sequence[str], cwd: Path, prepare: Callable[[], None] = lambda: None) -> Ran:
    """Runs a command line in a forked child, which calls `prepare` first."""
    pipes = [os.pipe(), os.pipe()]
    child = os.fork()
    if not child:
        code = 99
        try:
            os.setpgid(0, 0)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            for number, (_, end) in enumerate(pipes, 1):
                os.dup2(end, number)
            sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
            os.chdir(cwd)
            prepare()
            code = run(list(words))
        except SystemExit as left:
            code = int(left.code or 0)
        except BaseException:
            import traceback

            os.write(2, traceback.format_exc().encode())
        finally:
            with contextlib.suppress(OSError):
                sys.stderr.flush()
            os._exit(code)
    for _, end in pipes:
        os.close(end)
    said = _said(child, [end for end, _ in pipes])
    status = os.waitpid(child, 0)[1]
    return Ran(tuple(words), os.waitstatus_to_exitcode(status), *said)


def _said(child: int, ends: list[int]) -> list[str]:
    """What comes out of the pipes until the child closes them; one that hangs is ended."""
    found = dict.fromkeys(ends, b"")
    waiting, until = set(ends), time.monotonic() + LIMIT
    while waiting:
        ready, _, _ = select.select(list(waiting), [], [], max(0.0, until - time.monotonic()))
        if not ready:
            os.killpg(child, signal.SIGKILL)
            until += LIMIT
        for end in ready:
            data = os.read(end, 1 << 16)
            found[end] += data
            if not data:
                waiting.discard(end)
    for end in ends:
        os.close(end)
    return [data.decode("utf-8", errors="replace") for data in found.values()]
