"""Puts entries into sorted lists of files that are somebody else's, and takes them out again: text in, text out.

All other bytes stay as they are. Inserting and removing are inverse, and the order in which several entries are
inserted makes no difference: a new one goes before the first entry that is greater, else behind the last one.
"""

from __future__ import annotations

from opkg.targets.foreign import Place
from opkg.trees import anchors, table
from opkg.trees.found import Entry, Taken, Unexpected, line_end, order, split_lines, without
from opkg.trees.found import entry as entry_of
from opkg.trees.python_lists import locate
from opkg.trees.rows import ANCHORED

__all__ = ["Entry", "Taken", "Unexpected", "find", "insert", "obstacle", "order", "remove"]


def find(text: str, place: Place, key: str) -> Entry | None:
    """The entry of that key, or None. Raises Unexpected when the list cannot be found."""
    if place.kind == "table":
        return table.find(text, place, key)
    if place.kind in ANCHORED:
        return anchors.find(text, ANCHORED[place.kind][place.name], key)
    lines = split_lines(text)
    item = next((item for item in locate(lines, place).items if item.key == key), None)
    return None if item is None else entry_of(lines, item)


def obstacle(text: str, place: Place, key: str) -> Unexpected | None:
    """Why no entry can go into the list, or come out of it."""
    try:
        if place.kind != "table" and place.kind not in ANCHORED:
            return locate(split_lines(text), place).unfit
        find(text, place, key)
    except Unexpected as reason:
        return reason
    return None


def insert(text: str, place: Place, key: str, entry: str) -> str:
    """The text with an entry more. Raises Taken, or Unexpected when the list is not as expected.

    Of a table: `table.Absent` when it has no such row.
    """
    if place.kind == "table":
        return table.insert(text, place, key, entry)
    if place.kind in ANCHORED:
        return anchors.insert(text, ANCHORED[place.kind][place.name], key, entry)
    lines = split_lines(text)
    region = locate(lines, place)
    for item in region.items:
        if item.key == key:
            raise Taken(item.first + 1, entry_of(lines, item).text)
    if region.unfit is not None:
        raise region.unfit
    following = next((item for item in region.items if order(item.key) > order(key)), None)
    if following is not None:
        at, beside = following.first, following.first
    else:
        at = region.items[-1].last if region.items else region.start
        beside = at - 1
    end = _line_end(lines, beside)
    new = [line[:-1] + end for line in split_lines(entry)]
    gap = [end] * region.gap
    if following is not None:
        new += gap
    elif region.items:
        new = gap + new
    result = "".join([*lines[:at], *new, *lines[at:]])
    found = find(result, place, key)
    if found is None or found.text != entry:
        raise Unexpected(f"there is no place for '{key}' that keeps it apart from what stands around it", at + 1)
    return result


def remove(text: str, place: Place, key: str) -> str:
    """The text without the entry of that key, which must be there: KeyError. Raises Unexpected as `insert` does."""
    if place.kind == "table":
        return table.remove(text, place, key)
    if place.kind in ANCHORED:
        return anchors.remove(text, ANCHORED[place.kind][place.name], key)
    lines = split_lines(text)
    region = locate(lines, place)
    at = next((at for at, item in enumerate(region.items) if item.key == key), None)
    if at is None:
        raise KeyError(key)
    item = region.items[at]
    if item.columns is not None:
        left = without(lines, item, item.columns)
        if _keys(left, place) != [each.key for each in region.items if each is not item]:
            reason = f"'{key}' cannot be taken out of the line that it shares"
            raise Unexpected(reason, item.first + 1, item.columns[0] + 1)
        return left
    first, last = item.first, item.last
    if at + 1 < len(region.items):
        gap, last = range(last, last + region.gap), last + region.gap
    elif at > 0:
        gap, first = range(first - region.gap, first), first - region.gap
    else:
        gap = range(0)
    if any(lines[number].strip() for number in gap):
        raise Unexpected(f"{region.gap} blank lines are expected beside '{key}'", region.items[at].first + 1)
    return "".join([*lines[:first], *lines[last:]])


def _keys(text: str, place: Place) -> list[str] | None:
    try:
        return [item.key for item in locate(split_lines(text), place).items]
    except Unexpected:
        return None


def _line_end(lines: list[str], number: int) -> str:
    """The line end that a new line takes over from its neighbour."""
    line = lines[number] if 0 <= number < len(lines) else "\n"
    end = line_end(line)
    if not end:
        raise Unexpected("the last line has no line end", number + 1)
    return end
