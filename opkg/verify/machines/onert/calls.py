"""Writes cases for the process that runs them in onert: an nnpackage for each, one file of data, one list of calls.

An nnpackage is a folder: `metadata/MANIFEST` (JSON) names the model files. The runtime gives kernels to models in packages
only; a bare .circle with a custom operator ends it in nnfw_prepare (measured).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.machines.onert import circle, options
from opkg.verify.machines.onert.holding import TYPES
from opkg.verify.machines.separate import written

MODEL = "model.circle"
_MANIFEST = {
    "major-version": "1", "minor-version": "2", "patch-version": "0", "configs": [], "models": [MODEL],
    "model-types": ["circle"],
}  # fmt: skip


def graph(case: Case) -> circle.Graph:
    """The case as a model: inputs that are `static` in the spec are constants of it."""
    given = [tensor for tensor in case.inputs if not tensor.absent]
    tensors = tuple(_tensor(tensor) for tensor in (*given, *case.outputs))
    inputs, outputs = tuple(range(len(given))), tuple(range(len(given), len(tensors)))
    return circle.Graph(case.op.name, tensors, inputs, outputs, options.of_case(case))


def _tensor(tensor: CaseTensor) -> circle.Tensor:
    data = None
    if tensor.spec.static and tensor.stored is not None:
        data = np.ascontiguousarray(tensor.stored).tobytes()
    return circle.Tensor(tensor.name, tensor.dtype.name, tensor.shape, tensor.quant, data)


def write_package(folder: Path, model: bytes) -> None:
    """An nnpackage with one model."""
    (folder / "metadata").mkdir(parents=True, exist_ok=True)
    (folder / "metadata" / "MANIFEST").write_text(json.dumps(_MANIFEST, indent=2) + "\n", encoding="utf-8")
    (folder / MODEL).write_bytes(model)


def write(cases: Sequence[Case], packages: Path, calls: Path, data: Path) -> None:
    """Everything for a run: one folder in `packages` for each case, and the files `calls` and `data`."""
    records = []
    with data.open("wb") as file:
        for number, case in enumerate(cases):
            folder = packages / f"{number:04d}"
            write_package(folder, circle.model(graph(case)))
            inputs = written(case, file, _described)
            outputs = [_described(tensor) for tensor in case.outputs]
            operands = [{"name": tensor.name} for tensor in case.inputs if not tensor.absent]
            record: dict[str, Any] = {"name": case.id, "op": case.op.name, "package": str(folder)}
            record |= {"operands": operands, "inputs": inputs, "outputs": outputs}
            records.append(record)
    calls.write_text(json.dumps(records), encoding="utf-8")


def _described(tensor: CaseTensor) -> dict[str, Any]:
    size = tensor.elements * tensor.dtype.bytes
    return {"name": tensor.name, "type": TYPES[tensor.dtype.name], "dims": list(tensor.shape), "size": size}
