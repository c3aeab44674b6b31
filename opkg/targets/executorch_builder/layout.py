"""Lays out Python as ruff's formatter does (line length 100): one line, all arguments on the next, or one per line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

WIDTH = 100


def bracketed(head: str, items: Sequence[str], tail: str, depth: int, width: int = WIDTH) -> list[str]:
    """`head` + items + `tail` (which close one bracket), over as few lines as fit at `depth` levels of indentation.

    Arguments may stand together on the line after the bracket; the items of a display stand one a line there.
    """
    pad, inner = "    " * depth, "    " * (depth + 1)
    flat = ", ".join(items)
    if len(pad + head + flat + tail) <= width:
        return [pad + head + flat + tail]
    display = head.endswith(("[", "{", "=(", " ("))
    if len(inner + flat) <= width and items and not display:
        return [pad + head, inner + flat, pad + tail]
    broken = [line for item in items for line in _item(item.removesuffix(","), inner, width)]
    return [pad + head, *broken, pad + tail]


def _item(item: str, pad: str, width: int = WIDTH) -> list[str]:
    """One item with its comma; of one that is too long, each operand or pair of a mapping stands on a line."""
    if len(pad + item) + 1 <= width:
        return [f"{pad}{item},"]
    if item[0] + item[-1] in ("{}", "()") and (item[0] == "{" or len(split(item, " ")) == 1):
        return [f"{pad}{item[0]}", *(f"{pad}    {each}," for each in split(item[1:-1], ", ")), f"{pad}{item[-1]},"]
    if item[0] + item[-1] == "[]" and len(split(item[1:-1], ", ")) == 1 and _is_call(item[1:-1]):
        return [f"{pad}[", *statement("", item[1:-1], len(pad) // 4 + 1), f"{pad}],"]
    if item[0] == "[" and len(split(item, " ")) == 1 and len(split(item[1:-1], " for ")) > 1:
        *lines, last = _comprehension("", item, len(pad) // 4)
        return [*lines, f"{last},"]
    lines = operands(item)
    return [*(pad + line for line in lines[:-1]), f"{pad}{lines[-1]},"]


def operands(text: str) -> list[str]:
    """An expression with a line for each operand of what binds least."""
    for words in ((" if ", " else "), (" or ",), (" and ",), (" + ", " - ", " * ", " / ", " // ", " % ")):
        lines = [text]
        for word in words:
            lines = [
                part if at == 0 else f"{word.strip()} {part}"
                for line in lines
                for at, part in enumerate(split(line, word))
            ]
        if len(lines) > 1:
            return lines
    return [text]


def _comprehension(head: str, text: str, depth: int) -> list[str]:
    """A list comprehension: what it has, and over what, on lines of their own."""
    pad, inner = "    " * depth, "    " * (depth + 1)
    what, *over = split(text[1:-1], " for ")
    lines = [what] if len(inner + what) <= WIDTH else operands(what)
    start, end = text[0], text[-1]
    return [
        f"{pad}{head}{start}",
        *(inner + line for line in lines),
        *(f"{inner}for {each}" for each in over),
        pad + end,
    ]


def split(text: str, word: str) -> list[str]:
    """Split at a word outside of brackets and strings."""
    parts, level, start, quote = [], 0, 0, ""
    for at, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[at - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char in "([{":
            level += 1
        elif char in ")]}":
            level -= 1
        elif level == 0 and text.startswith(word, at):
            parts.append(text[start:at])
            start = at + len(word)
    return [*parts, text[start:]]


def natural(name: str) -> list[tuple[int, str]]:
    """Sort key: `conv2d` before `conv10d`."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name) if part]


def import_lines(module: str, names: Sequence[str]) -> list[str]:
    """`from .module import names`, sorted as ruff does; nothing without names."""
    if not names:
        return []
    names = sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), natural(name)))
    flat = f"from .{module} import {', '.join(names)}"
    return [flat] if len(flat) <= WIDTH else [f"from .{module} import (", *(f"    {n}," for n in names), ")"]


def statement(head: str, text: str, depth: int) -> list[str]:
    """`head` + a value; what is too long for one line is laid out as ruff does."""
    pad = "    " * depth
    if len(pad + head + text) <= WIDTH:
        return [f"{pad}{head}{text}"]
    if text.startswith("[") and len(split(text, " ")) == 1 and len(split(text[1:-1], " for ")) > 1:
        return _comprehension(head, text, depth)
    function, _, rest = text.partition("(")
    if function.isidentifier() and len(split(rest[:-1], " for ")) > 1 and len(split(text, " ")) == 1:
        return _comprehension(head + function, f"({rest}", depth)
    if _is_call(text):
        return bracketed(f"{head}{function}(", split(rest[:-1], ", "), ")", depth)
    lines = [text] if len(f"{pad}    {text}") <= WIDTH else operands(text)
    return [f"{pad}{head}(", *(part for line in lines for part in _operand(line, depth + 1)), f"{pad})"]


def _is_call(text: str) -> bool:
    """Whether a text is one call of a name."""
    name = text.partition("(")[0]
    return text.endswith(")") and name.replace(".", "").replace("_", "").isalnum() and len(split(text, " ")) == 1


def _operand(line: str, depth: int) -> list[str]:
    """An operand on a line of its own; one that is too long over several."""
    pad = "    " * depth
    if len(pad + line) > WIDTH and _is_call(line):
        return statement("", line, depth)
    return [pad + part for part in ([line] if len(pad + line) <= WIDTH else operands(line))]


def items(values: Sequence[str]) -> str:
    """A tuple display."""
    return f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"


class Code:
    """Lines of a function's body as they grow."""

    def __init__(self, depth: int = 1) -> None:
        self.lines: list[str] = []
        self.depth = depth

    def add(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def call(self, head: str, *args: str) -> None:
        """`head(args)`, laid out."""
        self.lines += bracketed(f"{head}(", args, ")", self.depth)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """An indented block; nothing at all when `header` is empty."""
        if not header:
            yield
            return
        self.add(header)
        self.depth += 1
        yield
        self.depth -= 1

    @property
    def text(self) -> str:
        return "\n".join(self.lines)
