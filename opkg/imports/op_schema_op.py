"""One OpSchema of ONNX as an imported op: types, inputs, attributes, and what it computes where the language can say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from opkg.imports.form import ImportedOp, ImportedParam, ImportedTensor, Todo
from opkg.imports.naming import Names, op_name
from opkg.imports.onnx_compute import Computation, Unsayable
from opkg.imports.prose import one_line
from opkg.imports.ties import MOST_COMBINATIONS, rows
from opkg.spec.diagnostics import Diagnostic, Span, warning

_TYPES = {
    "float": "float32", "float16": "float16", "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64",
    "uint8": "uint8", "uint16": "uint16", "uint32": "uint32", "uint64": "uint64", "bool": "bool8",
}  # fmt: skip
_PARAMS = {"FLOAT": ("float32", False), "INT": ("int32", False), "FLOATS": ("float32", True), "INTS": ("int32", True)}
_ENDS = {"int32": (-(1 << 31), (1 << 31) - 1)}


@dataclass(frozen=True, slots=True)
class Found:
    """A schema and its place."""

    schema: Any
    span: Span


def imported(found: Found) -> tuple[ImportedOp | None, list[Diagnostic]]:
    """The op of a schema; None, with the reason as a warning (OPK632), for what no spec can say."""
    if why := _refused(found.schema):
        title = f"{found.schema.domain or 'ai.onnx'}::{found.schema.name}"
        return None, [warning("OPK632", f"{title} is not carried: {why}", found.span)]
    return _Maker(found).op(), []


def _option(formal: Any) -> str:
    return str(formal.option.name)


def _refused(schema: Any) -> str:
    """Why a schema cannot be an op of a spec; "" when it can."""
    if schema.deprecated:
        return "it is deprecated"
    if not schema.inputs:
        return "it has no input, and an op of a spec has one"
    if not schema.outputs:
        return "it has no output"
    graph = next((a for a in schema.attributes.values() if a.type.name in ("GRAPH", "GRAPHS")), None)
    if graph is not None:
        return f"'{graph.name}' is a graph"
    for formal in (*schema.inputs, *schema.outputs):
        allowed = _allowed(schema, formal)
        if not any(_dtype(text) for text in allowed):
            shown = ", ".join(allowed[:3]) + (", ..." if len(allowed) > 3 else "")
            return f"'{formal.name}' is of {shown}, and no tensor of a spec is one"
        if _option(formal) == "Variadic" and not formal.is_homogeneous:
            return f"the tensors of '{formal.name}' may be of different types"
    variadic = [f for f in schema.inputs if _option(f) == "Variadic"]
    if variadic and any(_option(f) == "Optional" for f in schema.inputs):
        return "an optional input beside a variadic one: positions would be ambiguous"
    for attribute in schema.attributes.values():
        if attribute.required and attribute.type.name not in _PARAMS:
            return f"attribute '{attribute.name}' is required and of {attribute.type.name}, which no param is"
    return ""


def _dtype(text: str) -> str:
    """`tensor(float)` -> float32; "" for what a spec has no type for."""
    found = re.fullmatch(r"tensor\((\w+)\)", text)
    return _TYPES.get(found[1], "") if found is not None else ""


def _allowed(schema: Any, formal: Any) -> list[str]:
    for constraint in schema.type_constraints:
        if constraint.type_param_str == formal.type_str:
            return list(constraint.allowed_type_strs)
    return [formal.type_str]


class _Maker:
    """One op in the making."""

    def __init__(self, found: Found) -> None:
        self.schema, self.span = found.schema, found.span
        self.names = Names()
        self.todos: list[Todo] = []
        self.variables: dict[str, tuple[str, ...]] = {}
        self.called: dict[str, str] = {}  # type constraint -> what `dtype:` says

    def op(self) -> ImportedOp:
        schema = self.schema
        inputs = tuple(self.tensor(formal, "x") for formal in schema.inputs)
        if any(t.variadic for t in inputs[:-1]):
            raise AssertionError("a variadic input that is not the last")
        outputs = tuple(self.tensor(formal, "y") for formal in schema.outputs)
        attributes = sorted(schema.attributes.values(), key=lambda a: (not a.required, a.name))  # onnx keeps no order
        params = tuple(p for p in map(self.param, attributes) if p is not None)
        compute, why = self.compute(inputs, outputs, params)
        if not compute:
            self.todos.append(Todo("compute or reference", why, self.span))
        outputs = tuple(self.output(t, inputs, bool(compute)) for t in outputs)
        domain = schema.domain or "ai.onnx"
        title = f"{domain}::{schema.name}@{schema.since_version}"
        first = re.split(r"\n\s*\n", schema.doc.strip())[0] if schema.doc else ""
        return ImportedOp(
            op_name(schema.name) or "Op",
            self.span,
            inputs,
            outputs,
            params,
            tuple(self.variables.items()),
            self.combinations(),
            summary=one_line(re.sub(r"</?\w+[^>]*>", "", first), 200),
            compute=compute,
            comments=(f"OpSchema of {title}",),
            todos=tuple(self.todos),
        )

    def dtype(self, formal: Any) -> str:
        """The variable or type of a tensor."""
        key = formal.type_str
        if key in self.called:
            return self.called[key]
        allowed = _allowed(self.schema, formal)
        known = tuple(dict.fromkeys(dtype for dtype in map(_dtype, allowed) if dtype))
        left = [text for text in allowed if not _dtype(text)]
        if left:
            shown = ", ".join(left[:4]) + (f" and {len(left) - 4} more" if len(left) > 4 else "")
            self.todos.append(Todo(f"types of {key}", f"{shown} there, too: a spec has no such types", self.span))
        if len(known) == 1:
            self.called[key] = known[0]
            return known[0]
        name = key if re.fullmatch(r"[A-Z][A-Za-z0-9]*", key) else f"T{len(self.variables) + 1}"
        while name in self.variables or name in self.names.taken:
            name += "_type"
        self.called[key] = name
        self.variables[name] = known
        self.names.taken.add(name)
        return name

    def tensor(self, formal: Any, stem: str) -> ImportedTensor:
        dtype = self.dtype(formal)
        name = self.names.take(formal.name, stem)
        option = _option(formal)
        least = max(1, int(formal.min_arity))
        return ImportedTensor(
            name,
            dtype,
            self.span,
            formal.name if name != formal.name else "",
            optional=option == "Optional",
            variadic=(least, max(8, least)) if option == "Variadic" else None,
            description=one_line(formal.description, 120) if formal.description else "",
        )

    def output(self, tensor: ImportedTensor, inputs: Sequence[ImportedTensor], computed: bool) -> ImportedTensor:
        """With a shape: what the computation gives, else a guess."""
        plain = [t for t in inputs if not t.optional and t.variadic is None] or [t for t in inputs if not t.optional]
        if computed:
            names = [t.name for t in plain]
            return replace(tensor, shape=f"{names[0]}.shape" if len(names) == 1 else f"broadcast({', '.join(names)})")
        shape: str | tuple[str, ...] = f"{plain[0].name}.shape" if plain else ("...",)
        why = f"onnx infers it in code; {shape} is a guess" if plain else "onnx infers it in code"
        return replace(tensor, shape=shape, todos=(*tensor.todos, Todo("shape", why, self.span)))

    def param(self, attribute: Any) -> ImportedParam | None:
        kind = attribute.type.name
        given = attribute.default_value
        has = given.type != 0
        if kind not in _PARAMS:
            text = given.s.decode("utf-8", "replace") if has and kind == "STRING" else ""
            why = f"a text is no param; the op is that of '{text}'" if text else f"no param is of {kind}: absent here"
            self.todos.append(Todo(f"attribute '{attribute.name}'", why, self.span))
            return None
        dtype, many = _PARAMS[kind]
        name = self.names.take(attribute.name, "p")
        default, why = _default(given, dtype, many) if has else (None, "")
        todos = [Todo("default", why, self.span)] if why else []
        if not has and not attribute.required:
            why = "it may be left out there, which then means something of its own: mandatory here"
            todos.append(Todo("default", why, self.span))
        return ImportedParam(
            name,
            dtype,
            self.span,
            attribute.name if name != attribute.name else "",
            (self.names.take(f"{name}_len", "n"),) if many else None,
            default,
            description=one_line(attribute.description, 120) if attribute.description else "",
            todos=tuple(todos),
        )

    def compute(
        self, inputs: Sequence[ImportedTensor], outputs: Sequence[ImportedTensor], params: Sequence[ImportedParam]
    ) -> tuple[str, str]:
        """The text of `compute:`, or why there is none."""
        names = {formal.name: t.name for formal, t in zip(self.schema.inputs, inputs, strict=True)}
        attributes = {param.origin or param.name: param.name for param in params}
        try:
            return Computation(self.schema, names, attributes, [t.name for t in outputs]).text(), ""
        except Unsayable as failure:
            return "", str(failure)

    def combinations(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """All, where these are few; else one for each type."""
        if prod(len(dtypes) for dtypes in self.variables.values()) <= MOST_COMBINATIONS:
            return ()
        why = f"more than {MOST_COMBINATIONS} are allowed, each a kernel: one for each type is a guess"
        self.todos.append(Todo("combinations", why, self.span))
        return rows(tuple(self.variables.items()))


def _default(given: Any, dtype: str, many: bool) -> tuple[str | None, str]:
    """A default as a spec writes it, and why it is a guess."""
    values = (
        list(given.ints if dtype == "int32" else given.floats) if many else [given.i if dtype == "int32" else given.f]
    )
    if not values:
        return None, "it is an empty list there, and no param is empty: mandatory here"
    texts, why = [], ""
    for value in values:
        if dtype == "int32":
            low, high = _ENDS[dtype]
            if not low <= value <= high:
                why = f"{value} is beyond int32; its end is a guess"
            texts.append(str(max(low, min(high, value))))
        else:
            import numpy as np

            texts.append(str(np.float32(value)))
    return (f"[{', '.join(texts)}]" if many else texts[0]), why
