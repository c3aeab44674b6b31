"""What inserting speaks of: entries, lists as found, and what keeps a file from being changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from opkg.targets.foreign import MARK


class Unexpected(Exception):
    """A file does not look as it must for a list in it to be changed safely. `line` and `column` count from 1."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


class Taken(Exception):
    """There is an entry of that key already. `text`: its lines, with unix line ends."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}")
        self.line, self.text = line, text


@dataclass(frozen=True, slots=True)
class Item:
    """An entry: its lines are `first` up to, not including, `last` (from 0), with comments that stand right above it.

    `columns`: of one that shares a line, where it begins in its first line and ends in its last one.
    """

    key: str
    first: int
    last: int
    columns: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """A list as found. `start`: the line where the first entry would stand; `gap`: blank lines between two entries.

    `others`: entries that are there, but no neighbours for a new one. `unfit`: why no new one can stand there, though those
    that are there can be told apart.
    """

    items: tuple[Item, ...]
    start: int
    gap: int = 0
    others: tuple[Item, ...] = ()
    unfit: Unexpected | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """What was found under a key. `line` counts from 1; `text` has unix line ends."""

    line: int
    text: str


def order(key: str) -> tuple[str, str]:
    """What entries are sorted by: alphabetically, capitals like small letters."""
    return key.lower(), key


def entry(lines: Sequence[str], item: Item) -> Entry:
    """An item's text, with unix line ends; with one at its end, too, where the file has none."""
    own = lines[item.first : item.last] if item.columns is None else _alone(lines, item, item.columns)
    text = "".join(own).replace("\r\n", "\n").replace("\r", "\n")
    return Entry(item.first + 1, text if text.endswith("\n") else text + "\n")


def _alone(lines: Sequence[str], item: Item, columns: tuple[int, int]) -> list[str]:
    """An element that shares a line as it would stand by itself, with the comments that go with it (`without`)."""
    first, rest = lines[item.first], lines[item.last - 1][columns[1] :].strip().removeprefix(",").strip()
    element = [*lines[item.first : item.last - 1], lines[item.last - 1][: columns[1]]]
    element[0] = first[: len(first) - len(first.lstrip())] + element[0][columns[0] :]
    whole = rest.startswith("#") and not first[: columns[0]].strip()
    return [*element, f",  {rest}" if whole or rest.startswith(MARK.strip()) else ","]


def without(lines: Sequence[str], item: Item, columns: tuple[int, int]) -> str:
    """The text without an element that shares a line; the others of that line stay, with their comment."""
    head, tail = lines[item.first][: columns[0]], lines[item.last - 1][columns[1] :]
    comma = re.match(r"[ \t]*,[ \t]*", tail)
    if comma is not None:
        tail = tail[comma.end() :]
    elif head.rstrip().endswith(","):
        head = head.rstrip()[:-1]
    end, rest = line_end(tail), tail.strip()
    if rest.startswith(MARK.strip()):
        rest = ""
    if not head.strip() and (not rest or rest.startswith("#")):
        left = ""
    elif not rest or rest.startswith("#"):
        left = f"{head.rstrip()}  {rest}".rstrip() + end
    else:
        left = head + tail
    return "".join([*lines[: item.first], left, *lines[item.last :]])


def line_end(line: str) -> str:
    """The line end of a line, "" when it has none."""
    return line[len(line.rstrip("\r\n")) :]


def split_lines(text: str) -> list[str]:
    """Lines with their ends (\\n, \\r\\n or \\r: what Python's own tokenizer takes for one); joined they are the text."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)
