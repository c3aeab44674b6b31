"""The layout of a spec: indentation, spaces and blank lines in one way everywhere; words, order and comments as they were."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Any

STEP = 2  # columns of one level
_INDICATOR = re.compile(r"[|>][+-]?[1-9]|[|>][1-9]")
_KEPT = "\0"  # a blank line inside of a value
_PARTS = ("value", "anchor", "tag", "implicit", "style")
_SPACED = frozenset(("ops",))  # mappings at the top whose entries stand apart


def laid_out(text: str) -> str | None:
    """A spec (unix line ends, readable YAML without tags) in the canonical layout; what it says is what it said.

    Two columns a level, lists one level below their key, `{a: b, c: d}`, two spaces before a comment unless it stands
    farther right, at most one blank line, one between two ops. Collections in brackets over several lines keep their lines.
    None for a text that this does not do justice to (anchors, tags, a document in brackets).
    """
    import yaml

    root = yaml.compose(text)
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return None
    page = _Page(text)
    lines = [*page.lead(0, root.start_mark.line, 0), *page.mapping(root, 0)]
    lines += page.lead(page.done, len(page.lines), 0)
    made = "\n".join(_blank_lines(lines)).strip("\n").replace(_KEPT, "") + "\n"
    return made if _means(made) == _means(text) else None


def _means(text: str) -> tuple[int, list[tuple[object, ...]]]:
    """What a parser gets of a text, and how many comments there may be."""
    import yaml

    seen = [(type(event).__name__, *(getattr(event, name, "") for name in _PARTS)) for event in yaml.parse(text)]
    return text.count("#"), seen


class _Page:
    """The lines of a file, from the top; `done`: the first that was not laid out yet."""

    def __init__(self, text: str) -> None:
        import yaml

        self.lines = text.split("\n")
        self.done = 0
        dashes = (token for token in yaml.scan(text) if isinstance(token, yaml.BlockEntryToken))
        self.dashes = [(token.start_mark.line, token.start_mark.column) for token in dashes]

    def lead(self, first: int, last: int, indent: int) -> list[str]:
        """Comments and blank lines between two values."""
        self.done = max(self.done, last)
        return [f"{' ' * indent}{line.strip()}" if line.strip() else "" for line in self.lines[first:last]]

    def mapping(self, node: Any, indent: int, inline: bool = False) -> list[str]:
        """The entries of a block mapping. `inline`: the first key stands behind a dash."""
        lines: list[str] = []
        for number, (key, value) in enumerate(node.value):
            line = key.start_mark.line
            if number or not inline:
                lines += self.lead(self.done, line, indent)
            self.done = line + 1
            name = self.raw(key)
            entry = self.value(value, f"{' ' * indent}{name}:", indent, line)
            if indent == STEP and not inline and number and self.apart(node) and not _begins_blank(lines, entry):
                lines = _with_blank(lines)
            lines += entry
        return lines

    def apart(self, node: Any) -> bool:
        """Whether entries of a mapping stand apart: those of `ops`."""
        above = node.start_mark.line - 1
        while above >= 0 and (not self.lines[above].strip() or self.lines[above].lstrip().startswith("#")):
            above -= 1
        return above >= 0 and self.lines[above].partition(":")[0] in _SPACED

    def sequence(self, node: Any, indent: int) -> list[str]:
        """The items of a block list."""
        lines: list[str] = []
        dash = " " * indent + "-"
        for item in node.value:
            line, _ = self.dash(item)
            lines += self.lead(self.done, line, indent)
            self.done = line + 1
            if item.id == "mapping" and not item.flow_style and item.start_mark.line == line:
                entries = self.mapping(item, indent + STEP, inline=True)
                lines += [f"{dash} {entries[0].lstrip()}", *entries[1:]]
            else:
                lines += self.value(item, dash, indent, line)
        return lines

    def dash(self, item: Any) -> tuple[int, int]:
        """Line and column of an item's dash, which may stand above the item."""
        place: tuple[int, int] = self.dashes[
            bisect_left(self.dashes, (item.start_mark.line, item.start_mark.column)) - 1
        ]
        return place

    def value(self, node: Any, head: str, indent: int, line: int) -> list[str]:
        """A key or dash with what stands behind it or below it."""
        block = node.id != "scalar" and not node.flow_style
        if block:
            self.done = line + 1
            first = self.with_comment(head, line, self.after(line, head))
            inner = self.mapping if node.id == "mapping" else self.sequence
            return [first, *inner(node, indent + STEP)]
        if node.start_mark.line == node.end_mark.line:
            text = self.flow(node) if node.id != "scalar" else self.raw(node)
            self.done = max(self.done, node.end_mark.line + 1)
            if node.start_mark.line > line:  # on a line of its own
                first = self.with_comment(head, line, self.after(line, head))
                between = self.lead(line + 1, node.start_mark.line, indent + STEP)
                self.done = node.end_mark.line + 1
                return [
                    first,
                    *between,
                    self.with_comment(" " * (indent + STEP) + text, node.end_mark.line, node.end_mark.column),
                ]
            return [self.with_comment(f"{head} {text}".rstrip(), line, node.end_mark.column)]
        return self.several(node, head, indent)

    def several(self, node: Any, head: str, indent: int) -> list[str]:
        """A value of several lines: moved as a whole, its own lines as they are."""
        first, last = node.start_mark.line, node.end_mark.line
        style = getattr(node, "style", None)
        if style in ("|", ">"):
            last = _block_end(self.lines, node)
        end = last if style in ("|", ">") or not node.end_mark.column else last + 1
        body = self.lines[first + 1 : end]
        opening = self.lines[first][node.start_mark.column :].rstrip()
        self.done = end
        used = [len(line) - len(line.lstrip()) for line in body if line.strip()]
        shift = indent + STEP - min(used, default=indent + STEP)
        if style in ("|", ">") and _INDICATOR.match(opening):
            shift = indent - (len(self.lines[first]) - len(self.lines[first].lstrip()))
        return [f"{head} {opening}", *(_shifted(line, shift) for line in body)]

    def raw(self, node: Any) -> str:
        """A scalar of one line as it stands in the file."""
        line: str = self.lines[node.start_mark.line]
        return line[node.start_mark.column : node.end_mark.column]

    def flow(self, node: Any) -> str:
        """A collection in brackets on one line."""
        if node.id == "scalar":
            return self.raw(node)
        if node.id == "sequence":
            return "[" + ", ".join(self.flow(item) for item in node.value) + "]"
        pairs = [f"{self.raw(key)}: {self.flow(value)}".rstrip() for key, value in node.value]
        return "{" + ", ".join(pairs) + "}"

    def after(self, line: int, head: str) -> int:
        """The column behind a key or dash in its line."""
        word = head.strip().removesuffix(":")
        return self.lines[line].index(word) + len(word) + head.endswith(":")

    def with_comment(self, code: str, line: int, column: int) -> str:
        """Code with the comment behind a column of a line: where it stood if there is room, else two spaces away."""
        rest = self.lines[line][column:]
        rest = rest[1:] if rest.startswith(":") else rest
        comment = rest.strip()
        if not comment.startswith("#"):
            return code.rstrip()
        place = self.lines[line].rindex(comment)
        return code.rstrip() + " " * max(2, place - len(code.rstrip())) + comment


def _block_end(lines: list[str], node: Any) -> int:
    """The line behind a literal's last: comments below it that are less indented are not its own."""
    first = node.start_mark.line + 1
    last = min(node.end_mark.line + (1 if node.end_mark.column else 0), len(lines))
    while last > first and not lines[last - 1].strip():
        last -= 1
    return int(last)


def _shifted(line: str, shift: int) -> str:
    if not line.strip():
        return _KEPT
    return " " * shift + line.rstrip() if shift >= 0 else line[-shift:].rstrip()


def _begins_blank(lines: list[str], entry: list[str]) -> bool:
    """Whether there is a blank line before an entry and the comments above it."""
    number = len(lines)
    while number and lines[number - 1].lstrip().startswith("#"):
        number -= 1
    return number > 0 and not lines[number - 1]


def _with_blank(lines: list[str]) -> list[str]:
    """A blank line more, above the comments at the end."""
    number = len(lines)
    while number and lines[number - 1].lstrip().startswith("#"):
        number -= 1
    return [*lines[:number], "", *lines[number:]]


def _blank_lines(lines: list[str]) -> list[str]:
    """Never two blank lines in a row."""
    return [line for number, line in enumerate(lines) if line or (number and lines[number - 1])]
