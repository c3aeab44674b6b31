"""Bytes of a spec file to a tree of YAML nodes with positions: bounded, and never constructs Python objects."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import yaml

from opkg.spec.diagnostics import Diagnostic, Span, error

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 32
MAX_NODES = 400_000

try:
    from yaml._yaml import CParser as _Parser

    FAST = True
except ImportError:  # PyYAML without libyaml
    FAST = False


class Piece(NamedTuple):
    """Text to be parsed further. When `exact`, its first character stands at the start of `span`, on one line."""

    text: str
    span: Span
    exact: bool

    def at(self, start: int, end: int) -> Span:
        """Span of the characters start to end (from 0); the whole piece when positions inside are not known."""
        if not self.exact:
            return self.span
        path, line, column, _, _ = self.span
        return Span(path, line, column + start, line, column + max(end, start + 1))

    def part(self, start: int, end: int) -> Piece:
        """The piece of characters start to end, without white space around it."""
        while start < end and self.text[start] == " ":
            start += 1
        while end > start and self.text[end - 1] == " ":
            end -= 1
        return Piece(self.text[start:end], self.at(start, end), self.exact)


class Scalar(NamedTuple):
    """One YAML scalar. `plain`: without quotes. `flow`: inside brackets or braces."""

    text: str
    plain: bool
    span: Span
    exact: bool

    @property
    def piece(self) -> Piece:
        """The content, without quotes."""
        if self.plain or not self.exact:
            return Piece(self.text, self.span, self.exact)
        path, line, column, end_line, end_column = self.span
        return Piece(self.text, Span(path, line, column + 1, end_line, end_column - 1), True)


class Sequence(NamedTuple):
    """A YAML list."""

    items: tuple[Node, ...]
    span: Span


class Mapping(NamedTuple):
    """A YAML mapping with text keys, in order: key -> (key's scalar, value). The span is of the first line only."""

    entries: dict[str, tuple[Scalar, Node]]
    span: Span
    flow: bool


Node = Scalar | Sequence | Mapping

_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
# Plain keys that YAML 1.1 readers take for a bool.
_BOOL_WORDS = frozenset(("yes", "no", "on", "off", "true", "false"))
_NUMBER = re.compile(r"[-+]?(\.?[0-9][0-9_]*|0x[0-9a-fA-F_]+)([.:eE][-+0-9_:.eE]*)?$")


class _Stop(Exception):
    """Ends reading of one file with a finding."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


def read_tree(data: bytes, path: str) -> tuple[Node | None, list[Diagnostic]]:
    """The node tree of a spec file and the findings of reading it; None when there is no tree to go on with."""
    findings: list[Diagnostic] = []
    try:
        text = _decode(data, path)
        root = _compose(text, path)
        return _Converter(text, path, findings).convert(root, 0), findings
    except _Stop as stop:
        findings.append(stop.finding)
        return None, findings


def _decode(data: bytes, path: str) -> str:
    """UTF-8 text without byte order mark and without characters that must not stand in a spec."""
    if len(data) > MAX_BYTES:
        message = f"the file has more than {MAX_BYTES // 1024 // 1024} MiB, the most a spec may have"
        raise _Stop(error("OPK102", message, Span(path), "split the package into several files"))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as failure:
        before = data[: failure.start].decode("utf-8")
        span = _span_at(before.removeprefix("\ufeff"), path)
        byte = data[failure.start]
        hint = "save the file as UTF-8" + (" (this one looks like UTF-16)" if data[:1] in b"\xff\xfe" else "")
        raise _Stop(error("OPK101", f"byte 0x{byte:02x} is not UTF-8", span, hint)) from None
    text = text.removeprefix("\ufeff")
    found = _FORBIDDEN.search(text)
    if found is not None:
        message = f"character U+{ord(found.group()):04X} is not allowed in a spec"
        raise _Stop(error("OPK103", message, _span_at(text[: found.start()], path), "delete it or type it anew"))
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
        raise _Stop(error(much.id, str(much), _mark_span(much.mark, path), hint)) from None
    except yaml.MarkedYAMLError as failure:
        raise _Stop(_syntax_error(failure, text, path)) from None
    except (yaml.YAMLError, RecursionError, ValueError) as failure:
        raise _Stop(error("OPK104", f"this is not YAML: {failure}".split("\n")[0], Span(path))) from None
    if root is None:
        raise _Stop(error("OPK107", "the file is empty", Span(path), "opkg new NAME writes a first spec"))
    return root


def _mark_span(mark: Any, path: str) -> Span:
    if mark is None:
        return Span(path)
    return Span(path, mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2)


_QUOTE_HINT = "inside [ ] and { } an expression that has brackets or commas must stand in quotes"


def _syntax_error(failure: yaml.MarkedYAMLError, text: str, path: str) -> Diagnostic:
    """The finding of one YAML error, at the place where the reader gave up."""
    problem, context = failure.problem or "", failure.context or ""
    mark = failure.problem_mark or failure.context_mark
    span = _mark_span(mark, path)
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
        return _QUOTE_HINT
    if "quoted scalar" in context:
        return "the closing quote is missing"
    if "simple key" in context or "expected ':'" in problem:
        return "a ':' is missing after the key"
    if "cannot start any token" in problem:
        return "put text that begins with this character in quotes"
    if "block scalar" in context:
        return "put text that begins with '>' or '|' in quotes"
    return "lines of one mapping start in one column"


class _Converter:
    """PyYAML nodes to ours: checks keys, tags, aliases."""

    def __init__(self, text: str, path: str, findings: list[Diagnostic]) -> None:
        self.text = text
        self.path = path
        self.findings = findings
        self.left = MAX_NODES

    def convert(self, node: Any, depth: int) -> Node:
        self.left -= 1
        if self.left < 0:
            message = f"aliases expand to more than {MAX_NODES} values"
            raise _Stop(error("OPK109", message, _mark_span(node.start_mark, self.path), "write the values out"))
        if depth > MAX_DEPTH:
            span = _mark_span(node.start_mark, self.path)
            raise _Stop(error("OPK115", "an anchor contains an alias of itself", span, "write the values out"))
        if node.tag:
            span = _mark_span(node.start_mark, self.path)
            tag = node.tag.replace("tag:yaml.org,2002:", "!!")
            self.findings.append(error("OPK110", f"tag '{tag}' is not allowed", span, "a spec has no tags"))
        kind = node.id
        if kind == "scalar":
            return self.scalar(node)
        span = self.span(node)
        if kind == "sequence":
            return Sequence(tuple([self.convert(item, depth + 1) for item in node.value]), span)
        return self.mapping(node, span, depth)

    def scalar(self, node: Any) -> Scalar:
        start, end = node.start_mark, node.end_mark
        line = start.line + 1
        value: str = node.value
        plain = node.style is None or node.style == ""
        width = end.index - start.index
        if end.line == start.line and width == len(value) + (0 if plain else 2) and node.style not in ("|", ">"):
            span = Span(self.path, line, start.column + 1, line, end.column + 1)
            return Scalar(value, plain, span, True)
        return Scalar(value, plain, self.span(node), False)

    def span(self, node: Any) -> Span:
        """From the start of the node to its end, or to the end of its first line when it has several."""
        start, end = node.start_mark, node.end_mark
        line, column = start.line + 1, start.column + 1
        if end.line == start.line:
            return Span(self.path, line, column, line, max(end.column + 1, column + 1))
        stop = start.index
        while stop < len(self.text) and self.text[stop] not in "\r\n":
            stop += 1
        return Span(self.path, line, column, line, column + max(stop - start.index, 1))

    def mapping(self, node: Any, span: Span, depth: int) -> Mapping:
        entries: dict[str, tuple[Scalar, Node]] = {}
        flow = bool(node.flow_style)
        for key_node, value_node in node.value:
            key = self.key(key_node, depth)
            value = self.convert(value_node, depth + 1)
            if key is None:
                continue
            if key.text in entries:
                first = entries[key.text][0].span.line
                message = f"key '{key.text}' stands twice"
                self.findings.append(error("OPK111", message, key.span, f"the first is in line {first}"))
                continue
            entries[key.text] = (key, value)
        return Mapping(entries, span, flow)

    def key(self, node: Any, depth: int) -> Scalar | None:
        """The key's scalar, or None (and a finding) when it is no text."""
        key = self.convert(node, depth + 1)
        if not isinstance(key, Scalar):
            self.findings.append(error("OPK112", "a key must be text, not a list or mapping", key.span, _QUOTE_HINT))
            return None
        text = key.text
        if not key.plain or (text.isidentifier() and text.lower() not in _BOOL_WORDS and text.lower() != "null"):
            return key
        if text == "<<":
            self.findings.append(error("OPK113", "merge keys are not read", key.span, "write the keys out"))
            return None
        if text.lower() in _BOOL_WORDS:
            message = f"YAML 1.1 reads the key '{text}' as a bool"
            self.findings.append(error("OPK124", message, key.span, f'write "{text}" in quotes'))
        elif text.lower() in ("", "~", "null") or _NUMBER.match(text):
            shown = f"'{text}'" if text else "an empty one"
            self.findings.append(error("OPK112", f"a key must be text, not {shown}", key.span, "put it in quotes"))
            return None
        return key
