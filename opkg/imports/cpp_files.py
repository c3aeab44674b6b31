"""The C++ files of an import: those named, those of folders, and the headers beside them that they include."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace

from opkg.imports.cpp_carry import local_includes
from opkg.imports.cpp_hidden import with_hidden
from opkg.imports.cpp_report import Source
from opkg.imports.cpp_source import branches, without_comments
from opkg.project import files
from opkg.rules.syntax import Document
from opkg.rules.text.cpp import parse_cpp
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, warning

SUFFIXES = (".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".inc")
HEADERS = (".h", ".hpp", ".inc")
_MAX_BYTES = 16 * 1024 * 1024
_HIDDEN = ("OPK513", "OPK514")  # macros that are not at the start of a line, and those that hide rules


def sources_of(paths: Sequence[str], expand: Sequence[str] | None) -> list[Source]:
    """The files in order of the interface's list, each with what the rule parser finds in it."""
    sources = [_source(path, expand) for path in _listed(paths)]
    known = {os.path.normpath(source.path) for source in sources}
    waiting = list(sources)
    while waiting:
        source = waiting.pop(0)
        for name, _ in local_includes(source):
            path = os.path.normpath(os.path.join(os.path.dirname(source.path), name))
            if path not in known and os.path.isfile(path):
                known.add(path)
                sources.append(_source(path, expand))
                waiting.append(sources[-1])
    return _ordered(with_hidden(sources) if expand is None else sources)


def _listed(paths: Sequence[str]) -> list[str]:
    """The files; those of a folder in order of their paths."""
    out: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            out.append(path)
            continue
        for folder, folders, names in os.walk(path):
            folders.sort()
            out += [os.path.join(folder, name) for name in sorted(names) if name.endswith(SUFFIXES)]
    if not out:
        place = paths[0] if paths else ""
        raise OpkgError([error("OPK357", "no C++ file to migrate", Span(place), "opkg import src/*.cpp")])
    return list(dict.fromkeys(out))


def _source(path: str, expand: Sequence[str] | None) -> Source:
    shown = path.replace(os.sep, "/")
    try:
        data = files.read(path, limit=_MAX_BYTES)
    except OSError as failure:
        message = f"cannot read the file: {failure.strerror or failure}"
        raise OpkgError([error("OPK357", message, Span(shown))]) from None
    if len(data) > _MAX_BYTES or b"\0" in data:
        raise OpkgError([error("OPK357", "this is no C++ source", Span(shown))])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = text.replace("\r\n", "\n")
    document, findings = parse_cpp(text, shown)
    code, conditions = without_comments(text), branches(text)
    if expand is not None and not path.endswith(HEADERS):
        document, found = _expanded(document, path, shown, expand)
        findings = [finding for finding in findings if finding.id not in _HIDDEN] + found
        conditions = []  # the preprocessor has decided
    return Source(shown, text, code, document, tuple(findings), conditions)


def _expanded(document: Document, path: str, shown: str, options: Sequence[str]) -> tuple[Document, list[Diagnostic]]:
    """The document with the rules that the compiler's -E shows of this file."""
    from opkg.rules.text.expanded import parse_expanded, preprocess

    expanded, found = parse_expanded(preprocess(path, options), shown)
    own = tuple(rule for rule in expanded.rules if rule.text.span(rule.start, rule.end).path == shown)
    return replace(document, items=(*document.declarations, *own), comments=()), found


def _ordered(sources: list[Source]) -> list[Source]:
    """In order of the interface's list, which is the order of registration; files it does not list come last."""
    listed = [found for s in sources for found in re.findall(r"DECLARE_PKG_OPS_OPTS_LIST\s*\(\s*(\w+)", s.code)]

    def rank(source: Source) -> int:
        begun = re.findall(r"BEGIN_PKG_OP_DEFINITION\s*\(\s*(\w+)", source.code)
        return min((listed.index(name) for name in begun if name in listed), default=len(listed))

    if not listed:
        return sources
    for i, source in enumerate(sources):
        begun = re.search(r"BEGIN_PKG_OP_DEFINITION\s*\(\s*(\w+)", source.code)
        if begun is not None and rank(source) == len(listed):
            line = source.code.count("\n", 0, begun.start()) + 1
            message = f"'{begun[1]}' is not in the package's list, so nothing of this file was registered"
            hint = "DECLARE_PKG_OPS_OPTS_LIST names it; in the migrated package its ops and rules are registered"
            span = Span(source.path, line, 1, line, 2)
            sources[i] = replace(source, findings=(*source.findings, warning("OPK351", message, span, hint)))
    return sorted(sources, key=rank)
