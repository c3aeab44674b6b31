"""An import as the text of a spec: readable YAML, a TODO with its reason where the sources do not say what a spec needs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence

from opkg.imports.form import Imported, ImportedKernel, ImportedOp, ImportedParam, ImportedRule, ImportedTensor, Todo

_COLUMNS = 110
_PLAIN = re.compile(r"[A-Za-z_][\w.]*( [-+*/] [\w.]+)*|[0-9]+|(\w+)?\.\.\.")
_SPECIAL = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")
_BLOCK = re.compile(r"[A-Za-z](?:[^:#\n]|:(?=\S)|(?<=\S)#)*(?<![ :])")  # plain on a line of its own
_FLOW = re.compile(r"[A-Za-z](?:[^:#\n?,\[\]{}]|:(?=[^\s,\[\]{}])|(?<=\S)#)*(?<![ :])")  # and inside braces


def spec_text(imported: Imported, package: str) -> str:
    """The whole spec."""
    names = ", ".join(dict.fromkeys(os.path.basename(source) for source in imported.sources))
    head = [
        *_wrapped(f"Made by `opkg import` from {names}.", 0),
        "# TODO marks what these do not say: state it, then delete the mark.",
        *(line for comment in imported.comments for line in _wrapped(comment, 0)),
        "opkg: 1",
        "package:",
        f"  name: {package}",
        f"  version: {imported.version or '1.0.0'}",
        f"  targets: [{', '.join(imported.targets)}]",
        "",
        "ops:",
    ]
    return "\n".join(head) + "\n" + "\n".join(op_text(op) for op in imported.ops)


def op_text(op: ImportedOp) -> str:
    """The lines of one op, indented as under `ops:`."""
    lines = [
        f"  {op.name}:",
        *(line for comment in op.comments for line in _wrapped(comment, 4)),
        *(line for todo in op.todos for line in _wrapped(_todo([todo]), 4)),
        *([f"    summary: {line_of(op.summary, flow=False)}"] if op.summary else []),
        *_description(op.description),
        *_types(op),
        *_tensors("inputs", op.inputs),
        *(["    params:"] if op.params else []),
        *(line for param in op.params for line in _entry(param.name, _param(param), param.todos, param.origin)),
        *_tensors("outputs", op.outputs),
        *(["    constraints:"] if op.constraints else []),
        *(f"      - {_constraint(*constraint)}" for constraint in op.constraints),
        *_block("compute", op.compute),
        *([f"    torch: {op.torch}"] if op.torch else []),
        *([f"    reference: {op.reference}"] if op.reference else []),
        *(["    kernels:"] if op.kernels else []),
        *(line for kernel in op.kernels for line in _kernel(kernel)),
        *_properties(op),
        *(["    rules:"] if any(not rule.reason for rule in op.rules) else []),
        *(line for rule in op.rules for line in _rule(rule)),
    ]
    return "\n".join(lines) + "\n"


def line_of(text: str, flow: bool = True) -> str:
    """A text of one line as a YAML scalar, plain where that reads the same; `flow`: inside braces."""
    plain = (_FLOW if flow else _BLOCK).fullmatch(text) and text.lower() not in (
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
        "null",
        "y",
        "n",
    )
    return text if plain else json.dumps(text, ensure_ascii=False)


def shape_of(shape: str | tuple[str, ...]) -> str:
    """A shape as it stands inside braces."""
    if isinstance(shape, str):
        return json.dumps(shape) if re.search(r"[,:{}\[\]#]|^\W", shape) else shape
    return f"[{', '.join(dim if _PLAIN.fullmatch(dim) else json.dumps(dim) for dim in shape)}]"


def _description(text: str) -> list[str]:
    return _block("description", text)


def _block(key: str, text: str) -> list[str]:
    """A key with a text of one line or more."""
    if not text:
        return []
    if "\n" in text or len(text) > _COLUMNS - 20:
        return [f"    {key}: |", *(f"      {line}" if line.strip() else "" for line in text.rstrip("\n").split("\n"))]
    return [f"    {key}: {line_of(text, flow=False)}"]


def _types(op: ImportedOp) -> list[str]:
    lines = []
    if op.types:
        inside = ", ".join(f"{name}: [{', '.join(dtypes)}]" for name, dtypes in op.types)
        one = f"    types: {{{inside}}}"
        if len(one) <= _COLUMNS:
            lines.append(one)
        else:
            lines += ["    types:", *(f"      {name}: [{', '.join(dtypes)}]" for name, dtypes in op.types)]
    if op.combinations:
        lines.append("    combinations:")
    for combination in op.combinations:
        lines.append(f"      - {{{', '.join(f'{name}: {dtype}' for name, dtype in combination)}}}")
    return lines


def _tensors(key: str, tensors: Sequence[ImportedTensor]) -> list[str]:
    if not tensors:
        return [f"    {key}: {{}}"]
    entries = (_entry(t.name, _tensor(t), t.todos, t.origin) for t in tensors)
    return [f"    {key}:", *(line for entry in entries for line in entry)]


def _tensor(tensor: ImportedTensor) -> list[tuple[str, str]]:
    low, high = tensor.ranks or (0, 0)
    least, most = tensor.variadic or (0, 0)
    given = (
        ("dtype", tensor.dtype),
        ("shape", shape_of(tensor.shape) if tensor.shape != "" else ""),
        ("rank", "" if not high else str(low) if low == high else f"{low}..{high}"),
        ("layout", tensor.layout),
        ("quantization", tensor.quantization),
        ("optional", "true" if tensor.optional else ""),
        ("static", "true" if tensor.static else ""),
        ("variadic", "" if not most else "true" if (least, most) == (1, 8) else f"{least}..{most}"),
        ("description", line_of(tensor.description) if tensor.description else ""),
    )
    return [(key, value) for key, value in given if value]


def _param(param: ImportedParam) -> list[tuple[str, str]]:
    given = (
        ("dtype", param.dtype),
        ("shape", shape_of(param.shape) if param.shape is not None else ""),
        ("default", param.default or ""),
        ("enum", _enum(param.enum)),
        ("range", param.range and line_of(param.range)),
        ("axis_of", param.axis_of),
        ("description", line_of(param.description) if param.description else ""),
    )
    return [(key, value) for key, value in given if value]


def _enum(values: Sequence[tuple[str, int]]) -> str:
    if [number for _, number in values] == list(range(len(values))):
        return f"[{', '.join(name for name, _ in values)}]" if values else ""
    return f"{{{', '.join(f'{name}: {number}' for name, number in values)}}}"


def _entry(name: str, fields: list[tuple[str, str]], todos: Sequence[Todo], origin: str) -> Iterable[str]:
    """A tensor or param: in braces on one line where it fits; its remark behind it, or above where it is long."""
    words = [f"called '{origin}' there"] if origin else []
    words += [_todo(todos)] if todos else []
    one = f"      {name}: {{{', '.join(f'{key}: {value}' for key, value in fields)}}}"
    remark = "; ".join(words)
    if remark and len(one) + len(remark) + 4 <= _COLUMNS:
        return [f"{one}  # {remark}"]
    above = _wrapped(remark, 6) if remark else []
    if len(one) <= _COLUMNS + 10:
        return [*above, one]
    return [*above, f"      {name}:", *(f"        {key}: {value}" for key, value in fields)]


def _todo(todos: Sequence[Todo]) -> str:
    return "TODO " + "; ".join(f"{todo.what}: {todo.why}" if todo.why else todo.what for todo in todos)


def _constraint(require: str, message: str) -> str:
    quoted = json.dumps(require) if re.search(r"[,:{}#\[\]]", require) else require
    fields = f"require: {quoted}"
    return f"{{{fields}, message: {line_of(message)}}}" if message else f"{{{fields}}}"


def _kernel(kernel: ImportedKernel) -> list[str]:
    above = _wrapped(kernel.comment, 6) if kernel.comment else []
    one = f"      - {{{', '.join(f'{key}: {value}' for key, value in kernel.fields)}}}"
    if len(one) <= _COLUMNS:
        return [*above, one]
    first, *rest = (f"{key}: {value}" for key, value in kernel.fields)
    return [*above, f"      - {first}", *(f"        {field}" for field in rest)]


def _properties(op: ImportedOp) -> list[str]:
    if not op.properties:
        return []
    lines = ["    tensor_properties:", *(line for p in op.properties for line in f"      - {p}".split("\n"))]
    if op.no_properties:
        return [f"    # not carried: {op.no_properties}", *(f"    # {line[4:]}" for line in lines)]
    return lines


def _rule(rule: ImportedRule) -> list[str]:
    comments = [f"      # {line}" for line in rule.comments]
    body = [f"      - name: {rule.name}", *(f"        {part}: {text}" for part, text in rule.parts)]
    if not rule.reason:
        return comments + body
    lines = "\n".join(body).split("\n")
    return [f"      # not carried: {rule.reason}", *comments, *(f"      # {line[6:]}" for line in lines)]


def _wrapped(text: str, indent: int) -> list[str]:
    """Comment lines of a text."""
    lines: list[str] = []
    for part in text.split("\n"):
        current = ""
        for word in part.split():
            if current and indent + 3 + len(current) + len(word) > _COLUMNS:
                lines.append(current)
                current = "  " + word if current.startswith("TODO") or current.startswith("  ") else word
            else:
                current = f"{current} {word}" if current else word
        lines.append(current)
    return [" " * indent + "# " + line if line else " " * indent + "#" for line in lines]
