"""A whole model of OpenVINO on its CPU device, as it was and with the ops of a package: what came of both runs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opkg.spec.model import OpPackage
from opkg.verify.machines import build, whole_process

HARNESS = Path(__file__).resolve().parent / "harness" / "run_whole.py"
TIMEOUT = 600.0  # seconds for both runs


@dataclass(frozen=True, slots=True)
class WholeRun:
    """`fault`: what stopped the runs. Else, as it was and with the ops: operators that the device runs, and outputs; `ops`: nodes
    of the package in the model that was read; `wider`: outputs of both for inputs twice as long, () when the model does not take
    these."""

    fault: str = ""
    operators: tuple[int, int] = (0, 0)
    outputs: tuple[Sequence[Any], Sequence[Any]] = ((), ())
    ops: int = 0
    wider: tuple[Sequence[Any], Sequence[Any]] | tuple[()] = ()


def library_of(root: Path, package: OpPackage) -> tuple[Path | None, str]:
    """The library with a package's ops, built; or why there is none. Raises MissingTool without a compiler or the wheel."""
    built = build.build(root, package, build.OPENVINO)
    why = "; ".join(finding.message for finding in built.findings) or "the package was not built"
    return built.library, "" if built.library is not None else why


def run(
    root: Path,
    package: OpPackage,
    models: tuple[Path, Path],
    library: Path,
    inputs: Sequence[Any],
    timeout: float = TIMEOUT,
) -> WholeRun:
    """Both models (paths of .xml files), in a process of their own; files are kept in build/whole."""
    import numpy as np

    folder = root.resolve() / "build" / "whole"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("whole.json", "before.npz", "after.npz", "before_wider.npz", "after_wider.npz"):
        (folder / name).unlink(missing_ok=True)
    np.savez(folder / "inputs.npz", *inputs)
    request = {
        "before": str(models[0].resolve()), "after": str(models[1].resolve()), "library": str(library.resolve()),
        "opset": package.name, "folder": str(folder),
    }  # fmt: skip
    (folder / "request.json").write_text(json.dumps(request), "utf-8")
    command = [sys.executable, "-P", str(HARNESS), str(folder / "request.json")]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONFAULTHANDLER": "1"}
    died = whole_process.ended(command, environment, folder / "whole.log", timeout)
    if not (folder / "whole.json").is_file():
        return WholeRun(died)
    found = json.loads((folder / "whole.json").read_text("utf-8"))
    both = (_arrays(folder / "before.npz"), _arrays(folder / "after.npz"))
    wider = (
        (_arrays(folder / "before_wider.npz"), _arrays(folder / "after_wider.npz")) if found["before"]["wider"] else ()
    )
    operators = (found["before"]["operators"], found["after"]["operators"])
    return WholeRun("", operators, both, found["after"]["ops"], wider)


def _arrays(path: Path) -> list[Any]:
    import numpy as np

    with np.load(path) as arrays:
        return [arrays[f"arr_{at}"] for at in range(len(arrays.files))]
