"""What a picture of a graph shows: boxes and arrows, whatever they came from; placed by `rules_layout`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import east_asian_width

CHAR, LINE, PAD = 7.0, 16.0, 11.0  # pixels: a character of the font, a line of text, from text to border
LONGEST = 34  # characters of a line in a box


@dataclass(frozen=True, slots=True)
class Box:
    """One node. `key`: the same in all pictures of a run. `lines`: what it shows, name first. `title`: all there is to say."""

    key: int
    lines: tuple[str, ...]
    tone: str = "op"  # op | const | input | output
    title: str = ""

    @property
    def width(self) -> float:
        """Pixels."""
        return max((columns(line) for line in self.lines), default=0) * CHAR + 2 * PAD

    @property
    def height(self) -> float:
        """Pixels."""
        return len(self.lines) * LINE + PAD


class Arrow(NamedTuple):
    """Data from a box to input `port` (of `ports`) of another."""

    source: int
    target: int
    port: int = 0
    ports: int = 1


@dataclass(frozen=True, slots=True)
class Picture:
    """Boxes in an order that is good to begin with (that of the graph), and arrows between them."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def columns(text: str) -> int:
    """Width of a text in characters of a fixed font."""
    return sum(2 if east_asian_width(char) in ("W", "F") else 1 for char in text)


def shortened(text: str, most: int = LONGEST) -> str:
    """The text, its middle left out when it is long: both ends of a name tell."""
    if columns(text) <= most:
        return text
    head = (most - 1) // 2
    return f"{text[:head]}\N{HORIZONTAL ELLIPSIS}{text[-(most - 1 - head) :]}"
