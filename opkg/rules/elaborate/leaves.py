"""Scalars without a construct: numbers, names, C++ operators and casts between constants."""

from __future__ import annotations

import struct

from opkg.rules import syntax
from opkg.rules.constructs import Construct, ContextKind, Kind, names, row_of
from opkg.rules.core_match import HtpType, Type
from opkg.rules.core_scalar import Const, Expr, NamedConst
from opkg.rules.elaborate.operators import arithmetic, cast, comparison
from opkg.rules.elaborate.state import State, at, unwrap
from opkg.rules.elaborate.take import TAKE, expansion, find_row, instantiate
from opkg.rules.elaborate.values import converted, is_constant, value_of
from opkg.spec.diagnostics import nearest

_NUMBERS: dict[str, tuple[Type, bool | float]] = {
    "OK": (Type.BOOL, True),
    "true": (Type.BOOL, True),
    "false": (Type.BOOL, False),
    "INF": (Type.FLOAT, float("inf")),
    "NEG_INF": (Type.FLOAT, float("-inf")),
}
_ARITHMETIC = {"+": "ADD", "-": "SUB", "*": "MUL", "/": "DIV", "%": "REM", "&": "BIT_AND", "|": "BIT_OR"}
_COMPARISONS = {"==": "EQ", "!=": "NE", "<": "LT", ">": "GT", "<=": "LE", ">=": "GE"}
_LOGIC = {"&&": "AND", "||": "OR"}
CASTS = {
    "bool": Type.BOOL, "float": Type.FLOAT, "double": Type.FLOAT, "int": Type.INT, "int32_t": Type.INT, "short": Type.INT,
    "int16_t": Type.INT, "int8_t": Type.INT, "uint8_t": Type.INT, "uint16_t": Type.INT, "unsigned": Type.SIZE,
    "uint32_t": Type.SIZE, "size_t": Type.SIZE, "uint64_t": Type.SIZE, "long": Type.INT64, "int64_t": Type.INT64,
    "DType": Type.DTYPE,
}  # fmt: skip


def leaf(state: State, node: syntax.Node) -> Expr | None:
    """A scalar that is no call; None after a finding."""
    place = at(node)
    match node:
        case syntax.Int(value=value, unsigned=unsigned):
            return Const(_int_type(value, unsigned), value % 2**64 if unsigned else value, at=place)
        case syntax.Float(value=value):
            return Const(Type.FLOAT, single(value), at=place)
        case syntax.Name():
            return _name(state, node)
        case syntax.Unary():
            return _unary(state, node)
        case syntax.Binary():
            return _binary(state, node)
        case syntax.Opaque(text=text):
            state.info("OPK544", f"the value of '{text}' is not known here; it is taken to be an int", node)
            return NamedConst(text, Type.INT, at=place)
        case syntax.Str(value=value):
            state.error("OPK522", f'"{value}" names an operand, and a scalar is needed here', node,
                        f'a property of it? DIM_OF("{value}", 3), DTYPE_OF("{value}")')  # fmt: skip
    return None


def _int_type(value: int, unsigned: bool) -> Type:
    if unsigned:
        return Type.SIZE
    return Type.INT if -(2**31) <= value < 2**31 else Type.INT64


