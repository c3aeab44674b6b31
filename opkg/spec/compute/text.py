"""The text of a `compute:` to Python's syntax trees of its statements; bounded, and silent whatever the text is."""

from __future__ import annotations

import ast
import re
import warnings

from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.spec.source_text import SourceText

MAX_TEXT = 8000
MAX_STATEMENTS = 200
MAX_DEPTH = 64
_BAD = re.compile(r"[^\x20-\x7e\n]")


class Fault(Exception):
    """One finding that ends the reading of a statement."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


class Places:
    """Python's lines and columns to places in the spec."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self._starts = [0]
        for line in source.text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def offset(self, line: int, column: int) -> int:
        """Offset of a line (from 1) and column (from 0); the end of the text when it lies behind it."""
        return min(self._starts[min(max(line, 1), len(self._starts)) - 1] + max(column, 0), len(self.source.text))

    def span(self, start: int, end: int) -> Span:
        return self.source.span(max(min(start, len(self.source.text) - 1), 0), end)

    def of(self, node: ast.expr | ast.stmt | ast.keyword) -> Span:
        """The span of a piece of syntax."""
        start = self.offset(node.lineno, node.col_offset)
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self.span(start, max(end, start + 1))

    def text_of(self, node: ast.expr | ast.stmt) -> str:
        """A piece of syntax as it is written."""
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self.source.text[self.offset(node.lineno, node.col_offset) : end]


def fault(id: str, message: str, span: Span, hint: str = "") -> Fault:
    return Fault(error(id, message, span, hint))


def statements(source: SourceText) -> tuple[Places, list[ast.stmt]]:
    """The statements of a text; Fault (OPK140, OPK141) when it cannot be read."""
    places, text = Places(source), source.text
    if not text.strip():
        raise fault("OPK140", "the computation is missing", places.span(0, 1), "write y = ..., for each output")
    if len(text) > MAX_TEXT:
        message = f"a computation has at most {MAX_TEXT} characters, this one has {len(text)}"
        raise fault("OPK140", message, places.span(0, 1), "name parts of it, or write a reference")
    bad = _BAD.search(text)
    if bad is not None:
        shown = f"'{bad.group()}'" if bad.group().isprintable() else f"U+{ord(bad.group()):04X}"
        raise fault("OPK141", f"{shown} is not in the compute language", places.span(*bad.span()))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except SyntaxError as failure:
        raise _unreadable(failure, places) from None
    except (ValueError, RecursionError, MemoryError):
        raise _too_deep(places.span(0, 1)) from None
    if not body:
        raise fault("OPK140", "the computation is missing", places.span(0, 1), "write y = ..., for each output")
    if len(body) > MAX_STATEMENTS:
        raise fault("OPK140", f"a computation has at most {MAX_STATEMENTS} statements", places.of(body[MAX_STATEMENTS]))
    return places, body


def _too_deep(span: Span) -> Fault:
    return fault("OPK140", f"this nests deeper than {MAX_DEPTH} levels", span, "name parts of it: t = ...")


def check_depth(depth: int, span: Span) -> None:
    """Fault for an expression below `MAX_DEPTH` others."""
    if depth > MAX_DEPTH:
        raise _too_deep(span)


def _unreadable(failure: SyntaxError, places: Places) -> Fault:
    text = failure.msg or "invalid syntax"
    if "too many nested" in text or "maximum recursion" in text:
        return _too_deep(places.span(0, 1))
    start = places.offset(failure.lineno or 1, (failure.offset or 1) - 1)
    end = places.offset(failure.end_lineno or failure.lineno or 1, (failure.end_offset or 0) - 1)
    line = places.source.text.split("\n")[(failure.lineno or 1) - 1 : failure.lineno]
    reason = "unexpected text" if text.startswith("invalid syntax") else text.split(". ")[0].split(" (")[0]
    if start >= len(places.source.text.rstrip()) or "was never closed" in text:
        reason = "it ends too early" if "closed" not in text else text
    hint = "one statement per line, or ';' between two: y = ..."
    if line and line[0].count(" = ") > 1:
        hint = "two statements need a line each, or ';' between them; with several lines write compute: |"
    if "Exceeds the limit" in text:
        reason, hint = "a number has too many digits", "write it with an exponent: 1e30"
    if "indent" in text:
        reason, hint = "a line is indented", "all statements begin in one column"
    return fault("OPK140", f"cannot read this computation: {reason}", places.span(start, max(end, start + 1)), hint)
