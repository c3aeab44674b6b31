"""One opkg at a time changes a project: a lock on its root folder that leaves no file behind."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from opkg.spec.diagnostics import OpkgError, Span, error

WAIT = 30.0  # seconds until a run gives up


@contextmanager
def locked(root: str, shown: str, exclusive: bool) -> Iterator[None]:
    """Holds the lock of a project root; raises OpkgError (OPK325) when another run keeps it for WAIT seconds.

    File systems without locks (some network ones) are used without.
    """
    fd = os.open(root, os.O_RDONLY | os.O_CLOEXEC)
    try:
        _take(fd, shown, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
        yield
    finally:
        os.close(fd)


def _take(fd: int, shown: str, kind: int) -> None:
    until = time.monotonic() + WAIT
    pause = 0.01
    while True:
        try:
            fcntl.flock(fd, kind | fcntl.LOCK_NB)
            return
        except OSError as failure:
            if failure.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
                return
        if time.monotonic() >= until:
            message = f"another opkg has been working here for {WAIT:g} s"
            raise OpkgError([error("OPK325", message, Span(shown or "."), "wait for it to end, or end it")])
        time.sleep(pause)
        pause = min(pause * 2, 0.25)