def single(value: float) -> float:
    """The value as a 32-bit float holds it."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


# ---- names ---------------------------------------------------------------------------------------------------------


def _name(state: State, node: syntax.Name) -> Expr | None:
    place = at(node)
    if node.text in _NUMBERS:
        type, value = _NUMBERS[node.text]
        return Const(type, value, at=place)
    row = row_of(node.text, ContextKind.SCALAR)
    if row is not None or node.text.startswith("DType::"):
        row = find_row(state, node, ContextKind.SCALAR)
        return None if row is None else _table_name(state, node, row)
    given = dict(state.context.constants).get(node.text)
    if given is not None:
        type = Type.BOOL if isinstance(given, bool) else Type.INT if isinstance(given, int) else Type.FLOAT
        return Const(type, given, at=place)
    return _foreign(state, node)


def _table_name(state: State, node: syntax.Name, row: Construct) -> Expr | None:
    if row.name.startswith("DType::"):
        tag = row.name.removeprefix("DType::")
        return Const(Type.DTYPE, int(HtpType["NONE" if tag == "None" else tag]), at=at(node))
    if row.expansion:
        found: Expr | None = TAKE[Kind.VALUE](state, instantiate(expansion(row.expansion), {}, node))
        return found
    return NamedConst(row.name, Type(row.result), at=at(node))


def _foreign(state: State, node: syntax.Name) -> Expr | None:
    """A name that is not the language's: a C++ constant, or a mistake."""
    near = nearest(node.text, names(ContextKind.SCALAR, bare=True))
    hint = f"did you mean '{near}'?" if near else ""
    if state.front is syntax.Front.YAML:
        state.error("OPK520", f"there is no constant '{node.text}'", node, hint or "write the number")
        return None
    message = f"the value of '{node.text}' is not known here; it is taken to be an int"
    if near:
        state.warning("OPK544", message, node, hint)
    else:
        state.info("OPK544", message, node, "--preprocess replaces macros by their values")
    return NamedConst(node.text, Type.INT, at=at(node))


# ---- C++ operators and casts ---------------------------------------------------------------------------------------


def _unary(state: State, node: syntax.Unary) -> Expr | None:
    operand = TAKE[Kind.VALUE](state, node.operand)
    if operand is None:
        return None
    if is_constant(operand) and operand.type is not Type.DTYPE:
        if node.operator == "+":
            return operand  # type: ignore[no-any-return]
        if node.operator == "-":
            return arithmetic(state, "NEG", [operand], node)
    instead = {"!": "NOT(x)", "-": "NEG(x)"}.get(node.operator, "the language's operators")
    state.error(
        "OPK543", f"C++'s '{node.operator}' does not work on expressions of the language", node, f"write {instead}"
    )
    return None


def _binary(state: State, node: syntax.Binary) -> Expr | None:
    sides = [TAKE[Kind.VALUE](state, side) for side in (node.left, node.right)]
    if sides[0] is None or sides[1] is None:
        return None
    if all(is_constant(side) for side in sides):
        if node.operator in _ARITHMETIC:
            return arithmetic(state, _ARITHMETIC[node.operator], sides, node)
        if node.operator in _COMPARISONS:
            return comparison(state, _COMPARISONS[node.operator], sides[0], sides[1], node)
    name = {**_ARITHMETIC, **_COMPARISONS, **_LOGIC}.get(node.operator)
    hint = f"write {name}(a, b)" if name else "use the language's operators"
    state.error("OPK543", f"C++'s '{node.operator}' does not work on expressions of the language", node, hint)
    return None


def functional_cast(state: State, node: syntax.Call, type: Type) -> Expr | None:
    """`size_t(4)`: C++ casts constants only."""
    if len(node.args) != 1:
        state.error("OPK521", f"a cast takes 1 argument, not {len(node.args)}", (node.start, node.name_end))
        return None
    operand = TAKE[Kind.VALUE](state, node.args[0])
    if operand is None:
        return None
    if not is_constant(operand):
        instead = {Type.SIZE: "UINT", Type.FLOAT: "FLOAT", Type.DTYPE: "DTYPE"}.get(type, "INT")
        state.error(
            "OPK543", f"'{node.name}(...)' is a C++ cast and works on constants only", node, f"write {instead}(...)"
        )
        return None
    value = value_of(operand)
    if value is not None and Type.DTYPE not in (type, operand.type):
        return Const(type, converted(value, type), at=at(node))
    return cast(operand, type, implicit=False, place=at(node))


def is_cast(node: syntax.Node) -> bool:
    """Whether a node is a C++ functional cast."""
    node = unwrap(node)
    return isinstance(node, syntax.Call) and node.name.removeprefix("std::") in CASTS
