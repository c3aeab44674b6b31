"""Lines of C++ in the style of onert's tree: 100 columns, lists packed and aligned behind their bracket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Option:
    """What a user may choose about generated files. `copyright`: who is named at their head, with the year:
    `2026 Samsung Electronics Co., Ltd. All Rights Reserved`; empty: no licence text."""

    copyright: str = ""

    def licence_lines(self) -> list[str]:
        """The comment at the head of a file."""
        return [f"Copyright (c) {self.copyright}", *_LICENCE] if self.copyright else []


_LICENCE = (
    "",
    'Licensed under the Apache License, Version 2.0 (the "License");',
    "you may not use this file except in compliance with the License.",
    "You may obtain a copy of the License at",
    "",
    "     http://www.apache.org/licenses/LICENSE-2.0",
    "",
    "Unless required by applicable law or agreed to in writing, software",
    'distributed under the License is distributed on an "AS IS" BASIS,',
    "WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.",
    "See the License for the specific language governing permissions and",
    "limitations under the License.",
)


def brackets(head: str, items: Sequence[str], tail: str) -> list[str]:
    """`head` with its open bracket, items with commas, `tail`: on one line, packed to the width behind the bracket, or
    below it where that takes fewer lines."""
    line = head + ", ".join(items) + tail
    if len(line) <= WIDTH or not items:
        return [line]
    behind = _packed(head, " " * len(head), items, tail)
    below = " " * (len(head) - len(head.lstrip()) + 2)
    under = [head, *_packed(below, below, items, tail)]
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
