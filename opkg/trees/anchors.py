"""Entries at anchors: lists of X-macros, declarations, definitions, cases of a switch in C++ files. Text in, text out.

A row says where entries are and what they look like; a new one goes behind the smaller neighbour of the place where it
disturbs the order least. That place does not depend on what else was put in, so any order gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from opkg.trees.anchors_extent import case_items, extent
from opkg.trees.cpp_text import Source, scan
from opkg.trees.found import Entry, Item, Region, Taken, Unexpected, line_end, order, split_lines
from opkg.trees.found import entry as entry_of


@dataclass(frozen=True, slots=True)
class Row:
    """Where entries of one kind stand.

    `paths`: candidates, the latest name of the file first; `needs`: what a candidate must have in it.
    `anchor`: the first line of an entry, group 1 is its key; `like`: that line in words. `scope`: heads of the braces
    around the entries, outer ones first (none: namespaces). `until`: no entry stands behind a line like that.
    `kind`: an entry is a `line`, a `statement` or definition, a `case` with what follows, a `paragraph`, or an `element`
    of braces (one a line, each with a comma), or `braced`: such an element of several lines. `gap`: blank lines between
    entries. `tail`: the list has no order, new entries go to its end. `optional`: there are trees without the file, and
    then nothing is put in. `macro`: entries are the lines of that macro; they have no backslash at their ends here.
    """

    name: str
    paths: tuple[str, ...]
    anchor: str
    like: str
    kind: str = "line"
    scope: tuple[str, ...] = ()
    until: str = ""
    gap: int = 0
    tail: bool = False
    needs: str = ""
    optional: bool = False
    macro: str = ""


def key_of(row: Row, text: str) -> str | None:
    """The key of an entry's text; None when the text is no such entry."""
    found = [match[1] for line in split_lines(text) if (match := re.match(row.anchor, line))]
    return found[-1] if found and row.kind == "case" else found[0] if found else None


def keys(text: str, row: Row) -> tuple[str, ...]:
    """The keys of all entries, in order. Raises Unexpected when there is no such list."""
    region = locate(scan(text), row)
    return tuple(item.key for item in (*region.items, *region.others))


def find(text: str, row: Row, key: str) -> Entry | None:
    """The entry of that key, or None. Raises Unexpected when the list cannot be found."""
    source = scan(text)
    region = locate(source, row)
    item = next((item for item in (*region.items, *region.others) if item.key == key), None)
    return None if item is None else _entry(row, source, item)


def _entry(row: Row, source: Source, item: Item) -> Entry:
    """An entry as rows speak of it: of a macro without the backslashes that go on with it."""
    found = entry_of(source.lines, item)
    return Entry(found.line, re.sub(r"[ \t]*\\$", "", found.text, flags=re.M)) if row.macro else found


def insert(text: str, row: Row, key: str, entry: str) -> str:
    """The text with an entry more. Raises Taken, or Unexpected when the list is not as expected."""
    source = scan(text)
    region = locate(source, row)
    for item in (*region.items, *region.others):
        if item.key == key:
            raise Taken(item.first + 1, _entry(row, source, item).text)
    lines = list(source.lines)
    place = _place(region.items, key, row.tail)
    at = region.items[place - 1].last if place else region.items[0].first if region.items else region.start
    end = _ending(lines, at)
    new = [line[:-1] + end for line in split_lines(entry)]
    if row.macro:
        new = _continued(new, lines[region.items[0].first], end)
    if region.items:
        gap = [end] * region.gap
        new = gap + new if place else new + gap
    if at == len(lines) and at and not line_end(lines[-1]):  # the file has no newline at its end: it gets none
        lines[-1] += end
        new[-1] = new[-1][: -len(end)]
    result = "".join([*lines[:at], *new, *lines[at:]])
    found = find(result, row, key)
    if found is None or found.text != entry:
        raise Unexpected(f"there is no place for '{key}' that keeps it apart from what stands around it", at + 1)
    return result


def _continued(entry: Sequence[str], beside: str, end: str) -> list[str]:
    """Lines of a macro, each with a backslash below that of the line beside."""
    width = len(beside.rstrip()) - 1
    return [f"{line[: -len(end)] + ' ':<{width}}\\{end}" for line in entry]


def remove(text: str, row: Row, key: str) -> str:
    """The text without the entry of that key, which must be there: KeyError. Raises Unexpected as `insert` does."""
    source = scan(text)
    region = locate(source, row)
    lines = list(source.lines)
    at = next((at for at, item in enumerate(region.items) if item.key == key), None)
    if at is None:
        raise KeyError(key)
    first, last = region.items[at].first, region.items[at].last
    cut = last == len(lines) and not line_end(lines[-1])
    for _ in range(region.gap if len(region.items) > 1 else 0):  # blank lines that somebody took out are not missed
        if at and not lines[first - 1].strip():
            first -= 1
        elif not at and last < len(lines) and not lines[last].strip():
            last += 1
    kept = [*lines[:first], *lines[last:]]
    if cut and kept:
        kept[-1] = kept[-1].rstrip("\r\n")
    return "".join(kept)


