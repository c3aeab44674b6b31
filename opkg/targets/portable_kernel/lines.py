"""Lines of C++ in LLVM's style with 100 columns: lists packed and aligned behind their bracket."""

from __future__ import annotations

import re
from collections.abc import Sequence

WIDTH = 100
_CONDITION = re.compile(r"( *(?:OP_REQUIRES|if |else if )\()(.*)(\);?)")
_OPERATORS = (("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">="))


def brackets(head: str, items: Sequence[str], tail: str) -> list[str]:
    """`head` with its open bracket, items with commas, `tail`: on one line, packed to the width behind the bracket, or
    below it where that takes fewer lines."""
    line = head + ", ".join(items) + tail
    if len(line) <= WIDTH or not items:
        return [line]
    behind = _packed(head, " " * len(head), items, tail)
    below = " " * (len(head) - len(head.lstrip()) + 2)
    under = [head, *_packed(below, below, items, tail)]
    before, sign, after = head.partition(" = ")
    if sign and len(under) > 2:
        start = f"{below}{after}"
        lines = [f"{before} =", *_packed(start, " " * len(start), items, tail)]
        if len(lines) <= len(under) and max(map(len, lines)) <= WIDTH:
            return lines
    return under if len(under) < len(behind) or max(map(len, behind)) > WIDTH else behind


def _packed(head: str, indent: str, items: Sequence[str], tail: str) -> list[str]:
    lines, current, fresh = [], head, True
    for number, item in enumerate(items):
        text = item + (tail if number == len(items) - 1 else ",")
        if not fresh and len(current) + 1 + len(text) > WIDTH:
            lines.append(current)
            current, fresh = indent, True
        current += text if fresh else f" {text}"
        fresh = False
    return [*lines, current]


def fold(line: str) -> list[str]:
    """A line that is too long, broken behind commas of the last call or list that holds what is too much."""
    if len(line) <= WIDTH:
        return [line]
    asked = _CONDITION.fullmatch(line)
    if asked is not None:
        behind = _condition(asked[1], asked[2], asked[3])
        below = " " * (len(line) - len(line.lstrip()) + 2)
        under = [asked[1], *_condition(below, asked[2], asked[3])]
        return under if len(under) < len(behind) + asked[2].startswith("(") else behind
    opened: list[int] = []
    best: tuple[int, int] | None = None
    for place, char in enumerate(line):
        if char in "({":
            opened.append(place)
        elif char in ")}" and opened:
            start = opened.pop()
            if place >= WIDTH - 2 and not opened:
                best = (start, place)
    if best is None:
        return [line]
    items = _items(line[best[0] + 1 : best[1]])
    before, sign, after = line.partition(" = ")
    if sign and len(items) == 1:
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        return [f"{before} =", *fold(indent + after)]
    return brackets(line[: best[0] + 1], items, line[best[1] :])


def _condition(head: str, text: str, tail: str) -> list[str]:
    """A condition, broken behind the operators that bind least, each part below the first."""
    if len(head) + len(text) + len(tail) <= WIDTH:
        return [head + text + tail]
    for operators in _OPERATORS:
        parts = _split(text, operators)
        if len(parts) > 1:
            break
    else:
        return [head + text + tail]
    lines: list[str] = []
    current = head
    for place, part in enumerate(parts):
        end = tail if place == len(parts) - 1 else ""
        fresh = current == head or not current.strip()
        if not fresh and len(current) + 1 + len(part + end) <= WIDTH:
            current += " " + part + end
            continue
        if not fresh:
            lines.append(current)
            current = " " * len(head)
        inner = part.rpartition(" ")[0] if end == "" else part
        if len(current + part + end) > WIDTH and inner.startswith("("):
            *before, current = _condition(current + "(", inner[1:-1], ")" + part[len(inner) :] + end)
            lines += before
        else:
            current += part + end
    return [*lines, current]


def _split(text: str, operators: Sequence[str]) -> list[str]:
    """The parts of a condition between operators outside of brackets, each with the one behind it."""
    depth, found = 0, [""]
    for word in text.split(" "):
        found[-1] += f" {word}" if found[-1] else word
        depth += sum(word.count(c) for c in "({[") - sum(word.count(c) for c in ")}]")
        if depth == 0 and word in operators:
            found.append("")
    return found


def _items(text: str) -> list[str]:
    """The parts of a list between its own commas."""
    depth, found = 0, [""]
    for char in text:
        depth += (char in "({[<") - (char in ")}]>")
        if char == "," and depth == 0:
            found.append("")
        else:
            found[-1] += char
    return [item.strip() for item in found]
