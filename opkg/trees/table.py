"""Ticks a row of a table of supported operators in Markdown, and counts it in the table's head; the tick can be taken out."""

from __future__ import annotations

import re

from opkg.targets.foreign import Place
from opkg.trees.found import Entry, Taken, Unexpected, split_lines

_HEAD = re.compile(r"\|.*\b(\d+)/\d+ Enabled *\|\s*")
YES, NO = "&check;", "&cross;"


class Absent(Exception):
    """The table has no row of that name, or a third mark in it: there is nothing to tick."""


def find(text: str, place: Place, key: str) -> Entry | None:
    """The row of that name if it is ticked."""
    lines, _, row = _row(text, place, key)
    if row is None or YES not in lines[row]:
        return None
    return Entry(row + 1, lines[row].rstrip("\r\n") + "\n")


def insert(text: str, place: Place, key: str) -> str:
    """The text with a tick more. Raises Taken, Absent, or Unexpected when there is no such table."""
    lines, head, row = _row(text, place, key)
    if row is not None and YES in lines[row]:
        raise Taken(row + 1, lines[row].rstrip("\r\n") + "\n")
    if row is None or NO not in lines[row]:
        raise Absent
    return _changed(lines, head, row, NO, YES, 1)


def remove(text: str, place: Place, key: str) -> str:
    """The text without the tick, which must be there."""
    lines, head, row = _row(text, place, key)
    if row is None or YES not in lines[row]:
        raise KeyError(key)
    return _changed(lines, head, row, YES, NO, -1)


def _row(text: str, place: Place, key: str) -> tuple[list[str], int, int | None]:
    lines = split_lines(text)
    head = next((at for at, line in enumerate(lines) if line.startswith(place.name) and _HEAD.fullmatch(line)), None)
    if head is None:
        raise Unexpected(f"there is no table whose head begins with '{place.name}' and has a count")
    row = head + 1
    while row < len(lines) and lines[row].startswith("|"):
        if lines[row].split("|")[1].strip() == key:
            return lines, head, row
        row += 1
    return lines, head, None


def _changed(lines: list[str], head: int, row: int, before: str, after: str, step: int) -> str:
    count = _HEAD.fullmatch(lines[head])
    assert count is not None
    start, end = count.span(1)
    lines[head] = f"{lines[head][:start]}{int(count[1]) + step}{lines[head][end:]}"
    lines[row] = lines[row].replace(before, after, 1)
    return "".join(lines)
