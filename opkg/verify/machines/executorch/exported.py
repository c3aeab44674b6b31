"""The exported program of a model file and what it computes, by a process that has torch: opkg.models.torch_reader reads it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.verify.machines.executorch.environment import Environment

TIMEOUT = 600.0  # seconds


def export(environment: Environment, model: Path, folder: Path, timeout: float = TIMEOUT) -> Path:
    """Writes model.json and weights.bin of a model file (`model()`, `inputs()`) into a folder; the former's place.

    Faults of the model file are in model.json. OpkgError (OPK706) when the process dies or takes too long.
    """
    return _run(environment, model, folder, "export_model", "model.json", timeout)


def values(
    environment: Environment, model: Path, folder: Path, wanted: Sequence[str], timeout: float = TIMEOUT
) -> Path:
    """Writes values.json and values.bin into a folder: the named tensors of the program, computed on the model's own inputs;
    the former's place. Faults as for `export`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "wanted.json").write_text(json.dumps(list(wanted)), "utf-8")
    return _run(environment, model, folder, "model_values", "values.json", timeout)


def _run(environment: Environment, model: Path, folder: Path, module: str, result: str, timeout: float) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / result
    place.unlink(missing_ok=True)
    command = [str(environment.python), "-P", "-m", f"opkg_executorch.{module}", str(model.resolve()), str(folder)]
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
