"""The nodes of a YAML tree, each with its place; pieces of their text."""

from __future__ import annotations

from typing import NamedTuple

from opkg.spec.diagnostics import Span


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


class Raw(NamedTuple):
    """Text as it stands in the file."""

    text: str
    line: int
    column: int


class Scalar(NamedTuple):
    """One YAML scalar. `plain`: without quotes. `exact`: the text stands on one line just as it is.

    `raw`: of one that is not exact, what stands in the file behind the opening quote or the line of the block mark, and
    where that begins.
    """

    text: str
    plain: bool
    span: Span
    exact: bool
    raw: Raw | None = None

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
