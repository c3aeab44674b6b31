"""Nodes of this package's ops in ONNX models, and the functions that say what they compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, helper

from .inferring import say_shapes
from .opdef import Function, Op, Param, Value
from .ops import DOMAIN, OPS
from .shapes import add_shapes

Grid = tuple[str, str]  # names of the scale and the zero point of a quantized tensor
OVERLOADS = 10  # the version of ONNX's format from which functions of one name can differ


@dataclass
class Call:
    """The nodes of one call of an op, and the constants that they read."""

    nodes: list[NodeProto] = field(default_factory=list)
    initializers: list[TensorProto] = field(default_factory=list)

    def add_to(self, graph: GraphProto) -> None:
        """Append both to a graph, whose nodes before this one make the inputs."""
        graph.node.extend(self.nodes)
        graph.initializer.extend(self.initializers)


def make_node(
    op_type: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    *,
    name: str = "",
    layout: str = "",
    grids: Mapping[str, Grid] | None = None,
    **params: Value,
) -> Call:
    """A call of an op: its node, with params as the op package takes them.

    Inputs that are absent are left out at the end. Params without a value have their default.
    `layout="NCHW"`: the model's layout; tensors that the op wants as NHWC are transposed before and behind it, which
    the provider cancels against its own transposes. In a model in QDQ form, `grids` says for these tensors by which
    scale and zero point they are quantized: without steps between transpose and op the provider leaves the op to its
    function.
    """
    op = OPS[op_type]
    name = name or outputs[0]
    least = op.least_inputs
    if not (least <= len(inputs) <= len(op.inputs) or any(t.variadic for t in op.inputs)):
        raise ValueError(f"{op_type} takes {least} to {len(op.inputs)} inputs, {len(inputs)} are given")
    if not all(inputs):
        raise ValueError(f"{op_type}: onnxruntime crashes on an empty name; leave inputs out at the end only")
    filled = all(param.default is not None for param in op.params)
    if op.as_inputs and filled and len(inputs) + len(op.params) <= len(op.inputs):
        raise ValueError(f"{op_type}: with {len(inputs)} inputs, params cannot be told from inputs; give more of these")
    values = _values(op, params)
    call = Call()
    given = list(inputs)
    made = list(outputs)
    grids = grids or {}
    if layout == "NCHW":
        given = [_before(call, op, at, value, name, grids.get(value)) for at, value in enumerate(inputs)]
        made = [f"{value}_nhwc" if _is_bound(op.outputs[at].layout) else value for at, value in enumerate(outputs)]
    attributes: dict[str, Any] = {}
    if op.as_inputs:
        for param in op.params:
            call.initializers.append(_constant(param, values[param.name], f"{name}_{param.name}"))
            given.append(call.initializers[-1].name)
    else:
        attributes = {p.name: _attribute(p, values[p.name]) for p in op.params}
    call.nodes.append(helper.make_node(op_type, given, made, name=name, domain=DOMAIN, **attributes))
    for inner, outer in zip(made, outputs, strict=True):
        if inner != outer:
            inner = _stepped(call, inner, grids.get(outer))
            call.nodes.append(helper.make_node("Transpose", [inner], [outer], perm=[0, 3, 1, 2]))
    return call


def _before(call: Call, op: Op, at: int, value: str, name: str, grid: Grid | None) -> str:
    if at >= len(op.inputs) or not _is_bound(op.inputs[at].layout):
        return value
    result = f"{name}_{value}_nhwc"
    call.nodes.append(helper.make_node("Transpose", [value], [result], perm=[0, 2, 3, 1]))
    return _stepped(call, result, grid)


def _stepped(call: Call, value: str, grid: Grid | None) -> str:
    """A tensor behind QuantizeLinear and DequantizeLinear, where it has a grid."""
    if grid is None:
        return value
    call.nodes.append(helper.make_node("QuantizeLinear", [value, *grid], [f"{value}_q"]))
    call.nodes.append(helper.make_node("DequantizeLinear", [f"{value}_q", *grid], [f"{value}_dq"]))
    return f"{value}_dq"


def _is_bound(layout: str) -> bool:
    return layout == "NHWC"


def _values(op: Op, params: dict[str, Value]) -> dict[str, Value]:
    unknown = sorted(set(params) - {param.name for param in op.params})
    if unknown:
        raise ValueError(f"{op.name} has no param '{unknown[0]}'")
    values: dict[str, Value] = {}
    for param in op.params:
        value = params.get(param.name, param.default)
        if value is None:
            raise ValueError(f"{op.name}: param '{param.name}' has no default here; give it")
        if param.axis_of and any(int(each) >= 0 for each in np.ravel(value)):
            how = f"count it from the end, minus the rank of {param.axis_of}: kernels see ranks padded in front"
            raise ValueError(f"{op.name}: param '{param.name}' is {value}; {how}")
        values[param.name] = value
    return values


def _attribute(param: Param, value: Value) -> Any:
    if isinstance(value, tuple | list):
        return [float(each) if param.is_float else int(each) for each in value]
    return float(value) if param.is_float else int(value)


def _constant(param: Param, value: Value, name: str) -> TensorProto:
    return onnx.numpy_helper.from_array(array(param, value), name)


def array(param: Param, value: Any) -> Any:
    """The value of a param as a tensor behind the inputs has it."""
    made = np.asarray(value, dtype=np.float32 if param.is_float else np.int32)
    return made.reshape(param.shape) if param.shape else made


def add_functions(model: ModelProto) -> ModelProto:
    """Give a model what it needs to run this package's nodes: the domain's version, functions, overloads, shapes. In place.

    Params that other tools wrote as attributes become constants behind the inputs where the package wants them so.

    Each reader of a DequantizeLinear gets one of its own: beside a node of a package, one that two nodes share ends the
    provider's process (onnxruntime-qnn 2.7.0).

    Without the functions a session needs ORT_QNN_CUSTOM_OP_DOMAINS (onnxruntime-qnn 2.7.0 on), and has nothing to fall
    back to. Dimensions must be fixed before: where they are open, the provider does not take the node.
    """
    if not any(node.domain == DOMAIN and node.op_type in OPS for node in model.graph.node):
        return model
    _steps_apart(model.graph)
    nodes = [node for node in model.graph.node if node.domain == DOMAIN and node.op_type in OPS]
    for node in nodes:
        _params_behind(model.graph, node)
    imports = {entry.domain: entry for entry in model.opset_import}
    opset = imports[""].version if "" in imports else onnx.defs.onnx_opset_version()
    if DOMAIN not in imports:
        model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
    types = _element_types(model)
    present = {(f.domain, f.name, f.overload) for f in model.functions}
    for node in nodes:
        chosen = choose(OPS[node.op_type], node, types, opset)
        if chosen is None:
            continue
        node.overload = chosen.overload
        if (DOMAIN, node.op_type, chosen.overload) not in present:
            model.functions.append(function(node.op_type, chosen, opset))
            present.add((DOMAIN, node.op_type, chosen.overload))
        if chosen.overload:
            model.ir_version = max(model.ir_version, OVERLOADS)
    add_shapes(model, (DOMAIN,))
    while say_shapes(model):
        add_shapes(model, (DOMAIN,))
    return model


def _params_behind(graph: GraphProto, node: NodeProto) -> None:
    """Params of a node from elsewhere that has them as attributes, where they have to stand behind the inputs."""
    op = OPS[node.op_type]
    if not op.as_inputs or not node.attribute:
        return
    given = {each.name: helper.get_attribute_value(each) for each in node.attribute}
    values = _values(op, {name: tuple(each) if isinstance(each, list) else each for name, each in given.items()})
    taken = {tensor.name for tensor in graph.initializer} | {name for each in graph.node for name in each.output}
    for param in op.params:
        name = f"{node.output[0]}_{param.name}"
        while name in taken:
            name += "_"
        graph.initializer.append(_constant(param, values[param.name], name))
        node.input.append(name)
    del node.attribute[:]


def _steps_apart(graph: GraphProto) -> None:
    readers: dict[str, list[tuple[NodeProto, int]]] = {}
    for node in graph.node:
        for at, name in enumerate(node.input):
            readers.setdefault(name, []).append((node, at))
    results = {value.name for value in graph.output}  # whoever runs the model reads these
    ordered: list[NodeProto] = []
    for node in graph.node:
        ordered.append(node)
        first = 0 if node.output[0] in results else 1
        shared = readers.get(node.output[0], [])[first:] if node.op_type == "DequantizeLinear" else []
        for number, (reader, at) in enumerate(shared, 1):
            own = NodeProto()
            own.CopyFrom(node)
            own.output[0] = own.name = f"{node.output[0]}_for_{number}"
            reader.input[at] = own.output[0]
            ordered.append(own)
    copies = [NodeProto.FromString(node.SerializeToString()) for node in ordered]
    del graph.node[:]
    graph.node.extend(copies)


def function(name: str, chosen: Function, opset: int) -> FunctionProto:
    """The function of the op `name` for a model of an opset."""
    made = onnx.parser.parse_function(chosen.text)
    made.name = name  # texts have no dots in it
    for entry in made.opset_import:
        entry.version = max(opset, chosen.opset)
    return made


def choose(op: Op, node: NodeProto, types: dict[str, str], opset: int) -> Function | None:
    """The function for a node: by the number of its inputs and by their element types; None: the op has none for it."""
    count = len(node.input) - (len(op.params) if op.as_inputs else 0)
    given = [types.get(name, "") for name in node.input[:count]]
    fitting = [f for f in op.functions if f.inputs == count and f.opset <= opset and _takes(f, given)]
    return max(fitting, key=lambda each: each.opset, default=None)


def _takes(chosen: Function, given: Sequence[str]) -> bool:
    return any(all(g in ("", t) for g, t in zip(given, row, strict=False)) for row in chosen.types)


def _element_types(model: ModelProto) -> dict[str, str]:
    """Element types of a model's tensors by name, as far as they are known: "float", "int32"."""
    found = {tensor.name: _type_name(tensor.data_type) for tensor in model.graph.initializer}
    graph = onnx.shape_inference.infer_shapes(model).graph
    for value in (*graph.input, *graph.output, *graph.value_info):
        found[value.name] = _type_name(value.type.tensor_type.elem_type)
    return found


def _type_name(number: int) -> str:
    return TensorProto.DataType.Name(number).lower()
