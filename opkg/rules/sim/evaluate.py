"""Values of scalar expressions and existing operands of a rule, in one attempt."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from opkg.rules import core
from opkg.rules.core import ConstValKind, PropertyKind, RelationKind, SplitKind, Type
from opkg.rules.sim.arithmetic import INT_MIN, Fault, Scalar, convert, operate, round_float
from opkg.rules.sim.context import Context, guarded
from opkg.rules.sim.data import Number, whole
from opkg.rules.sim.frame import Frame
from opkg.rules.sim.model import BYTES, CONST, OUT, Node


def evaluate(expr: core.Expr, frame: Frame) -> Scalar:
    """The value of an expression; DTYPE values are ints. Raises Fault where C++ would go wrong."""
    value = _EVALUATE[type(expr)](expr, frame)
    if frame.log is not None:
        frame.log.append((expr, value))
    return value


def evaluate_int(expr: core.Expr, frame: Frame) -> int:
    """The value as an integer; floats are truncated."""
    value = evaluate(expr, frame)
    return int(convert(value, Type.INT64)) if isinstance(value, float) else int(value)


# ---- operands


def resolve(operand: core.Operand, frame: Frame) -> Node:
    """The node of an existing operand. Raises Fault for an input or output that is not there."""
    if isinstance(operand, core.Tag):
        return frame.tagged(operand.name, operand.at)
    if isinstance(operand, core.InputOf):
        node = resolve(operand.operand, frame)
        index = evaluate_int(operand.index, frame)
        if not 0 <= index < len(node.inputs):
            raise Fault(f"INPUT_OF: {node.op} has {len(node.inputs)} inputs, no input {index}", operand.at)
        return frame.graph.nodes[node.inputs[index]]
    if isinstance(operand, core.OutputOf):
        return _output_of(resolve(operand.operand, frame), evaluate_int(operand.index, frame), operand, frame)
    chosen = operand.then if evaluate(operand.condition, frame) else operand.otherwise
    return resolve(chosen, frame)


def _output_of(node: Node, index: int, operand: core.OutputOf, frame: Frame) -> Node:
    if node.op == OUT and node.inputs:
        node = frame.graph.nodes[node.inputs[0]]
    if not node.output.is_multi and index == 0:
        return node
    for user in frame.graph.users(node.id):
        found = frame.graph.nodes[user]
        if found.op == OUT and found.inputs[0] == node.id and output_index(frame, found) == index:
            return found
    raise Fault(f"OUTPUT_OF: no node of the graph is output {index} of {node.op}", operand.at)


def output_index(frame: Frame, out: Node) -> int:
    """Which output a `$Out` node selects."""
    shape = frame.graph.nodes[out.inputs[1]].output.shape if len(out.inputs) > 1 else ()
    return shape[3] if len(shape) > 3 else -1


# ---- leaves


def _const(expr: core.Const, frame: Frame) -> Scalar:
    if expr.type is Type.FLOAT:
        return round_float(float(expr.value))
    return expr.value


def _chunk(expr: core.ChunkSize, frame: Frame) -> Scalar:
    if expr.value is None:
        raise Fault(f"the layout of {expr.tensor_class} is not known here", expr.at)
    return expr.value


def _named(expr: core.NamedConst, frame: Frame) -> Scalar:
    value = frame.settings.constants.get(expr.name)
    if value is None:
        raise Fault(f"the value of {expr.name} is not known here", expr.at)
    return convert(value, expr.type)


def _option(expr: core.Option, frame: Frame) -> Scalar:
    value = frame.option(expr.name)
    if isinstance(value, str):
        value = 1 if value else 0
    elif isinstance(value, bool):
        value = int(value)
    return convert(value, expr.type)


def _split_var(expr: core.SplitVar, frame: Frame) -> Scalar:
    split = frame.split(expr.split, expr.at)
    if expr.kind is SplitKind.DIM:
        return split.dim
    return split.start if expr.kind is SplitKind.START else split.size


# ---- operands' properties


def _dim(node: Node, index: int | None) -> int:
    dims = node.output.dims
    return dims[index] if index is not None and 0 <= index < len(dims) else 0


_PROPERTY: dict[PropertyKind, Callable[[Node, int | None], Scalar]] = {
    PropertyKind.DIM: _dim,
    PropertyKind.DTYPE: lambda node, index: int(node.output.dtype),
    PropertyKind.RANK: lambda node, index: len(node.output.dims),
    PropertyKind.STEPSIZE: lambda node, index: round_float(node.output.step_size),
    PropertyKind.ZERO_OFFSET: lambda node, index: 0 if node.output.is_multi else node.output.zero_offset,
    PropertyKind.ELEMENT_SIZE: lambda node, index: BYTES.get(node.output.dtype, 0),
    PropertyKind.INPUTS: lambda node, index: len(node.inputs),
    PropertyKind.OUTPUTS: lambda node, index: node.output.count,
    PropertyKind.DATA_SIZE: lambda node, index: node.output.elements * BYTES.get(node.output.dtype, 0),
}


def _property(expr: core.Property, frame: Frame) -> Scalar:
    return _PROPERTY[expr.kind](resolve(expr.operand, frame), expr.index)


def _element(expr: core.ConstVal, frame: Frame) -> Number | None:
    """The element of a constant, None when there is none. Two indices: row and column of the last two dimensions."""
    node = resolve(expr.operand, frame)
    index = [evaluate_int(i, frame) for i in expr.index]
    output = node.output
    if node.op != CONST:
        return None
    if node.data is None:
        raise Fault(f"the values of the constant {frame.graph.label(node.id)} are not known", expr.at)
    flat = index[0]
    if len(index) > 1:
        width = output.dims[-1] if output.dims else 1
        flat = index[0] * width + index[1] if 0 <= index[1] < width else -1
    return node.data.element(output, flat) if 0 <= flat < output.elements else None


def _const_val(expr: core.ConstVal, frame: Frame) -> Scalar:
    value = _element(expr, frame)
    if expr.kind is ConstValKind.FLOAT:
        return math.nan if value is None else convert(value, Type.FLOAT)
    if expr.kind is ConstValKind.FLOAT_VALID:
        return value is not None
    number = None if value is None else whole(value)
    if expr.kind is ConstValKind.INT_VALID:
        return number is not None
    return INT_MIN if number is None else number


def _relation(expr: core.Relation, frame: Frame) -> Scalar:
    nodes = [resolve(operand, frame) for operand in expr.operands]
    kind = expr.kind
    if kind is RelationKind.SAME_OP:
        return nodes[0].id == nodes[1].id
    if kind is RelationKind.SAME_ENCODING:
        return nodes[0].output.same_encoding(nodes[1].output)
    if kind is RelationKind.SAME_SHAPE:
        return nodes[0].output.dims == nodes[1].output.dims
    if kind is RelationKind.IS_OP:
        return nodes[0].op == expr.name
    return frame.graph.read_by(nodes[0].id, expr.name)


# ---- operators


def _apply(expr: core.Apply, frame: Frame) -> Scalar:
    operator = expr.operator
    if operator == "AND":
        return all(evaluate(arg, frame) for arg in expr.args)
    if operator == "OR":
        return any(evaluate(arg, frame) for arg in expr.args)
    args = [evaluate(arg, frame) for arg in expr.args]
    try:
        return operate(operator, expr.args[0].type, args)
    except Fault as fault:
        raise Fault(fault.message, expr.at) from None


def _cast(expr: core.Cast, frame: Frame) -> Scalar:
    return convert(evaluate(expr.operand, frame), expr.type)


def _select(expr: core.SelectScalar, frame: Frame) -> Scalar:
    return evaluate(expr.then if evaluate(expr.condition, frame) else expr.otherwise, frame)


def _message(expr: core.Message, frame: Frame) -> Scalar:
    return True if expr.operand is None else evaluate(expr.operand, frame)


def _external(expr: core.ExternalScalar, frame: Frame) -> Scalar:
    node = resolve(expr.operand, frame)
    args = [evaluate(arg, frame) for arg in expr.args]
    function = frame.external(expr.function, expr.at)
    value = guarded(function, expr.function, expr.at, Context(frame, None), node, *args)
    if not isinstance(value, (bool, int, float)):
        raise Fault(f"{expr.function} gave {type(value).__name__}, not a number", expr.at)
    return convert(value, expr.type)


_EVALUATE: dict[type, Callable[[Any, Frame], Scalar]] = {
    core.Const: _const,
    core.ChunkSize: _chunk,
    core.NamedConst: _named,
    core.Option: _option,
    core.Property: _property,
    core.ConstVal: _const_val,
    core.Relation: _relation,
    core.Apply: _apply,
    core.Cast: _cast,
    core.SelectScalar: _select,
    core.SplitVar: _split_var,
    core.ExternalScalar: _external,
    core.Message: _message,
}
