"""Values that trap: comparisons of sizes with negative numbers, divisors, roundings, differences of sizes, dimensions."""

from __future__ import annotations

from opkg.rules.core_match import Type
from opkg.rules.core_scalar import (
    Apply,
    Cast,
    Expr,
    Property,
    PropertyKind,
)
from opkg.rules.elaborate.state import State
from opkg.rules.elaborate.values import value_of

MOST_DIMS = 8
_ALWAYS = {"EQ": "never", "NE": "always", "GT": "never", "GE": "never", "LT": "always", "LE": "always"}
_MIRROR = {"EQ": "EQ", "NE": "NE", "GT": "LT", "GE": "LE", "LT": "GT", "LE": "GE"}


def check_comparison(state: State, made: Apply) -> None:
    """A size beside something negative, or beside 0 where that decides (OPK534)."""
    left, right = made.args
    for operator, one, other in ((made.operator, left, right), (_MIRROR[made.operator], right, left)):
        if one.type is not Type.SIZE or (isinstance(one, Cast) and one.implicit):
            continue
        inner = other.operand if isinstance(other, Cast) and other.implicit else other
        value = value_of(inner)
        if isinstance(value, int) and value < 0:
            message = f"a size beside {value}: C++ makes {value % 2**64} of it, so this {_ALWAYS[operator]} holds"
            state.warning("OPK534", message, made.at, "write INT(...) around the size")
        elif value == 0 and operator in ("LT", "GE"):
            how = "never" if operator == "LT" else "always"
            state.warning("OPK534", f"a size is never less than 0, so this {how} holds", made.at)
        elif _may_be_negative(inner):
            message = "an int that may be negative becomes a huge size in this comparison"
            state.warning("OPK534", message, inner.at, "write INT(...) around the size")


def _may_be_negative(expr: Expr) -> bool:
    if expr.type is not Type.INT:
        return False
    if isinstance(expr, Apply):
        return expr.operator == "NEG" or (expr.operator == "SUB" and value_of(expr) is None)
    return isinstance(expr, Property) and expr.kind is PropertyKind.ZERO_OFFSET


def check_divisor(state: State, divisor: Expr, operator: str) -> None:
    """Division of integers by 0 (OPK542)."""
    if value_of(divisor) == 0:
        state.error("OPK542", f"{operator} by 0 is undefined", divisor.at)


def check_rounding(state: State, step: Expr) -> None:
    """ROUNDUP to odd multiples (OPK542)."""
    value = value_of(step)
    if value is None or isinstance(value, float):
        return
    if value == 0:
        state.warning("OPK542", "ROUNDUP to 0 gives the next power of two", step.at)
    elif value < 0:
        state.warning("OPK542", "ROUNDUP to a negative number gives 0", step.at)
    elif value & (value - 1):
        message = f"ROUNDUP to {value}: the published text wants a power of two"
        state.warning("OPK542", message, step.at, "multiples of any positive number work today")


def check_dim(state: State, index: int, place: tuple[int, int], rank: int | None = None) -> None:
    """The index of DIM_OF (OPK536)."""
    if index < 0:
        state.warning(
            "OPK536", f"there is no dimension {index}: this is 0", place, "dimensions count from 0 at the outermost"
        )
    elif index >= MOST_DIMS:
        state.warning("OPK536", f"tensors have at most {MOST_DIMS} dimensions: there is no dimension {index}", place)
    elif rank is not None and index == rank:
        message = f"dimension {index} of a tensor of rank {rank} is not caught: it reads what lies behind the shape"
        state.warning("OPK536", message, place, f"the last dimension is {rank - 1}")
    elif rank is not None and index > rank:
        state.warning("OPK536", f"dimension {index} of a tensor of rank {rank} is always 0", place)
