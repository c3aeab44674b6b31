"""Schemas of torch ops to imported ops: tensors become inputs and outputs, numbers params, the rest is said why it is left."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from opkg.imports.form import Imported, ImportedOp, ImportedParam, ImportedTensor, Todo
from opkg.imports.naming import Names, op_name, package_name
from opkg.imports.read import Options, source_bytes
from opkg.imports.schema_text import Argument, Name, Schema, Value, parse_schema
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, warning
from opkg.spec.source_text import SourceText

_PARAMS = {
    "int": "int32", "SymInt": "int32", "float": "float32", "SymFloat": "float32", "bool": "bool8", "SymBool": "bool8",
    "Scalar": "float32",
}  # fmt: skip
# what a graph with fixed types, memory and machine does not need to be told
_NO_MATTER = {
    "ScalarType": "the types of a spec's tensors are fixed", "Layout": "tensors are dense",
    "Device": "the op runs where the package is", "DeviceIndex": "the op runs where the package is",
    "MemoryFormat": "the order of dimensions is the spec's",
}  # fmt: skip
_INT32 = (-(1 << 31), (1 << 31) - 1)


def read(sources: Sequence[str], options: Options) -> Imported:
    """The ops of schemas: a text with an arrow, or files with one schema a line."""
    ops: list[ImportedOp] = []
    findings: list[Diagnostic] = []
    seen: dict[str, Span] = {}
    namespaces: dict[str, None] = {}
    for source in sources:
        for text in _schemas(source):
            parsed = parse_schema(text)
            if isinstance(parsed, Diagnostic):
                findings.append(parsed)
                continue
            op, found = imported(parsed)
            findings += found
            if op is None:
                continue
            if op.name in seen:
                other = seen[op.name]
                findings.append(
                    error(
                        "OPK626",
                        f"op '{op.name}' is declared twice",
                        parsed.span,
                        f"first at {other.line}:{other.column}",
                    )
                )
                continue
            seen[op.name] = parsed.span
            namespaces.setdefault(parsed.namespace)
            ops.append(op)
    if not ops:
        what = "none of the schemas can be carried" if findings else "there is no schema here"
        wrong = (
            [] if any(finding.is_error for finding in findings) else [error("OPK620", what, Span(_shown(sources[0])))]
        )
        raise OpkgError([*findings, *wrong])
    given = [name for name in namespaces if name]
    package = package_name(given[0]) if len(given) == 1 else ""
    names = tuple("a torch schema" if _is_text(source) else source for source in sources)
    return Imported(names, tuple(ops), package, findings=tuple(findings))


def _is_text(source: str) -> bool:
    """Whether a source is a schema itself, and no file of them."""
    return re.search(r"\)\s*->", source) is not None


def _shown(source: str) -> str:
    return "<schema>" if _is_text(source) else source


def _schemas(source: str) -> Iterator[SourceText]:
    """The schemas of a source with their places: itself, or those of a file (`#` begins a comment)."""
    if _is_text(source):
        yield SourceText("<schema>", source)
        return
    text = source_bytes(source).decode("utf-8", "replace").removeprefix("\ufeff")
    for number, line in enumerate(text.split("\n"), 1):
        code = re.split(r"\s#|^#", line)[0].rstrip()
        call = re.fullmatch(r"\s*(?:-\s*func:\s*)?(.*)", code)
        if call is not None and call[1].strip():
            yield SourceText(source.replace(os.sep, "/"), call[1], number, call.start(1) + 1)


def imported(schema: Schema) -> tuple[ImportedOp | None, list[Diagnostic]]:
    """The op of a schema; None, with the reason as a warning (OPK632), for what no spec can say."""
    if why := _refused(schema):
        return None, [warning("OPK632", f"{_title(schema)} is not carried: {why}", schema.span)]
    return _Maker(schema).op(), []


def _title(schema: Schema) -> str:
    space = f"{schema.namespace}::" if schema.namespace else ""
    return f"{space}{schema.name}{f'.{schema.overload}' if schema.overload else ''}"


def _refused(schema: Schema) -> str:
    """Why a schema cannot be an op of a spec; "" when it can."""
    tensors = [a for a in schema.arguments if a.type.base == "Tensor"]
    if any(a.type.mutated for a in schema.arguments):
        name = next(a.name for a in schema.arguments if a.type.mutated)
        return f"it writes into its argument '{name}', and an op of a spec has inputs and outputs only"
    if not tensors:
        return "it takes no tensor, and an op of a spec has an input"
    if any(a.type.optional_item or (a.type.list and a.type.optional) for a in tensors):
        return "a list of tensors in which some, or which itself, may be absent"
    lists = [a for a in tensors if a.type.list]
    if len(lists) > 1:
        return f"'{lists[0].name}' and '{lists[1].name}' are lists of tensors, and an op has one variadic input at most"
    if lists and any(a.type.optional for a in tensors):
        return "an optional tensor beside a list of tensors: positions would be ambiguous"
    if not schema.returns:
        return "it returns nothing"
    other = next((r.type for r in schema.returns if r.type.base != "Tensor" or r.type.optional), None)
    if other is not None:
        return f"it returns {other}, and outputs are tensors"
    if sum(r.type.list for r in schema.returns) and len(schema.returns) > 1:
        return "a list of tensors among several results"
    unknown = [a for a in schema.arguments if a.type.base not in (*_PARAMS, *_NO_MATTER, "Tensor", "str", "Generator")]
    wrong = next((a for a in unknown if not a.has_default), None)
    return f"'{wrong.name}' is of type {wrong.type}, which no param has" if wrong is not None else ""


class _Maker:
    """One op in the making."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.names = Names()
        self.args: list[tuple[str, str]] = []  # name in the spec, argument
        self.ignored: list[str] = []
        self.when: list[str] = []
        self.todos: list[Todo] = []

    def op(self) -> ImportedOp:
        schema = self.schema
        tensors = [a for a in schema.arguments if a.type.base == "Tensor"]
        ordered = [a for a in tensors if not a.type.list] + [
            a for a in tensors if a.type.list
        ]  # a variadic one is last
        inputs = tuple(self.input(a) for a in ordered)
        params = tuple(p for p in (self.param(a) for a in schema.arguments if a.type.base != "Tensor") if p is not None)
        outputs = tuple(self.output(r, i, inputs) for i, r in enumerate(schema.returns))
        title = _title(schema)
        name = op_name(_camel(schema.name) + (f"_{schema.overload}" if schema.overload else ""))
        why = "a schema says nothing of element types"
        first = Todo("types", f"{why}; float32 is a guess", schema.span)
        return ImportedOp(
            name or "Op",
            schema.span,
            inputs,
            outputs,
            params,
            types=(("T", ("float32",)),),
            origin=title,
            torch=self.torch(tensors, ordered),
            comments=(f"torch schema of {title}",),
            todos=(
                first,
                *self.todos,
                Todo("compute or reference", "a schema does not say what the op computes", schema.span),
            ),
        )

    def input(self, argument: Argument) -> ImportedTensor:
        name = self.names.take(argument.name, "x")
        self.args.append((name, argument.name))
        return ImportedTensor(
            name,
            "T",
            argument.span,
            argument.name if name != argument.name else "",
            optional=argument.type.optional,
            variadic=(1, 8) if argument.type.list else None,
            todos=(Todo("rank and shape", "", argument.span),),
        )

    def output(self, result: Argument, number: int, inputs: Sequence[ImportedTensor]) -> ImportedTensor:
        count = len(self.schema.returns)
        name = self.names.take(result.name or ("y" if count == 1 else f"y{number}"), f"y{number}")
        like = next((t.name for t in inputs if not t.optional and t.variadic is None), "")
        like = like or next((t.name for t in inputs if not t.optional), "")
        shape: str | tuple[str, ...] = f"{like}.shape" if like else ("...",)
        why = f"the schema has none; {like}.shape is a guess" if like else "the schema has none"
        return ImportedTensor(
            name,
            "T",
            result.span,
            shape=shape,
            variadic=(1, 8) if result.type.list else None,
            todos=(Todo("shape", why, result.span),),
        )

    def param(self, argument: Argument) -> ImportedParam | None:
        """The param; None, with what it means for the op, for an argument that is none."""
        base = argument.type.base
        if base not in _PARAMS:
            self.left_out(argument)
            return None
        dtype, todos = _PARAMS[base], []
        if base == "Scalar":
            todos.append(Todo("element type", "a Scalar is an int or a float", argument.span))
        name = self.names.take(argument.name, "p")
        self.args.append((name, argument.name))
        default, why = _default(argument, dtype)
        if why:
            todos.append(Todo("default", why, argument.span))
        shape: tuple[str, ...] | None = None
        if argument.type.list:
            size = argument.type.size
            shape = (str(size),) if size is not None else (self.names.take(f"{name}_len", "n"),)
        return ImportedParam(
            name,
            dtype,
            argument.span,
            argument.name if name != argument.name else "",
            shape=shape,
            default=default,
            todos=tuple(todos),
        )

    def left_out(self, argument: Argument) -> None:
        base, name = argument.type.base, argument.name
        if base in _NO_MATTER:
            self.ignored.append(name)
            return
        if base == "str" and argument.has_default and isinstance(argument.default, str):
            self.when.append(f"{name} == '{argument.default}'")
            why = f"a text is no param; the op is '{argument.default}' only, other values are other ops"
        elif base == "Generator":
            self.ignored.append(name)
            why = "random numbers: what the op computes is not determined by its inputs"
        else:
            why = f"no param is of type {argument.type}"
        self.todos.append(Todo(f"argument '{name}'", why, argument.span))

    def torch(self, tensors: Sequence[Argument], ordered: Sequence[Argument]) -> str:
        """The `torch:` key: the op's overload, with its arguments by name where positions differ."""
        schema = self.schema
        if not schema.namespace:
            return ""
        op = f"{schema.namespace}.{schema.name}.{schema.overload or 'default'}"
        numbers = [a for a in schema.arguments if a.type.base in _PARAMS]
        whole = list(schema.arguments) == [*tensors, *numbers] and list(tensors) == list(ordered)
        if whole and not self.when:
            return op
        parts = [f"op: {op}", f"args: {{{', '.join(f'{name}: {argument}' for name, argument in self.args)}}}"]
        if self.when:
            parts.append(f'when: ["{chr(34).join(self.when)}"]' if len(self.when) == 1 else f"when: {self.when!r}")
        if self.ignored:
            parts.append(f"ignore: [{', '.join(self.ignored)}]")
        return f"{{{', '.join(parts)}}}"


