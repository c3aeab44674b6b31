"""Lines of C++ as statements and blocks: what is compared where two texts become one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_WORD = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_WRITTEN = re.compile(r"(?<![.\w])([A-Za-z_]\w*) [-+*/|&]?= ")
_ADDED = re.compile(r"\bsum_of\(.*?, (\w+)\);")  # opkg/hvx_mantissas.h: the last argument takes what sums lose
_SETS = (_WRITTEN, _ADDED)
_DECLARED = re.compile(
    r"(?:const )?(?!return\b|using\b|throw\b)[A-Za-z_][\w:]*(?:<.*?>)?[&*]* (\w+)(?:\[.*?\])?(?: = |\(|\{|;)"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement or comment of one line, or a block: from the line that ends in `{` to the one that closes it."""

    lines: tuple[str, ...]

    @property
    def head(self) -> str:
        return self.lines[0]

    @property
    def is_block(self) -> bool:
        return len(self.lines) > 1

    @property
    def inner(self) -> list[str]:
        """The lines between, without indentation; of no use where blocks are in a chain (`} else {`)."""
        return [line[2:] for line in self.lines[1:-1]]

    @property
    def chained(self) -> bool:
        """Whether it is several blocks, as `if` and `else` are."""
        return any(line and not line.startswith("  ") for line in self.lines[1:-1])

    @property
    def words(self) -> frozenset[str]:
        """Names in its code."""
        return frozenset(word for line in self.lines for word in _WORD.findall(_code(line)))

    @property
    def writes(self) -> frozenset[str]:
        """Names of variables that it sets or declares."""
        return frozenset(word for line in self.lines for form in _SETS for word in form.findall(_code(line)))

    @property
    def declares(self) -> str:
        """The variable that it declares; empty for others."""
        match = None if self.is_block else _DECLARED.match(self.head)
        return match[1] if match else ""

    def with_first(self, line: str) -> Statement:
        """The block with another line in front of those that it has."""
        return Statement((self.head, f"  {line}", *self.lines[1:]))


def _code(line: str) -> str:
    return line.partition("//")[0]


def statements(lines: Iterable[str]) -> list[Statement]:
    """The statements of some lines; notes behind code are two spaces from it."""
    found: list[Statement] = []
    block: list[str] = []
    for line in map(_plain, lines):
        if not block and not line.endswith("{"):
            found.append(Statement((line,)))
            continue
        block.append(line)
        if len(block) > 1 and line.startswith("}") and not line.endswith("{"):
            found.append(Statement(tuple(block)))
            block = []
    assert not block, "blocks are closed"
    return found


def _plain(line: str) -> str:
    code, mark, note = line.partition("  // ")
    return f"{code.rstrip()}  // {note.strip()}" if mark and code.strip() else line


def indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" if line else "" for line in lines)


def text_of(parts: Sequence[Statement]) -> list[str]:
    return [line for part in parts for line in part.lines]
