"""Whole models as graphs of rules: ONNX files and OpenVINO's IR, through `opkg.models`.

Initialisers become `$Const`, attributes constant inputs after the tensors, QuantizeLinear with one scale the quantization
of its output. Ops get the names of QNN's core ops where they have one (`model_ops`), else `onnx::Name` or `DOMAIN::Name`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from opkg.models.model import Attribute, Model, Node, Tensor, Values
from opkg.models.onnx_values import first_line
from opkg.models.read import read_model
from opkg.rules.core import HtpType
from opkg.rules.sim.data import Array, Listed
from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE, Graph, Output
from opkg.rules.sim.model_ops import FOUR_DIMENSIONS, OPS, RESHAPES
from opkg.spec.diagnostics import Diagnostic, Severity, Span

# Integers of 8 and 16 bits are quantized with step 1.
_TYPES = {
    "float32": HtpType.Float32, "float64": HtpType.Float32, "float16": HtpType.Float16, "bfloat16": HtpType.BFloat16,
    "uint8": HtpType.QUInt8, "int8": HtpType.QInt8, "uint16": HtpType.QUInt16, "int16": HtpType.QInt16,
    "int32": HtpType.Int32, "uint32": HtpType.Int32, "int64": HtpType.Int64, "uint64": HtpType.Int64,
    "bool8": HtpType.QUInt8,
}  # fmt: skip


def graph_of_file(path: str, dims: Mapping[str, int]) -> tuple[Graph | None, tuple[Diagnostic, ...]]:
    """The graph of a model file; `dims`: sizes of named dimensions. Raises MissingTool without the package that reads it."""
    model, findings = read_model(path, dims)
    # An op that nobody knows has a prefix, as those of packages have: rules are about these.
    findings = tuple(finding for finding in findings if finding.id != "OPK703")
    if model is None:
        return None, findings
    graph, more = graph_of(model, path)
    return graph, (*findings, *more)


def graph_of(model: Model, path: str) -> tuple[Graph | None, tuple[Diagnostic, ...]]:
    """The graph of a model in memory."""
    form = _Form(model, path)
    form.build()
    broken = any(finding.is_error for finding in form.findings)
    return (None if broken else form.graph), tuple(form.findings)


class _Form:
    def __init__(self, model: Model, path: str) -> None:
        self.graph = Graph()
        self.findings: list[Diagnostic] = []
        self._model, self._path = model, path
        self._ids: dict[str, int] = {"": -1}

    def _wrong(self, message: str, hint: str = "", severity: Severity = Severity.ERROR) -> None:
        self.findings.append(Diagnostic("OPK586", message, Span(self._path), hint, severity))

    def build(self) -> None:
        model = self._model
        for name, values in model.constants.items():
            self._ids[name] = self._constant(model.tensor(name), values)
        for name in model.inputs:
            self._ids[name] = self.graph.add(INPUT, (), self._output(name, True), name=name).id
        for node in model.nodes:
            self._node(node)
        self.graph.set_outputs([(name, self._ids[name]) for name in model.outputs if name in self._ids])
        self.graph.sweep([id for id in self.graph.by_op(CONST) if not self.graph.users(id)])

    # ---- descriptions

    def _output(self, name: str, must: bool = False) -> Output:
        tensor = self._model.tensor(name)
        if tensor.fixed is not None:
            return Output(_TYPES.get(tensor.dtype, HtpType.UNKNOWN), tensor.fixed)
        open_ = [size for size in tensor.shape or () if isinstance(size, str) and size != "?"]
        hint = f"give the dimension a size: --dim {open_[0]}=1" if open_ else "give the model fixed sizes"
        named = f" (dimension {open_[0]})" if open_ else ""
        self._wrong(f"{name} has no fixed shape{named}", hint, Severity.ERROR if must else Severity.WARNING)
        return Output(HtpType.UNKNOWN, ())

    # ---- nodes

    def _constant(self, tensor: Tensor, values: Values) -> int:
        output = Output(_TYPES.get(tensor.dtype, HtpType.UNKNOWN), tensor.fixed or ())
        try:
            numbers = values.read()
        except Exception as failure:  # types that numpy does not have, broken data
            self._wrong(f"the values of {tensor.name or 'a constant'} cannot be read: {first_line(failure)}")
            return self.graph.add(CONST, (), output, None, tensor.name).id
        if output.dtype is HtpType.UNKNOWN:
            return self.graph.add(CONST, (), output, None, tensor.name).id
        if numbers.dtype.kind not in "fiu":
            numbers = numbers.astype("float32" if output.dtype is HtpType.BFloat16 else "uint8")
        return self.graph.add(CONST, (), output, Array(numbers), tensor.name).id

    def _node(self, node: Node) -> None:
        if node.nested:
            self._wrong(f"{node.op} {node.name} has a subgraph, which rules cannot see")
            return
        if any(name not in self._ids for name in node.inputs):  # of a node that has a subgraph
            return
        inputs = [self._ids[name] if name else self._nothing() for name in node.inputs]
        if node.op in ("QuantizeLinear", "DequantizeLinear") and self._quantized(node, inputs):
            return
        self._op(node, inputs)

    def _nothing(self) -> int:
        """Stands for an input that is left out."""
        return self.graph.add(CONST, (), Output(HtpType.NONE, (0,))).id

    def _op(self, node: Node, inputs: list[int]) -> None:
        op = self._name(node, inputs)
        if not op:
            wanted = sorted(name for name, value in node.attributes.items() if _numbers(value))
            inputs += [self._parameter(node.attributes[name]) for name in wanted]
            op = node.op if "::" in node.op else f"onnx::{node.op}"
        elif node.op in RESHAPES:
            inputs = inputs[:1]
        else:
            for name, default in OPS[node.op][1]:
                value = node.attributes.get(name, default)
                inputs += [] if value is None else [self._parameter(value)]
        self._give(node, op, inputs)

    def _name(self, node: Node, inputs: list[int]) -> str:
        """The core op's name, "" when there is none."""
        if node.op in RESHAPES:
            return "q::Reshape"
        if node.op not in OPS:
            return ""
        if node.op in FOUR_DIMENSIONS:
            dims = self.graph.nodes[inputs[0]].output.dims
            if len(dims) != 4:
                return ""
            if node.op == "Conv" and node.attributes.get("group", 1) == dims[1] > 1:
                return "q::DepthWiseConv2d"
        return f"q::{OPS[node.op][0]}"

    def _give(self, node: Node, op: str, inputs: list[int]) -> None:
        names = node.outputs
        if len(names) == 1:
            self._ids[names[0]] = self.graph.add(op, inputs, self._output(names[0]), name=names[0]).id
            return
        multi = self.graph.add(op, inputs, Output(HtpType.Multi, (len(names),)), name=f"{node.name}:all").id
        for index, name in enumerate(names):
            if name:
                which = self.graph.add(SHAPE, (), Output(HtpType.Int32, (0, 0, len(names), index))).id
                self._ids[name] = self.graph.add(OUT, (multi, which), self._output(name), name=name).id

    def _parameter(self, value: Attribute) -> int:
        numbers = _numbers(value)
        if not numbers:
            return self.graph.add(CONST, (), Output(HtpType.UNKNOWN, ())).id
        whole = all(isinstance(number, int) for number in numbers)
        output = Output(HtpType.Int32 if whole else HtpType.Float32, (1, 1, 1, len(numbers)))
        return self.graph.add(CONST, (), output, Listed(numbers)).id

    # ---- quantization

    def _quantized(self, node: Node, inputs: list[int]) -> bool:
        """QuantizeLinear and DequantizeLinear with one scale and zero point; whether that could be made."""
        scale = self._scalar(inputs[1])
        zero = self._scalar(inputs[2]) if len(inputs) > 2 else 0
        if scale is None or zero is None or not 0 < scale < float("inf"):
            return False
        name = node.outputs[0]
        given = self.graph.nodes[inputs[0]]
        if node.op == "QuantizeLinear":
            dtype = _TYPES.get(self._model.tensor(name).dtype, HtpType.QUInt8)
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


def _numbers(value: Attribute) -> tuple[int | float, ...]:
    """Of a number, or of several; none of anything else."""
    values = value if isinstance(value, tuple) else (value,)
    return tuple(each for each in values if isinstance(each, (int, float))) if _plain(values) else ()


def _plain(values: tuple[object, ...]) -> bool:
    return all(isinstance(each, (int, float)) for each in values)
