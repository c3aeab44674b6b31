"""The ONNX model of a call between two convolutions, in NCHW as ONNX has them, for counting what the backend adds."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from opkg_onnxruntime import models
from opkg_onnxruntime.models import OPSET, Described, array, grid, number

PLAIN, TRANSPOSED = "as it stands", "between Transpose nodes"
TO_NHWC, TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)


def forms(case: Described, package: Any) -> tuple[str, ...]:
    """How the op can stand there: ops bound to NHWC between Transpose nodes only, others of one shape both ways."""
    op = package.OPS[case["op"]]
    if any(tensor.layout == "NHWC" for tensor in (*op.inputs, *op.outputs)):
        return (TRANSPOSED,)
    dims = {tuple(tensor["dims"]) for tensor in (*case["inputs"], *case["outputs"])}
    return (PLAIN, TRANSPOSED) if len(dims) == 1 else (PLAIN,)


def model(case: Described, package: Any, data: bytes, form: str) -> Any:
    """Convolution, op, convolution; without a form the convolutions alone. Where the result cannot be convolved the op stands
    last. The case's dimensions are the op's: those of the convolutions are in NCHW."""
    return _Writer(case, package, data, form).model()


class _Writer:
    def __init__(self, case: Described, package: Any, data: bytes, form: str) -> None:
        self.case, self.package, self.data, self.form = case, package, data, form
        self.first, self.output = case["inputs"][0], case["outputs"][0]
        self.turned = TRANSPOSED in forms(case, package) and form != PLAIN
        self.graph = helper.make_graph([], case["op"], [], [])
        self.count = 0

    def model(self) -> Any:
        follows = len(self.output["dims"]) == 4 and self.output["numpy"] == self.first["numpy"]
        last = self._input()
        last = self._conv(last, self.first)
        like = self.first
        if self.form:
            last, like = self._op(last), self.output
        if follows:
            last = self._conv(last, like)
        kind = onnx.TensorProto.FLOAT if "scale" in like else number(like)
        dims = self._nchw(like["dims"]) if self.turned or not self.form else list(like["dims"])
        self.graph.output.append(helper.make_tensor_value_info(last, kind, dims))
        opsets = [helper.make_opsetid("", OPSET)]
        return self.package.add_functions(helper.make_model(self.graph, opset_imports=opsets, ir_version=10))

    def _nchw(self, dims: Any) -> list[int]:
        """Of a tensor of the op, as convolutions have it."""
        bound = self.turned and len(dims) == 4
        return [dims[at] for at in TO_NCHW] if bound else list(dims)

    def _input(self) -> str:
        kind = onnx.TensorProto.FLOAT if "scale" in self.first else number(self.first)
        self.graph.input.append(helper.make_tensor_value_info("source", kind, self._nchw(self.first["dims"])))
        return self._stepped("source", self.first)

    def _stepped(self, name: str, like: Described) -> str:
        """A tensor behind QuantizeLinear and DequantizeLinear, where it is quantized."""
        if "scale" not in like:
            return name
        names = self._grid(like)
        self.graph.node.append(helper.make_node("QuantizeLinear", [name, *names], [f"{name}_q"]))
        self.graph.node.append(helper.make_node("DequantizeLinear", [f"{name}_q", *names], [f"{name}_d"]))
        return f"{name}_d"

    def _grid(self, like: Described) -> tuple[str, str]:
        names = f"{like['name']}_scale", f"{like['name']}_zero"
        if names[0] not in {tensor.name for tensor in self.graph.initializer}:
            grid(self.graph, like)
        return names

    def _conv(self, source: str, like: Described) -> str:
        """One element at a time, as many channels out as in, with weights of its own."""
        self.count += 1
        channels = self._nchw(like["dims"])[1]
        values = np.arange(channels * channels).reshape(channels, channels, 1, 1) % 113 + self.count
        weights = f"weights{self.count}"
        if "scale" in like:
            self._constant(f"{weights}_q", values.astype(np.uint8))
            self._constant(f"{weights}_s", np.float32(1 / 256))
            self._constant(f"{weights}_z", np.uint8(128))
            parts = [f"{weights}_{part}" for part in "qsz"]
            self.graph.node.append(helper.make_node("DequantizeLinear", parts, [weights]))
        else:
            self._constant(weights, (values / 128 / channels).astype(like["numpy"]))
        made = f"convolved{self.count}"
        self.graph.node.append(helper.make_node("Conv", [source, weights], [made], made))
        return self._stepped(made, like)

    def _constant(self, name: str, value: Any) -> None:
        self.graph.initializer.append(numpy_helper.from_array(np.asarray(value), name))

    def _op(self, source: str) -> str:
        """Inputs of the first one's shape and type are the tensor before; others hold constants."""
        op = self.package.OPS[self.case["op"]]
        bound = self.form == TRANSPOSED and any(tensor.layout == "NHWC" for tensor in op.inputs)
        wrapped = self.form == TRANSPOSED and not bound
        inner = self._transposed(source, TO_NHWC, self.first) if wrapped else source
        grids = {source: self._grid(self.first)} if "scale" in self.first else {}
        names = []
        for tensor in self.case["inputs"]:
            same = (tensor["dims"], tensor["numpy"]) == (self.first["dims"], self.first["numpy"])
            names.append(inner if same else self._held(tensor))
        made = [f"made_{tensor['name']}" for tensor in self.case["outputs"]]
        grids |= {name: self._grid(t) for name, t in zip(made, self.case["outputs"], strict=True) if "scale" in t}
        params = models.params(self.case, self.package)
        layout = "NCHW" if bound else ""
        self.package.make_node(self.case["op"], names, made, layout=layout, grids=grids, **params).add_to(self.graph)
        # An output without QuantizeLinear would be of mixed types with the others, which the package refuses.
        result, *_ = map(self._stepped, made, self.case["outputs"])
        return self._transposed(result, TO_NCHW, self.output) if wrapped else result

    def _held(self, tensor: Described) -> str:
        name = str(tensor["name"])
        self._constant(f"{name}_held", array(tensor, self.data))
        if "scale" not in tensor:
            return f"{name}_held"
        names = self._grid(tensor)
        self.graph.node.append(helper.make_node("DequantizeLinear", [f"{name}_held", *names], [f"{name}_real"]))
        return f"{name}_real"

    def _transposed(self, source: str, order: tuple[int, ...], like: Described) -> str:
        made = f"{source}_turned"
        self.graph.node.append(helper.make_node("Transpose", [source], [made], perm=order))
        return self._stepped(made, like)
