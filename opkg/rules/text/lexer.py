"""Tokens of C++ source, as far as rules need them: comments, directives, strings, numbers, names, punctuation."""

from __future__ import annotations

import re
from typing import NamedTuple

from opkg.spec.diagnostics import Diagnostic, Severity
from opkg.spec.source_text import AnyText

MOST_FINDINGS = 50  # of one text; more say nothing new


class Token(NamedTuple):
    """One token. `kind`: string number name punct raw char directive end, open_string open_comment open_raw (not
    closed: up to the end of the line, of the text), bad (characters C++ does not have)."""

    kind: str
    text: str
    start: int
    end: int


# Nothing has to follow a repetition, or its alternatives exclude one another: time is linear in the text. No possessive
# quantifiers: before 3.11.5, Python matches those of groups with alternatives wrongly (gh-106052).
_TOKEN = re.compile(
    r"""
  (?P<space>(?:[ \t\r\n\f\v]|\\[ \t]*\r?\n)+)
| (?P<comment>//(?:\\\r?\n|[^\n])*|/\*)
| (?P<string>"(?:[^"\\\n]|\\\r?\n|\\[^\n])*(?P<closed>"?))
| (?P<raw>(?:u8|[uUL])?R"(?P<fence>[^()\\\s"]{0,16})\()
| (?P<char>'(?:[^'\\\n]|\\[^\n])+')
| (?P<number>\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z]|[0-9A-Za-z_.])*)
| (?P<name>(?:::)?[A-Za-z_][A-Za-z_0-9]*(?:::[A-Za-z_][A-Za-z_0-9]*)*)
| (?P<punct><<=|<=>|<=|<<|>=|->|\+\+|--|&&|\|\||::|==|!=|[-+*/%&|^]=|\.\.\.|[(),\[\]{}<>=+\-*/%&|^~!?:;.\#])
| (?P<bad>[^\x00-\x7f]+|[\s\S])
""",
    re.X,
)
_DIRECTIVE = re.compile(r"#(?:\\\r?\n|/\*(?:[^*]|\*(?!/))*\*/|(?!//|/\*)[^\n])*")


def tokenize(text: str, start: int = 0, end: int | None = None) -> tuple[list[Token], list[Token]]:
    """Tokens of text[start:end], with one of kind `end` after the last, and its comments. Takes any text."""
    limit = len(text) if end is None else end
    tokens: list[Token] = []
    comments: list[Token] = []
    match = _TOKEN.match
    at, fresh = start, True  # fresh: nothing but blanks and comments on the line so far
    while at < limit:
        found = match(text, at, limit)
        assert found is not None, "the last alternative takes any character"
        kind, stop = found.lastgroup or "", found.end()
        if kind == "space":
            fresh = fresh or "\n" in found.group()
            at = stop
            continue
        if kind == "punct" and text[at] == "#":
            directive = _DIRECTIVE.match(text, at, limit) if fresh else None
            kind, stop = ("directive", directive.end()) if directive is not None else ("bad", stop)
        elif kind == "comment":
            kind, stop = _comment(text, at, stop, limit)
        elif kind == "raw":
            kind, stop = _raw(text, found, limit)
        elif kind == "string" and not found.group("closed"):
            kind = "open_string"
        token = Token(kind, text[at:stop], at, stop)
        if kind == "comment":
            comments.append(token)
            fresh = fresh or "\n" in token.text
        else:
            tokens.append(token)
            fresh = kind == "directive"
        at = stop
    tokens.append(Token("end", "", limit, limit))
    return tokens, comments


def _comment(text: str, start: int, stop: int, limit: int) -> tuple[str, int]:
    if text.startswith("//", start):
        return "comment", stop
    close = text.find("*/", stop, limit)
    return ("comment", close + 2) if close >= 0 else ("open_comment", limit)


def _raw(text: str, found: re.Match[str], limit: int) -> tuple[str, int]:
    fence = f'){found.group("fence")}"'
    close = text.find(fence, found.end(), limit)
    return ("raw", close + len(fence)) if close >= 0 else ("open_raw", limit)


class Faults:
    """Collects the findings of one text; offsets become places in the user's file."""

    def __init__(self, text: AnyText, most: int = MOST_FINDINGS) -> None:
        self.text = text
        self.most = most
        self.found: list[Diagnostic] = []
        self.errors = 0

    def add(
        self, id: str, message: str, start: int, end: int, hint: str = "", severity: Severity = Severity.ERROR
    ) -> None:
        """A finding about the characters start to end."""
        if severity is Severity.ERROR:
            self.errors += 1
        if len(self.found) < self.most:
            self.found.append(Diagnostic(id, message, self.text.span(start, end), hint, severity))

    def warn(self, id: str, message: str, start: int, end: int, hint: str = "") -> None:
        """A warning about the characters start to end."""
        self.add(id, message, start, end, hint, Severity.WARNING)

    def info(self, id: str, message: str, start: int, end: int, hint: str = "") -> None:
        """A note about the characters start to end."""
        self.add(id, message, start, end, hint, Severity.INFO)


def shown(text: str, most: int = 30) -> str:
    """Source text as a message shows it: on one line, printable, not too long."""
    text = " ".join(text[: most * 4].split())
    text = "".join(char if char.isprintable() else "?" for char in text)
    return text if len(text) <= most else text[: most - 3] + "..."
