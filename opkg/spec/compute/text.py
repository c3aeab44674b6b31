"""The text of a `compute:` or `pattern:` to Python's syntax trees of its statements; bounded, and silent whatever it is."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.spec.source_text import SourceText

MAX_TEXT = 8000
MAX_STATEMENTS = 200
MAX_DEPTH = 64
_BAD = re.compile(r"[^\x20-\x7e\n]")

_MARKS = {"&&": "'and'", "||": "'or'", "?": "a if test else b", "!": "'not'"}  # of other languages


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of text: what it is called, its limits, and the ids and hints of what can be wrong with it."""

    noun: str
    key: str
    alien: str  # what a character is that has no place in it
    id: str
    alien_id: str
    missing: str  # hint when there is none
    long: str  # hint when it is too long
    most_text: int = MAX_TEXT
    most_statements: int = MAX_STATEMENTS


COMPUTATION = Kind(
    "computation", "compute", "is not in the compute language", "OPK140", "OPK141", "write y = ..., for each output",
    "name parts of it, or write a reference",
)  # fmt: skip


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


def statements(source: SourceText, kind: Kind = COMPUTATION) -> tuple[Places, list[ast.stmt]]:
    """The statements of a text; Fault (ids of its kind) when it cannot be read."""
    places, text = Places(source), source.text
    missing = fault(kind.id, f"the {kind.noun} is missing", places.span(0, 1), kind.missing)
    if not text.strip():
        raise missing
    if len(text) > kind.most_text:
        message = f"a {kind.noun} has at most {kind.most_text} characters, this one has {len(text)}"
        raise fault(kind.id, message, places.span(0, 1), kind.long)
    bad = _BAD.search(text)
    if bad is not None:
        shown = f"'{bad.group()}'" if bad.group().isprintable() else f"U+{ord(bad.group()):04X}"
        raise fault(kind.alien_id, f"{shown} {kind.alien}", places.span(*bad.span()))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except SyntaxError as failure:
        raise _unreadable(failure, places, kind) from None
    except (ValueError, RecursionError, MemoryError):
        raise _too_deep(places.span(0, 1), kind.id) from None
    if not body:
        raise missing
    if len(body) > kind.most_statements:
        message = f"a {kind.noun} has at most {kind.most_statements} statements"
        raise fault(kind.id, message, places.of(body[kind.most_statements]))
    return places, body


def _too_deep(span: Span, id: str = COMPUTATION.id) -> Fault:
    return fault(id, f"this nests deeper than {MAX_DEPTH} levels", span, "name parts of it: t = ...")


def check_depth(depth: int, span: Span) -> None:
    """Fault for an expression below `MAX_DEPTH` others."""
    if depth > MAX_DEPTH:
        raise _too_deep(span)


def _unreadable(failure: SyntaxError, places: Places, kind: Kind) -> Fault:
    text = failure.msg or "invalid syntax"
    if "too many nested" in text or "maximum recursion" in text:
        return _too_deep(places.span(0, 1), kind.id)
    start = places.offset(failure.lineno or 1, (failure.offset or 1) - 1)
    end = places.offset(failure.end_lineno or failure.lineno or 1, (failure.end_offset or 0) - 1)
    line = places.source.text.split("\n")[(failure.lineno or 1) - 1 : failure.lineno]
    reason = "unexpected text" if text.startswith("invalid syntax") else text.split(". ")[0].split(" (")[0]
    if start >= len(places.source.text.rstrip()) or "was never closed" in text:
        reason = "it ends too early" if "closed" not in text else text
    hint = "one statement per line, or ';' between two: y = ..."
    if line and line[0].count(" = ") > 1:
        hint = f"two statements need a line each, or ';' between them; with several lines write {kind.key}: |"
    code = line[0].partition("#")[0].replace("!=", "") if line else ""
    hint = next((f"write {instead}" for mark, instead in _MARKS.items() if mark in code), hint)
    if "Exceeds the limit" in text:
        reason, hint = "a number has too many digits", "write it with an exponent: 1e30"
    if "indent" in text:
        reason, hint = "a line is indented", "all statements begin in one column"
    return fault(kind.id, f"cannot read this {kind.noun}: {reason}", places.span(start, max(end, start + 1)), hint)
