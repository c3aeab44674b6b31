"""Turns SIGTERM and SIGHUP into an exception while files are being changed, so that the change is undone."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Terminated(BaseException):
    """The process was told to end; carries the signal's number."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def _raise(number: int, frame: FrameType | None) -> None:
    raise Terminated(number)


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside, the signals raise Terminated (in the main thread; elsewhere nothing is changed)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, _raise)
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is signal.SIG_DFL:
                signal.signal(number, handler)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Inside, signals that would end the process wait: undoing and clearing up are short."""
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *_SIGNALS})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
