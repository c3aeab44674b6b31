"""Ticks a row of a table of supported operators in Markdown, and counts it in the table's head; the tick can be taken out.

A tick of ours has a mark behind it, a comment that Markdown does not show: `| Elu | &check; <!-- opkg: qti.aisw --> |`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from opkg.targets.foreign import Place
from opkg.trees.found import Entry, Taken, Unexpected, split_lines

_HEAD = re.compile(r"\|.*\b(\d+)/\d+ Enabled *\|\s*")
_TICK = re.compile(r"&check;(?: <!-- opkg: [\w.-]+ -->)?")
YES, NO = "&check;", "&cross;"


class Absent(Exception):
    """The table has no row of that name, or a third mark in it: there is nothing to tick."""


def find(text: str, place: Place, key: str) -> Entry | None:
    """The row of that name if it is ticked."""
    lines, _, row = _row(text, place, key)
    if row is None or YES not in lines[row]:
        return None
    return Entry(row + 1, lines[row].rstrip("\r\n") + "\n")


def ticked(text: str, place: Place) -> Iterator[tuple[str, str]]:
    """Names and lines of the rows that have a tick. Raises Unexpected when there is no such table."""
    lines, head, _ = _row(text, place, "")
    for line in itertools.takewhile(lambda line: line.startswith("|"), lines[head + 1 :]):
        if YES in line:
            yield _name(line), line.rstrip("\r\n") + "\n"


def unmarked(line: str) -> str:
    """A row without the mark of who ticked it."""
    return _TICK.sub(YES, line)


def insert(text: str, place: Place, key: str, entry: str) -> str:
    """The text with a tick more, as `entry` has it. Raises Taken, Absent, or Unexpected when there is no such table."""
    lines, head, row = _row(text, place, key)
    if row is not None and YES in lines[row]:
        raise Taken(row + 1, lines[row].rstrip("\r\n") + "\n")
    if row is None or NO not in lines[row]:
        raise Absent
    tick = _TICK.search(entry)
    return _changed(lines, head, row, NO, tick[0] if tick else YES, 1)


def remove(text: str, place: Place, key: str) -> str:
    """The text without the tick, which must be there."""
    lines, head, row = _row(text, place, key)
    tick = None if row is None else _TICK.search(lines[row])
    if row is None or tick is None:
        raise KeyError(key)
    return _changed(lines, head, row, tick[0], NO, -1)


def _row(text: str, place: Place, key: str) -> tuple[list[str], int, int | None]:
    lines = split_lines(text)
    head = next((at for at, line in enumerate(lines) if line.startswith(place.name) and _HEAD.fullmatch(line)), None)
    if head is None:
        raise Unexpected(f"there is no table whose head begins with '{place.name}' and has a count")
    row = head + 1
    while row < len(lines) and lines[row].startswith("|"):
        if _name(lines[row]) == key:
            return lines, head, row
        row += 1
    return lines, head, None


def _name(line: str) -> str:
    return line.split("|")[1].strip()


def _changed(lines: list[str], head: int, row: int, before: str, after: str, step: int) -> str:
    count = _HEAD.fullmatch(lines[head])
    assert count is not None
    start, end = count.span(1)
    lines[head] = f"{lines[head][:start]}{int(count[1]) + step}{lines[head][end:]}"
    lines[row] = lines[row].replace(before, after, 1)
    return "".join(lines)
