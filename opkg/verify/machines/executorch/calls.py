"""Writes cases for opkg_executorch.run_cases: JSON that describes the calls, and their numbers as float64."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from opkg.spec.model import OpPackage
from opkg.spec.names import snake
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.machines.executorch.packages import module_name
from opkg.verify.machines.executorch.plan import Planned
from opkg.verify.meaning.numbers import decode


def torch_name(package: OpPackage, case: Case) -> str:
    """The op of torch: `nn_math.softmax.default`."""
    return f"{package.cpp_namespace}.{snake(case.op.name)}.default"


def write(
    planned: Sequence[Planned], package: OpPackage, library: Path, observer: Path, cases: Path, data: Path
) -> None:
    """Writes both files."""
    content = bytearray()
    described = {
        "module": module_name(package.cpp_namespace),
        "library": str(library),
        "observer": str(observer),
        "data": str(data),
        "cases": [_case(each, package, content) for each in planned],
    }
    data.write_bytes(content)
    cases.write_text(json.dumps(described), encoding="utf-8")


def _case(planned: Planned, package: OpPackage, content: bytearray) -> dict[str, object]:
    case = planned.case
    return {
        "id": case.id,
        "op": case.op.name,
        "torch": torch_name(package, case),
        "kernels": f"{package.name}::{case.op.name}/",
        "mode": planned.mode,
        "around": planned.around,
        "outputs": [tensor.name for tensor in case.outputs],
        "arguments": _arguments(case, content),
    }


def _arguments(case: Case, content: bytearray) -> list[dict[str, object]]:
    """Inputs, then params; what is absent or left to its default is not an argument."""
    found: list[dict[str, object]] = []
    for spec in case.op.inputs:
        tensors = [tensor for tensor in case.inputs if tensor.spec is spec and not tensor.absent]
        if tensors:
            found.append({
                "name": spec.name,
                "tensors": [_tensor(tensor, content) for tensor in tensors],
                "constant": spec.static,
                "variadic": spec.variadic is not None,
            })  # fmt: skip
    for param in case.params:
        if param.given:
            value = list(param.value) if isinstance(param.value, tuple) else param.value
            found.append({"name": param.spec.name, "value": value})
    return found


def _tensor(tensor: CaseTensor, content: bytearray) -> dict[str, object]:
    assert tensor.stored is not None
    real = decode(tensor.stored, tensor.dtype, tensor.quant).astype(np.float64)
    start = len(content)
    content += np.ascontiguousarray(real).astype("<f8").tobytes()
    dtype = "float32" if tensor.dtype.quantized else tensor.dtype.name
    return {"dtype": dtype, "shape": list(tensor.shape), "offset": start}
