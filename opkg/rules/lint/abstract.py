"""What a scalar can be: a range of numbers, or a set of element types; operators on these, never too narrow."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from opkg.rules.core_match import Type
from opkg.rules.sim.arithmetic import Fault, Scalar, convert, operate

_INF = math.inf


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`, both included; bools are 0 and 1. `nan`: NaN too (floats)."""

    low: int | float
    high: int | float
    nan: bool = False

    def meet(self, other: Value) -> Range | None:
        """What is in both; None when nothing is."""
        assert isinstance(other, Range)
        low, high, nan = max(self.low, other.low), min(self.high, other.high), self.nan and other.nan
        if low > high:
            return Range(_INF, -_INF, nan=True) if nan else None
        return Range(low, high, nan)

    def join(self, other: Value) -> Range:
        assert isinstance(other, Range)
        return Range(min(self.low, other.low), max(self.high, other.high), self.nan or other.nan)

    @property
    def only(self) -> int | float | None:
        """The one number there is, None when there are more."""
        return self.low if self.low == self.high and not self.nan else None


@dataclass(frozen=True, slots=True)
class Tags:
    """Element types by number: `values`, or (`without`) all others, also such as nobody knows yet."""

    values: frozenset[int]
    without: bool = False

    def meet(self, other: Value) -> Tags | None:
        """What is in both; None when nothing is."""
        assert isinstance(other, Tags)
        if self.without and other.without:
            return Tags(self.values | other.values, without=True)
        if self.without or other.without:
            excluded, kept = (self, other) if self.without else (other, self)
            values = kept.values - excluded.values
        else:
            values = self.values & other.values
        return Tags(values) if values else None

    def join(self, other: Value) -> Tags:
        assert isinstance(other, Tags)
        if self.without and other.without:
            return Tags(self.values & other.values, without=True)
        if self.without or other.without:
            excluded, kept = (self, other) if self.without else (other, self)
            return Tags(excluded.values - kept.values, without=True)
        return Tags(self.values | other.values)

    @property
    def only(self) -> int | None:
        """The one type there is, None when there are more."""
        return next(iter(self.values)) if len(self.values) == 1 and not self.without else None


Value = Range | Tags
_RANGES = {
    Type.BOOL: Range(0, 1),
    Type.INT: Range(-(2**31), 2**31 - 1),
    Type.INT64: Range(-(2**63), 2**63 - 1),
    Type.SIZE: Range(0, 2**64 - 1),
    Type.FLOAT: Range(-_INF, _INF, nan=True),
}
TRUE, FALSE, EITHER = Range(1, 1), Range(0, 0), Range(0, 1)


def top(type: Type) -> Value:
    """All values of a type."""
    return Tags(frozenset(), without=True) if type is Type.DTYPE else _RANGES[type]


def exactly(type: Type, value: Scalar) -> Value:
    """One value of a type."""
    if type is Type.DTYPE:
        return Tags(frozenset((int(value),)))
    if isinstance(value, float) and math.isnan(value):
        return Range(_INF, -_INF, nan=True)
    return Range(int(value), int(value)) if type is not Type.FLOAT else Range(float(value), float(value))


def truth(can_be_true: bool, can_be_false: bool) -> Range:
    """A bool that can be what it is said to be."""
    return Range(0 if can_be_false else 1, 1 if can_be_true else 0)


# ---- operators -----------------------------------------------------------------------------------------------------


def apply(operator: str, type: Type, result: Type, args: Sequence[Value]) -> Value:
    """An operator (no comparison, not AND, OR, NOT, XOR) on arguments of `type`."""
    alone = [arg.only for arg in args]
    if all(value is not None for value in alone):
        try:
            return exactly(result, operate(operator, type, [value for value in alone if value is not None]))
        except Fault:
            return top(result)
    if type is Type.FLOAT and operator not in ("MIN", "MAX"):
        return top(result)
    ranges = [arg for arg in args if isinstance(arg, Range)]
    if len(ranges) != len(args) or operator not in _FOLD or any(arg.nan for arg in ranges):
        return top(result)
    whole = ranges[0]
    for other in ranges[1:]:
        made = _FOLD[operator](whole, other)
        whole = _fitting(made, type) if made is not None else _RANGES[type]
    if len(ranges) == 1:
        whole = _fitting(_unary(operator, whole), type)
    return whole if result is not Type.BOOL or type is Type.BOOL else EITHER


def _fitting(made: Range, type: Type) -> Range:
    """The range, or all of the type when something of it would wrap."""
    bounds = _RANGES[type]
    return made if bounds.low <= made.low and made.high <= bounds.high else bounds


def _unary(operator: str, arg: Range) -> Range:
    if operator == "NEG":
        return Range(-arg.high, -arg.low)
    if operator == "ABS":
        ends = (abs(arg.low), abs(arg.high))
        return Range(0 if arg.low <= 0 <= arg.high else min(ends), max(ends))
    return arg


