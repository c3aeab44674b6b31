"""What ops without a function give: element types and shapes, by the rules of this package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from .opdef import Op, Value
from .ops import DOMAIN, OPS


def outputs_of(op: Op, inputs: Sequence[Any], given: Mapping[str, Any]) -> list[tuple[int, tuple[int, ...]] | None]:
    """Element type and shape of each output of a call, None where they are not known. `inputs`: TypeProto.Tensor."""
    nothing: list[tuple[int, tuple[int, ...]] | None] = [None] * len(op.outputs)
    params = {param.name: _plain(given[param.name]) for param in op.params if param.name in given}
    params = {param.name: param.default for param in op.params if param.default is not None} | params
    if op.shapes is None or not all(_fixed(each) for each in inputs):
        return nothing
    try:
        shapes = op.shapes([tuple(dim.dim_value for dim in each.shape.dim) for each in inputs], params)
    except (ArithmeticError, LookupError, ValueError):  # what the package will refuse
        return nothing
    types = {tensor.type: each.elem_type for tensor, each in zip(op.inputs, inputs, strict=False)}
    found = []
    for tensor, shape in zip(op.outputs, shapes, strict=True):
        choice = (op.types or {}).get(tensor.type, (tensor.type,))
        kind = types.get(tensor.type) or (TensorProto.DataType.Value(choice[0].upper()) if len(choice) == 1 else 0)
        found.append((kind, tuple(shape)) if kind and shape is not None else None)
    return found


def say_shapes(model: ModelProto) -> bool:
    """Write into a model what nodes of this package give, where the rules tell it. In place; whether there was anything new."""
    nodes = [n for n in model.graph.node if n.domain == DOMAIN and n.op_type in OPS and OPS[n.op_type].shapes]
    if not nodes:
        return False
    graph = onnx.shape_inference.infer_shapes(model).graph
    known = {v.name: v.type.tensor_type for v in (*graph.input, *graph.value_info, *graph.output)}
    values = {each.name: each for each in model.graph.initializer}
    for name, each in values.items():
        known.setdefault(name, helper.make_tensor_type_proto(each.data_type, each.dims).tensor_type)
    said = {v.name for v in (*model.graph.value_info, *model.graph.output) if _fixed(v.type.tensor_type)}
    count_before = len(model.graph.value_info)
    for node in nodes:
        op = OPS[node.op_type]
        if said.issuperset(node.output):
            continue
        count = len(node.input) - (len(op.params) if op.as_inputs else 0)
        inputs = [known.get(name) for name in node.input[:count]]
        if any(each is None for each in inputs):
            continue
        for name, found in zip(node.output, outputs_of(op, inputs, _values(op, node, values)), strict=False):
            if found is not None and name not in said:
                made = helper.make_tensor_value_info(name, *found)
                known[name] = made.type.tensor_type
                model.graph.value_info.append(made)
    return len(model.graph.value_info) > count_before


def _values(op: Op, node: NodeProto, values: Mapping[str, TensorProto]) -> dict[str, Any]:
    if not op.as_inputs:
        return {each.name: helper.get_attribute_value(each) for each in node.attribute}
    names = node.input[len(node.input) - len(op.params) :]
    pairs = zip(op.params, names, strict=False)
    return {param.name: numpy_helper.to_array(values[name]) for param, name in pairs if name in values}


def _plain(value: Any) -> Value:
    """A number, or a tuple of them."""
    array = np.asarray(value)
    return tuple(array.tolist()) if array.ndim else array.item()  # type: ignore[no-any-return]


def _fixed(kind: Any) -> bool:
    return kind.HasField("shape") and all(dim.HasField("dim_value") for dim in kind.shape.dim)
