"""Operators on scalars: C++'s conversions, and which types C++ rejects."""

from __future__ import annotations

from typing import Any

from opkg.rules.constructs import Construct, ContextKind
from opkg.rules.core_match import At, Type
from opkg.rules.core_scalar import Apply, Cast, Expr, SelectScalar
from opkg.rules.elaborate.state import Place, State, at, name_at
from opkg.rules.elaborate.take import builds
from opkg.rules.elaborate.traps import check_comparison, check_divisor, check_rounding
from opkg.rules.elaborate.values import surely_constant
from opkg.rules.syntax import Call

_RANK = {Type.BOOL: 0, Type.INT: 1, Type.INT64: 2, Type.SIZE: 3, Type.FLOAT: 4}
SCALAR = ContextKind.SCALAR
SWAPPED = ("LT", "LE", "GT", "GE")


def common(a: Type, b: Type) -> Type | None:
    """C++'s common type; None for an element type and something else."""
    if Type.DTYPE in (a, b):
        return a if a is b else None
    return max(a, b, key=_RANK.__getitem__)


def cast(expr: Expr, type: Type, *, implicit: bool = True, place: At | None = None) -> Expr:
    """The expression as another type; itself when it has it."""
    return expr if expr.type is type and implicit else Cast(expr, type, implicit, at=place or expr.at)


def both(state: State, a: Expr, b: Expr, place: Place, what: str) -> tuple[Expr, Expr, Type] | None:
    """Two expressions in their common type; None after a finding (OPK523)."""
    type = common(a.type, b.type)
    if type is None:
        other = a if b.type is Type.DTYPE else b
        hint = "write the tag, DTYPE(n), or INT(DTYPE_OF(...))"
        state.error("OPK523", f"{what} of an element type and {article(other.type)} does not compile", place, hint)
        return None
    return cast(a, type), cast(b, type), type


def article(type: Type) -> str:
    """`a size`, `an int`."""
    text = "element type" if type is Type.DTYPE else str(type)
    return f"an {text}" if text[0] in "aeiou" else f"a {text}"


def arithmetic(state: State, operator: str, values: list[Expr], place: Place) -> Expr | None:
    """The operator from left to right, each step in the common type of what is there and the next."""
    spot = place if isinstance(place, tuple) else at(place)
    if len(values) == 1:
        return Apply(operator, (values[0],), values[0].type, at=spot)
    running, group = values[0].type, [values[0]]
    for value in values[1:]:
        type = common(running, value.type)
        if type is None:
            state.error("OPK523", f"{operator} of element types does not compile", place)
            return None
        if type is not running:
            before = group[0] if len(group) == 1 else Apply(operator, tuple(group), running, at=spot)
            group, running = [cast(before, type)], type
        group.append(cast(value, type))
    return Apply(operator, tuple(group), running, at=spot)


def comparison(state: State, operator: str, a: Expr, b: Expr, place: Place) -> Expr | None:
    """A comparison in the common type."""
    pair = both(state, a, b, place, "a comparison")
    if pair is None:
        return None
    spot = place if isinstance(place, tuple) else at(place)
    return Apply(operator, pair[:2], Type.BOOL, at=spot)


# ---- constructs ----------------------------------------------------------------------------------------------------


@builds(SCALAR, "EQ", "NE", *SWAPPED)
def _comparison(state: State, call: Call, row: Construct, values: list[Any]) -> Expr | None:
    a, b = values
    if surely_constant(a) and surely_constant(b) and common(a.type, b.type) is not None:
        state.error("OPK533", "a comparison of two constants does not compile", call, "write the result: OK or false")
        return None
    if row.name in SWAPPED and a.type is b.type is Type.DTYPE:
        state.warning(
            "OPK527", f"element types have no order: {row.name} compares their numbers", name_at(call), "use EQ or NE"
        )
    made = comparison(state, row.name, a, b, call)
    if isinstance(made, Apply):
        check_comparison(state, made)
    return made


