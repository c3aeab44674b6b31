"""Which form of declaration each source of an import has, and what all of them say together."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

from opkg.imports.form import Imported, ImportedOp
from opkg.project import files
from opkg.spec.diagnostics import Diagnostic, OpkgError, Severity, Span, error

MAX_BYTES = 16 * 1024 * 1024
_CPP = (".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".inc")
_ONNX = re.compile(r"[A-Za-z][\w.]*::[A-Za-z]\w*(@[0-9]+)?|::[A-Za-z]\w*(@[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says besides sources: the package's name, compiler options for C++ (None: not preprocessed)."""

    package: str = ""
    expand: Sequence[str] | None = None
    known: tuple[ImportedOp, ...] = ()  # ops of the forms read before, of which C++ has kernels and rules


# form -> module with `read(sources, options) -> Imported`; the forms of one import are read in this order
FORMS: Mapping[str, str] = {
    "OpDef XML": "opkg.imports.opdef_xml",
    "ONNX OpSchema": "opkg.imports.op_schema",
    "torch schema": "opkg.imports.torch_schema",
    "C++": "opkg.imports.cpp",
}
_Reader = Callable[[Sequence[str], Options], Imported]


def form_of(source: str) -> str:
    """The form of a source, by its looks; "" when it has none."""
    if os.path.isdir(source) or source.endswith(_CPP):
        return "C++"
    if source.lower().endswith(".xml"):
        return "OpDef XML"
    if re.search(r"\)\s*->", source) or source.endswith((".txt", ".schema")):
        return "torch schema"
    if source.endswith(".py") or _ONNX.fullmatch(source):
        return "ONNX OpSchema"
    return ""


def read(sources: Sequence[str], options: Options) -> Imported:
    """The ops of all sources, by their forms. Raises OpkgError for a source of no form, or without any op."""
    sorted_out: dict[str, list[str]] = {form: [] for form in FORMS}
    unknown: list[Diagnostic] = []
    for source in dict.fromkeys(sources):
        form = form_of(source)
        if form in sorted_out:
            sorted_out[form].append(source)
        else:
            hint = "an OpDef .xml of QNN, domain::Op@version of ONNX, a .py with OpSchemas, a torch schema 'ns::op(...) -> ...'"
            unknown.append(error("OPK620", f"'{source}' is nothing that ops are imported from", Span(source), hint))
    if unknown:
        raise OpkgError(unknown)
    whole: Imported | None = None
    for form, given in sorted_out.items():
        if given and whole is None:
            whole = _reader(form)(given, options)
        elif given and whole is not None:
            beside = replace(options, package=options.package or whole.package, known=whole.ops)
            whole = _joined(whole, _reader(form)(given, beside), form == "C++")
    assert whole is not None
    return whole


def source_bytes(path: str) -> bytes:
    """A source file. Raises OpkgError (OPK620)."""
    shown = path.replace(os.sep, "/")
    try:
        data = files.read(path, limit=MAX_BYTES)
    except OSError as failure:
        raise OpkgError(
            [error("OPK620", f"cannot read the file: {failure.strerror or failure}", Span(shown))]
        ) from None
    if len(data) > MAX_BYTES:
        message = f"the file has more than {MAX_BYTES // 1024 // 1024} MiB, the most a source may have"
        raise OpkgError([error("OPK620", message, Span(shown))])
    return data


def _reader(form: str) -> _Reader:
    reader: _Reader = import_module(FORMS[form]).read
    return reader


def _joined(first: Imported, second: Imported, completed: bool) -> Imported:
    """Ops of two forms in one import. An op of both is an error, unless the second form has `completed` those of the first."""
    known = {op.name: op for op in first.ops}
    both = {op.name: op for op in second.ops if op.name in known}
    twice = [
        error("OPK626", f"op '{op.name}' is declared twice", op.span, f"first at {_at(known[op.name].span)}")
        for op in both.values()
        if not completed
    ]
    return replace(
        first,
        sources=(*first.sources, *second.sources),
        ops=(
            *(both.get(op.name, op) if completed else op for op in first.ops),
            *(op for op in second.ops if op.name not in known),
        ),
        package=first.package or second.package,
        version=first.version or second.version,
        targets=tuple(dict.fromkeys((*first.targets, *second.targets))),
        findings=(*first.findings, *second.findings, *twice),
        files=(*first.files, *second.files),
        comments=(*first.comments, *second.comments),
    )


def _at(span: Span) -> str:
    return f"{span.path}:{span.line}:{span.column}"


def todos_of(imported: Imported) -> list[Diagnostic]:
    """What has to be stated by hand, for the report."""
    return [
        Diagnostic("OPK628", f"{op.name}{'.' if part else ''}{part}: {todo.what}", todo.span, todo.why, Severity.INFO)
        for op in imported.ops
        for part, todo in op.all_todos
    ]
