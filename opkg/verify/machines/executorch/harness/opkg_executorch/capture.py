"""Collects what this process writes to stdout and stderr, C libraries included: the backend logs there."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_libc = ctypes.CDLL(None)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    _libc.fflush(None)


@contextmanager
def captured(path: Path) -> Iterator[None]:
    """Within it, file descriptors 1 and 2 write to `path`; after a crash it holds what was said."""
    _flush()
    held = os.dup(1), os.dup(2)
    with path.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        _flush()
        for number, old in zip((1, 2), held, strict=True):
            os.dup2(old, number)
            os.close(old)
