"""Runs a whole model in a process of its own, which may die."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def ended(command: Sequence[str], environment: Mapping[str, str], said: Path, timeout: float) -> str:
    """Runs it, its words in the file `said`; what it said last, for when it left no results."""
    with said.open("w+", encoding="utf-8", errors="replace") as log, subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            return f"no end after {timeout:.0f} s"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        log.seek(0)
        lines = [line.strip() for line in log if line.strip()]
    why = next((line.removeprefix("what():").strip() for line in lines if line.startswith("what():")), "")
    return f"the process died: {why or (lines[-1] if lines else process.returncode)}"
