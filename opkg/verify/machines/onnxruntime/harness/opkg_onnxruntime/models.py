"""The ONNX model of one call: quantized tensors between DequantizeLinear and QuantizeLinear, constants where the spec says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

OPSET = 21  # the first whose QuantizeLinear knows 16 bits
Described = Mapping[str, Any]


def array(tensor: Described, data: bytes) -> Any:
    """The stored numbers of an input."""
    raw = np.frombuffer(data, np.dtype(tensor["numpy"]), offset=tensor["offset"], count=int(np.prod(tensor["dims"])))
    return raw.reshape(tensor["dims"])


def number(tensor: Described) -> int:
    """Its TensorProto.DataType."""
    return int(helper.np_dtype_to_tensor_dtype(np.dtype(tensor["numpy"])))


def model(case: Described, package: Any, data: bytes) -> Any:
    """The model of a case, with the package's functions."""
    graph = helper.make_graph([], case["op"], [], [])
    inner = []
    for tensor in case["inputs"]:
        if tensor["static"]:
            graph.initializer.append(numpy_helper.from_array(array(tensor, data), tensor["name"]))
        else:
            graph.input.append(helper.make_tensor_value_info(tensor["name"], number(tensor), tensor["dims"]))
        inner.append(_real(graph, tensor) if "scale" in tensor else tensor["name"])
    outputs = [f"{t['name']}_real" if "scale" in t else t["name"] for t in case["outputs"]]
    values = params(case, package)
    inferred = bool(package.OPS[case["op"]].functions)
    package.make_node(case["op"], inner, outputs, name=f"node_{case['op']}", **values).add_to(graph)
    for tensor, output in zip(case["outputs"], outputs, strict=True):
        # What reduces all dimensions gives [1] in specs and, in functions, a number, which the model's shape inference tells.
        dims = None if inferred and tensor["dims"] == [1] else tensor["dims"]
        if "scale" in tensor:
            grid(graph, tensor)
            nodes = [output, f"{tensor['name']}_scale", f"{tensor['name']}_zero"]
            graph.node.append(helper.make_node("QuantizeLinear", nodes, [tensor["name"]]))
            graph.value_info.append(helper.make_tensor_value_info(output, onnx.TensorProto.FLOAT, dims))
        graph.output.append(helper.make_tensor_value_info(tensor["name"], number(tensor), dims))
    return package.add_functions(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    )


def params(case: Described, package: Any) -> dict[str, Any]:
    """Values of the params; constants behind the inputs have their dimensions."""
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in case["params"].items()}
    if not package.OPS[case["op"]].as_inputs:
        return values
    return {n: np.reshape(v, case["shapes"][n]).tolist() if isinstance(v, tuple) else v for n, v in values.items()}


def _real(graph: Any, tensor: Described) -> str:
    """What a quantized input stands for."""
    name = str(tensor["name"])
    grid(graph, tensor)
    made = helper.make_node("DequantizeLinear", [name, f"{name}_scale", f"{name}_zero"], [f"{name}_real"])
    graph.node.append(made)
    return f"{name}_real"


def grid(graph: Any, tensor: Described) -> None:
    """The scale and the zero point of a tensor as constants."""
    name = tensor["name"]
    graph.initializer.append(numpy_helper.from_array(np.asarray(tensor["scale"], np.float32), f"{name}_scale"))
    zero = np.asarray(tensor["zero"], np.dtype(tensor["numpy"]))
    graph.initializer.append(numpy_helper.from_array(zero, f"{name}_zero"))
