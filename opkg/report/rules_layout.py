"""Places the boxes of a picture in layers, data flowing down: what Sugiyama's method does, in a few hundred lines less.

Layers by longest path; long arrows bend at waypoints; the order within a layer by repeated barycentres, the one with
the fewest crossings; columns as near to the neighbours' as the order allows (isotonic regression).
"""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from opkg.report.rules_picture import Picture

GAP, WAYPOINT_GAP, BETWEEN, MARGIN = 22.0, 12.0, 40.0, 12.0  # pixels: boxes of a layer, layers, around all
SWEEPS, SETTLING = 6, 10


@dataclass(frozen=True, slots=True)
class Placed:
    """Where everything is. `boxes`: key -> left and top; `arrows`: points of each arrow of the picture, in its order."""

    width: float
    height: float
    boxes: dict[int, tuple[float, float]]
    arrows: tuple[tuple[tuple[float, float], ...], ...]


@dataclass(slots=True)
class _Cell:
    """A box or a waypoint in its layer; `x` is its middle."""

    key: int | None  # None: a waypoint
    layer: int
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    above: list[int] = field(default_factory=list)  # numbers of cells
    below: list[int] = field(default_factory=list)


class _Plan:
    """Cells, layers of cell numbers in order, and the chain of cells of every arrow."""

    def __init__(self, picture: Picture) -> None:
        depth = depths(picture)
        self.cells = [_Cell(box.key, depth[box.key], box.width, box.height) for box in picture.boxes]
        number = {box.key: i for i, box in enumerate(picture.boxes)}
        self.chains = [self._chain(number[a.source], number[a.target]) for a in picture.arrows]
        self.layers: list[list[int]] = [[] for _ in range(1 + max((c.layer for c in self.cells), default=-1))]
        for i, cell in enumerate(self.cells):
            self.layers[cell.layer].append(i)

    def _chain(self, source: int, target: int) -> list[int]:
        chain = [source]
        for layer in range(self.cells[source].layer + 1, self.cells[target].layer):
            self.cells.append(_Cell(None, layer))
            chain.append(len(self.cells) - 1)
        chain.append(target)
        for upper, lower in itertools.pairwise(chain):
            self.cells[upper].below.append(lower)
            self.cells[lower].above.append(upper)
        return chain


def place(picture: Picture, before: Mapping[int, tuple[float, float]] | None = None) -> Placed:
    """Places a picture. `before`: boxes of a picture shown earlier; those that stay keep their order."""
    plan = _Plan(picture)
    _order(plan, before or {})
    _settle(plan)
    return _result(plan, picture)


