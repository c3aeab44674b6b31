"""What inserting speaks of: entries, lists as found, and what keeps a file from being changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


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
    """An entry: its lines are `first` up to, not including, `last` (from 0), with comments that stand right above it."""

    key: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Region:
    """A list as found. `start`: the line where the first entry would stand; `gap`: blank lines between two entries.

    `others`: entries that are there, but no neighbours for a new one.
    """

    items: tuple[Item, ...]
    start: int
    gap: int = 0
    others: tuple[Item, ...] = ()


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
    text = "".join(lines[item.first : item.last]).replace("\r\n", "\n").replace("\r", "\n")
    return Entry(item.first + 1, text if text.endswith("\n") else text + "\n")


def line_end(line: str) -> str:
    """The line end of a line, "" when it has none."""
    return line[len(line.rstrip("\r\n")) :]


def split_lines(text: str) -> list[str]:
    """Lines with their ends (\\n, \\r\\n or \\r: what Python's own tokenizer takes for one); joined they are the text."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)
