"""The kinds of values of a spec's keys, each with its JSON Schema: one vocabulary for reader, schema and docs."""

from __future__ import annotations

from typing import Any, NamedTuple

from opkg.spec.dtypes import DTYPES
from opkg.spec.model import CostName, Flag, Layout, Placement, Resource, Storage
from opkg.spec.names import IDENTIFIER, PACKAGE_NAME

Schema = dict[str, Any]


class Kind(NamedTuple):
    """A kind of value. `form`: how the generic reader takes it: text, bool, int, word, or node (left to the caller)."""

    name: str
    form: str
    schema: Schema
    words: tuple[str, ...] = ()


class Key(NamedTuple):
    """One key of a record. `default` is how the documents show it."""

    name: str
    kind: Kind
    doc: str
    required: bool = False
    default: str = ""


class Record:
    """A mapping with fixed keys."""

    __slots__ = ("by_name", "doc", "keys", "name")

    def __init__(self, name: str, doc: str, keys: tuple[Key, ...]) -> None:
        self.name = name
        self.doc = doc
        self.keys = keys
        self.by_name = {key.name: key for key in keys}


def ref(record: str) -> Schema:
    return {"$ref": f"#/$defs/{record}"}


def _word(name: str, words: list[str]) -> Kind:
    return Kind(name, "word", {"enum": words}, tuple(words))


def list_of(kind: Kind, *, or_one: bool = False, unique: bool = False) -> Kind:
    """A list of values of one kind; `or_one`: a single value stands for a list of one."""
    schema: Schema = {"type": "array", "items": kind.schema}
    if unique:
        schema["uniqueItems"] = True
    if or_one:
        schema = {"anyOf": [kind.schema, {**schema, "minItems": 1}]}
    return Kind(f"list of {kind.name}", "node", schema)


def map_of(names: str, kind: Kind, *, least: int = 1) -> Kind:
    """A mapping from names (a pattern) to values of one kind."""
    schema = {
        "type": "object",
        "propertyNames": {"pattern": f"^{names}$", "maxLength": 64},
        "additionalProperties": kind.schema,
        "minProperties": least,
    }
    return Kind(f"mapping to {kind.name}", "node", schema)


def record_kind(name: str) -> Kind:
    return Kind(name, "node", ref(name))