def depths(picture: Picture) -> dict[int, int]:
    """The layer of each box: below all its sources, and a box without sources right above the first that reads it."""
    targets: dict[int, list[int]] = {box.key: [] for box in picture.boxes}
    waiting = dict.fromkeys(targets, 0)
    for arrow in picture.arrows:
        targets[arrow.source].append(arrow.target)
        waiting[arrow.target] += 1
    sources = {key for key, number in waiting.items() if not number}
    depth = dict.fromkeys(targets, 0)
    ready = [key for key in targets if not waiting[key]]
    for key in ready:  # grows; boxes on a circle are never ready and stay at the top
        for target in targets[key]:
            depth[target] = max(depth[target], depth[key] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    for key in sources:
        if targets[key]:
            depth[key] = max(min(depth[target] for target in targets[key]) - 1, 0)
    return depth


# ---- order within layers -------------------------------------------------------------------------------------------


def _order(plan: _Plan, before: Mapping[int, tuple[float, float]]) -> None:
    """Sorts each layer: as it was before where that is known, then the best of some sweeps."""
    _first_order(plan, before)
    best, crossings = [list(layer) for layer in plan.layers], _crossings(plan)
    for sweep in range(SWEEPS):
        if not crossings:
            break
        downward = sweep % 2 == 0
        for layer in plan.layers if downward else reversed(plan.layers):
            _sort_by_neighbours(plan, layer, downward)
        now = _crossings(plan)
        if now < crossings:
            best, crossings = [list(layer) for layer in plan.layers], now
    plan.layers = best


def _first_order(plan: _Plan, before: Mapping[int, tuple[float, float]]) -> None:
    """Depth first from the last layer up, so that what feeds one box begins side by side."""
    rank: dict[int, int] = {}
    for layer in reversed(plan.layers):
        for start in layer:
            pending = [start]
            while pending:
                cell = pending.pop()
                if cell not in rank:
                    rank[cell] = len(rank)
                    pending.extend(reversed(plan.cells[cell].above))
    for cell in range(len(plan.cells)):
        rank.setdefault(cell, len(rank))
    for layer in plan.layers:
        layer.clear()
    for cell in sorted(rank, key=lambda c: rank[c]):
        plan.layers[plan.cells[cell].layer].append(cell)
    for layer in plan.layers:
        known = sorted(
            (c for c in layer if plan.cells[c].key in before), key=lambda c: before[plan.cells[c].key or 0][0]
        )
        taken = iter(known)
        held = set(known)
        layer[:] = [next(taken) if cell in held else cell for cell in layer]


def _sort_by_neighbours(plan: _Plan, layer: list[int], downward: bool) -> None:
    place = {}
    for i, cell in enumerate(layer):
        near = plan.cells[cell].above if downward else plan.cells[cell].below
        place[cell] = sum(plan.cells[n].x for n in near) / len(near) if near else float(i)
    layer.sort(key=lambda cell: place[cell])
    for i, cell in enumerate(layer):
        plan.cells[cell].x = float(i)


def _crossings(plan: _Plan) -> int:
    """How many pairs of arrow pieces cross; also numbers the cells of each layer in `x`."""
    for layer in plan.layers:
        for i, cell in enumerate(layer):
            plan.cells[cell].x = float(i)
    total = 0
    for layer in plan.layers:
        seen: list[float] = []
        for cell in layer:
            ends = [plan.cells[n].x for n in plan.cells[cell].below]
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


# ---- columns -------------------------------------------------------------------------------------------------------


def _settle(plan: _Plan) -> None:
    """Gives every cell its `x` in pixels."""
    for layer in plan.layers:
        at = 0.0
        for i, cell in enumerate(layer):
            at += _apart(plan, layer[i - 1], cell) if i else 0.0
            plan.cells[cell].x = at
    for turn in range(SETTLING):
        layers = plan.layers if turn % 2 == 0 else plan.layers[::-1]
        for layer in layers:
            wanted, weights = [], []
            for cell in layer:
                near = plan.cells[cell].above + plan.cells[cell].below
                if turn < SETTLING - 2:
                    near = (plan.cells[cell].above if turn % 2 == 0 else plan.cells[cell].below) or near
                wanted.append(sum(plan.cells[n].x for n in near) / len(near) if near else plan.cells[cell].x)
                weights.append((1.0 if plan.cells[cell].key is not None else 3.0) if near else 0.1)
            apart = [_apart(plan, a, b) for a, b in itertools.pairwise(layer)]
            for cell, x in zip(layer, nearest_in_order(wanted, weights, apart), strict=True):
                plan.cells[cell].x = x


def _apart(plan: _Plan, left: int, right: int) -> float:
    """The least distance of the middles of two neighbours."""
    a, b = plan.cells[left], plan.cells[right]
    gap = GAP if a.key is not None and b.key is not None else WAYPOINT_GAP
    return (a.width + b.width) / 2 + gap


def nearest_in_order(wanted: Sequence[float], weights: Sequence[float], apart: Sequence[float]) -> list[float]:
    """Places as near to the wanted ones (least squares) as can be with `apart[i]` at least between i and i + 1."""
    shifts = [0.0]
    for distance in apart:
        shifts.append(shifts[-1] + distance)
    blocks: list[list[float]] = []  # sum of weight * place, weight, number of members
    for place, weight, shift in zip(wanted, weights, shifts, strict=False):
        blocks.append([(place - shift) * weight, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    flat = [total / weight for total, weight, members in blocks for _ in range(int(members))]
    return [place + shift for place, shift in zip(flat, shifts, strict=False)]


# ---- result --------------------------------------------------------------------------------------------------------


def _result(plan: _Plan, picture: Picture) -> Placed:
    heights = [max((plan.cells[c].height for c in layer), default=0.0) for layer in plan.layers]
    tops = [MARGIN]
    for height in heights:
        tops.append(tops[-1] + height + BETWEEN)
    left = min((c.x - c.width / 2 for c in plan.cells), default=0.0) - MARGIN
    right = max((c.x + c.width / 2 for c in plan.cells), default=0.0) + MARGIN
    boxes = {}
    for cell in plan.cells:
        if cell.key is not None:
            slack = (heights[cell.layer] - cell.height) / 2
            boxes[cell.key] = (round(cell.x - cell.width / 2 - left, 1), round(tops[cell.layer] + slack, 1))
    arrows = []
    for arrow, chain in zip(picture.arrows, plan.chains, strict=True):
        first, last = plan.cells[chain[0]], plan.cells[chain[-1]]
        start = (first.x - left, boxes[arrow.source][1] + first.height)
        inner = []
        for waypoint in (plan.cells[c] for c in chain[1:-1]):  # straight down between the boxes of its layer
            top = tops[waypoint.layer]
            inner += [(waypoint.x - left, top), (waypoint.x - left, top + heights[waypoint.layer])]
        share = (arrow.port + 1) / (arrow.ports + 1)
        end = (last.x - left + (share - 0.5) * last.width, boxes[arrow.target][1])
        arrows.append(tuple((round(x, 1), round(y, 1)) for x, y in (start, *inner, end)))
    height = tops[-1] - BETWEEN + MARGIN if plan.layers else 2 * MARGIN
    return Placed(round(right - left, 1), round(height, 1), boxes, tuple(arrows))
