"""Writes cases for the process that runs them in OpenVINO: a model for each, one file of data, one list of calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from opkg.spec.dtypes import Kind
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.machines.openvino import ir
from opkg.verify.machines.openvino.holding import TYPES
from opkg.verify.machines.separate import written

DYNAMIC = 3  # every third case is run with unknown dimensions, too


def attributes(case: Case) -> dict[str, ir.Value]:
    """What the op's attributes are; those that the case leaves out are not written."""
    found = {p.spec.name: _value(p) for p in case.params if p.given}
    for tensor in case.tensors:
        if tensor.quant is not None and not tensor.absent:
            found[f"{tensor.spec.name}_scale"] = float(np.float32(tensor.quant.scale))
            found[f"{tensor.spec.name}_zero_point"] = -tensor.quant.offset
    return found


def _value(param: CaseParam) -> ir.Value:
    kind = {Kind.FLOAT: float, Kind.BOOL: bool}.get(param.spec.dtype.kind, int)
    if isinstance(param.value, tuple):
        return [kind(each) for each in param.value]
    return kind(param.value)


def model(case: Case, opset: str) -> tuple[str, bytes]:
    """The case as a model whose dimensions are unknown; inputs that are `static` in the spec are its constants."""
    given = [_tensor(tensor) for tensor in case.inputs if not tensor.absent]
    return ir.model(case.op.name, opset, attributes(case), given, [_tensor(tensor) for tensor in case.outputs])


def _tensor(tensor: CaseTensor) -> ir.Tensor:
    held = TYPES[tensor.dtype.name]
    if tensor.spec.static and tensor.stored is not None:
        return ir.Tensor(tensor.name, held, tensor.shape, np.ascontiguousarray(tensor.stored).tobytes())
    return ir.Tensor(tensor.name, held, (-1,) * len(tensor.shape))


def write(cases: Sequence[Case], opset: str, models: Path, calls: Path, data: Path) -> None:
    """Everything for a run: two files in `models` for each case, and the files `calls` and `data`."""
    models.mkdir(parents=True, exist_ok=True)
    records = []
    with data.open("wb") as file:
        for number, case in enumerate(cases):
            path = models / f"{number:04d}.xml"
            text, constants = model(case, opset)
            path.write_text(text, encoding="utf-8")
            path.with_suffix(".bin").write_bytes(constants)
            inputs = written(case, file, _described)
            outputs = [_described(tensor) for tensor in case.outputs]
            records.append(
                {
                    "name": case.id,
                    "op": case.op.name,
                    "model": str(path),
                    "inputs": inputs,
                    "outputs": outputs,
                    "dynamic": number % DYNAMIC == 0,
                    "fused": case.op.identifier if as_its_pattern(case) else "",
                }
            )
    calls.write_text(json.dumps(records), encoding="utf-8")


def as_its_pattern(case: Case) -> bool:
    """Whether a case is a call of what the op's `pattern:` stands for: of reals, with all inputs, params as they are when
    nothing is said."""
    if case.op.pattern is None or not all(param.value == param.spec.default for param in case.params if param.given):
        return False
    plain = all(not t.absent and not t.spec.static and t.dtype.name in ("float32", "float16") for t in case.inputs)
    return plain and len(case.outputs) == 1


def _described(tensor: CaseTensor) -> dict[str, Any]:
    return {"name": tensor.name, "type": tensor.dtype.numpy, "dims": list(tensor.shape)}
