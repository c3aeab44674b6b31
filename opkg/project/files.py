"""Reads, hashes and lists files with few system calls: a check of a large project is little else."""

from __future__ import annotations

import os
from collections.abc import Container
from hashlib import sha256

FOLDER = ".opkg-transaction"  # holds the journal of a run that is not finished
DONE = ".opkg-transaction-done"  # what is left of one that is

_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY  # a FIFO in the way must not block
_CHUNK = 1 << 16


def read(path: str, follow: bool = True, limit: int = 0) -> bytes:
    """The bytes of a file. `follow` false: a symbolic link is an OSError. `limit`: at most about that many bytes."""
    fd = os.open(path, _FLAGS if follow else _FLAGS | os.O_NOFOLLOW)
    try:
        data = os.read(fd, _CHUNK)
        if len(data) < _CHUNK:
            return data
        parts = [data]
        size = len(data)
        while data and not (limit and size > limit):
            data = os.read(fd, 1 << 20)
            parts.append(data)
            size += len(data)
        return b"".join(parts)
    finally:
        os.close(fd)


def head(path: str, size: int) -> bytes:
    """The first bytes of a file; of nothing that is a link."""
    fd = os.open(path, _FLAGS | os.O_NOFOLLOW)
    try:
        return os.read(fd, size)
    finally:
        os.close(fd)


def read_only(path: str) -> bool:
    """Whether somebody took from a file the permission to be written. (To the superuser the system allows it all the same.)"""
    try:
        return os.stat(path).st_mode & 0o222 == 0
    except OSError:
        return False


def unix(data: bytes) -> bytes:
    """The bytes with \\n as line end: what a checkout with CRLF stands for."""
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


def digest(data: bytes) -> str:
    """SHA-256 as hex, of unix line ends."""
    return sha256(unix(data)).hexdigest()


TUNING = "tuning.json"


def tuning(root: str) -> bytes:
    """What `opkg kernel tune` found for a project; empty where it has not been run."""
    try:
        return read(f"{root}/{TUNING}")
    except OSError:
        return b""


def unknown_files(root: str, folder: str, known: Container[str]) -> list[str]:
    """Regular files below `folder` that are not in `known`; paths are posix, relative to `root`, sorted.

    Links to folders are not followed; a folder that is not there has no files.
    """
    found: list[str] = []
    pending = [folder]
    while pending:
        current = pending.pop()
        try:
            entries = os.scandir(f"{root}/{current}")
        except (FileNotFoundError, NotADirectoryError):
            continue
        with entries:
            for entry in entries:
                path = f"{current}/{entry.name}"
                if path in known:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path)
                elif entry.is_file(follow_symlinks=False):
                    found.append(path)
    return sorted(found)
