"""The torch function of a `pattern:` as a graph of OpenVINO's ops, in the form that fusing.py reads."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from opkg.spec.model import Op

# Functions of torch -> ops of OpenVINO with the same inputs, in the same order.
_SAME = {
    "relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh", "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "abs": "Abs",
    "neg": "Negative", "floor": "Floor", "ceil": "Ceiling", "erf": "Erf", "sin": "Sin", "cos": "Cos", "add": "Add",
    "sub": "Subtract", "mul": "Multiply", "div": "Divide", "pow": "Power", "maximum": "Maximum", "minimum": "Minimum",
    "hardswish": "HSwish", "softplus": "SoftPlus", "mish": "Mish",
}  # fmt: skip
_OPERATORS = {
    ast.Add: "Add", ast.Sub: "Subtract", ast.Mult: "Multiply", ast.Div: "Divide", ast.Pow: "Power",
}  # fmt: skip


class Unknown(Exception):
    """A part that has no graph here; the message says which."""


@dataclass(frozen=True, slots=True)
class GraphPattern:
    """A pattern as text, and the inputs that it binds."""

    text: str
    inputs: tuple[str, ...]


def graph_pattern(op: Op) -> GraphPattern:
    """The graph of an op's pattern. Raises Unknown where there is none."""
    assert op.pattern is not None
    if len(op.outputs) != 1:
        raise Unknown("several outputs")
    pattern = op.pattern.for_call()
    values: dict[str, str] = {name: f'"{name}"' for name in pattern.inputs}
    values |= {name: _const(value) for name, value in pattern.literals}
    for statement in pattern.statements:
        if len(statement.targets) != 1:
            raise Unknown("a call with several results")
        values[statement.targets[0]] = _text(ast.parse(statement.text, mode="eval").body, values)
    return GraphPattern(values[op.outputs[0].name], pattern.inputs)


def has_pattern(op: Op) -> bool:
    """Whether models can be searched for the op's pattern."""
    try:
        return op.pattern is not None and bool(graph_pattern(op).text)
    except Unknown:
        return False


def cpp_pattern(pattern: GraphPattern) -> str:
    """The pattern as fusing.h makes it, inputs by their places."""
    return _cpp(ast.literal_eval(pattern.text), pattern.inputs)


def _cpp(part: object, inputs: tuple[str, ...]) -> str:
    match part:
        case str():
            return f"input({inputs.index(part)})"
        case ("const", value):
            return f"number({value!r})"
        case ("or", *graphs):
            return f"either({{{', '.join(_cpp(graph, inputs) for graph in graphs)}}})"
        case (str() as type_, *reads):
            return f'node("{type_}", {{{", ".join(_cpp(read, inputs) for read in reads)}}})'
    raise AssertionError(part)


def _const(value: bool | int | float) -> str:
    return f'("const", {float(value)!r})'


def _text(node: ast.expr, values: dict[str, str]) -> str:
    match node:
        case ast.Name(id) if id in values:
            return values[id]
        case ast.Constant(value) if isinstance(value, int | float):
            return _const(value)
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            return f'("{_OPERATORS[type(operator)]}", {_text(left, values)}, {_text(right, values)})'
        case ast.UnaryOp(ast.USub(), ast.Constant(value)) if isinstance(value, int | float):
            return _const(-value)
        case ast.UnaryOp(ast.USub(), operand):
            return f'("Negative", {_text(operand, values)})'
        case ast.Call(ast.Attribute(attr=name), args, []):
            return _call(name, [_text(arg, values) for arg in args])
    raise Unknown(ast.unparse(node))


def _call(name: str, args: list[str]) -> str:
    if name in _SAME:
        return f'("{_SAME[name]}", {", ".join(args)})'
    if name == "silu" and len(args) == 1:  # as frontends have it, and as it is written by hand
        swish = f'("Swish", {args[0]}), ("Swish", {args[0]}, {_const(1)})'  # with beta
        return f'("or", {swish}, ("Multiply", {args[0]}, ("Sigmoid", {args[0]})))'
    raise Unknown(name)
