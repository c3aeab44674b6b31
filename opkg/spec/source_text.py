"""A piece of source text that knows the place of each of its characters: a C++ file, or a scalar inside a YAML file."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from opkg.spec.diagnostics import Span


@dataclass(frozen=True, slots=True, eq=False)
class SourceText:
    """Text with places.

    `text` is what is parsed. Without `raw`, its first character stands at `line`:`column` of `path` and its lines are the
    file's lines. With `raw` (a YAML scalar as written in the file, quotes, indentation and all, which stands at
    `line`:`column`), characters of `text` are found in it in order, white space and escapes aside.
    """

    path: str
    text: str
    line: int = 1
    column: int = 1
    raw: str = ""
    _lines: list[int] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)

    def span(self, start: int, end: int) -> Span:
        """The span of the characters start to end (exclusive, at least one)."""
        line, column = self.position(start)
        end_line, end_column = self.position(max(end - 1, start))
        return Span(self.path, line, column, end_line, end_column + 1)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1) of a character of `text`."""
        if self.raw:
            offset = self._in_raw(offset)
        starts = self._starts()
        row = bisect_right(starts, offset) - 1
        within = offset - starts[row]
        return self.line + row, within + (self.column if row == 0 else 1)

    def _starts(self) -> list[int]:
        """Offsets at which lines begin."""
        if not self._lines:
            source = self.raw or self.text
            self._lines.append(0)
            self._lines.extend(i + 1 for i, char in enumerate(source) if char == "\n")
        return self._lines

    def _in_raw(self, offset: int) -> int:
        """Offset in `raw` of a character of `text`: both are walked, white space skipped."""
        if not self._places:
            self._places.extend(_align(self.text, self.raw))
        return self._places[min(offset, len(self._places) - 1)]


def _align(text: str, raw: str) -> list[int]:
    """For each character of `text`, and its end, the offset in `raw` where it stands (white space: where it is next)."""
    # Only behind the opening double quote does more stand than the text and white space, and a double quote at the end.
    double = raw.rstrip().endswith('"') and "".join(raw.split()) != "".join(text.split())
    chars, offsets = _unescaped(raw) if double else (raw, None)
    places, at = [], 0
    for char in text:
        if not char.isspace():
            found = chars.find(char, at)
            at = found if found >= 0 else at
        places.append(min(at, max(len(chars) - 1, 0)))
        if not char.isspace():
            at += 1
    places.append(min(at, len(chars)))
    if offsets is None:
        return places
    return [offsets[place] for place in places]


_YAML_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))")
_BLANK_ESCAPES = frozenset("0abtnvfreNLP_ \t\n\r")  # characters that rules do not have, or white space


def _unescaped(raw: str) -> tuple[str, list[int]]:
    """The characters that a double-quoted scalar means (a blank for those that are none), and their offsets in it."""
    chars: list[str] = []
    offsets: list[int] = []
    at = 0
    while at < len(raw):
        found = _YAML_ESCAPE.match(raw, at)
        if found is None:
            char, end = raw[at], at + 1
        else:
            code = found.group(1) or found.group(2) or found.group(3)
            one = found.group(4) or ""
            known = code is not None and int(code, 16) < 0x110000
            char = chr(int(code, 16)) if known else " " if one in _BLANK_ESCAPES else one
            end = found.end()
        chars.append(char)
        offsets.append(at if found is None or char != raw[end - 1] else end - 1)  # an escaped quote is itself
        at = end
    return "".join(chars), [*offsets, len(raw)]


@dataclass(frozen=True, slots=True, eq=False)
class JoinedText:
    """Several texts as one, a line break or other single character between two: the parts of a rule, which YAML holds in
    separate scalars."""

    parts: tuple[SourceText, ...]
    text: str
    starts: tuple[int, ...]  # offset of each part in `text`

    @staticmethod
    def of(*parts: SourceText, between: str = "\n") -> JoinedText:
        """The texts in order; there must be at least one."""
        starts, at = [], 0
        for part in parts:
            starts.append(at)
            at += len(part.text) + 1
        return JoinedText(parts, between.join(part.text for part in parts), tuple(starts))

    @property
    def path(self) -> str:
        return self.parts[0].path

    def span(self, start: int, end: int) -> Span:
        """The span of the characters start to end, as far as they stand in one part."""
        number = bisect_right(self.starts, start) - 1
        begun, part = self.starts[number], self.parts[number]
        return part.span(start - begun, min(end - begun, max(len(part.text), 1)))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1) of a character of `text`."""
        number = bisect_right(self.starts, offset) - 1
        return self.parts[number].position(offset - self.starts[number])


@dataclass(frozen=True, slots=True, eq=False)
class MappedText:
    """Text that was made from another, by macro expansion say: its characters have the places of what they came from.

    `pieces`, in order: offset in `text`, begin and end in `origin.text`; `exact` when the piece stands there as it is.
    """

    text: str
    origin: SourceText
    pieces: tuple[tuple[int, int, int, bool], ...]

    @property
    def path(self) -> str:
        return self.origin.path

    def span(self, start: int, end: int) -> Span:
        """The span in the origin of the characters start to end (exclusive, at least one)."""
        first = self._from(start, 0)
        return self.origin.span(first, max(self._from(max(end - 1, start), 1), first + 1))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (from 1) in the origin of a character of `text`."""
        return self.origin.position(self._from(offset, 0))

    def _from(self, offset: int, last: int) -> int:
        """Where a character came from; with `last`, the offset after it."""
        if not self.pieces:
            return 0
        at, begin, end, exact = self.pieces[max(bisect_right(self.pieces, offset, key=lambda piece: piece[0]) - 1, 0)]
        if exact:
            return min(begin + offset - at + last, end)
        return end if last else begin


AnyText = SourceText | JoinedText | MappedText
