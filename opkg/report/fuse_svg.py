"""A model as a picture: nodes in layers from top to bottom, those of one fused op in its colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

MOST = 300  # nodes of a picture
_WIDE, _HIGH, _GAP_X, _GAP_Y, _EDGE = 112, 24, 14, 26, 10
COLOURS = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#eeca3b")


@dataclass(frozen=True, slots=True)
class Box:
    """One node. `group`: the number of its fused op, -1 for none. `needs`: boxes by their numbers."""

    text: str
    title: str
    group: int
    needs: tuple[int, ...]


def picture(boxes: Sequence[Box], label: str) -> str:
    """An SVG of the first `MOST` boxes; they stand behind those that they need."""
    shown = boxes[:MOST]
    layers = _layers(shown)
    rows: dict[int, list[int]] = {}
    for number, layer in enumerate(layers):
        rows.setdefault(layer, []).append(number)
    places = _places(shown, rows)
    width = max((x for x, _ in places.values()), default=0) + _WIDE + _EDGE
    height = len(rows) * (_HIGH + _GAP_Y) + _EDGE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    ]
    lines += [_edge(places[need], places[n]) for n, box in enumerate(shown) for need in box.needs if need in places]
    lines += [_box(places[number], box) for number, box in enumerate(shown)]
    return "\n".join([*lines, "</svg>"])


def _layers(boxes: Sequence[Box]) -> list[int]:
    """How many boxes stand above each one, on the longest path."""
    found: list[int] = []
    for box in boxes:
        found.append(1 + max((found[need] for need in box.needs if need < len(found)), default=-1))
    return found


def _places(boxes: Sequence[Box], rows: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Left upper corners: in each layer ordered by where the boxes stand that are needed."""
    found: dict[int, tuple[int, int]] = {}
    for layer in sorted(rows):
        middle = {n: [found[need][0] for need in boxes[n].needs if need in found] for n in rows[layer]}
        order = sorted(rows[layer], key=lambda n: (sum(middle[n]) / len(middle[n]) if middle[n] else 0.0, n))
        for at, number in enumerate(order):
            found[number] = _EDGE + at * (_WIDE + _GAP_X), _EDGE + layer * (_HIGH + _GAP_Y)
    return found


def _edge(start: tuple[int, int], end: tuple[int, int]) -> str:
    x1, y1 = start[0] + _WIDE // 2, start[1] + _HIGH
    x2, y2 = end[0] + _WIDE // 2, end[1]
    bend = (y2 - y1) // 2
    return f'<path class="edge" d="M{x1} {y1}C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}"/>'


def _box(place: tuple[int, int], box: Box) -> str:
    x, y = place
    style = f' style="fill:{COLOURS[box.group % len(COLOURS)]}"' if box.group >= 0 else ""
    kind = "fused" if box.group >= 0 else "node"
    text = box.text if len(box.text) < 17 else f"{box.text[:15]}…"
    return (
        f'<g class="{kind}"><title>{escape(box.title)}</title>'
        f'<rect x="{x}" y="{y}" width="{_WIDE}" height="{_HIGH}" rx="5"{style}/>'
        f'<text x="{x + _WIDE // 2}" y="{y + 16}">{escape(text)}</text></g>'
    )
