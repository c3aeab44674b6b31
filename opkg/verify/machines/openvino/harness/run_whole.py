"""Runs a model of OpenVINO as it was and with a package's ops on the CPU device: a process of its own.

Reads the file that its only argument names: paths of both models, of the library with the ops and of the inputs. Both are
inferred with these, and once more with each input's first dimension twice as long, where the model as it was takes that.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov

_CONFIG = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": "1", "NUM_STREAMS": "1"}


def main(path: str) -> None:
    request = json.loads(Path(path).read_text("utf-8"))
    folder = Path(request["folder"])
    with np.load(folder / "inputs.npz") as arrays:
        inputs = [arrays[f"arr_{at}"] for at in range(len(arrays.files))]
    found: dict[str, Any] = {}
    for side in ("before", "after"):
        core = ov.Core()
        if side == "after":
            core.add_extension(request["library"])
        model = core.read_model(request[side])
        if [list(port.partial_shape.to_shape()) for port in model.inputs] != [list(value.shape) for value in inputs]:
            raise SystemExit(f"the inputs of the model {side} have other shapes")
        compiled, outputs = _inferred(core, model, inputs)
        np.savez(folder / f"{side}.npz", *outputs)
        nodes = [node.get_rt_info() for node in compiled.get_runtime_model().get_ops()]
        kinds = [str(info["layerType"].astype(str)) for info in nodes if "layerType" in info]
        found[side] = {
            "operators": sum(kind not in ("Input", "Output", "Const") for kind in kinds),
            "ops": sum(node.get_type_info().version_id == request["opset"] for node in model.get_ops()),
        }
        wider = _wider(core, request[side], inputs, found, side)
        if wider is not None:
            np.savez(folder / f"{side}_wider.npz", *wider)
    (folder / "whole.json").write_text(json.dumps(found), "utf-8")


def _inferred(core: ov.Core, model: ov.Model, inputs: list[Any]) -> tuple[Any, list[Any]]:
    compiled = core.compile_model(model, "CPU", _CONFIG)
    results = compiled(inputs)
    return compiled, [results[at].copy() for at in range(len(compiled.outputs))]


def _wider(core: ov.Core, path: str, inputs: list[Any], found: dict[str, Any], side: str) -> list[Any] | None:
    """The outputs for inputs that are twice as long; None when the model as it was does not take these."""
    if side == "after" and not found["before"]["wider"]:
        return None
    doubled = [
        np.concatenate([value, value[::-1] * value.dtype.type(0.5)]) if value.ndim else value for value in inputs
    ]
    model = core.read_model(path)
    try:
        model.reshape({at: list(value.shape) for at, value in enumerate(doubled)})
        outputs = _inferred(core, model, doubled)[1]
    except RuntimeError:
        if side == "after":
            raise
        found[side]["wider"] = False
        return None
    found[side]["wider"] = True
    return outputs


if __name__ == "__main__":
    main(sys.argv[1])
