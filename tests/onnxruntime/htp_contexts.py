"""Counts the records of contexts that ONNX Runtime's QNN provider prepares: KIND TYPE TAIL...; prints them as JSON by tail."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import onnxruntime_qnn
from onnx import helper, numpy_helper

from opkg.verify.machines.context import is_bookkeeping, records


class Maker:
    """Nodes and constants of a model in floats, or in QDQ form."""

    def __init__(self, dtype: str) -> None:
        self.random = np.random.default_rng(0)
        self.stored = np.dtype(dtype)
        self.real = np.dtype("float32" if self.stored.kind == "u" else dtype)
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, value: Any) -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def weight(self, name: str, *shape: int) -> str:
        value = self.random.standard_normal(shape) / 10
        if self.stored.kind == "f":
            return self.constant(name, value.astype(self.real))
        scale = np.abs(value).max() / 127
        whole = np.clip(np.rint(value / scale) + 128, 0, 255).astype("uint8")
        parts = [
            self.constant(f"{name}_{k}", v) for k, v in (("q", whole), ("s", np.float32(scale)), ("z", np.uint8(128)))
        ]
        self.nodes.append(helper.make_node("DequantizeLinear", parts, [name]))
        return name

    def grid(self, name: str, low: float, high: float) -> str:
        """The tensor behind a pair of steps; itself in floats."""
        if self.stored.kind == "f":
            return name
        top = np.iinfo(self.stored).max
        zero = round(-low / (high - low) * top)
        grid = [
            self.constant(f"{name}_s", np.float32((high - low) / top)),
            self.constant(f"{name}_z", self.stored.type(zero)),
        ]
        self.nodes.append(helper.make_node("QuantizeLinear", [name, *grid], [f"{name}_q"]))
        self.nodes.append(helper.make_node("DequantizeLinear", [f"{name}_q", *grid], [f"{name}_d"]))
        return f"{name}_d"


def model(kind: str, dtype: str, tail: str) -> Any:
    """One op, and `tail` behind it."""
    m = Maker(dtype)
    conv = kind == "Conv"
    shape = [1, 32, 16, 16] if conv else [1, 64, 64]
    weight = m.weight("w", *((32, 32, 3, 3) if conv else (64, 64)))
    x = m.grid("x", -3.0, 3.0)
    m.nodes.append(helper.make_node(kind, [x, weight], ["c"], **({"pads": [1] * 4} if conv else {})))
    last = "c"
    low, high = (0.0, 6.0) if tail in ("Relu", "Clip") else (-4.0, 4.0)
    if tail:
        inputs = [m.grid("c", -4.0, 4.0)]
        if tail == "Clip":
            inputs += [m.constant("low", m.real.type(0)), m.constant("high", m.real.type(6))]
        if tail == "bias":
            inputs.append(m.weight("b", *((32, 1, 1) if conv else (64,))))
        m.nodes.append(helper.make_node("Add" if tail == "bias" else tail, inputs, ["y"]))
        last = "y"
    last = m.grid(last, low, high)
    kind_ = helper.np_dtype_to_tensor_dtype(m.real)
    ends = [helper.make_tensor_value_info(name, kind_, shape) for name in ("x", last)]
    graph = helper.make_graph(m.nodes, "g", ends[:1], ends[1:], m.constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def count(proto: Any) -> int:
    """The records of its context that compute or move something."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "context.onnx"
        options = ort.SessionOptions()
        options.log_severity_level = 4
        for key, value in (("enable", "1"), ("file_path", str(path)), ("embed_mode", "1")):
            options.add_session_config_entry(f"ep.context_{key}", value)
        device = next(each for each in ort.get_ep_devices() if each.ep_vendor == "Qualcomm")
        options.add_provider_for_devices([device], {"backend_path": onnxruntime_qnn.get_qnn_htp_path()})
        ort.InferenceSession(proto.SerializeToString(), options)
        (node,) = (node for node in onnx.load(path).graph.node if node.op_type == "EPContext")
        binary = next(attribute.s for attribute in node.attribute if attribute.name == "ep_cache_context")
    return sum(number for name, number in records(binary).items() if not is_bookkeeping(name))


if __name__ == "__main__":
    ort.register_execution_provider_library("QNNExecutionProvider", onnxruntime_qnn.get_library_path())
    print(json.dumps({tail: count(model(sys.argv[1], sys.argv[2], tail)) for tail in sys.argv[3:]}))
