"""ONNX files as graphs, through the `onnx` package (extra `onnx`).

Shapes come from the file and onnx's shape inference. Initialisers and Constant nodes become `$Const`, attributes constant
inputs after the tensors, QuantizeLinear with one scale the quantization of its output. Ops get the names of QNN's core ops
where they have one (`onnx_ops`), else `onnx::Name` or `DOMAIN::Name`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from opkg.rules.core import HtpType
from opkg.rules.sim.data import Array, Listed
from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE, Graph, Output
from opkg.rules.sim.onnx_ops import FOUR_DIMENSIONS, OPS, RESHAPES
from opkg.spec.diagnostics import Diagnostic, MissingTool, Severity, Span, error

LEAST_OPSET = 13
# TensorProto.DataType -> HTP's type; integers of 8 and 16 bits are quantized with step 1.
_TYPES = {
    1: HtpType.Float32, 2: HtpType.QUInt8, 3: HtpType.QInt8, 4: HtpType.QUInt16, 5: HtpType.QInt16, 6: HtpType.Int32,
    7: HtpType.Int64, 9: HtpType.QUInt8, 10: HtpType.Float16, 11: HtpType.Float32, 12: HtpType.Int32,
    13: HtpType.Int64, 16: HtpType.BFloat16,
}  # fmt: skip
_GRAPH_ATTRIBUTES = (5, 10)  # AttributeProto.GRAPH, GRAPHS


def read_onnx(path: str, dims: Mapping[str, int] | None = None) -> tuple[Graph | None, tuple[Diagnostic, ...]]:
    """The graph of an ONNX file; `dims`: sizes of named dimensions. Raises MissingTool without the `onnx` package."""
    try:
        import onnx
    except ImportError:
        hint = "install it: pip install 'opkg[onnx]'"
        raise MissingTool([error("OPK586", "reading ONNX files needs the package onnx", Span(path), hint)]) from None
    try:
        model = onnx.load(path)
    except Exception as failure:  # protobuf's and onnx's own, also of external data
        return None, (error("OPK586", f"not an ONNX model: {_first_line(failure)}", Span(path)),)
    if not model.HasField("graph"):
        return None, (error("OPK586", "not an ONNX model: there is no graph in it", Span(path)),)
    return of_model(model, path, dims)


def of_model(
    model: Any, path: str = "<model>", dims: Mapping[str, int] | None = None
) -> tuple[Graph | None, tuple[Diagnostic, ...]]:
    """The graph of a model in memory (an onnx ModelProto, which is not changed)."""
    reader = _Reader(path, dims or {})
    reader.model(model)
    broken = any(finding.is_error for finding in reader.findings)
    return (None if broken else reader.graph), tuple(reader.findings)


def _with_sizes(model: Any, dims: Mapping[str, int]) -> Any:
    """A copy of the model in which named dimensions of the inputs have sizes, so that shapes follow from them."""
    copy = type(model)()
    copy.CopyFrom(model)
    for value in copy.graph.input:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param in dims:
                dim.dim_value = dims[dim.dim_param]
    return copy


def _first_line(failure: Exception) -> str:
    return (str(failure).strip().splitlines() or [type(failure).__name__])[0][:200]


class _Reader:
    def __init__(self, path: str, dims: Mapping[str, int]) -> None:
        self.graph = Graph()
        self.findings: list[Diagnostic] = []
        self._path, self._dims = path, dims
        self._ids: dict[str, int] = {"": -1}
        self._outputs: dict[str, Output] = {}
        self._open: dict[str, str] = {}  # tensor -> its dimension that has no size

    def _wrong(self, message: str, hint: str = "", severity: Severity = Severity.ERROR) -> None:
        self.findings.append(Diagnostic("OPK586", message, Span(self._path), hint, severity))

    def model(self, model: Any) -> None:
        import onnx

        opset = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), LEAST_OPSET)
        if opset < LEAST_OPSET:
            hint = "convert the model with onnx.version_converter.convert_version"
            self._wrong(f"opset {opset}; {LEAST_OPSET} is the oldest that is read", hint)
            return
        if self._dims:
            model = _with_sizes(model, self._dims)
        try:
            model = onnx.shape_inference.infer_shapes(model, data_prop=True)
        except Exception as failure:  # the package's own kinds of errors
            self._wrong(f"shape inference failed: {_first_line(failure)}", severity=Severity.WARNING)
        graph = model.graph
        if graph.sparse_initializer:
            self._wrong("sparse initialisers are not read")
        for value in (*graph.input, *graph.value_info, *graph.output):
            self._describe(value)
        for tensor in graph.initializer:
            self._ids[tensor.name] = self._constant(tensor, tensor.name)
        for value in graph.input:
            if value.name not in self._ids:
                self._ids[value.name] = self.graph.add(INPUT, (), self._output(value.name, True), name=value.name).id
        for node in graph.node:
            self._node(node)
        known = [(value.name, self._ids[value.name]) for value in graph.output if value.name in self._ids]
        for value in graph.output:
            if value.name not in self._ids:
                self._wrong(f"no node gives the output {value.name}")
        self.graph.set_outputs(known)
        self.graph.sweep([id for id in self.graph.by_op(CONST) if not self.graph.users(id)])

    # ---- descriptions

    def _describe(self, value: Any) -> None:
        if not value.type.HasField("tensor_type"):
            return
        tensor = value.type.tensor_type
        dtype = _TYPES.get(tensor.elem_type, HtpType.UNKNOWN)
        if not tensor.HasField("shape"):
            return
        shape = []
        for dim in tensor.shape.dim:
            size = dim.dim_value if dim.HasField("dim_value") else self._dims.get(dim.dim_param, -1)
            if size < 0:
                self._open[value.name] = dim.dim_param
                return
            shape.append(size)
        self._outputs[value.name] = Output(dtype, tuple(shape))

    def _output(self, name: str, must: bool = False) -> Output:
        found = self._outputs.get(name)
        if found is None:
            severity = Severity.ERROR if must else Severity.WARNING
            dim = self._open.get(name, "")
            hint = f"give the dimension a size: --dim {dim}=1" if dim else "give the model fixed sizes"
            self._wrong(f"{name} has no fixed shape" + (f" (dimension {dim})" if dim else ""), hint, severity)
            return Output(HtpType.UNKNOWN, ())
        return found

    # ---- nodes

    def _constant(self, tensor: Any, name: str) -> int:
        from onnx import numpy_helper

        try:
            values = numpy_helper.to_array(tensor)
        except Exception as failure:  # types numpy does not have, broken data
            self._wrong(f"the values of {name or 'a constant'} cannot be read: {_first_line(failure)}")
            values = None
        output = Output(_TYPES.get(tensor.data_type, HtpType.UNKNOWN), tuple(tensor.dims))
        if output.dtype is HtpType.UNKNOWN or values is None:
            return self.graph.add(CONST, (), output, None, name).id
        if values.dtype.kind not in "fiu":
            values = values.astype("float32" if output.dtype is HtpType.BFloat16 else "uint8")
        return self.graph.add(CONST, (), output, Array(values), name).id

    def _node(self, node: Any) -> None:
        label = f"{node.op_type} {node.name or ', '.join(node.output)}"
        if any(attribute.type in _GRAPH_ATTRIBUTES for attribute in node.attribute):
            self._wrong(f"{label} has a subgraph, which rules cannot see")
            return
        missing = [name for name in node.input if name not in self._ids]
        if missing:
            if not self.findings:
                self._wrong(f"{label} reads {missing[0]}, which nothing gives before it")
            return
        names = list(node.input)
        while names and not names[-1]:
            names.pop()
        inputs = [self._ids[name] if name else self._nothing() for name in names]
        attributes = {attribute.name: attribute for attribute in node.attribute}
        standard = node.domain in ("", "ai.onnx")
        if standard and node.op_type == "Constant":
            self._constant_node(node, attributes)
        elif not (
            standard and node.op_type in ("QuantizeLinear", "DequantizeLinear") and self._quantized(node, inputs)
        ):
            self._op(node, inputs, attributes, standard)

    def _nothing(self) -> int:
        """Stands for an input that is left out."""
        return self.graph.add(CONST, (), Output(HtpType.NONE, (0,))).id

    def _constant_node(self, node: Any, attributes: Mapping[str, Any]) -> None:
        from onnx import helper

        name = node.output[0]
        if "value" in attributes:
            self._ids[name] = self._constant(attributes["value"].t, name)
            return
        for attribute in attributes.values():
            self._ids[name] = self._parameter(helper.get_attribute_value(attribute), name)

    def _op(self, node: Any, inputs: list[int], attributes: Mapping[str, Any], standard: bool) -> None:
        from onnx import helper

        values = {name: helper.get_attribute_value(attribute) for name, attribute in attributes.items()}
        op = self._name(node, inputs, values) if standard else ""
        if not op:
            wanted = sorted(name for name, value in values.items() if _is_number(value))
            inputs += [self._parameter(values[name]) for name in wanted]
            op = f"{node.domain if not standard else 'onnx'}::{node.op_type}"
        elif node.op_type in RESHAPES:
            inputs = inputs[:1]
        else:
            for name, default in OPS[node.op_type][1]:
                value = values.get(name, default)
                inputs += [] if value is None else [self._parameter(value)]
        self._give(node, op, inputs)

    def _name(self, node: Any, inputs: list[int], values: Mapping[str, Any]) -> str:
        """The core op's name, "" when there is none."""
        if node.op_type in RESHAPES:
            return "q::Reshape"
        if node.op_type not in OPS:
            return ""
        if node.op_type in FOUR_DIMENSIONS:
            dims = self.graph.nodes[inputs[0]].output.dims
            if len(dims) != 4:
                return ""
            if node.op_type == "Conv" and values.get("group", 1) == dims[1] > 1:
                return "q::DepthWiseConv2d"
        return f"q::{OPS[node.op_type][0]}"

    def _give(self, node: Any, op: str, inputs: list[int]) -> None:
        names = list(node.output)
        if len(names) == 1:
            self._ids[names[0]] = self.graph.add(op, inputs, self._output(names[0]), name=names[0]).id
            return
        multi = self.graph.add(
            op, inputs, Output(HtpType.Multi, (len(names),)), name=node.name and f"{node.name}:all"
        ).id
        for index, name in enumerate(names):
            if name:
                which = self.graph.add(SHAPE, (), Output(HtpType.Int32, (0, 0, len(names), index))).id
                self._ids[name] = self.graph.add(OUT, (multi, which), self._output(name), name=name).id

    def _parameter(self, value: Any, name: str = "") -> int:
        values = tuple(value) if isinstance(value, (list, tuple)) else (value,)
        if not _is_number(value):
            return self.graph.add(CONST, (), Output(HtpType.UNKNOWN, ()), None, name).id
        whole = all(isinstance(v, int) for v in values)
        output = Output(HtpType.Int32 if whole else HtpType.Float32, (1, 1, 1, len(values)))
        return self.graph.add(CONST, (), output, Listed(values), name).id

    # ---- quantization

    def _quantized(self, node: Any, inputs: list[int]) -> bool:
        """QuantizeLinear and DequantizeLinear with one scale and zero point; whether that could be made."""
        scale = self._scalar(inputs[1])
        zero = self._scalar(inputs[2]) if len(inputs) > 2 else 0
        if scale is None or zero is None or not 0 < scale < float("inf"):
            return False
        name = node.output[0]
        given = self.graph.nodes[inputs[0]]
        if node.op_type == "QuantizeLinear":
            dtype = self._outputs[name].dtype if name in self._outputs else HtpType.QUInt8
            output = Output(dtype, given.output.shape, int(zero), scale)
            if not output.quantized:
                return False
            self._ids[name] = self.graph.add("q::Quantize", inputs[:1], output, name=name).id
            return True
        dtype = HtpType.QInt32 if given.output.dtype is HtpType.Int32 else given.output.dtype
        described = Output(dtype, given.output.shape, int(zero), scale)
        if given.output != described:
            if not described.quantized or given.op not in (INPUT, CONST) or given.output.step_size != 1.0:
                return False
            data = given.data
            if isinstance(data, Array):
                data = Array((data.values.astype("float64") - zero) * scale)
            self.graph.set(given.id, replace(given, output=described, data=data))
        self._ids[name] = self.graph.add("q::Dequantize", inputs[:1], self._output(name), name=name).id
        return True

    def _scalar(self, id: int) -> float | None:
        node = self.graph.nodes[id]
        if node.data is None or node.output.elements != 1:
            return None
        return float(node.data.element(node.output, 0))


def _is_number(value: Any) -> bool:
    values = value if isinstance(value, (list, tuple)) else [value]
    return bool(values) and all(isinstance(v, (int, float)) for v in values)
