"""Prints all that a session says while it is made. In a process of its own: the backend keeps the log level that it had first.

Arguments: the module of the package, the model's file, the library.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import onnxruntime as ort

VERBOSE = 0
_MOST_SECONDS = 120


def reason(module: str, model: Path, library: str, mark: str) -> str:
    """The first thing said about a node of a model, from `mark` on; empty: nothing."""
    command = [sys.executable, "-P", "-m", "opkg_onnxruntime.reason", module, str(model), library]
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=_MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return ""
    lines = done.stdout.decode(errors="replace").splitlines()
    return next((line[line.index(mark) :].strip() for line in lines if mark in line), "")


def main(module: str, model: str, library: str) -> None:
    session = importlib.import_module(f"{module}.session")
    options = ort.SessionOptions()
    options.log_severity_level = VERBOSE
    ort.set_default_logger_severity(VERBOSE)
    session.create_session(model, library, session_options=options, required=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