def _add(a: Range, b: Range) -> Range:
    return Range(a.low + b.low, a.high + b.high)


def _sub(a: Range, b: Range) -> Range:
    return Range(a.low - b.high, a.high - b.low)


def _mul(a: Range, b: Range) -> Range:
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Range(min(ends), max(ends))


def _min(a: Range, b: Range) -> Range:
    return Range(min(a.low, b.low), min(a.high, b.high))


def _max(a: Range, b: Range) -> Range:
    return Range(max(a.low, b.low), max(a.high, b.high))


def _div(a: Range, b: Range) -> Range | None:
    """Of integers that are not negative."""
    if a.low < 0 or b.low < 1:
        return None
    return Range(int(a.low) // int(b.high), int(a.high) // int(b.low))


def _rest(a: Range, b: Range) -> Range | None:
    """REM and MOD of integers that are not negative."""
    if a.low < 0 or b.low < 1:
        return None
    return a if a.high < b.low else Range(0, min(a.high, b.high - 1))


def _round_up(a: Range, b: Range) -> Range | None:
    if a.low < 0 or b.low < 1:
        return None
    return Range(a.low, a.high + b.high - 1)


def _first_of(a: Range, b: Range) -> Range:
    """NEG and ABS have one argument, so nothing is folded."""
    return a


_FOLD = {
    "ADD": _add, "SUB": _sub, "MUL": _mul, "MIN": _min, "MAX": _max, "DIV": _div, "REM": _rest, "MOD": _rest,
    "ROUNDUP": _round_up, "NEG": _first_of, "ABS": _first_of,
}  # fmt: skip


def cast(value: Value, source: Type, to: Type) -> Value:
    """static_cast of anything in a value."""
    only = value.only
    if only is not None:
        return exactly(to, only if to is Type.DTYPE else convert(only, to))
    if source is to:
        return value
    if to is Type.BOOL:
        return _as_bool(value)
    if not isinstance(value, Range) or value.nan or value.low > value.high or to is Type.DTYPE:
        return top(to)
    if to is Type.FLOAT:
        return Range(float(convert(value.low, to)), float(convert(value.high, to)))
    if source is Type.FLOAT:
        return top(to)
    return _fitting(value, to)


def _as_bool(value: Value) -> Range:
    if isinstance(value, Tags):
        return truth(True, (0 in value.values) != value.without)
    return truth(value.nan or value.low < 0 or value.high > 0, value.low <= 0 <= value.high)


# ---- comparisons: which of < = > (and u, not comparable) can hold between two values -------------------------------

_HOLDS = {"EQ": "=", "NE": "<>u", "LT": "<", "GT": ">", "LE": "<=", "GE": "=>"}
MIRROR = {"<": ">", ">": "<", "=": "=", "u": "u"}


def holds(operator: str) -> frozenset[str]:
    """The relations under which a comparison is true."""
    return frozenset(_HOLDS[operator])


ALL = frozenset("<=>u")


def relations(a: Value, b: Value) -> Iterator[str]:
    """The relations that can be between a value of `a` and one of `b`."""
    if isinstance(a, Tags) or isinstance(b, Tags):
        one, other = a.only, b.only
        if one is not None and other is not None:
            yield "<" if one < other else "=" if one == other else ">"
            return
        yield from "<>"
        if isinstance(a, Tags) and isinstance(b, Tags) and a.meet(b) is not None:
            yield "="
        return
    if a.nan or b.nan:
        yield "u"
    if a.low > a.high or b.low > b.high:  # nothing but NaN
        return
    if a.low < b.high:
        yield "<"
    if a.high > b.low:
        yield ">"
    if a.low <= b.high and b.low <= a.high:
        yield "="


def narrowed(value: Value, relation: frozenset[str], other: Value, type: Type) -> Value | None:
    """What is left of a value that is in one of the relations to something of `other`; None: nothing."""
    if isinstance(value, Tags) or isinstance(other, Tags):
        return _narrowed_tags(value, relation, other)
    if "u" in relation and (value.nan or other.nan):
        return value
    nan = value.nan and "u" in relation
    if other.low > other.high:
        return None
    step = 0 if type is Type.FLOAT else 1
    low: int | float = -_INF
    high: int | float = _INF
    if "<" not in relation:
        low = other.low if "=" in relation else other.low + step
    if ">" not in relation:
        high = other.high if "=" in relation else other.high - step
    if relation <= {"<", ">", "u"} and other.only is not None and step:  # one number is excluded, at an end perhaps
        low = other.low + 1 if value.low == other.low else low
        high = other.high - 1 if value.high == other.high else high
    return value.meet(Range(low, high, nan))


def _narrowed_tags(value: Value, relation: frozenset[str], other: Value) -> Value | None:
    if not isinstance(value, Tags) or not isinstance(other, Tags):
        return value
    if "=" in relation:
        return value.meet(other) if not relation & {"<", ">"} else value
    only = other.only
    return value if only is None else value.meet(Tags(frozenset((only,)), without=True))
