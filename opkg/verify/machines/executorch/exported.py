"""The exported program of a model file, written by a process that has torch: where opkg.models.torch_reader finds it."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.verify.machines.executorch.environment import Environment

TIMEOUT = 600.0  # seconds


def export(environment: Environment, model: Path, folder: Path, timeout: float = TIMEOUT) -> Path:
    """Writes model.json and weights.bin of a model file (`model()`, `inputs()`) into a folder; the former's place.

    Faults of the model file are in model.json. OpkgError (OPK706) when the process dies or takes too long.
    """
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "model.json"
    place.unlink(missing_ok=True)
    command = [str(environment.python), "-P", "-m", "opkg_executorch.export_model", str(model.resolve()), str(folder)]
    with (folder / "export.log").open("w+", encoding="utf-8", errors="replace") as log, subprocess.Popen(
        command, env=environment.variables(scratch=folder), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise OpkgError([error("OPK706", f"no exported program after {timeout:.0f} s", Span(str(model)))]) from None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        log.seek(0)
        said = [line.strip() for line in log if line.strip()]
    if not place.is_file():
        last = said[-1] if said else f"exit code {process.returncode}"
        message = f"the process that exports the model died: {last}"
        raise OpkgError([error("OPK706", message, Span(str(model)), f"log: {folder / 'export.log'}")])
    return place