@builds(SCALAR, "ADD", "SUB", "MUL", "MIN", "MAX", "DIV")
def _arithmetic(state: State, call: Call, row: Construct, values: list[Any]) -> Expr | None:
    made = arithmetic(state, row.name, values, call)
    if made is not None and made.type is Type.BOOL and row.name in ("ADD", "SUB"):
        state.warning(
            "OPK527", f"{row.name} of bools is a bool: it counts to 1 only", name_at(call), "write INT(...) around one"
        )
    if row.name == "DIV" and made is not None and made.type is not Type.FLOAT:
        check_divisor(state, values[1], row.name)
    return made


@builds(SCALAR, "REM", "MOD", "ROUNDUP", "ROUNDDOWN", "CEILDIV", "LCM", "BIT_AND", "BIT_OR")
def _integers(state: State, call: Call, row: Construct, values: list[Any]) -> Expr | None:
    if (
        row.name in ("CEILDIV", "LCM", "BIT_AND", "BIT_OR")
        and all(map(surely_constant, values))
        and "::" not in call.name
    ):
        state.error(
            "OPK533",
            f"{row.name} of constants does not compile: C++ does not find it",
            name_at(call),
            "write the result",
        )
    if row.name in ("REM", "MOD", "CEILDIV"):
        check_divisor(state, values[1], row.name)
    if row.name == "ROUNDUP":
        check_rounding(state, values[1])
    return arithmetic(state, row.name, values, call)


@builds(SCALAR, "NOT")
def _not(state: State, call: Call, row: Construct, values: list[Any]) -> Expr:
    return Apply("NOT", (values[0],), Type.BOOL, at=at(call))


@builds(SCALAR, "AND", "OR", "XOR")
def _logic(state: State, call: Call, row: Construct, values: list[Any]) -> Expr:
    return Apply(row.name, tuple(values), Type.BOOL, at=at(call))


@builds(SCALAR, "IS_POW2")
def _is_pow2(state: State, call: Call, row: Construct, values: list[Any]) -> Expr:
    operand = values[0] if values[0].type is not Type.BOOL else cast(values[0], Type.INT)
    return Apply("IS_POW2", (operand,), Type.BOOL, at=at(call))


@builds(SCALAR, "NEG", "ABS")
def _sign(state: State, call: Call, row: Construct, values: list[Any]) -> Expr | None:
    operand = values[0] if values[0].type is not Type.BOOL else cast(values[0], Type.INT)
    if operand.type is Type.SIZE and row.name == "ABS":
        state.error(
            "OPK523", "ABS of a size does not compile; a size is never negative", name_at(call), "leave ABS out"
        )
        return None
    if operand.type is Type.SIZE:
        hint = "NEG(INT(...)) is negative"
        state.warning("OPK535", "NEG of a size is a size: 2^64 less the number, never negative", name_at(call), hint)
    return Apply(row.name, (operand,), operand.type, at=at(call))


@builds(SCALAR, "INT", "UINT", "FLOAT", "DTYPE")
def _cast(state: State, call: Call, row: Construct, values: list[Any]) -> Expr:
    return Cast(values[0], Type(row.result), False, at=at(call))


@builds(SCALAR, "SELECT")
def _select(state: State, call: Call, row: Construct, values: list[Any]) -> Expr | None:
    condition, then, otherwise = values
    pair = both(state, then, otherwise, call, "a SELECT")
    return None if pair is None else SelectScalar(condition, *pair, at=at(call))


def as_bool(state: State, expr: Expr) -> Expr | None:
    """The expression as a condition (OPK523, OPK527)."""
    if expr.type is Type.DTYPE:
        state.error("OPK523", "an element type is no condition", expr.at, "compare it: EQ(..., DType::QUInt8)")
        return None
    if expr.type is not Type.BOOL:
        message = f"{article(expr.type)} as a condition holds when it is not 0"
        state.warning("OPK527", message, expr.at, "write the comparison: NE(..., 0)")
        return cast(expr, Type.BOOL)
    return expr


def as_count(state: State, expr: Expr) -> Expr | None:
    """The expression as some integer type (OPK523, OPK527)."""
    if expr.type is Type.DTYPE:
        state.error("OPK523", "an element type is no number", expr.at, "INT(...) gives its number")
        return None
    if expr.type is Type.FLOAT:
        state.warning("OPK527", "a float loses its fraction here", expr.at, "write INT(...) to say so")
        return cast(expr, Type.INT)
    return cast(expr, Type.INT) if expr.type is Type.BOOL else expr
