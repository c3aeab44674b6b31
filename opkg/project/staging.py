"""A whole new project folder: made beside its place, moved there in one step; what a killed run left is cleared away."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from opkg.project.findings import cannot_write
from opkg.project.generate import Plan, write
from opkg.project.interrupt import interruptible, uninterrupted
from opkg.spec.diagnostics import OpkgError

_NAME = ".opkg-new-"
_FRESH = 10.0  # seconds in which a folder that nobody holds may be about to be held


def place(target: str, plan: Plan) -> bool:
    """Makes the folder `target` with all that the plan writes. False when there is one with something in it by now.

    Missing parents are made, and removed again when that fails. Raises OSError and OpkgError.
    """
    target = os.path.abspath(target)
    parent = os.path.dirname(target)
    try:
        with interruptible(), _parents(parent), _staging(parent) as folder:
            failed = write([plan._replace(project=plan.project._replace(root=folder))])
            if failed is not None:
                raise OpkgError([failed])
            os.rename(folder, target)
    except OSError as failure:
        if failure.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise OpkgError([cannot_write(plan.project.prefix.rstrip("/") or target, failure)]) from None
    return True


@contextmanager
def _parents(folder: str) -> Iterator[None]:
    """Makes what is missing of a folder, and removes it again when that was for nothing."""
    missing: list[str] = []
    while not os.path.isdir(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    made = []
    try:
        for each in missing:
            with suppress(FileExistsError):
                os.mkdir(each)
                made.append(each)
        yield
    except BaseException:
        for each in reversed(made):
            with suppress(OSError):
                os.rmdir(each)
        raise


@contextmanager
def _staging(parent: str) -> Iterator[str]:
    """A new folder in `parent`, locked; it is gone afterwards, unless it was moved."""
    _clear(parent)
    folder = os.path.join(parent, _NAME + secrets.token_hex(6))
    fd = -1
    try:
        os.mkdir(folder)
        fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        with suppress(OSError):  # a file system without locks
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield folder
    finally:
        with uninterrupted():
            shutil.rmtree(folder, ignore_errors=True)
            if fd >= 0:
                os.close(fd)


def _clear(parent: str) -> None:
    """Deletes what killed runs left here: folders of ours that no process holds."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(_NAME) and entry.is_dir(follow_symlinks=False):
                _clear_one(entry.path)


def _clear_one(folder: str) -> None:
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if time.time() - os.fstat(fd).st_mtime > _FRESH:
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(fd)
