"""Words of a line of a graph's text form."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from opkg.spec.diagnostics import Diagnostic, Span, error

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<end>\#.*|$)
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<number>[-+]?(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|inf\b|nan\b)(?![\w]))
    |(?P<word>[A-Za-z_%$*][\w%$*]*(?:(?:\.|::)[\w$*%]+)*)
    |(?P<mark>[\[\](),:=.?])
    )""",
    re.VERBOSE,
)
_PLAIN = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_PLAIN_OP = re.compile(r"[A-Za-z_$*][\w$*]*(?:(?:\.|::)[\w$*]+)*", re.ASCII)
_OWN = frozenset({"inf", "nan"})


class Wrong(Exception):
    """A line that cannot be read; carries the finding."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class Token:
    kind: str  # string, number, word, mark, end
    text: str  # of a string: its value
    start: int
    end: int


class Line:
    """The tokens of one line, taken from left to right."""

    def __init__(self, text: str, path: str, number: int) -> None:
        self._path, self._number = path, number
        self._tokens: list[Token] = []
        self._at = 0
        at = 0
        while True:
            found = _TOKEN.match(text, at)
            if found is None:
                at = len(text) - len(text[at:].lstrip())
                raise Wrong(self.finding(f"{text[at]!r} is not understood here", at, at + 1))
            kind = str(found.lastgroup)
            word, start = found.group(kind), found.start(kind)
            self._tokens.append(
                Token(kind, self._unquoted(word, start) if kind == "string" else word, start, found.end())
            )
            if kind == "end":
                break
            at = found.end()

    def _unquoted(self, text: str, start: int) -> str:
        try:
            value = json.loads(text)
        except ValueError:
            raise Wrong(
                self.finding("a text with an escape that JSON does not have", start, start + len(text))
            ) from None
        return str(value)

    def finding(self, message: str, start: int, end: int, hint: str = "", id: str = "OPK580") -> Diagnostic:
        span = Span(self._path, self._number, start + 1, self._number, max(end, start + 1) + 1)
        return error(id, message, span, hint)

    def wrong(self, message: str, token: Token | None = None, hint: str = "", id: str = "OPK580") -> Wrong:
        """A finding at a token (the next one)."""
        at = token or self.peek()
        return Wrong(self.finding(message, at.start, at.end, hint, id))

    def peek(self, ahead: int = 0) -> Token:
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def next(self) -> Token:
        token = self.peek()
        self._at += 1
        return token

    def is_mark(self, text: str, ahead: int = 0) -> bool:
        token = self.peek(ahead)
        return token.kind == "mark" and token.text == text

    def skip(self, text: str) -> bool:
        """Takes the mark if it is there."""
        if self.is_mark(text):
            self._at += 1
            return True
        return False

    def need(self, text: str, why: str) -> Token:
        if not self.is_mark(text):
            raise self.wrong(f"'{text}' is missing {why}")
        return self.next()

    def name(self, what: str) -> Token:
        """A word or text in quotes."""
        if self.peek().kind not in ("word", "string"):
            raise self.wrong(f"{what} is missing")
        return self.next()

    def number(self, what: str) -> int | float:
        token = self.next()
        if token.kind != "number":
            raise self.wrong(f"{what} must be a number", token)
        return int(token.text) if re.fullmatch(r"[-+]?\d+", token.text) and len(token.text) < 40 else float(token.text)

    def integer(self, what: str, least: int, most: int) -> int:
        token = self.peek()
        value = self.number(what)
        if not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(f"{what} must be an integer from {least} to {most}", token)
        return value

    def done(self) -> None:
        if self.peek().kind != "end":
            raise self.wrong("the line should end here")


def quoted(name: str, op: bool = False) -> str:
    """A name as the text form has it: in quotes unless it is plain."""
    plain = (_PLAIN_OP if op else _PLAIN).fullmatch(name) and name not in _OWN
    return name if plain else json.dumps(name)
