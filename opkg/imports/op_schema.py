"""ONNX's declarations of ops (`OpSchema`) as imported ops: those of the installed onnx by name, or those of a Python module."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from opkg.imports.form import Imported, ImportedOp
from opkg.imports.naming import package_name
from opkg.imports.op_schema_op import Found, imported
from opkg.imports.read import Options, source_bytes
from opkg.spec.diagnostics import Diagnostic, MissingTool, OpkgError, Span, error, nearest

DEFAULT_DOMAINS = ("", "ai.onnx")


def read(sources: Sequence[str], options: Options) -> Imported:
    """The ops of schemas. Raises MissingTool without the `onnx` package, OpkgError for schemas that are not there."""
    try:
        from onnx import defs
    except ImportError:
        message = "reading OpSchemas needs the package onnx"
        raise MissingTool([error("OPK631", message, Span(sources[0]), "pip install 'opkg[onnx]'")]) from None
    found: list[Found] = []
    findings: list[Diagnostic] = []
    for source in sources:
        made = _of_module(source, defs) if source.endswith(".py") else [_named(source, defs)]
        found += [each for each in made if isinstance(each, Found)]
        findings += [each for each in made if isinstance(each, Diagnostic)]
    ops: list[ImportedOp] = []
    for each in found:
        op, wrong = imported(each)
        findings += wrong
        if op is not None and any(op.name == other.name for other in ops):
            findings.append(error("OPK626", f"op '{op.name}' is declared twice", each.span, "another version of it?"))
        elif op is not None:
            ops.append(op)
    if not ops or any(finding.is_error for finding in findings):
        if not any(finding.is_error for finding in findings):
            findings.append(error("OPK620", "none of the schemas can be carried", Span(sources[0])))
        raise OpkgError(findings)
    domains = {each.schema.domain for each in found} - set(DEFAULT_DOMAINS)
    package = package_name(domains.pop()) if len(domains) == 1 else ""
    return Imported(tuple(sources), tuple(ops), package, findings=tuple(findings))


def _named(source: str, defs: Any) -> Found | Diagnostic:
    """`domain::Op@version` of the installed onnx; without a version the newest."""
    domain, _, rest = source.partition("::")
    name, _, version = rest.partition("@")
    domain = "" if domain in DEFAULT_DOMAINS else domain
    span = Span(source)
    every = defs.get_all_schemas_with_history()
    of_name = [s for s in every if s.name == name and s.domain == domain]
    if not of_name:
        near = nearest(name, sorted({s.name for s in every if s.domain == domain}))
        other = sorted({s.domain or "ai.onnx" for s in every})
        hint = f"did you mean '{near}'?" if near else f"domains of the installed onnx: {', '.join(other)}"
        return error("OPK631", f"the installed onnx has no op '{name}' in '{domain or 'ai.onnx'}'", span, hint)
    if not version:
        return Found(max(of_name, key=lambda s: s.since_version), span)
    fit = [s for s in of_name if s.since_version <= int(version)]
    if not fit:
        least = min(s.since_version for s in of_name)
        return error("OPK631", f"'{name}' is there from version {least} on", span, f"@{least}")
    return Found(max(fit, key=lambda s: s.since_version), span)


def _of_module(path: str, defs: Any) -> list[Found | Diagnostic]:
    """The schemas that a module has under its names, in lists of these, or that it registers; in order of the file."""
    import importlib.util
    import sys

    text = source_bytes(path).decode("utf-8", "replace")
    shown = path.replace(os.sep, "/")
    before = {(s.domain, s.name, s.since_version) for s in defs.get_all_schemas_with_history()}
    spec = importlib.util.spec_from_file_location("opkg_imported_schemas", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as failure:
        message = f"the module raised {type(failure).__name__}: {str(failure).splitlines()[0] if str(failure) else ''}"
        return [error("OPK631", message, Span(shown, _line_of(failure, path)))]
    finally:
        sys.modules.pop(spec.name, None)
    mine = [s for value in vars(module).values() for s in _schemas_in(value, defs)]
    mine += [s for s in defs.get_all_schemas_with_history() if (s.domain, s.name, s.since_version) not in before]
    kept = {(s.domain, s.name, s.since_version): s for s in mine}
    if not kept:
        return [
            error("OPK631", "the module has no OpSchema", Span(shown), "OpSchema objects at its top, or registered")
        ]
    found = [Found(s, _place(text, s.name, shown)) for s in kept.values()]
    return sorted(found, key=lambda each: (each.span.line, each.span.column))


def _schemas_in(value: Any, defs: Any) -> Iterator[Any]:
    if isinstance(value, defs.OpSchema):
        yield value
    elif isinstance(value, list | tuple):
        yield from (each for each in value if isinstance(each, defs.OpSchema))
    elif isinstance(value, dict):
        yield from (each for each in value.values() if isinstance(each, defs.OpSchema))


def _line_of(failure: BaseException, path: str) -> int:
    """The last line of the module on the way to an exception."""
    line, trace = getattr(failure, "lineno", None) or 1, failure.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _place(text: str, name: str, path: str) -> Span:
    """Where the op's name stands in quotes."""
    for number, line in enumerate(text.splitlines(), 1):
        found = re.search(rf"""["']{re.escape(name)}["']""", line)
        if found is not None:
            return Span(path, number, found.start() + 2, number, found.end())
    return Span(path)
