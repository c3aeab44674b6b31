"""Bytes of a spec file to a tree of YAML nodes with positions: bounded, and never constructs Python objects."""

from __future__ import annotations

import re
from typing import Any

import yaml

from opkg.spec.convert import MAX_DEPTH, MAX_NODES, QUOTE_HINT, Converter, Stop, mark_span
from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.spec.nodes import Node

MAX_BYTES = 4 * 1024 * 1024
try:
    from yaml._yaml import CParser as _Parser

    FAST = True
except ImportError:  # PyYAML without libyaml
    FAST = False


_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)


def read_tree(data: bytes, path: str) -> tuple[Node | None, list[Diagnostic]]:
    """The node tree of a spec file and the findings of reading it; None when there is no tree to go on with."""
    findings: list[Diagnostic] = []
    try:
        text = _decode(data, path)
        root = _compose(text, path)
        return Converter(text, path, findings).convert(root, 0), findings
    except Stop as stop:
        findings.append(stop.finding)
        return None, findings


def _decode(data: bytes, path: str) -> str:
    """UTF-8 text without byte order mark and without characters that must not stand in a spec."""
    if len(data) > MAX_BYTES:
        message = f"the file has more than {MAX_BYTES // 1024 // 1024} MiB, the most a spec may have"
        raise Stop(error("OPK102", message, Span(path), "split the package into several files"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as failure:
        before = data[: failure.start].decode("utf-8")
        span = _span_at(before.removeprefix("\ufeff"), path)
        byte = data[failure.start]
        hint = "save the file as UTF-8" + (" (this one looks like UTF-16)" if data[:1] in b"\xff\xfe" else "")
        raise Stop(error("OPK101", f"byte 0x{byte:02x} is not UTF-8", span, hint)) from None
    text = text.removeprefix("\ufeff")
    found = _FORBIDDEN.search(text)
    if found is not None:
        message = f"character U+{ord(found.group()):04X} is not allowed in a spec"
        raise Stop(error("OPK103", message, _span_at(text[: found.start()], path), "delete it or type it anew"))
    return text


def _span_at(before: str, path: str) -> Span:
    """The one-character span that follows the text `before`."""
    lines = re.split("\r\n|\r|\n", before)
    line, column = len(lines), len(lines[-1]) + 1
    return Span(path, line, column, line, column + 1)


class _TooMuch(Exception):
    """Nesting or number of nodes beyond the limit; carries what and the mark of the place."""

    def __init__(self, id: str, message: str, mark: Any) -> None:
        super().__init__(message)
        self.id, self.mark = id, mark


class _Limits:
    """The resolver that a PyYAML composer asks; ours resolves nothing and counts depth and nodes instead."""

    depth = 0
    nodes = 0

    def resolve(self, kind: object, value: object, implicit: object) -> str:
        return ""

    def descend_resolver(self, parent: Any, index: object) -> None:
        self.depth += 1
        self.nodes += 1
        if self.depth > MAX_DEPTH:
            raise _TooMuch("OPK108", f"nested more than {MAX_DEPTH} levels deep", parent.start_mark)
        if self.nodes > MAX_NODES:
            raise _TooMuch("OPK109", f"more than {MAX_NODES} values in one file", parent.start_mark)

    def ascend_resolver(self) -> None:
        self.depth -= 1


if FAST:

    class _Composer(_Limits, _Parser):
        pass

else:  # pragma: no cover - only without libyaml
    from yaml.composer import Composer as _PyComposer
    from yaml.parser import Parser as _PyParser
    from yaml.reader import Reader as _PyReader
    from yaml.scanner import Scanner as _PyScanner

    class _Composer(_Limits, _PyReader, _PyScanner, _PyParser, _PyComposer):  # type: ignore[no-redef]
        def __init__(self, stream: str) -> None:
            _PyReader.__init__(self, stream)
            _PyScanner.__init__(self)
            _PyParser.__init__(self)
            _PyComposer.__init__(self)


def _compose(text: str, path: str) -> Any:
    """The root node as PyYAML composes it."""
    try:
        root = _Composer(text).get_single_node()
    except _TooMuch as much:
        hint = "nothing in a spec needs that" if much.id == "OPK108" else "split the package into several files"
        raise Stop(error(much.id, str(much), mark_span(much.mark, path), hint)) from None
    except yaml.MarkedYAMLError as failure:
        mark = failure.problem_mark
        if "nesting depth" in (failure.problem or "") and mark is not None and mark.index < len(text):
            return _compose(text[: mark.index], path)  # libyaml 0.2.6 looks far ahead: our own limit comes first
        raise Stop(_syntax_error(failure, text, path)) from None
    except (yaml.YAMLError, RecursionError, ValueError) as failure:
        raise Stop(error("OPK104", f"this is not YAML: {failure}".split("\n")[0], Span(path))) from None
    if root is None:
        raise Stop(error("OPK107", "the file is empty", Span(path), "opkg new NAME writes a first spec"))
    return root


def _syntax_error(failure: yaml.MarkedYAMLError, text: str, path: str) -> Diagnostic:
    """The finding of one YAML error, at the place where the reader gave up."""
    problem, context = failure.problem or "", failure.context or ""
    mark = failure.problem_mark or failure.context_mark
    span = mark_span(mark, path)
    char = text[mark.index : mark.index + 1] if mark is not None else ""
    if "another document" in problem or "single document" in context:
        return error("OPK106", "a spec file holds one YAML document", span, "remove the second '---'")
    if "alias" in problem:
        found = re.match(r"\*(\w+)", text[mark.index :]) if mark is not None else None
        name = found.group(1) if found else "name"
        span = span._replace(end_column=span.column + len(name) + 1)
        hint = f"for any number of dimensions write [{name}..., C], or put '*{name}' in quotes"
        return error("OPK114", f"'*{name}' is a YAML alias of no anchor", span, hint)
    if char == "\t" or "\t" in problem or "'\\t'" in problem:
        return error("OPK105", "a tab indents nothing in YAML", span, "use spaces")
    message = f"YAML: {problem}" + (f" ({context})" if context else "")
    return error("OPK104", message, span, _syntax_hint(problem, context))


def _syntax_hint(problem: str, context: str) -> str:
    if "mapping values are not allowed" in problem:
        return "text that has ': ' in it must stand in quotes; or the line is indented too far"
    if "expected ','" in problem or "flow" in context:
        return QUOTE_HINT
    if "quoted scalar" in context:
        return "the closing quote is missing"
    if "simple key" in context or "expected ':'" in problem:
        return "a ':' is missing after the key"
    if "cannot start any token" in problem:
        return "put text that begins with this character in quotes"
    if "block scalar" in context:
        return "put text that begins with '>' or '|' in quotes"
    return "lines of one mapping start in one column"
