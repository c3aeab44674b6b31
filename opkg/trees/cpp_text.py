"""What of C++ text is code, and which braces stand around each line: enough to find a place in it, without a parser."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from opkg.trees.found import split_lines

_TEXT = re.compile(
    r"""//(?:[^\n\\]|\\\r?\n|\\.)*|/\*.*?(?:\*/|\Z)|R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""",
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)")
_MARKS = re.compile(r"[(){};]")
_NAMESPACE = re.compile(r'(?:\binline\s+)?\bnamespace\b[^;{}()=]*$|\bextern\s+"[^"]*"\s*$')


@dataclass(frozen=True, slots=True)
class Brace:
    """A pair of braces. Positions count characters of the text; `end` is that of the closing one; `up`: the next outer."""

    start: int
    end: int
    up: int
    namespace: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A text: its lines (with their ends), the same as code, and what is around each line.

    `code`: comments and strings are blanked, and so are brackets and semicolons of the preprocessor.

    `starts`: position of each line. `around`: number of the innermost pair of braces that is open at its start (0: none;
    `braces[0]` is the file). `conditions`: how many `#if` stand around it, include guards apart. `macros`: whether it goes
    on with the preprocessor's line above it.
    """

    lines: tuple[str, ...]
    code: str
    starts: tuple[int, ...]
    braces: tuple[Brace, ...]
    around: tuple[int, ...]
    conditions: tuple[int, ...]
    macros: tuple[bool, ...]

    def code_of(self, line: int) -> str:
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.code)
        return self.code[self.starts[line] : end]

    def line_at(self, position: int) -> int:
        return bisect_right(self.starts, position) - 1

    def in_namespaces(self, brace: int) -> bool:
        """Whether nothing but namespaces stands around a place."""
        while brace:
            if not self.braces[brace].namespace:
                return False
            brace = self.braces[brace].up
        return True


@lru_cache(maxsize=128)
def scan(text: str) -> Source:
    """Reads a text. What is not C++ gives some result, too, in which things are not found."""
    lines = tuple(split_lines(text))
    code = _TEXT.sub(_blank, text)
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line)
    reader = _Reader(code)
    parts = []
    for start, line in zip(starts, lines, strict=True):
        part = code[start : start + len(line)]
        parts.append(_MARKS.sub(" ", part) if reader.line(start, part) else part)
    return Source(lines, "".join(parts), tuple(starts), *reader.done())


def _blank(match: re.Match[str]) -> str:
    """Spaces for a comment; of a string the quotes stay."""
    found = match[0]
    keep = found[0] + found[-1] if found[0] in "\"'R" else ""
    blank = re.sub(r"[^\r\n]", " ", found)
    return f'"{blank[1:-1]}"' if keep else blank


class _Reader:
    """Goes through the lines and keeps what is open."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.braces = [Brace(-1, len(code), 0, True)]
        self.open = [0]
        self.around: list[int] = []
        self.depths: list[int] = []
        self.conditions: list[tuple[int, list[int]]] = []  # line of an #if, what was open there
        self.guards: list[tuple[int, int]] = []  # lines of a whole #if ... #endif
        self.continued = False
        self.macros: list[bool] = []
        self.last = 0  # position after the last ; { or }

    def line(self, start: int, code: str) -> bool:
        """Takes the next line; whether it is one of the preprocessor."""
        self.around.append(self.open[-1])
        self.depths.append(len(self.conditions))
        self.macros.append(self.continued)
        directive = None if self.continued else _DIRECTIVE.match(code)
        inside = self.continued or directive is not None
        self.continued = inside and code.rstrip().endswith("\\")
        if directive is not None:
            self._directive(directive[1])
        if inside:
            self.last = start + len(code)
            return True
        for match in re.finditer(r"[{};]", code):
            self._mark(match[0], start + match.start())
        return False

    def _mark(self, mark: str, at: int) -> None:
        if mark == "{":
            head = self.code[self.last : at]
            self.braces.append(Brace(at, len(self.code), self.open[-1], bool(_NAMESPACE.search(head))))
            self.open.append(len(self.braces) - 1)
        elif mark == "}" and len(self.open) > 1:
            number = self.open.pop()
            was = self.braces[number]
            self.braces[number] = Brace(was.start, at, was.up, was.namespace)
        self.last = at + 1

    def _directive(self, word: str) -> None:
        line = len(self.around) - 1
        if word in ("if", "ifdef", "ifndef"):
            self.conditions.append((line, list(self.open)))
        elif word in ("else", "elif") and self.conditions:
            self.open = list(self.conditions[-1][1])
        elif word == "endif" and self.conditions:
            self.guards.append((self.conditions.pop()[0], line))

    def done(self) -> tuple[tuple[Brace, ...], tuple[int, ...], tuple[int, ...], tuple[bool, ...]]:
        depths = list(self.depths)
        for first, last in self.guards:
            if self._whole(first, last):
                for line in range(first + 1, last + 1):
                    depths[line] -= 1
        return tuple(self.braces), tuple(self.around), tuple(depths), tuple(self.macros)

    def _whole(self, first: int, last: int) -> bool:
        """Whether there is no code before and after these lines: the guard of a header."""
        lines = split_lines(self.code)
        return not any(line.strip() for at, line in enumerate(lines) if at < first or at > last)
