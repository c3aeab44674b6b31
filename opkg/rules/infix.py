"""Scalars and operands of typed rules as infix text: `X.shape[1] > 8 and X.dtype == QUInt8`."""

from __future__ import annotations

from opkg.rules import core
from opkg.rules.core import ConstValKind, Expr, HtpType, Operand, PropertyKind, RelationKind, SplitKind, Type

_OPERATORS = {
    "OR": ("or", 1), "XOR": ("xor", 2), "AND": ("and", 3), "EQ": ("==", 5), "NE": ("!=", 5), "LT": ("<", 5),
    "GT": (">", 5), "LE": ("<=", 5), "GE": (">=", 5), "BIT_OR": ("|", 6), "BIT_AND": ("&", 7), "ADD": ("+", 8),
    "SUB": ("-", 8), "MUL": ("*", 9), "DIV": ("/", 9),
}  # fmt: skip
_NOT, _NEG, _ATOM = 4, 10, 11
_PROPERTIES = {
    PropertyKind.RANK: "rank",
    PropertyKind.STEPSIZE: "step_size",
    PropertyKind.ZERO_OFFSET: "zero_offset",
    PropertyKind.DTYPE: "dtype",
    PropertyKind.ELEMENT_SIZE: "element_size",
    PropertyKind.INPUTS: "number_of_inputs",
    PropertyKind.OUTPUTS: "number_of_outputs",
    PropertyKind.DATA_SIZE: "data_size",
}
_SPLIT = {SplitKind.DIM: "dim", SplitKind.START: "start", SplitKind.SIZE: "size"}


def operand_text(operand: Operand) -> str:
    """`X`, `X.input[0]`; the root is `*`."""
    match operand:
        case core.Tag(name=name):
            return name
        case core.InputOf(operand=inner, index=index):
            return f"{operand_text(inner)}.input[{infix(index)}]"
        case core.OutputOf(operand=inner, index=index):
            return f"{operand_text(inner)}.output[{infix(index)}]"
        case core.SelectOperand(condition=condition, then=then, otherwise=otherwise):
            return f"({operand_text(then)} if {infix(condition)} else {operand_text(otherwise)})"


def infix(expr: Expr) -> str:
    """An expression as infix text; conversions that C++ makes by itself are left out."""
    return _text(expr)[0]


def conditions(expr: Expr) -> list[str]:
    """The terms of an AND, each as text; [] when the expression is true."""
    if isinstance(expr, core.Cast) and expr.implicit:
        return conditions(expr.operand)
    if isinstance(expr, core.Apply) and expr.operator == "AND":
        return [term for arg in expr.args for term in conditions(arg)]
    if isinstance(expr, core.Const) and expr.value is True:
        return []
    return [infix(expr)]


def _in(expr: Expr, level: int) -> str:
    """The text of an argument, in brackets if it binds less than `level`."""
    text, strength = _text(expr)
    return f"({text})" if strength < level else text


def _text(expr: Expr) -> tuple[str, int]:
    """Text and how strongly it binds."""
    match expr:
        case core.Const(type=type, value=value):
            return _constant(type, value)
        case core.Cast(operand=operand, type=type, implicit=implicit):
            return _text(operand) if implicit else (f"{type}({infix(operand)})", _ATOM)
        case core.Apply():
            return _apply(expr)
        case core.SelectScalar(condition=condition, then=then, otherwise=otherwise):
            return f"{_in(then, 1)} if {_in(condition, 1)} else {_in(otherwise, 1)}", 0
        case core.Relation():
            return _relation(expr), 5
        case core.Message(operand=operand):
            return ("true", _ATOM) if operand is None else _text(operand)
        case _:
            return _leaf(expr), _ATOM


def _constant(type: Type, value: bool | int | float) -> tuple[str, int]:
    if type is Type.DTYPE:
        return next((tag.name for tag in HtpType if tag == value), f"dtype({value})"), _ATOM
    if type is Type.BOOL:
        return "true" if value else "false", _ATOM
    return str(value), _NEG if value < 0 else _ATOM


def _apply(expr: core.Apply) -> tuple[str, int]:
    if expr.operator == "NOT":
        return f"not {_in(expr.args[0], _NOT)}", _NOT
    if expr.operator == "NEG":
        return f"-{_in(expr.args[0], _ATOM)}", _NEG
    if expr.operator not in _OPERATORS:
        return f"{expr.operator.lower()}({', '.join(map(infix, expr.args))})", _ATOM
    word, level = _OPERATORS[expr.operator]
    first, *rest = expr.args
    return f" {word} ".join([_in(first, level if level != 5 else 6), *(_in(arg, level + 1) for arg in rest)]), level


def _relation(expr: core.Relation) -> str:
    names = [operand_text(operand) for operand in expr.operands]
    match expr.kind:
        case RelationKind.SAME_OP:
            return f"{names[0]} is {names[1]}"
        case RelationKind.IS_OP:
            return f"{names[0]}.op == {expr.name}"
        case RelationKind.PRODUCER_FOR:
            return f"some {expr.name} reads {names[0]}"
        case RelationKind.SAME_ENCODING:
            return f"{names[0]}.encoding == {names[1]}.encoding"
        case RelationKind.SAME_SHAPE:
            return f"{names[0]}.shape == {names[1]}.shape"


def _leaf(expr: Expr) -> str:
    match expr:
        case core.Property(kind=PropertyKind.DIM, operand=operand, index=index):
            return f"{operand_text(operand)}.shape[{index}]"
        case core.Property(kind=kind, operand=operand):
            return f"{operand_text(operand)}.{_PROPERTIES[kind]}"
        case core.ConstVal(kind=kind, operand=operand, index=index):
            element = f"{operand_text(operand)}.value[{', '.join(map(infix, index))}]"
            asks = {ConstValKind.INT_VALID: "is_int", ConstValKind.FLOAT_VALID: "is_float"}.get(kind)
            return f"{asks}({element})" if asks else element
        case core.Option(name=name):
            return f"option({name})"
        case core.ChunkSize(tensor_class=tensor_class, index=index):
            return f"{tensor_class}.chunk[{index}]"
        case core.NamedConst(name=name):
            return name
        case core.SplitVar(kind=kind, split=split):
            return f"{split}.{_SPLIT[kind]}"
        case core.ExternalScalar(function=function, operand=operand, args=args):
            return f"{function}({', '.join([operand_text(operand), *map(infix, args)])})"
        case core.OpaqueScalar(name=name, args=args):
            return f"{name}({', '.join(argument_text(arg) for arg in args)})"
    return "?"


def argument_text(arg: object) -> str:
    """An argument of a C++ function or unknown macro: an operand or a scalar."""
    if isinstance(arg, core.Tag | core.InputOf | core.OutputOf | core.SelectOperand):
        return operand_text(arg)
    if isinstance(arg, core.Existing):
        return operand_text(arg.operand)
    scalars = Expr.__args__
    return infix(arg) if isinstance(arg, scalars) else "..."
