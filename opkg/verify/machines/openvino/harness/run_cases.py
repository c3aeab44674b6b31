"""Runs cases inside OpenVINO, on its CPU device: a process of its own.

Reads what opkg/verify/machines/openvino/calls.py writes. A model is read with its dimensions unknown, given the case's shapes,
written, read again, and inferred three times: with the case's data, with other data, with the case's again. The model whose
dimensions are unknown is then inferred with the case's data, too. A case of what an op's pattern stands for is run once more as
that graph, into which the library's pass puts the op.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import openvino as ov

sys.path.insert(0, str(Path(__file__).resolve().parents[5]))  # isolated: Python does not look there itself

from opkg.verify.machines.harness.records import Failed, arguments, loaded, run_all
from opkg.verify.machines.openvino.harness.fusions import Fusions, fusions_of

_CONFIG = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}


def _core(library: str) -> ov.Core:
    core = ov.Core()
    core.add_extension(library)
    return core


def _stage(stage: str, action: Callable[[], Any]) -> Any:
    """What an action gives; Failed with OpenVINO's last words when it raises."""
    try:
        return action()
    except RuntimeError as failure:
        lines = [line.strip() for line in str(failure).splitlines() if line.strip()]
        raise Failed(stage, 0, lines[-1] if lines else "OpenVINO did not say why") from failure


def _array(tensor: dict[str, Any], data: bytes, key: str) -> Any:
    kind = np.dtype(tensor["type"])
    count = int(np.prod(tensor["dims"], dtype=np.int64))
    return np.frombuffer(data, kind, count, tensor[key]).reshape(tensor["dims"]).copy()


def _shapes(model: ov.Model, case: dict[str, Any]) -> None:
    """Gives a model the case's shapes; Failed when its outputs are not what the case says."""
    shapes = {tensor["name"]: tensor["dims"] for tensor in case["inputs"]}
    if shapes:
        _stage("prepare", lambda: model.reshape(shapes))
    for port, tensor in zip(model.outputs, case["outputs"], strict=True):
        shape = port.partial_shape
        dims = list(shape.to_shape()) if shape.is_static else str(shape)
        if dims != tensor["dims"]:
            raise Failed("prepare", 0, f"{tensor['name']} has shape {dims}, expected {tensor['dims']}")


def _infer(compiled: ov.CompiledModel, case: dict[str, Any], data: bytes, key: str) -> list[bytes]:
    """The bytes of the outputs."""
    request = compiled.create_infer_request()
    for port, tensor in zip(compiled.inputs, case["inputs"], strict=True):
        array = _array(tensor, data, key)
        held = port.element_type.to_dtype()
        if held != array.dtype:
            raise Failed("prepare", 0, f"{tensor['name']} has type {held}, expected {array.dtype}")
        request.set_tensor(port, ov.Tensor(array))
    _stage("execute", request.infer)
    found = []
    for port, tensor in zip(compiled.outputs, case["outputs"], strict=True):
        array = request.get_tensor(port).data
        if array.dtype != np.dtype(tensor["type"]) or list(array.shape) != tensor["dims"]:
            raise Failed(
                "execute",
                0,
                f"{tensor['name']} is {array.dtype} {list(array.shape)}, expected {tensor['type']} {tensor['dims']}",
            )
        found.append(array.tobytes())
    return found


def _calls(core: ov.Core, case: dict[str, Any], data: bytes) -> dict[str, Any]:
    """Outputs of the first and of the third call, and the microseconds of the first."""
    model = _stage("load", lambda: core.read_model(case["model"]))
    dynamic = model.clone()
    _shapes(model, case)
    again = case["model"].removesuffix(".xml") + ".again.xml"
    _stage("save", lambda: ov.serialize(model, again))
    model = _stage("load", lambda: core.read_model(again))
    _shapes(model, case)
    compiled = _stage("finalize", lambda: core.compile_model(model, "CPU", _CONFIG))
    begun = time.perf_counter_ns()
    first = _infer(compiled, case, data, "offset")
    took = (time.perf_counter_ns() - begun) // 1000
    if case["inputs"]:
        _infer(compiled, case, data, "other")
    third = _infer(compiled, case, data, "offset")
    if case["inputs"] and case["dynamic"]:
        compiled = _stage("finalize", lambda: core.compile_model(dynamic, "CPU", _CONFIG))
        if _infer(compiled, case, data, "offset") != first:
            raise Failed("execute", 0, "the model with unknown dimensions gives other numbers")
    return {"first": first, "third": third, "us": took}


def _run(core: ov.Core, fusions: Fusions | None, case: dict[str, Any], data: bytes) -> dict[str, Any]:
    """The record of a case, with its outputs as bytes."""
    record: dict[str, Any] = {"status": "ok", "stage": "execute", "code": 0, "message": ""}
    try:
        record |= _calls(core, case, data)
        if fusions is not None and fusions.has(case["fused"]):
            path = fusions.fuse(case)
            compiled = _stage("finalize", lambda: core.compile_model(core.read_model(path), "CPU", _CONFIG))
            if _infer(compiled, case, data, "offset") != [bytes(raw) for raw in record["first"]]:
                raise Failed("execute", 0, "what the pass made of the pattern gives other numbers than the op")
    except Failed as failed:
        record |= {"status": failed.status, "stage": failed.stage, "code": failed.code, "message": failed.message}
    return record


def main() -> None:
    given = arguments(("library", "namespace", "python"))
    core = loaded(_core, given.results, given.library)
    fusions = loaded(fusions_of, given.results, given.library, given.namespace, given.python)

    def prepare(results: TextIO) -> Callable[[int, dict[str, Any], bytes], dict[str, Any]]:
        return lambda index, case, data: _run(core, fusions, case, data)

    run_all(given, prepare)
    sys.stdout.flush()
    os._exit(0)  # whatever order libraries are unloaded in


if __name__ == "__main__":
    main()
