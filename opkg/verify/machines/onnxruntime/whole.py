"""A whole ONNX model by ONNX Runtime's QNN provider on HTP, as it was and with the ops of a package: what came of both runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opkg.spec.model import OpPackage
from opkg.verify.machines import build, whole_process
from opkg.verify.machines.executorch import observer
from opkg.verify.machines.onnxruntime.column import variables

TIMEOUT = 600.0  # seconds for both runs


@dataclass(frozen=True, slots=True)
class WholeRun:
    """One run. `fault`: what stopped it; else nodes on the HTP and elsewhere, and outputs by name; with the package: its nodes
    that ran there and those that did not, and calls of its kernels."""

    fault: str = ""
    htp: int = 0
    elsewhere: int = 0
    outputs: Mapping[str, Any] = field(default_factory=dict)
    placed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    kernels: Mapping[str, int] = field(default_factory=dict)


def run(
    root: Path, package: OpPackage, before: bytes, after: bytes, inputs: Mapping[str, Any], timeout: float = TIMEOUT
) -> tuple[WholeRun, WholeRun]:
    """Both models, in a process of their own; files are kept in build/whole. Raises MissingTool without a compiler."""
    import numpy as np

    root = root.resolve()
    built = build.build(root, package, "qhpi")
    if built.library is None:
        fault = "; ".join(finding.message for finding in built.findings) or "the package was not built"
        return WholeRun(fault), WholeRun(fault)
    folder = root / "build" / "whole"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("whole.json", "before.npz", "after.npz"):
        (folder / name).unlink(missing_ok=True)
    models = {"before": before, "after": after}
    for name, data in models.items():
        (folder / f"{name}.onnx").write_bytes(data)
    np.savez(folder / "inputs.npz", **inputs)
    request = {
        **{name: str(folder / f"{name}.onnx") for name in models}, "module": f"{package.cpp_namespace}_onnxruntime",
        "library": str(built.library.resolve()), "observer": str(observer.library(root)),
        "inputs": str(folder / "inputs.npz"), "folder": str(folder),
    }  # fmt: skip
    (folder / "request.json").write_text(json.dumps(request), "utf-8")
    command = [sys.executable, "-P", "-m", "opkg_onnxruntime.run_whole", str(folder / "request.json")]
    died = whole_process.ended(command, variables(root, package), folder / "whole.log", timeout)
    found = json.loads((folder / "whole.json").read_text("utf-8")) if (folder / "whole.json").is_file() else {}
    return _made(found, "before", folder, died), _made(found, "after", folder, died)


def _made(found: Mapping[str, Any], side: str, folder: Path, died: str) -> WholeRun:
    import numpy as np

    facts = found.get(side, {"fault": died})
    if "fault" in facts:
        return WholeRun(facts["fault"])
    with np.load(folder / f"{side}.npz") as arrays:
        outputs = {name: arrays[f"arr_{at}"] for at, name in enumerate(facts["outputs"])}
    return WholeRun(
        "", facts["htp"], facts["elsewhere_count"], outputs, tuple(facts.get("placed", ())),
        tuple(facts.get("elsewhere", ())), facts.get("kernels", {}),
    )  # fmt: skip
