"""Writes cases for the process that runs them in ONNX Runtime: one JSON file with all calls, one file of their data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from opkg.spec.model import OpPackage
from opkg.verify.cases.call_params import call_params
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.meaning.numbers import storage


def write(
    cases: Sequence[Case], package: OpPackage, library: Path, observer: Path, calls: Path, data: Path,
    around: Mapping[tuple[str, str], Case],
) -> None:  # fmt: skip
    """`calls`: what the process reads; the first case of each combination is also prepared ahead of time. `around`: the calls
    that stand between convolutions, by op and combination."""
    records, seen = [], set()
    with data.open("wb") as file:
        for case in cases:
            key = (case.op.name, str(case.combination))
            record = {**_described(case, file), "context": key not in seen, "kernels": _prefix(package, case)}
            if key not in seen and key in around:
                record["around"] = _described(around[key], file)
            records.append(record)
            seen.add(key)
    described = {
        "module": f"{package.cpp_namespace}_onnxruntime",
        "package": package.name,
        "library": str(library.resolve()),
        "observer": str(observer),
        "data": str(data),
        "cases": records,
    }
    calls.write_text(json.dumps(described), encoding="utf-8")


def _prefix(package: OpPackage, case: Case) -> str:
    return f"{package.name}::{case.op.name}/"


def _described(case: Case, file: BinaryIO) -> dict[str, Any]:
    return {
        "id": case.id,
        "op": case.op.name,
        "inputs": [_tensor(tensor, file) for tensor in case.inputs if not tensor.absent],
        "outputs": [_tensor(tensor, file) for tensor in case.outputs],
        "params": {param.spec.name: param.value for param in call_params(case)},
        "shapes": {param.spec.name: param.shape for param in case.params},
    }


def _tensor(tensor: CaseTensor, file: BinaryIO) -> dict[str, Any]:
    record: dict[str, Any] = {
        "name": tensor.name,
        "dims": list(tensor.shape),
        "numpy": "bool" if tensor.dtype.name == "bool8" else str(storage(tensor.dtype)),
        "static": tensor.spec.static,
    }
    if tensor.dtype.quantized and tensor.quant is not None:
        record["scale"], record["zero"] = tensor.quant.scale, -tensor.quant.offset
    if tensor.stored is not None:
        record["offset"] = file.tell()
        record["size"] = file.write(np.ascontiguousarray(tensor.stored).tobytes())
    return record
