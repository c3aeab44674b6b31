"""Shapes of what nodes of a package give, in a model with their functions. ONNX Runtime's QNN provider takes a node only if
they are known, and ONNX cannot tell them from a function whose params number dimensions: it sees no values there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np
import onnx
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper
from onnx.inliner import inline_local_functions
from onnx.reference import ReferenceEvaluator

_MOST = 64  # elements of a constant that may number dimensions
_COMPUTED = frozenset(
    ("Add", "Cast", "Concat", "Div", "Gather", "Mod", "Mul", "Reshape", "Sub", "Transpose")
)  # what functions make lists of dimensions with


def add_shapes(model: ModelProto, domains: Collection[str]) -> None:
    """Say the shapes of all tensors that nodes of these domains give and that can be found. In place."""
    own = {name for node in model.graph.node if node.domain in domains for name in node.output}
    found = onnx.shape_inference.infer_shapes(model).graph
    if own <= {value.name for value in (*found.output, *found.value_info) if _fixed(value)}:
        return
    inlined = inline_local_functions(model)
    found = onnx.shape_inference.infer_shapes(inlined, data_prop=True).graph
    while _compute(inlined.graph, found):  # sizes of what the last pass has found the shape of
        found = onnx.shape_inference.infer_shapes(inlined, data_prop=True).graph
    said = {value.name: value for value in model.graph.value_info}
    results = {value.name for value in model.graph.output}
    for value in found.value_info:
        if value.name not in own - results or not _fixed(value):
            continue
        if value.name in said:
            said[value.name].CopyFrom(value)
        else:
            model.graph.value_info.append(value)


def _fixed(value: ValueInfoProto) -> bool:
    """Whether all dimensions are known."""
    kind = value.type.tensor_type
    return kind.HasField("shape") and all(dim.HasField("dim_value") for dim in kind.shape.dim)


def _compute(graph: GraphProto, found: GraphProto) -> bool:
    """Lists of dimensions as constants; whether there were any. `found`: the graph with the shapes that are known."""
    shapes = {
        value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        for value in (*found.input, *found.value_info)
        if _fixed(value)
    }
    shapes |= {each.name: list(each.dims) for each in graph.initializer}
    before = sum(node.op_type == "Constant" for node in graph.node)
    values = {each.name: numpy_helper.to_array(each) for each in graph.initializer if _is_short(each)}
    nodes = []
    for node in graph.node:
        if node.op_type == "Constant":
            values.update((node.output[0], value) for value in _given(node))
        elif node.op_type == "Shape" and not node.attribute and node.input[0] in shapes:
            values[node.output[0]] = np.asarray(shapes[node.input[0]], np.int64)
            node = _constant(node, values)
        elif node.op_type in _COMPUTED and not node.domain and all(name in values for name in node.input):
            (result,) = ReferenceEvaluator(node).run(None, {name: values[name] for name in node.input})
            values[node.output[0]] = np.asarray(result)
            node = _constant(node, values)
        nodes.append(NodeProto.FromString(node.SerializeToString()))
    del graph.node[:]
    graph.node.extend(nodes)
    return bool(sum(node.op_type == "Constant" for node in nodes) > before)


def _constant(node: NodeProto, values: Mapping[str, Any]) -> NodeProto:
    """What stands for a node whose value is known."""
    return helper.make_node("Constant", [], node.output, value=numpy_helper.from_array(values[node.output[0]]))


def _is_short(tensor: TensorProto) -> bool:
    whole = tensor.data_type in (TensorProto.INT32, TensorProto.INT64)
    return whole and int(np.prod(tensor.dims)) <= _MOST and tensor.data_location != TensorProto.EXTERNAL


def _given(node: NodeProto) -> Iterator[Any]:
    """The integers of a Constant."""
    for attribute in node.attribute:
        if attribute.name in ("value_int", "value_ints"):
            yield np.asarray(helper.get_attribute_value(attribute), dtype=np.int64)
        elif attribute.name == "value" and _is_short(attribute.t):
            yield numpy_helper.to_array(attribute.t)
