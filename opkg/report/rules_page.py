"""A run of rules as one self-contained HTML page: the graph before and after each step, and what the step did.

The page loads nothing: pictures are SVG in it, each box drawn once and used by all pictures. Without scripts it shows
the graph before and after the whole run, and all steps in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import opkg
from opkg.report.rules_layout import Placed, place
from opkg.report.rules_picture import LINE, PAD, Box, Picture
from opkg.resources import data_folder


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a step's account: a name, and words; `key` of the box it is about, if any."""

    name: str
    words: str
    key: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rule (or the whole run): which pictures show it, what to mark in them, what to say."""

    title: str
    subtitle: str
    before: int  # number of a picture
    after: int
    matched: tuple[int, ...] = ()  # boxes marked before
    removed: tuple[int, ...] = ()  # boxes marked as going, before
    built: tuple[int, ...] = ()  # boxes marked after
    sections: tuple[tuple[str, tuple[Line, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """A whole run. `steps[0]` is the run as a whole; `notes` stand above everything."""

    title: str
    facts: tuple[str, ...]
    pictures: tuple[Picture, ...]
    steps: tuple[Step, ...]
    texts: tuple[tuple[str, str], ...] = ()  # title, text: folded, at the end
    notes: tuple[tuple[str, str], ...] = ()  # "fail" or "", text
    ok: bool = True
    badge: str = ""


@dataclass(frozen=True, slots=True)
class BoxView:
    """A box as drawn: its top left is the origin."""

    key: int
    tone: str
    width: float
    height: float
    full: str
    lines: tuple[tuple[float, str], ...]  # y of the base line, text


@dataclass(frozen=True, slots=True)
class PictureView:
    """A picture as drawn: where boxes are used, and the paths of arrows with their ends."""

    placed: Placed
    boxes: tuple[tuple[int, float, float], ...]
    paths: tuple[str, ...]
    label: str
    empty: bool


def render(story: Story) -> str:
    """The page."""
    boxes: dict[int, Box] = {}
    views = []
    known: dict[int, tuple[float, float]] = {}
    for picture in story.pictures:
        boxes.update((box.key, box) for box in picture.boxes)
        placed = place(picture, known)
        known = placed.boxes
        views.append(_picture(picture, placed))
    text: str = _environment().get_template("report/rules_apply.html.j2").render(
        story=story, boxes=[_box(box) for box in boxes.values()], pictures=views, version=opkg.__version__,
    )  # fmt: skip
    return text


def _picture(picture: Picture, placed: Placed) -> PictureView:
    boxes = tuple((key, x, y) for key, (x, y) in placed.boxes.items())
    number = len(picture.boxes)
    label = f"{number} box{'es' if number != 1 else ''}"
    return PictureView(placed, boxes, tuple(curve(points) for points in placed.arrows), label, not picture.boxes)


def _box(box: Box) -> BoxView:
    lines = tuple((PAD / 2 + LINE * (i + 0.75), line) for i, line in enumerate(box.lines))
    return BoxView(
        box.key, box.tone, round(box.width, 1), round(box.height, 1), box.title or "\n".join(box.lines), lines
    )


def curve(points: Sequence[tuple[float, float]]) -> str:
    """An SVG path through the points that leaves and arrives vertically."""
    (x, y), words = points[0], [f"M{points[0][0]:g} {points[0][1]:g}"]
    for nx, ny in points[1:]:
        if nx == x:
            words.append(f"V{ny:g}")
            y = ny
            continue
        middle = round((y + ny) / 2, 1)
        words.append(f"C{x:g} {middle:g} {nx:g} {middle:g} {nx:g} {ny:g}")
        x, y = nx, ny
    return "".join(words)


@cache
def _environment() -> Any:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_folder("templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=True,  # names of nodes and rules come from files: text, never markup
        trim_blocks=True,
        lstrip_blocks=True,
    )
