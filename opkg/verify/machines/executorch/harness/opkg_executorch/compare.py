"""Runs a comparison: `python -m opkg_executorch.compare REQUEST.json`.

Torch is imported once; each run is a process of its own, forked from this one, so that one that dies takes no other along.
The request: `model`, `modes`, `sides`, `packages` (module, namespace, library), `observer`, `folder` (of what is written:
MODE-SIDE.json and MODE-SIDE.log), `timeout` in seconds for a run. A line of standard output says that a run is over.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opkg_executorch import compare_run, observe

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main(request: Mapping[str, Any]) -> None:
    """All runs, one after the other. A fault of the model file in the first one is one of all."""
    _end_with_parent()
    folder = Path(request["folder"])
    for mode in request["modes"]:
        for side in request["sides"]:
            file = folder / f"{mode}-{side}.json"
            child = os.fork()
            if child == 0:
                _child(request, mode, side, file)
            ended = _wait(child, float(request["timeout"]))
            _note(file, mode, side, ended)
            print(f"{mode} {side}", flush=True)
            if json.loads(file.read_text("utf-8"))["status"] == "fault":
                return


def _child(request: Mapping[str, Any], mode: str, side: str, file: Path) -> None:
    """The forked process: what it and the libraries print goes to the run's log."""
    code = 1
    try:
        _end_with_parent()
        log = os.open(file.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(log, 1)
        os.dup2(log, 2)
        observe.start(request["observer"])
        compare_run.run(request, mode, side, file)
        code = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # the backend's own end is not part of the run


def _end_with_parent() -> None:
    """Linux ends this process when the one that started it has gone: nobody would read what it finds."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _wait(child: int, timeout: float) -> str:
    """How the process ended: nothing when it did so by itself, else what ended it."""
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return f"signal {signal.Signals(os.WTERMSIG(status)).name}" if os.WIFSIGNALED(status) else ""
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return f"it took longer than {timeout:g} s"


def _note(file: Path, mode: str, side: str, ended: str) -> None:
    """Completes the file of a run whose process did not end by itself."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        found = {"mode": mode, "side": side, "status": "died", "stage": "start", "seconds": {}}
    if found["status"] == "died":
        found["message"] = f"the process ended: {ended or 'without a word'}"
    file.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text("utf-8")))
