"""Models for the tests of fused ops: ONNX files made by code with fixed seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper


class Maker:
    """Nodes and constants; every result gets the name of its node."""

    def __init__(self, opset: int = 18) -> None:
        self.random = np.random.default_rng(0)
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []
        self.opset = opset

    def input(self, name: str, *shape: int | str) -> str:
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        return name

    def constant(self, name: str, value: Any, kind: str = "float32") -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(value, kind), name))
        return name

    def weight(self, name: str, *shape: int) -> str:
        return self.constant(name, self.random.standard_normal(shape) / np.sqrt(shape[0]))

    def op(self, kind: str, name: str, *inputs: str, **attributes: Any) -> str:
        result = f"{name}_output_0"
        self.nodes.append(helper.make_node(kind, inputs, [result], name, **attributes))
        return result

    def model(self, name: str, outputs: Sequence[str]) -> Any:
        results = [helper.make_tensor_value_info(each, TensorProto.FLOAT, None) for each in outputs]
        graph = helper.make_graph(self.nodes, name, self.inputs, results, self.constants)
        opsets = [helper.make_opsetid("", self.opset)]
        from onnx import shape_inference

        return shape_inference.infer_shapes(helper.make_model(graph, opset_imports=opsets, ir_version=8))


def mlp(blocks: int = 3, scales: Sequence[float] = (0.5, 0.5, 0.5)) -> Any:
    """MatMul, GELU by its ops, MatMul, some times; the last factor of each GELU as given."""
    m = Maker(17)
    x = m.input("x", 1, 17, 64)
    for number in range(blocks):
        path = f"/layers.{number}/act"
        h = m.op("MatMul", f"/layers.{number}/up/MatMul", x, m.weight(f"layers.{number}.up", 64, 128))
        d = m.op("Div", f"{path}/Div", h, m.constant(f"{path}/root", np.sqrt(2.0)))
        e = m.op("Add", f"{path}/Add", m.op("Erf", f"{path}/Erf", d), m.constant(f"{path}/one", 1.0))
        operands = (h, e) if number % 2 else (e, h)  # the same op
        p = m.op("Mul", f"{path}/Mul", *operands)
        g = m.op("Mul", f"{path}/Mul_1", p, m.constant(f"{path}/factor", scales[number]))
        x = m.op("MatMul", f"/layers.{number}/down/MatMul", g, m.weight(f"layers.{number}.down", 128, 64))
    return m.model("mlp", [x])