def locate(source: Source, row: Row) -> Region:
    """The entries of a row, in order. Raises Unexpected with a line and a column."""
    scope, start, end = _scope(source, row)
    stop = end
    if row.until:
        own = (at for at in range(start, end) if not row.scope or source.around[at] == scope)
        stop = next((at for at in own if re.search(row.until, source.lines[at])), end)
    found = [
        (at, match[1])
        for at in range(start, end)
        if (match := re.match(row.anchor, source.lines[at]))
        and source.code_of(at).strip()
        and source.macros[at] == bool(row.macro)
    ]
    inside = [(at, key) for at, key in found if _stands(source, at, scope) and at < stop]
    if not row.scope and inside:  # of several namespaces the one with most entries
        around = [source.around[at] for at, _ in inside]
        most = max(dict.fromkeys(around), key=around.count)
        inside = [(at, key) for at, key in inside if source.around[at] == most]
    if not inside and row.kind != "element":
        line = start if row.scope else 0
        raise Unexpected(f"there is no line like '{row.like}'", line + 1, _column(source, line))
    apart = {at for at, _ in inside}
    others = [Item(key, at, at + 1) for at, key in found if at not in apart]
    if row.kind == "case":
        items, more = case_items(source, inside, stop)
        return Region(tuple(items), start, row.gap, (*more, *others))
    items = [extent(source, row.kind, row.gap, at, key, stop) for at, key in inside]
    going_on = "\\" if row.macro else "," if row.kind in ("element", "braced") else ""
    if items and not source.code_of(items[-1].last - 1).rstrip().endswith(going_on):
        others.append(items.pop())
    return Region(tuple(items), start, row.gap, tuple(others))


def _scope(source: Source, row: Row) -> tuple[int, int, int]:
    """The innermost brace of a row's scope, and its lines: from after the opening one up to that of the closing one."""
    brace, start, end = 0, 0, len(source.lines)
    if row.macro:
        start, end = _macro(source, row.macro)
    for head in row.scope:
        opened = _opened(source, head, start, end)
        if opened is None:
            line = max(start - 1, 0)
            raise Unexpected(f"there is no '{_words(head)}' with a body", line + 1, _column(source, line))
        brace = opened
        start = source.line_at(source.braces[brace].start) + 1
        end = source.line_at(source.braces[brace].end)
        if end < start:
            raise Unexpected(f"'{_words(head)}' stands on one line; one entry a line is expected", start)
    return brace, start, end


def _macro(source: Source, name: str) -> tuple[int, int]:
    """The lines of a macro, without that which names it."""
    head = re.compile(rf"\s*#\s*define\s+{name}\b")
    first = next((at for at, line in enumerate(source.lines) if head.match(line) and not source.conditions[at]), None)
    if first is None:
        defined = (at for at, line in enumerate(source.lines) if re.match(r"\s*#\s*define\b", line))
        raise Unexpected(f"there is no macro {name}", next(defined, 0) + 1)
    last = first + 1
    while last < len(source.lines) and source.macros[last]:
        last += 1
    return first + 1, last


def _opened(source: Source, head: str, start: int, end: int) -> int | None:
    """The brace that opens behind the first such head that has one, within these lines."""
    stop = source.starts[end] if end < len(source.starts) else len(source.code)
    for match in re.compile(head).finditer(
        source.code, source.starts[start] if start < len(source.starts) else stop, stop
    ):
        mark = re.compile("[{;]").search(source.code, match.end())
        if mark is not None and mark[0] == "{":
            return next((at for at, brace in enumerate(source.braces) if brace.start == mark.start()), None)
    return None


def _words(head: str) -> str:
    """A pattern as people read it: the first of several, without what may be missing."""
    plain = re.sub(r"\\s\*|\\b|\(\?:[^()]*\)\?", "", head).replace("<[^>]*>", "<...>")
    return re.sub(r"\(\?:([^|()]*)[^()]*\)", r"\1", plain).replace("\\", "")


def _column(source: Source, line: int) -> int:
    text = source.lines[line].rstrip() if line < len(source.lines) else ""
    return len(text) - len(text.lstrip()) + 1


def _stands(source: Source, at: int, scope: int) -> bool:
    """Whether a line is where entries are: in just that scope, and not in some `#if`."""
    if source.conditions[at]:
        return False
    return source.around[at] == scope if scope else source.in_namespaces(source.around[at])


def _place(items: Sequence[Item], key: str, tail: bool) -> int:
    """How many of the entries stand before a new one.

    `tail`: all up to the last smaller one. Else where the fewest entries are on the wrong side of it, the last such place:
    its neighbours are a smaller and a greater one, single entries that stand elsewhere do not matter.
    """
    smaller = [order(item.key) < order(key) for item in items]
    if tail:
        return max((at + 1 for at, each in enumerate(smaller) if each), default=0)
    wrong = [sum(smaller)]
    for each in smaller:
        wrong.append(wrong[-1] + (-1 if each else 1))
    least = min(wrong)
    return max(at for at, number in enumerate(wrong) if number == least)


def _ending(lines: Sequence[str], at: int) -> str:
    """The line end that new lines take over from their neighbours."""
    around = [lines[near] for near in (at - 1, at, at - 2) if 0 <= near < len(lines)]
    return next((end for line in around if (end := line_end(line))), "\n")
