"""A progress bar for verify: on a terminal only, on stderr, gone when the run ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from opkg.verify.options import Progress

WIDTH = 28
INTERVAL = 0.05  # seconds between two drawings


class Bar:
    """Draws one line over and over."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._drawn < INTERVAL and progress.done != progress.total:
            return
        self._drawn = now
        self._stream.write("\r\x1b[2K" + line(progress))
        self._stream.flush()

    def clear(self) -> None:
        """Takes the bar away."""
        self._stream.write("\r\x1b[2K")
        self._stream.flush()


def line(progress: Progress) -> str:
    """What the bar shows."""
    if not progress.total:
        return f"{progress.phase} {progress.text}"[:78]
    filled = WIDTH * progress.done // progress.total
    bar = "#" * filled + "-" * (WIDTH - filled)
    return f"{progress.phase} [{bar}] {progress.done}/{progress.total} {progress.text}"[:78]


@contextmanager
def progress_bar(stream: TextIO | None = None) -> Iterator[Callable[[Progress], None]]:
    """The function to report progress to; it draws only when `stream` (default stderr) is a terminal."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield lambda progress: None
        return
    bar = Bar(stream)
    try:
        yield bar
    finally:
        bar.clear()
