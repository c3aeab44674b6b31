"""How far an entry goes from its anchor: a statement to its end, a definition with its comment, a case to the next one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from opkg.trees.cpp_text import Source
from opkg.trees.found import Item

_ENDS = re.compile(r"(?:\breturn\b[^;]*;|\bbreak\s*;|\bcontinue\s*;|\bthrow\b[^;]*;|\})\s*$")
_LABEL = re.compile(r"^\s*case\s+[\w:]*\w\s*:(?!:)")


def extent(source: Source, kind: str, gap: int, at: int, key: str, stop: int) -> Item:
    """The entry whose anchor is line `at`."""
    if kind == "statement":
        return Item(key, _head(source, at, comments=gap > 0), _statement(source, at) + 1)
    if kind == "braced":
        return Item(key, at, _braced(source, at) + 1)
    last = at + 1
    while kind == "paragraph" and last < stop and source.lines[last].strip():
        last += 1
    return Item(key, at, last)


def _braced(source: Source, at: int) -> int:
    """The line on which the brace that opens on line `at` is closed."""
    opened = next((b for b in source.braces if b.start >= source.starts[at]), None)
    return at if opened is None else source.line_at(min(opened.end, len(source.code) - 1))


def _statement(source: Source, at: int) -> int:
    """The line on which the statement or definition that begins on line `at` ends."""
    round_, curly = 0, 0
    for match in re.compile(r"[(){};]").finditer(source.code, source.starts[at]):
        mark = match[0]
        if mark in "()":
            round_ += 1 if mark == "(" else -1
        elif round_ == 0 and mark in "{}":
            curly += 1 if mark == "{" else -1
        if round_ or curly > 0:
            continue
        if curly < 0 or mark == ";" or (mark == "}" and not re.match(r"\s*[;,)]", source.code[match.end() :])):
            return source.line_at(match.start())
    return len(source.lines) - 1


def _head(source: Source, at: int, comments: bool) -> int:
    """The first line that belongs to an entry: `template <...>` above it, and its comment.

    Where entries stand without blank lines between them, a line of // above the first one is about all of them.
    """
    above = at
    while above > 0 and re.match(r"\s*template\b.*>\s*$", source.code_of(above - 1)):
        above -= 1
    first = above
    while above > 0 and source.lines[above - 1].strip() and not source.code_of(above - 1).strip():
        above -= 1
        words = source.lines[above].lstrip()
        if comments or words.startswith("/**"):
            first = above
        if not comments and words.startswith("//"):
            break
    return first


def case_items(source: Source, labels: Sequence[tuple[int, str]], stop: int) -> tuple[list[Item], list[Item]]:
    """The cases of a switch, up to line `stop`: labels that share code are one entry, whose key is the last label.

    A case that runs into the next one is one entry with it. The others: labels that are no entry's key, and those that
    run into what stands behind the cases.
    """
    items: list[Item] = []
    others: list[Item] = []
    waiting: list[Item] = []
    for number, (at, key) in enumerate(labels):
        following = labels[number + 1][0] if number + 1 < len(labels) else stop
        last = following
        while last > at + 1 and not source.code_of(last - 1).strip():
            last -= 1
        waiting.append(Item(key, at, last))
        code = _LABEL.sub("", "".join(source.code_of(line) for line in range(at, following)))
        if _ENDS.search(code):
            first = _head(source, waiting[0].first, comments=True)
            items.append(Item(key, first, last))
            others += waiting[:-1]
            waiting = []
    return items, [*others, *waiting]
