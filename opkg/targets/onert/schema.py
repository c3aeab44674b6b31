"""Whether Circle's schema of a tree has the operator, the options and the fields that an op names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opkg.spec.diagnostics import Diagnostic, error, nearest
from opkg.spec.dtypes import Kind
from opkg.spec.model import Builtin, Op, ParamSpec

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_FIELD = re.compile(r"(\w+)\s*:\s*(\[?)\s*([\w.]+)\s*\]?\s*(?:=[^;(]*)?(?:\([^)]*\))?\s*;")
_REAL = frozenset(("float", "double", "float32", "float64"))
_SIZES = ("byte", "short", "int", "long", "int8", "int16", "int32", "int64")
_WHOLE = frozenset(("bool", *(f"{sign}{name}" for sign in ("", "u") for name in _SIZES)))


def faults(op: Op, path: str, schema: str) -> list[Diagnostic]:
    """OPK373 for what the schema (its text, and its path in the tree) does not have, OPK376 for fields of another kind
    than their params."""
    if op.builtin is None:
        return []
    text = _COMMENT.sub("", schema)
    missing = _missing(op.builtin, text)
    if missing:
        hint = f"put it into {path}, or leave onert: out and the op is a CUSTOM operator"
        return [error("OPK373", f"Circle's schema of this tree has no {missing}", op.builtin.span, hint)]
    return list(_fields(op, op.builtin, text)) if op.builtin.options else []


def _missing(builtin: Builtin, text: str) -> str:
    if not re.search(rf"\b{builtin.operator}\s*=\s*\d", text):
        return f"operator {builtin.operator}"
    if builtin.options and _body("table", builtin.options, text) is None:
        return f"table {builtin.options}"
    union = _body("union", "BuiltinOptions", text)
    if builtin.options and union is not None and not re.search(rf"\b{builtin.options}\b", union):
        return f"{builtin.options} in the union BuiltinOptions"
    return ""


def _body(kind: str, name: str, text: str) -> str | None:
    """What stands in the brackets of a table, a union or an enum."""
    found = re.search(rf"\b{kind}\s+{name}\b[^{{}};]*\{{([^}}]*)", text)
    return found[1] if found is not None else None


def _fields(op: Op, builtin: Builtin, text: str) -> Iterator[Diagnostic]:
    table = f"table {builtin.options} of this tree's schema"
    fields = {
        name: (bool(listed), type_)
        for name, listed, type_ in _FIELD.findall(_body("table", builtin.options, text) or "")
    }
    for param in op.params:
        name = builtin.field(param.name)
        if name not in fields:
            near = nearest(name, tuple(fields))
            hint = (
                f"did you mean fields: {{{param.name}: {near}}}?" if near else f"fields: {', '.join(fields) or 'none'}"
            )
            yield error("OPK373", f"{table} has no field '{name}'", param.spans[""], hint)
            continue
        listed, type_ = fields[name]
        why = _unlike(param, listed, type_, text)
        if why:
            hint = f"the field is {name}: {f'[{type_}]' if listed else type_}"
            yield error("OPK376", f"param '{param.name}' {why}, in {table}", param.spans[""], hint)


def _unlike(param: ParamSpec, listed: bool, type_: str, text: str) -> str:
    """How a param and its field differ; empty where they go together."""
    if listed != (param.shape is not None):
        return "is one value, its field a list" if listed else "is a list, its field one value"
    if type_ in _WHOLE | _REAL:
        real = param.dtype.kind is Kind.FLOAT
        return "" if real == (type_ in _REAL) else f"is {param.dtype.name}, its field {type_}"
    values = _body("enum", type_, text)
    if values is None:
        return f"is a number, its field a {type_}"
    if not param.enum:
        return f"has no enum:, its field is the enum {type_}"
    known = _numbers(values)
    for name, number in param.enum:
        if number not in known.values():
            return f"has {name}: {number}, and the enum {type_} no such number"
    return ""


def _numbers(body: str) -> dict[str, int]:
    """The values of an enum of the schema, which count on where none is given."""
    found: dict[str, int] = {}
    last = -1
    for name, value in re.findall(r"(\w+)\s*(?:=\s*(-?\w+))?\s*(?:,|$)", body.strip()):
        last = int(value, 0) if value else last + 1
        found[name] = last
    return found
