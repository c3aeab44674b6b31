"""ONNX files as models, through the `onnx` package (extra `onnx`). Shapes come from the file and onnx's inference.

Initialisers and Constant nodes become constants, which stay where they are until somebody reads them; functions of the
file are put in the place of their calls. Ops of ONNX's own keep their names, others get their domain as a prefix.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from opkg.models.model import Model, Node, Quantization, Tensor, Values, unique
from opkg.models.onnx_values import EXTERNAL, InFile, InModel, dtype_of, first_line, is_text, lacking, value_of
from opkg.models.ops import OPS
from opkg.spec.diagnostics import Diagnostic, MissingTool, OpkgError, Span, error, nearest, warning

LEAST_OPSET, NEWEST_OPSET = 13, 22
_GRAPH, _GRAPHS = 5, 10  # AttributeProto
INSTALL = "install it: pip install 'opkg[onnx]'"


def read_onnx(path: str, dims: Mapping[str, int]) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model of a file; `dims`: sizes of named dimensions. Raises MissingTool without the `onnx` package, OSError."""
    proto = _loaded(path)
    return (None, (proto,)) if isinstance(proto, Diagnostic) else of_proto(proto, path, dims)


def _loaded(path: str) -> Any:
    """The ModelProto of a file without data that lie beside it, or the finding that it is none."""
    try:
        import onnx
    except ImportError:
        message = "reading ONNX files needs the package onnx"
        raise MissingTool([error("OPK701", message, Span(path), INSTALL)]) from None
    data = Path(path).read_bytes()
    try:
        proto = onnx.load_model_from_string(data)
    except Exception as failure:  # protobuf's own kinds of errors
        return error("OPK701", f"not an ONNX model, or cut off: {first_line(failure)}", Span(path))
    if not proto.HasField("graph") or not proto.opset_import:
        return error("OPK701", "not an ONNX model: there is no graph in it", Span(path))
    return proto


def load(path: str) -> Any:
    """The ModelProto of a file with its data. Raises OpkgError (OPK701) for what is none, MissingTool without `onnx`."""
    proto = _loaded(path)
    if isinstance(proto, Diagnostic):
        raise OpkgError([proto])
    import onnx

    try:
        onnx.load_external_data_for_model(proto, os.path.dirname(path))
    except (OSError, ValueError, onnx.checker.ValidationError) as failure:
        raise OpkgError([error("OPK704", f"data of the model: {first_line(failure)}", Span(path))]) from None
    return proto


