"""PyYAML's nodes to ours: checks keys, tags and aliases on the way."""

from __future__ import annotations

import re
from typing import Any

from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.spec.nodes import Mapping, Node, Raw, Scalar, Sequence

MAX_DEPTH = 32
MAX_NODES = 400_000
QUOTE_HINT = "inside [ ] and { } an expression that has brackets or commas must stand in quotes"

# Plain keys that YAML 1.1 readers take for a bool.
_BOOL_WORDS = frozenset(("yes", "no", "on", "off", "true", "false"))
_NO_KEYS = _BOOL_WORDS | {"null"}
_LINE_END = re.compile(r"[\r\n]")
_NUMBER = re.compile(r"[-+]?(\.?[0-9][0-9_]*|0x[0-9a-fA-F_]+)([.:eE][-+0-9_:.eE]*)?$")


class Stop(Exception):
    """Ends reading of one file with a finding."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


def mark_span(mark: Any, path: str) -> Span:
    if mark is None:
        return Span(path)
    return Span(path, mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2)


class Converter:
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
            raise Stop(error("OPK109", message, mark_span(node.start_mark, self.path), "write the values out"))
        if depth > MAX_DEPTH:
            span = mark_span(node.start_mark, self.path)
            raise Stop(error("OPK115", "an anchor contains an alias of itself", span, "write the values out"))
        if node.tag:
            span = mark_span(node.start_mark, self.path)
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
        return Scalar(value, plain, self.span(node), False, self.raw(node))

    def raw(self, node: Any) -> Raw:
        """What stands in the file: without the opening quote, or from the line after a block mark on."""
        start, end = node.start_mark, node.end_mark
        text = self.text[start.index : end.index]
        if node.style in ("|", ">"):
            return Raw(text.partition("\n")[2], start.line + 2, 1)
        skip = 1 if node.style in ("'", '"') else 0
        return Raw(text[skip:], start.line + 1, start.column + 1 + skip)

    def span(self, node: Any) -> Span:
        """From the start of the node to its end, or to the end of its first line when it has several."""
        start, end = node.start_mark, node.end_mark
        line, column = start.line + 1, start.column + 1
        if end.line == start.line:
            return Span(self.path, line, column, line, max(end.column + 1, column + 1))
        found = _LINE_END.search(self.text, start.index)
        stop = found.start() if found is not None else len(self.text)
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
            self.findings.append(error("OPK112", "a key must be text, not a list or mapping", key.span, QUOTE_HINT))
            return None
        text = key.text
        if not key.plain or (text.isidentifier() and text.lower() not in _NO_KEYS):
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