# One line that may end up in a C++ string and in comments; and several lines, for comments only.
LINE = Kind("line of text", "line", {"type": "string", "maxLength": 300, "pattern": r'^[^"\\\n]*$'})
TEXT = Kind("text", "text", {"type": "string", "maxLength": 4000, "pattern": r"^[^\\]*$"})
RULE_TEXT = Kind("rule text", "node", {"type": "string", "minLength": 1, "maxLength": 20000})
BOOL = Kind("true or false", "bool", {"type": "boolean"})
WHOLE = Kind("whole number", "int", {"type": "integer"})
NUMBER = Kind("number", "number", {"type": "number"})
IDENT = Kind("name", "node", {"type": "string", "pattern": f"^{IDENTIFIER}$", "maxLength": 64})
PACKAGE = Kind("package name", "node", {"type": "string", "pattern": f"^{PACKAGE_NAME}$", "maxLength": 64})
VERSION = Kind("version", "node", {"type": "string", "pattern": r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$"})
DTYPE = Kind("element type", "node", {"enum": list(DTYPES)}, tuple(DTYPES))
TYPE_OR_VAR = Kind(
    "type variable, element type or list of them",
    "node",
    {
        "anyOf": [
            {"enum": list(DTYPES)},
            {"type": "string", "pattern": f"^{IDENTIFIER}$"},
            {"type": "array", "items": {"enum": list(DTYPES)}, "minItems": 1, "uniqueItems": True},
        ]
    },
)
EXPR_SCHEMA: Schema = {"type": ["string", "number", "boolean"]}
EXPR = Kind("expression", "node", EXPR_SCHEMA)
CONDITION = Kind("condition", "node", {"type": "string", "minLength": 1})
SHAPE = Kind(
    "shape", "node", {"anyOf": [{"type": "array", "items": {"type": ["string", "integer"]}}, {"type": "string"}]}
)
DEFAULT = Kind("default", "node", {"anyOf": [EXPR_SCHEMA, {"type": "array", "items": EXPR_SCHEMA}]})
RANK = Kind(
    "rank",
    "node",
    {
        "anyOf": [
            {"type": "integer", "minimum": 0, "maximum": 8},
            {"type": "string", "pattern": r"^\s*[0-8]\s*\.\.\s*[0-8]\s*$"},
        ]
    },
)
RANGE = Kind("range", "node", {"type": "string", "pattern": r"\.\.|^\s*(>=?|<=?)"})
VARIADIC = Kind(
    "true or counts",
    "node",
    {"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": r"^\s*\d+\s*\.\.\s*\d+\s*$"}]},
)
LAYOUT_MEANING = Kind("letters", "node", {"type": "string", "pattern": "^[A-Z]{1,8}$"})
ENUM = Kind(
    "enum",
    "node",
    {
        "anyOf": [
            {"type": "array", "items": IDENT.schema, "minItems": 1, "uniqueItems": True},
            map_of(IDENTIFIER, WHOLE).schema,
        ]
    },
)
WHEN_TYPES = map_of(IDENTIFIER, Kind("element types", "node", list_of(DTYPE, or_one=True).schema), least=0)
COMBINATION = map_of(IDENTIFIER, DTYPE)
LAYOUT = _word("layout", list(Layout))
STORAGE = _word("storage", list(Storage))
PLACEMENT = _word("placement", list(Placement))
RESOURCES = list_of(_word("resource", list(Resource)), unique=True)
FLAGS = list_of(_word("flag", list(Flag)), unique=True)
COST = Kind("cost", "node", {"anyOf": [{"enum": list(CostName)}, EXPR_SCHEMA]})
TILING = Kind(
    "tiling",
    "node",
    {
        "type": "array",
        "minItems": 4,
        "maxItems": 4,
        "items": {"anyOf": [{"type": "integer", "minimum": 0}, {"const": "whole"}]},
    },
)
BODY = Kind(
    "path", "node", {"type": "string", "pattern": r"^[A-Za-z0-9_][A-Za-z0-9_.+/-]*\.(cpp|cc|cxx)$", "maxLength": 200}
)
REFERENCE = Kind(
    "module:function", "node", {"type": "string", "pattern": rf"^{IDENTIFIER}(\.{IDENTIFIER})*:{IDENTIFIER}$"}
)
PATTERN = Kind("Python", "node", {"type": "string", "minLength": 1, "maxLength": 4000})
COMPUTE = Kind("assignments", "node", {"type": "string", "minLength": 1, "maxLength": 8000})
TOLERANCE_TEXT = Kind("tolerance", "node", {"type": "string", "pattern": r"^(exact|[0-9].*(lsb|ulp|abs|rel))$"})
TOLERANCE = Kind(
    "tolerances",
    "node",
    {"type": "object", "propertyNames": {"enum": list(DTYPES)}, "additionalProperties": TOLERANCE_TEXT.schema},
)
FORMAT = Kind("format version", "node", {"const": 1})
TARGET = Kind("target name", "node", {"type": "string", "pattern": "^[a-z][a-z0-9]*(-[a-z0-9]+)*$", "maxLength": 64})
SDK = Kind("SDK profile", "node", {"type": "string", "pattern": r"^[A-Za-z0-9][A-Za-z0-9._+-]*$", "maxLength": 32})
CASE_VALUES = Kind("values", "node", {"type": ["array", "number", "boolean"]})
CASE_SHAPE = Kind("shape", "node", {"type": "array", "items": {"type": "integer", "minimum": 1}, "maxItems": 8})
QUANTIZATION = Kind(
    "quantization",
    "node",
    {
        "anyOf": [
            {"enum": ["symmetric", "any"]},
            {"type": "string", "pattern": rf"^same as {IDENTIFIER}$"},
            ref("quantization"),
        ]
    },
)
_OVERLOAD: Schema = {"type": "string", "pattern": r"^[A-Za-z_]\w*\.[A-Za-z_]\w*\.[A-Za-z_]\w*$"}
TORCH_OP = Kind("torch op", "node", _OVERLOAD)
CALL_EXPRESSION = Kind("expression", "node", {"type": ["string", "number", "boolean"]})
_TORCH: Schema = {"anyOf": [_OVERLOAD, ref("torch")]}
TORCH = Kind(
    "torch op, record or list of them", "node", {"anyOf": [*_TORCH["anyOf"], {"type": "array", "items": _TORCH}]}
)
BUILTIN = Kind("operator of the schema", "node", {"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$", "maxLength": 64})
OPTIONS = Kind("table of the schema", "node", {"type": "string", "pattern": "^[A-Z][A-Za-z0-9]*$", "maxLength": 64})
CONSTRAINT = Kind(
    "condition, or condition and message", "node", {"anyOf": [{"type": "string", "minLength": 1}, ref("constraint")]}
)
CASE = Kind("test case", "node", {"type": "object"})
