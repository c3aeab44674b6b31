"""Scalar expressions of rules as C++ over `opkg/rewrite.h`."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

from opkg.rules import core
from opkg.rules.core import ConstValKind, PropertyKind, RelationKind, SplitKind, Type
from opkg.targets.qnn_common.names import string
from opkg.targets.qnn_htp_qhpi.rewrite_frame import Frame
from opkg.targets.qnn_htp_qhpi.rewrite_limits import seen_name

CPP = {
    Type.BOOL: "bool", Type.INT: "int32_t", Type.INT64: "int64_t", Type.SIZE: "uint64_t", Type.FLOAT: "float",
    Type.DTYPE: "uint32_t",
}  # fmt: skip

# How strongly C++ binds: an operand that binds less gets brackets.
_CHOICE, _OR, _AND, _BITS, _EQUAL, _ORDER, _SUM, _PRODUCT, _UNARY, _WHOLE = range(1, 11)
_BINARY = {
    "ADD": ("+", _SUM), "SUB": ("-", _SUM), "MUL": ("*", _PRODUCT), "DIV": ("/", _PRODUCT), "REM": ("%", _PRODUCT),
}  # fmt: skip
_COMPARE = {"EQ": "==", "NE": "!=", "LT": "<", "GT": ">", "LE": "<=", "GE": ">="}
_OPPOSITE = {"EQ": "NE", "NE": "EQ", "LT": "GE", "GT": "LE", "LE": "GT", "GE": "LT"}
_FUNCTION = {
    "MOD": "opkg::mod", "ROUNDUP": "opkg::round_up", "ROUNDDOWN": "opkg::round_down", "CEILDIV": "opkg::ceil_div",
    "LCM": "opkg::lcm", "MIN": "std::min", "MAX": "std::max",
}  # fmt: skip
_TRAPS = {"DIV": "opkg::quotient", "REM": "opkg::remainder"}
_DIVIDES = ("DIV", "REM", "MOD", "ROUNDDOWN", "CEILDIV")
_DTYPES = {t: f"QHPI_{t.name.upper()}" for t in core.HtpType if t.value < 10}

Shown = tuple[str, int]


def scalar(expr: core.Expr, frame: Frame) -> str:
    """The expression in C++."""
    return _show(expr, frame)[0]


def scalar_as(expr: core.Expr, wanted: Type, frame: Frame) -> str:
    """The expression, converted where its type is another."""
    return scalar(expr if expr.type is wanted else core.Cast(expr, wanted), frame)


def refusals(when: core.Expr, frame: Frame) -> list[str]:
    """Conditions, one for each term of the constraint, under which a rule does not fit."""
    if isinstance(when, core.Apply) and when.operator == "AND":
        return [refusal for arg in when.args for refusal in refusals(arg, frame) if refusal != "false"]
    if isinstance(when, core.Const):
        return [] if when.value else ["true"]
    if isinstance(when, core.Apply) and when.operator == "NOT":
        return [scalar(when.args[0], frame)]
    if isinstance(when, core.Option) and when.type is Type.BOOL:
        return [f"{scalar(core.Option(when.name, Type.INT), frame)} == 0"]
    exact = isinstance(when, core.Apply) and when.args[0].type is not Type.FLOAT  # NaN is neither less nor not less
    if isinstance(when, core.Apply) and when.operator in _OPPOSITE and exact:
        return [scalar(core.Apply(_OPPOSITE[when.operator], when.args, Type.BOOL), frame)]
    return [f"!{_at_least(when, _UNARY, frame)}"]


def operand(x: core.Operand, frame: Frame) -> str:
    """An existing operand."""
    if isinstance(x, core.Tag):
        return frame.tags[x.name]
    if isinstance(x, core.InputOf):
        return f"opkg::input({operand(x.operand, frame)}, {scalar(x.index, frame)})"
    if isinstance(x, core.OutputOf):
        return f"opkg::output({operand(x.operand, frame)}, {scalar(x.index, frame)})"
    return f"({_at_least(x.condition, _OR, frame)} ? {operand(x.then, frame)} : {operand(x.otherwise, frame)})"


def _show(expr: core.Expr, frame: Frame) -> Shown:
    return _SHOW[type(expr)](expr, frame)


def _at_least(expr: core.Expr, level: int, frame: Frame) -> str:
    text, bound = _show(expr, frame)
    return text if bound >= level else f"({text})"


# ---- leaves


def _const(expr: core.Const, frame: Frame) -> Shown:
    value = expr.value
    if expr.type is Type.BOOL:
        return ("true" if value else "false"), _WHOLE
    if expr.type is Type.FLOAT:
        return _float(float(value))
    if expr.type is Type.DTYPE:
        return _DTYPES.get(int(value), f"uint32_t{{{int(value)}}}"), _WHOLE  # type: ignore[call-overload]
    if expr.type is Type.SIZE:
        number = int(value) & 0xFFFFFFFFFFFFFFFF
        return (f"{number}u" if number < 1 << 32 else f"uint64_t{{{number}u}}"), _WHOLE
    if value == -(1 << 31):
        return "std::numeric_limits<int32_t>::min()", _WHOLE
    return str(int(value)), _WHOLE if value >= 0 else _UNARY


def _float(value: float) -> Shown:
    try:
        value = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        value = math.copysign(math.inf, value)
    if math.isnan(value):
        return "std::numeric_limits<float>::quiet_NaN()", _WHOLE
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}std::numeric_limits<float>::infinity()", _UNARY
    text = f"{value:.9g}"
    for digits in range(1, 9):
        if struct.pack("<f", float(f"{value:.{digits}g}")) == struct.pack("<f", value):
            text = f"{value:.{digits}g}"
            break
    if "e" in text and 1e-4 <= abs(value) < 1e9:
        text = f"{float(text):.9f}".rstrip("0").rstrip(".")
    text = text if any(c in text for c in ".e") else f"{text}.0"
    return f"{text}f", _UNARY if value < 0 else _WHOLE


def _chunk(expr: core.ChunkSize, frame: Frame) -> Shown:
    return f"{expr.value}u", _WHOLE


def _named(expr: core.NamedConst, frame: Frame) -> Shown:
    raise ValueError(f"the value of {expr.name} is not known")


def _option(expr: core.Option, frame: Frame) -> Shown:
    read = f"opkg::option(op, {string(expr.name)})"
    if expr.type is Type.BOOL:
        return f"{read} != 0", _EQUAL
    return (read if expr.type is Type.INT else f"static_cast<{CPP[expr.type]}>({read})"), _WHOLE


_PROPERTIES = {
    PropertyKind.RANK: "rank", PropertyKind.STEPSIZE: "stepsize", PropertyKind.ZERO_OFFSET: "zero_offset",
    PropertyKind.DTYPE: "type", PropertyKind.ELEMENT_SIZE: "element_size", PropertyKind.INPUTS: "num_inputs",
    PropertyKind.OUTPUTS: "num_outputs", PropertyKind.DATA_SIZE: "data_size",
}  # fmt: skip


def _property(expr: core.Property, frame: Frame) -> Shown:
    x = operand(expr.operand, frame)
    if expr.kind is not PropertyKind.DIM:
        return f"opkg::{_PROPERTIES[expr.kind]}({x})", _WHOLE
    index = expr.index if expr.index is not None and 0 <= expr.index < 8 else 8
    return f"opkg::dim({x}, {index})", _WHOLE


_ELEMENTS = {
    ConstValKind.INT: "const_int", ConstValKind.INT_VALID: "is_const_int", ConstValKind.FLOAT: "const_float",
    ConstValKind.FLOAT_VALID: "is_const_float",
}  # fmt: skip


def _element(expr: core.ConstVal, frame: Frame) -> Shown:
    x = operand(expr.operand, frame)
    index = [scalar_as(i, Type.INT64, frame) if i.type is Type.FLOAT else scalar(i, frame) for i in expr.index]
    where = index[0] if len(index) == 1 else f"opkg::at({x}, {', '.join(index)})"
    return f"opkg::{_ELEMENTS[expr.kind]}({x}, {where})", _WHOLE


def _relation(expr: core.Relation, frame: Frame) -> Shown:
    xs = ", ".join(operand(x, frame) for x in expr.operands)
    if expr.kind in (RelationKind.IS_OP, RelationKind.PRODUCER_FOR):
        function = "is_named" if expr.kind is RelationKind.IS_OP else "is_producer_for"
        return f"opkg::{function}({xs}, {string(seen_name(expr.name, frame.early))})", _WHOLE
    function = {RelationKind.SAME_OP: "same", RelationKind.SAME_SHAPE: "same_shape"}.get(expr.kind, "same_encoding")
    return f"opkg::{function}({xs})", _WHOLE


def _split_var(expr: core.SplitVar, frame: Frame) -> Shown:
    split = frame.splits[expr.split]
    if split.counts:
        return {SplitKind.DIM: "0", SplitKind.START: split.name, SplitKind.SIZE: "1"}[expr.kind], _WHOLE
    return (
        f"{split.name}.{ {SplitKind.DIM: 'dim', SplitKind.START: 'start', SplitKind.SIZE: 'size'}[expr.kind] }()",
        _WHOLE,
    )


# ---- operators


def _apply(expr: core.Apply, frame: Frame) -> Shown:
    operator, args = expr.operator, expr.args
    if operator in _COMPARE:
        return _compare(operator, args, frame)
    if operator in ("AND", "OR"):
        level = _EQUAL if operator == "OR" else _BITS  # compilers want brackets around && inside ||
        sign, own = (" || ", _OR) if operator == "OR" else (" && ", _AND)
        return (sign.join(_at_least(a, level, frame) for a in args), own) if len(args) > 1 else _show(args[0], frame)
    if operator in ("BIT_AND", "BIT_OR", "XOR"):
        sign = {"BIT_AND": " & ", "BIT_OR": " | ", "XOR": " != "}[operator]
        text = _at_least(args[0], _UNARY, frame)
        for number, arg in enumerate(args[1:]):
            text = f"{f'({text})' if number else text}{sign}{_at_least(arg, _UNARY, frame)}"
        return text, _EQUAL if operator == "XOR" else _BITS
    if operator in ("NOT", "NEG"):
        return f"{'!' if operator == 'NOT' else '-'}{_at_least(args[0], _WHOLE, frame)}", _UNARY
    if operator in ("ABS", "IS_POW2"):
        function = "magnitude" if operator == "ABS" else "is_pow2"
        return f"opkg::{function}<{CPP[args[0].type]}>({scalar(args[0], frame)})", _WHOLE
    text, level = _arithmetic(expr, frame)
    return (f"static_cast<bool>({text})", _WHOLE) if expr.type is Type.BOOL else (text, level)


def _arithmetic(expr: core.Apply, frame: Frame) -> Shown:
    """ADD and the like, from left to right; unsigned literals among themselves are given all their bits."""
    operator, wide = expr.operator, all(_is_literal(arg) for arg in expr.args)
    function = _FUNCTION.get(operator)
    if operator in _TRAPS and expr.args[0].type in (Type.INT, Type.INT64) and not _is_safe(expr.args[1]):
        function = _TRAPS[operator]
    type_ = CPP[expr.args[0].type]
    text, level = _show(expr.args[0], frame)
    if wide and type_ == "uint64_t":
        text, level = f"uint64_t{{{text}}}", _WHOLE
    for arg in expr.args[1:]:
        if function is not None:
            text, level = f"{function}<{type_}>({text}, {_divisor(operator, arg, frame, 0)})", _WHOLE
            continue
        sign, own = _BINARY[operator]
        text = f"{text if level >= own else f'({text})'} {sign} {_divisor(operator, arg, frame, own + 1)}"
        level = own
    return text, level


def _is_literal(expr: core.Expr) -> bool:
    return isinstance(expr, core.Const) or (isinstance(expr, core.Cast) and _is_literal(expr.operand))


def _divisor(operator: str, arg: core.Expr, frame: Frame, level: int) -> str:
    """The right operand; integers that may be 0 are kept from dividing."""
    if operator not in _DIVIDES or arg.type is Type.FLOAT or _is_safe(arg):
        return _at_least(arg, level, frame)
    return f"rewrite.divisor<{CPP[arg.type]}>({scalar(arg, frame)})"


def _is_safe(divisor: core.Expr) -> bool:
    """Whether it is a constant by which every integer can be divided."""
    inner = divisor.operand if isinstance(divisor, core.Cast) else divisor
    if not isinstance(inner, core.Const) or inner.type is Type.FLOAT:
        return False
    return 0 < inner.value < 1 << 31 or (inner is divisor and inner.value not in (0, -1))


def _is_zero(expr: core.Expr) -> bool:
    inner = expr.operand if isinstance(expr, core.Cast) else expr
    return isinstance(inner, core.Const) and inner.value == 0


def _compare(operator: str, args: tuple[core.Expr, ...], frame: Frame) -> Shown:
    """A comparison; those of unsigned numbers with 0 that always come out alike are written as what they are."""
    if args[0].type in (Type.SIZE, Type.BOOL):
        always = {("GE", 1): True, ("LT", 1): False, ("LE", 0): True, ("GT", 0): False}
        for position in (0, 1):
            if _is_zero(args[position]) and (operator, position) in always:
                return ("true" if always[operator, position] else "false"), _WHOLE
    level = _EQUAL if operator in ("EQ", "NE") else _ORDER
    left, right = (_at_least(arg, _SUM, frame) for arg in args)
    return f"{left} {_COMPARE[operator]} {right}", level


def _cast(expr: core.Cast, frame: Frame) -> Shown:
    inner, to = expr.operand, expr.type
    if inner.type is to:
        return _show(inner, frame)
    if isinstance(inner, core.Const) and inner.type in (Type.INT, Type.INT64, Type.SIZE):
        most = 1 << 63 if to in (Type.SIZE, Type.FLOAT) else (1 << 31) - 1
        if to in (Type.INT, Type.INT64, Type.SIZE, Type.FLOAT) and 0 <= inner.value <= most:
            return _const(core.Const(to, inner.value), frame)
    if to is Type.BOOL:
        return f"{_at_least(inner, _SUM, frame)} != {'0.0f' if inner.type is Type.FLOAT else '0'}", _EQUAL
    if inner.type is Type.FLOAT:
        return f"opkg::truncate<{CPP[to]}>({scalar(inner, frame)})", _WHOLE
    return f"static_cast<{CPP[to]}>({scalar(inner, frame)})", _WHOLE


def _select(expr: core.SelectScalar, frame: Frame) -> Shown:
    parts = (_at_least(part, _OR, frame) for part in (expr.condition, expr.then, expr.otherwise))
    return "{} ? {} : {}".format(*parts), _CHOICE


def _message(expr: core.Message, frame: Frame) -> Shown:
    return ("true", _WHOLE) if expr.operand is None else _show(expr.operand, frame)


def _external(expr: core.ExternalScalar, frame: Frame) -> Shown:
    raise ValueError(f"{expr.function} is a function of the classic interface")


_SHOW: dict[type, Callable[[Any, Frame], Shown]] = {
    core.Const: _const,
    core.ChunkSize: _chunk,
    core.NamedConst: _named,
    core.Option: _option,
    core.Property: _property,
    core.ConstVal: _element,
    core.Relation: _relation,
    core.Apply: _apply,
    core.Cast: _cast,
    core.SelectScalar: _select,
    core.SplitVar: _split_var,
    core.ExternalScalar: _external,
    core.Message: _message,
}