def of_proto(
    proto: Any, path: str, dims: Mapping[str, int], inlined: bool = True
) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The model of an onnx ModelProto, which is not changed. `path`: whose external data lies beside it. `inlined`: functions
    of the file are put in the place of their calls."""
    reader = _Reader(path, dims, inlined)
    if not is_text(proto.graph):
        return None, (error("OPK701", "the model is damaged: it has names that are no text", Span(path)),)
    model = reader.model(proto)
    broken = any(finding.is_error for finding in reader.findings)
    return (None if broken else model), tuple(reader.findings)


class _Reader:
    def __init__(self, path: str, dims: Mapping[str, int], inlined: bool) -> None:
        self.findings: list[Diagnostic] = []
        self._path, self._dims, self._inlined = path, dims, inlined
        self._tensors: dict[str, Tensor] = {}
        self._constants: dict[str, Values] = {}
        self._nodes: list[Node] = []
        self._known: set[str] = {""}
        self._early: set[str] = set()  # read before anything gave them

    def _wrong(self, id: str, message: str, hint: str = "") -> None:
        self.findings.append(error(id, message, Span(self._path), hint))

    def model(self, proto: Any) -> Model | None:
        opset = next((o.version for o in proto.opset_import if o.domain in ("", "ai.onnx")), LEAST_OPSET)
        if opset < LEAST_OPSET:
            hint = "convert the model with onnx.version_converter.convert_version"
            self._wrong("OPK701", f"opset {opset}; {LEAST_OPSET} is the oldest that is read", hint)
            return None
        if opset > NEWEST_OPSET:
            self._aside("OPK701", f"opset {opset}; {NEWEST_OPSET} is the newest that is tested")
        self._sizes(proto.graph.input)
        graph = self._inferred(proto).graph
        if graph.sparse_initializer:
            self._wrong("OPK701", f"{graph.sparse_initializer[0].values.name}: sparse initialisers are not read")
        for value in (*graph.input, *graph.value_info, *graph.output):
            self._describe(value)
        for tensor in graph.initializer:
            self._constant(tensor.name, tensor)
        inputs = tuple(value.name for value in graph.input if value.name not in self._constants)
        self._inputs(inputs)
        for node in graph.node:
            self._node(node)
        outputs = tuple(value.name for value in graph.output)
        for name in outputs:
            if name not in self._known:
                self._wrong("OPK701", f"no node gives the output {name}")
        names = unique([node.name for node in self._nodes])
        nodes = tuple(replace(node, name=name) for node, name in zip(self._nodes, names, strict=True))
        self._unknown_ops(nodes)
        return Model(graph.name or Path(self._path).stem, inputs, outputs, nodes, self._tensors, self._constants)

    def _aside(self, id: str, message: str, hint: str = "") -> None:
        self.findings.append(warning(id, message, Span(self._path), hint))

    def _inferred(self, proto: Any) -> Any:
        """A copy with functions in place, sizes for named dimensions, and all shapes that can be known."""
        import onnx
        from onnx import inliner

        try:
            if proto.functions and self._inlined:
                proto = inliner.inline_local_functions(proto)
            if self._dims:
                proto = sized(proto, self._dims)
            return onnx.shape_inference.infer_shapes(proto, data_prop=True)
        except Exception as failure:  # the package's own kinds of errors
            self._aside("OPK701", f"shapes cannot be inferred: {first_line(failure)}")
            return proto

    # ---- tensors

    def _describe(self, value: Any) -> None:
        if not value.type.HasField("tensor_type"):
            return
        type_ = value.type.tensor_type
        shape: tuple[int | str, ...] | None = None
        if type_.HasField("shape"):
            shape = tuple(
                dim.dim_value if dim.HasField("dim_value") else self._dims.get(dim.dim_param, dim.dim_param or "?")
                for dim in type_.shape.dim
            )
        self._tensors[value.name] = Tensor(value.name, dtype_of(type_.elem_type), shape)

    def _sizes(self, inputs: Iterable[Any]) -> None:
        """Sizes that nothing asked for: a name that was mistyped."""
        named = [dim.dim_param for value in inputs for dim in value.type.tensor_type.shape.dim if dim.dim_param]
        for name in self._dims:
            if name not in named:
                near = nearest(name, named)
                hint = f"did you mean '{near}'?" if near else f"there are {', '.join(dict.fromkeys(named)) or 'none'}"
                self._wrong("OPK702", f"no input has a dimension named {name}", hint)

    def _inputs(self, names: Iterable[str]) -> None:
        for name in names:
            self._known.add(name)
            tensor = self._tensors.get(name)
            if tensor is None or tensor.shape is None:
                self._wrong(
                    "OPK702", f"the input {name} is no tensor of a known rank", "export the model with fixed sizes"
                )
            elif tensor.fixed is None:
                dim = next(size for size in tensor.shape if not isinstance(size, int))
                named = f" (dimension {dim})" if dim != "?" else ""
                hint = f"give the dimension a size: --dim {dim}=1" if named else "export the model with fixed sizes"
                self._wrong("OPK702", f"the input {name} has no fixed shape{named}", hint)

    def _constant(self, name: str, tensor: Any) -> None:
        self._known.add(name)
        self._tensors[name] = Tensor(name, dtype_of(tensor.data_type), tuple(tensor.dims))
        if tensor.data_location != EXTERNAL:
            self._constants[name] = InModel(tensor)
            return
        folder = os.path.dirname(self._path)
        self._constants[name] = InFile(tensor, folder)
        facts = {entry.key: entry.value for entry in tensor.external_data}
        problem = lacking(folder, facts, self._tensors[name].bytes)
        if problem:
            self._wrong("OPK704", f"the data of {name}: {problem}")

    # ---- nodes

    def _node(self, node: Any) -> None:
        label = node.name or f"{node.op_type}({', '.join(node.input)})"
        within = tuple(dict.fromkeys(read_within(node)))
        missing = [name for name in (*node.input, *within) if name not in self._known]
        if missing:
            if not any(finding.id == "OPK701" and finding.is_error for finding in self.findings):
                self._wrong("OPK701", f"{label} reads {missing[0]}, which nothing before it gives")
            self._known.update(missing)
            self._early.update(missing)
        standard = node.domain in ("", "ai.onnx")
        attributes = {attribute.name: attribute for attribute in node.attribute}
        if standard and node.op_type == "Constant" and len(node.output) == 1:
            self._constant_node(node.output[0], attributes)
            return
        again = [name for name in node.output if name and name in self._known and name not in self._early]
        if again:
            self._wrong("OPK701", f"{label} gives {again[0]}, which is there already")
        self._known.update(node.output)
        op = node.op_type if standard else f"{node.domain}::{node.op_type}"
        inputs, outputs = _trimmed(node.input), _trimmed(node.output)
        name = node.name or (outputs[0] if outputs else node.op_type)
        nested = any(attribute.type in (_GRAPH, _GRAPHS) for attribute in node.attribute)
        values = {key: value_of(each) for key, each in attributes.items()}
        made = Node(name, op, inputs, outputs, values, within, nested)
        self._nodes.append(made)
        if standard and node.op_type in ("QuantizeLinear", "DequantizeLinear"):
            self._quantization(made)

    def _constant_node(self, name: str, attributes: Mapping[str, Any]) -> None:
        from onnx import numpy_helper

        if "value" in attributes:
            self._constant(name, attributes["value"].t)
            return
        key, attribute = next(iter(attributes.items()), ("", None))
        kind = {"value_int": "int64", "value_ints": "int64", "value_float": "float32", "value_floats": "float32"}.get(
            key
        )
        value = value_of(attribute) if attribute is not None and kind is not None else None
        numbers = value if isinstance(value, tuple) else (value,)
        if value is None or not all(isinstance(number, (int, float)) for number in numbers):
            self._known.add(name)
            if key not in ("value_string", "value_strings"):
                self._wrong("OPK701", f"the constant {name} has no value that can be read")
            return
        import numpy as np

        self._constant(name, numpy_helper.from_array(np.array(value, kind), name))

    def _quantization(self, node: Node) -> None:
        """Notes scale and zero point at the quantized tensor."""
        if not node.inputs or not node.outputs:
            return
        scales = self._numbers(node.inputs[1]) if len(node.inputs) > 1 else None
        zeros = self._numbers(node.inputs[2]) if len(node.inputs) > 2 else (0.0,)
        name = node.outputs[0] if node.op == "QuantizeLinear" else node.inputs[0]
        tensor = self._tensors.get(name)
        if scales is None or zeros is None or tensor is None:
            return
        axis = node.attributes.get("axis", 1)
        along = axis if isinstance(axis, int) and len(scales) > 1 else None
        quantization = Quantization(scales, tuple(map(int, zeros)), along)
        self._tensors[name] = replace(tensor, quantization=quantization)

    def _numbers(self, name: str) -> tuple[float, ...] | None:
        values = self._constants.get(name)
        if values is None:
            return None
        try:
            return tuple(map(float, values.read().reshape(-1)))
        except (OSError, ValueError, TypeError):
            return None

    def _unknown_ops(self, nodes: Iterable[Node]) -> None:
        from onnx import defs

        counts: dict[str, int] = {}
        for node in nodes:
            if node.op not in OPS and not defs.has(node.op):
                counts[node.op] = counts.get(node.op, 0) + 1
        for op, count in counts.items():
            self._aside(
                "OPK703", f"{op} ({count} node{'s' if count > 1 else ''}) is no op that opkg knows: it stays as it is"
            )


def _trimmed(names: Iterable[str]) -> tuple[str, ...]:
    """Without what is left out at the end."""
    found = list(names)
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def read_within(node: Any) -> Iterable[str]:
    """Tensors from outside that the graphs of a node's attributes read."""
    for attribute in node.attribute:
        graphs = [attribute.g] if attribute.type == _GRAPH else attribute.graphs if attribute.type == _GRAPHS else []
        for graph in graphs:
            own = {value.name for value in (*graph.input, *graph.initializer)}
            own |= {name for each in graph.node for name in each.output}
            for each in graph.node:
                yield from (name for name in (*each.input, *read_within(each)) if name and name not in own)
            yield from (value.name for value in graph.output if value.name not in own)


def sized(proto: Any, dims: Mapping[str, int]) -> Any:
    """A copy whose inputs have sizes for named dimensions."""
    import onnx

    copy = onnx.ModelProto()
    copy.CopyFrom(proto)
    for value in (*copy.graph.input, *copy.graph.output, *copy.graph.value_info):
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param in dims:
                dim.dim_value = dims[dim.dim_param]
    return copy
