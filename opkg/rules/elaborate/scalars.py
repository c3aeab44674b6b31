"""Scalars: properties, options, constants of operands, split variables, functions, macros of unknown expansion."""

from __future__ import annotations

from typing import Any

from opkg.rules import syntax
from opkg.rules.constructs import Construct, ContextKind, Kind
from opkg.rules.core import Existing
from opkg.rules.core_match import HtpType, Type
from opkg.rules.core_scalar import (
    Apply,
    ChunkSize,
    Const,
    ConstVal,
    ConstValKind,
    Expr,
    ExternalScalar,
    Message,
    OpaqueScalar,
    Option,
    Property,
    PropertyKind,
    Relation,
    RelationKind,
    SplitKind,
    SplitVar,
)
from opkg.rules.elaborate.leaves import CASTS, functional_cast, leaf
from opkg.rules.elaborate.operators import as_bool, as_count, cast
from opkg.rules.elaborate.state import State, at, unwrap
from opkg.rules.elaborate.take import builds, construct, takes
from opkg.rules.elaborate.traps import check_dim
from opkg.rules.elaborate.values import is_constant, value_of
from opkg.rules.splitters import splitter
from opkg.rules.syntax import Call, Node

SCALAR = ContextKind.SCALAR
LAYOUTS = {
    "QUint8CroutonTensor": (1, 8, 8, 32),
    "QUint16CroutonTensor": (1, 8, 4, 32),
    "F16CroutonTensor": (1, 8, 4, 32),
    "PlainFloatTensor": (1, 1, 1, 1),
}


_ALL_OF = {"FLOAT16": HtpType.Float16, "FLOAT32": HtpType.Float32, "BFLOAT16": HtpType.BFloat16}
_PROPERTIES = frozenset(map(str, PropertyKind))
_RELATIONS = frozenset(map(str, RelationKind))
_VALUES = frozenset(map(str, ConstValKind))
_VARIABLES = frozenset(map(str, SplitKind))


@takes(Kind.VALUE)
def scalar(state: State, node: Node) -> Expr | None:
    """A scalar of any type; None after a finding."""
    node = unwrap(node)
    if not isinstance(node, Call):
        return leaf(state, node)
    type = CASTS.get(node.name.removeprefix("std::"))
    if type is not None:
        return functional_cast(state, node, type)
    made: Expr | None = construct(state, node, SCALAR, _from_row)
    return made


@takes(Kind.BOOL)
def condition(state: State, node: Node) -> Expr | None:
    """A condition."""
    expr = scalar(state, node)
    return None if expr is None else as_bool(state, expr)


@takes(Kind.COUNT)
def count(state: State, node: Node) -> Expr | None:
    """A number of some integer type."""
    expr = scalar(state, node)
    return None if expr is None else as_count(state, expr)


@takes(Kind.INTEGER)
def integer(state: State, node: Node) -> Expr | None:
    """A number of some integer type; floats do not compile."""
    expr = scalar(state, node)
    if expr is not None and expr.type in (Type.FLOAT, Type.DTYPE):
        what = "a float" if expr.type is Type.FLOAT else "an element type"
        state.error("OPK523", f"{what} stands where C++ takes integers only", expr.at, "write INT(...)")
        return None
    return expr


@takes(Kind.NUMBER)
def number(state: State, node: Node) -> Expr | None:
    """Any scalar but an element type."""
    expr = scalar(state, node)
    if expr is not None and expr.type is Type.DTYPE:
        state.error("OPK523", "an element type is no number", expr.at, "INT(...) gives its number")
        return None
    return expr


@takes(Kind.FLOAT)
def floating(state: State, node: Node) -> Expr | None:
    """A number as a float."""
    expr = number(state, node)
    return None if expr is None else cast(expr, Type.FLOAT)


@takes(Kind.DTYPE)
def element_type(state: State, node: Node) -> Expr | None:
    """An element type."""
    expr = scalar(state, node)
    if expr is not None and expr.type is not Type.DTYPE:
        state.error("OPK523", f"{expr.type} is no element type", expr.at, "write the tag (DType::QUInt8) or DTYPE(...)")
        return None
    return expr


@takes(Kind.LITERAL)
def literal(state: State, node: Node) -> int | None:
    """The value of a C++ integer constant; None after a finding (OPK532), or when the value is not known to us."""
    expr = scalar(state, node)
    if expr is None:
        return None
    if not is_constant(expr) or expr.type in (Type.FLOAT, Type.BOOL, Type.DTYPE):
        state.error("OPK532", "only a plain integer compiles here, not a computed number", node, "write the number")
        return None
    value = value_of(expr)
    if value is None:
        state.complete = False
        return 0
    return int(value)


# ---- names and texts -----------------------------------------------------------------------------------------------


@takes(Kind.OPTION)
def option(state: State, node: Node) -> str | None:
    """The name of a graph option."""
    return _string(state, node, "the name of an option is a string")


@takes(Kind.TEXT)
def text(state: State, node: Node) -> str | None:
    """A text to log."""
    return _string(state, node, "the text is a string")


def _string(state: State, node: Node, message: str) -> str | None:
    node = unwrap(node)
    if isinstance(node, syntax.Str):
        return node.value
    state.error("OPK522", message, node)
    return None