def _camel(name: str) -> str:
    """`layer_norm` -> `LayerNorm`: how ops of a package are called."""
    words = [word for word in name.split("_") if word]
    return "".join(word[:1].upper() + word[1:] for word in words) or name


def _default(argument: Argument, dtype: str) -> tuple[str | None, str]:
    """The default as a spec writes it (None: mandatory), and why it is a guess."""
    zero = {"int32": "0", "float32": "0.0", "bool8": "false"}[dtype]
    many = argument.type.list
    if not argument.has_default:
        return (
            (None, "")
            if not argument.type.optional
            else (None, "it may be None, which no param can be: mandatory here")
        )
    value = argument.default
    if isinstance(value, Name):
        return zero if not many else f"[{zero}]", f"'{value.text}' is a name of torch's"
    if value is None:
        return None, "it may be None there, which no param can be: mandatory here"
    if many:
        items = value if isinstance(value, tuple) else (value,) * (argument.type.size or 1)
        if not items:
            return None, "it is [] there, and no param is empty: mandatory here"
        return f"[{', '.join(_literal(item, dtype, zero)[0] for item in items)}]", ""
    return _literal(value, dtype, zero)


def _literal(value: Value, dtype: str, zero: str) -> tuple[str, str]:
    if dtype == "bool8" and isinstance(value, bool):
        return str(value).lower(), ""
    if isinstance(value, bool | int | float) and dtype == "float32":
        return repr(float(value)), ""
    if isinstance(value, int) and dtype == "int32":
        if _INT32[0] <= value <= _INT32[1]:
            return str(int(value)), ""
        edge = _INT32[0] if value < 0 else _INT32[1]
        return str(edge), f"{value} is beyond int32; {edge} is its end"
    return zero, f"{value!r} is no {dtype}; {zero} is a guess"
