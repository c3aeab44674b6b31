"""Draws the pictures of docs/images from what the code says.

python scripts/draw.py            # exit code 1 if a picture is not what it would be
python scripts/draw.py --write
"""

from __future__ import annotations

import contextlib
import importlib.util
import re
import sys
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from opkg.fuse.api import usable
from opkg.fuse.find import find
from opkg.models.partition.limits import HTP
from opkg.models.read import read_model
from opkg.report.fuse_html import boxes as nodes_of
from opkg.report.fuse_svg import picture
from opkg.targets.registry import BUILT_IN
from opkg.verify.machines.table import GROUPS, MACHINES

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
WIDE, HIGH, GAP = 176, 30, 10
COLUMNS = (16, 232, 448, 664)
INK, PAPER, LINE, TINT = "#22313f", "#ffffff", "#7f8c8d", "#e8eef2"
ROOM, BETWEEN, STOREY = 104, 24, 78  # width of a room, space beside it, height of a floor
ASIDE = frozenset(("__init__", "__main__", "resources"))  # every room's


def machines() -> list[str]:
    """Where packages run, one name for each group of machines."""
    grouped = {name for members in GROUPS.values() for name in members}
    return [*(name for name in MACHINES if name not in grouped and "-" not in name), *GROUPS]


def flow() -> str:
    """The way from a spec to packages that are proved."""
    columns = [
        ("you write", ["specs/*.yaml", "kernels/*.cpp", "references.py"]),
        ("opkg reads", ["types, shapes, params", "compute: -> HVX kernels", "rules -> rewriting"]),
        ("opkg generate", list(BUILT_IN)),
        ("opkg verify", machines()),
    ]
    return _columns("From a spec to packages that are proved", columns)


def openvino() -> str:
    """What of a spec goes where in OpenVINO."""
    columns = [
        ("the spec", ["shapes, ranks, params", "compute:", "pattern:"]),
        ("generated", ["op in C++", "its twin in Python", "matcher passes", "emitters of x64 code"]),
        ("which are", ["a library", "a Python package", "files of a source tree"]),
        ("used by", ["core.add_extension", "blocks.fuse(model)", "opkg fuse net.xml", "opkg openvino apply"]),
    ]
    return _columns("From a spec to ops of OpenVINO", columns)


def fused() -> str:
    """The model of docs/fuse.md before and after."""
    page = (ROOT / "docs" / "fuse.md").read_text("utf-8")
    (make,) = re.findall(r"```python make_gated.py\n(.*?)```", page, re.S)
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        exec(compile(make, "make_gated.py", "exec"), {})
        model, _ = read_model("gated.onnx", {"batch": 8})
        assert model is not None
        pictures = nodes_of(usable(find(model, HTP), "gated.onnx"))
    parts = ["<style>.node rect{fill:#fff;stroke:#7f8c8d}.fused text{fill:#fff}.edge{fill:none;stroke:#7f8c8d}"
             ".node text,.fused text{text-anchor:middle}</style>"]  # fmt: skip
    for x, words, drawn in zip((40, 280), ("before", "after"), pictures, strict=True):
        parts.append(_text(x + 66, 28, words, ' font-weight="bold"'))
        lines = picture(drawn, f"the model {words}").split("\n")
        parts += [f'<g transform="translate({x} 40)">', *lines[1:-1], "</g>"]
    height = 60 + max(len(drawn) for drawn in pictures) * 50
    return _svg("A model before and after: three ops become one", 452, height, parts)


Columns = Sequence[tuple[str, Sequence[str]]]


def _columns(title: str, columns: Columns) -> str:
    """Columns of boxes, each with its head, and arrows from one to the next."""
    tallest = max(len(boxes) for _, boxes in columns)
    middle = 50 + tallest * (HIGH + GAP) // 2
    parts = [_arrow(f"M{left + WIDE + 4} {middle}H{right - 6}") for left, right in pairwise(COLUMNS)]
    for x, (head, boxes) in zip(COLUMNS, columns, strict=True):
        parts.append(_text(x + WIDE // 2, 28, head, ' font-weight="bold"'))
        top = middle - (len(boxes) * (HIGH + GAP) - GAP) // 2
        parts += [_box(x, top + number * (HIGH + GAP), WIDE, words) for number, words in enumerate(boxes)]
    height = 56 + tallest * (HIGH + GAP) + 6
    return _svg(title, COLUMNS[-1] + WIDE + 16, height, parts)


def house() -> str:
    """The rooms of opkg: each stands above those it knows; arrows lead to what it knows by no other room."""
    knows = {room: others - ASIDE for room, others in allowed().items() if room not in ASIDE}
    floors: dict[int, list[str]] = {}
    for room in knows:
        floors.setdefault(_height(room, knows), []).append(room)
    widest = max(len(rooms) for rooms in floors.values())
    width = widest * (ROOM + BETWEEN) + 2 * BETWEEN
    top = max(floors)
    places: dict[str, tuple[int, int]] = {}
    for floor, rooms in floors.items():
        step = width // len(rooms)
        for number, room in enumerate(rooms):
            places[room] = (step * number + (step - ROOM) // 2, 16 + (top - floor) * STOREY)
    parts = []
    for room in knows:
        x, y = places[room]
        for other in sorted(direct(room, knows)):
            to_x, to_y = places[other]
            parts.append(_arrow(f"M{x + ROOM // 2} {y + HIGH}L{to_x + ROOM // 2} {to_y - 4}"))
    parts += [_box(x, y, ROOM, room) for room, (x, y) in places.items()]
    return _svg(
        "The rooms of opkg, and which knows which", width, 16 + (top + 1) * STOREY - (STOREY - HIGH) + 16, parts
    )


def allowed() -> Mapping[str, set[str]]:
    """What each room may import, as the test that keeps it so has it."""
    place = importlib.util.spec_from_file_location("test_layers", ROOT / "tests" / "test_layers.py")
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    table: Mapping[str, set[str]] = module.ALLOWED
    return table


def _height(room: str, knows: Mapping[str, set[str]]) -> int:
    return max((_height(other, knows) + 1 for other in knows[room]), default=0)


def direct(room: str, knows: Mapping[str, set[str]]) -> set[str]:
    """Rooms that a room knows, without those that these know in turn."""
    below = {further for other in knows[room] for further in _below(other, knows)}
    return knows[room] - below


def _below(room: str, knows: Mapping[str, set[str]]) -> set[str]:
    return knows[room] | {further for other in knows[room] for further in _below(other, knows)}


def _svg(title: str, width: int, height: int, parts: list[str]) -> str:
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{LINE}"/></marker></defs>',
        *parts, "</svg>", "",
    ])  # fmt: skip


def _arrow(path: str) -> str:
    return f'<path d="{path}" stroke="{LINE}" stroke-width="1.5" fill="none" marker-end="url(#tip)"/>'


def _text(x: int, y: int, words: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" fill="{INK}" text-anchor="middle"{more}>{escape(words)}</text>'


def _box(x: int, y: int, width: int, words: str) -> str:
    box = f'<rect x="{x}" y="{y}" width="{width}" height="{HIGH}" rx="5" fill="{TINT}" stroke="{LINE}"/>'
    return box + _text(x + width // 2, y + 20, words)


def main() -> int:
    made = (flow, house, openvino, fused)
    drawn = {IMAGES / f"{each.__name__}.svg": each() for each in made}
    if "--write" in sys.argv:
        for path, picture in drawn.items():
            path.write_text(picture, encoding="utf-8")
    return int(any(not path.is_file() or path.read_text("utf-8") != picture for path, picture in drawn.items()))


if __name__ == "__main__":
    sys.exit(main())