@takes(Kind.FUNCTION)
def function(state: State, node: Node) -> str | None:
    """A C++ function; in C++ source it should be annotated."""
    name = cpp_name(state, node)
    known = {annotated for annotated, _ in state.context.externals}
    if name and state.front is syntax.Front.CPP and name.partition("<")[0] not in known and splitter(name) is None:
        message = f"'{name}' has no :::EXTERNAL_SHAPEFN::: annotation: what it takes and returns is not known here"
        state.info("OPK544", message, node, f"// :::EXTERNAL_SHAPEFN::: {{ bool {name}(OpRef); }}")
    return name


@takes(Kind.CLASS)
def cpp_name(state: State, node: Node) -> str | None:
    """A C++ function or class by its name, with template arguments perhaps."""
    node = unwrap(node)
    if isinstance(node, syntax.Name | syntax.Opaque):
        return node.text
    hint = "leave the quotes out" if isinstance(node, syntax.Str) else ""
    state.error("OPK522", "a C++ name is needed here", node, hint)
    return None


@takes(Kind.SPLIT)
def split_tag(state: State, node: Node) -> str | None:
    """The tag of a split whose last operand this is in (OPK529, OPK531)."""
    name = _string(state, node, "a split tag is a string")
    if name is None:
        return None
    if not state.replacing:
        state.error(
            "OPK531",
            "the variables of a split are not visible in a constraint",
            node,
            "ask for the whole's size: DIM_OF",
        )
        return None
    split = state.open_split(name)
    if split is None:
        tags = [f'"{split.tag}"' for split in state.splits]
        where = f"the splits around it are {', '.join(tags)}" if tags else "there is no AUTOSPLIT or OP_ITER around it"
        state.error("OPK529", f'split tag "{name}" is not known here: {where}', node)
        return None
    split.used = True
    return name


# ---- constructs ----------------------------------------------------------------------------------------------------


def _from_row(state: State, call: Call, row: Construct, values: list[Any]) -> Expr:
    """Rows that say everything: properties, relations, values of constants, options, split variables; else a macro."""
    name, place = row.name, at(call)
    if name in _PROPERTIES:
        return Property(PropertyKind(name), values[0], None, Type(row.result), at=place)
    if name in _RELATIONS:
        named = isinstance(values[-1], str)
        return Relation(
            RelationKind(name), tuple(values[:-1] if named else values), values[-1] if named else "", at=place
        )
    if name in _VALUES:
        return ConstVal(ConstValKind(name), values[0], tuple(values[1:]), Type(row.result), at=place)
    if name.startswith("OPTION_"):
        return Option(values[0], Type(row.result), at=place)
    if name in _VARIABLES:
        return SplitVar(SplitKind(name), values[0], at=place)
    args = (value.operand if isinstance(value, Existing) else value for value in values)
    return OpaqueScalar(name, tuple(args), Type(row.result), at=place)


@builds(SCALAR, "IS_DTYPE_ALL", "IS_FLOAT16_ALL", "IS_FLOAT32_ALL", "IS_BFLOAT16_ALL")
def _all_types(state: State, call: Call, row: Construct, values: list[Any]) -> Expr:
    """One comparison for each operand."""
    place = at(call)
    if row.name == "IS_DTYPE_ALL":
        wanted, *operands = values
    else:
        tag = row.name.removeprefix("IS_").removesuffix("_ALL")
        wanted, operands = Const(Type.DTYPE, int(_ALL_OF[tag]), at=place), values
    types = (Property(PropertyKind.DTYPE, one, None, Type.DTYPE, at=place) for one in operands)
    return Apply("AND", tuple(Apply("EQ", (one, wanted), Type.BOOL, at=place) for one in types), Type.BOOL, at=place)


@builds(SCALAR, "DIM_OF")
def _dim_of(state: State, call: Call, row: Construct, values: list[Any]) -> Expr:
    operand, index = values
    check_dim(state, index, at(call.args[1]))
    return Property(PropertyKind.DIM, operand, index, Type.SIZE, at=at(call))


@builds(SCALAR, "LAYOUT_CHUNKSIZE")
def _chunk_size(state: State, call: Call, row: Construct, values: list[Any]) -> Expr:
    name, index = values
    sizes = LAYOUTS.get(name)
    known = sizes is not None and 0 <= index < len(sizes)
    if index < 0 or (sizes is not None and not known) or index >= 8:
        rank = len(sizes) if sizes else 8
        state.error("OPK542", f"a layout of {rank} dimensions has no dimension {index}", call.args[1])
    return ChunkSize(name, index, sizes[index] if sizes is not None and known else None, at=at(call))


@builds(SCALAR, "MESSAGE", "MESSAGE_IF", "MESSAGE_IFNOT", "MESSAGE_VALUE")
def _message(state: State, call: Call, row: Construct, values: list[Any]) -> Expr:
    operand = values[0] if len(values) == 2 else None
    if operand is not None and row.name == "MESSAGE_VALUE":
        operand = cast(operand, Type.INT)
    return Message(row.name, values[-1], operand, Type(row.result), at=at(call))


@builds(SCALAR, "EXTERNAL_CONSTRAINT")
def _external(state: State, call: Call, row: Construct, values: list[Any]) -> Expr:
    function, operand, *args = values
    return ExternalScalar(function, operand, tuple(args), _returned(state, function), at=at(call))


def _returned(state: State, function: str) -> Type:
    """The type a function returns by its annotation; bool without one."""
    text = dict(state.context.externals).get(function, "")
    head = text.strip().lstrip("{").split(function)[0].strip().removeprefix("std::")
    return CASTS.get(head, Type.BOOL)
