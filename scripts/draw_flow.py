"""Draws docs/images/flow.svg, the way from a spec to packages that are proved: targets and machines are those that opkg has.

python scripts/draw_flow.py            # exit code 1 if the picture is not what it would be
python scripts/draw_flow.py --write
"""

from __future__ import annotations

import sys
from html import escape
from itertools import pairwise
from pathlib import Path

from opkg.targets.registry import BUILT_IN
from opkg.verify.machines.table import GROUPS, MACHINES

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "images" / "flow.svg"
WIDE, HIGH, GAP = 176, 30, 10
COLUMNS = (16, 232, 448, 664)
INK, PAPER, LINE, TINT = "#22313f", "#ffffff", "#7f8c8d", "#e8eef2"


def machines() -> list[str]:
    """Where packages run, one name for each group of machines."""
    grouped = {name for members in GROUPS.values() for name in members}
    return [*(name for name in MACHINES if name not in grouped and "-" not in name), *GROUPS]


def columns() -> list[tuple[str, list[str]]]:
    """Head and boxes of each column, from left to right."""
    return [
        ("you write", ["specs/*.yaml", "kernels/*.cpp", "references.py"]),
        ("opkg reads", ["types, shapes, params", "compute: -> HVX kernels", "rules -> rewriting"]),
        ("opkg generate", list(BUILT_IN)),
        ("opkg verify", machines()),
    ]


def drawn() -> str:
    """The picture as SVG."""
    tallest = max(len(boxes) for _, boxes in columns())
    height = 56 + tallest * (HIGH + GAP) + 6
    width = COLUMNS[-1] + WIDE + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
        "<title>From a spec to packages that are proved</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        f'<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{LINE}"/></marker></defs>',
    ]
    middle = 50 + tallest * (HIGH + GAP) // 2
    arrow = f'stroke="{LINE}" stroke-width="2" fill="none" marker-end="url(#tip)"'
    parts += [f'<path d="M{left + WIDE + 4} {middle}H{right - 6}" {arrow}/>' for left, right in pairwise(COLUMNS)]
    for x, (head, boxes) in zip(COLUMNS, columns(), strict=True):
        parts.append(
            f'<text x="{x + WIDE // 2}" y="28" fill="{INK}" font-weight="bold" text-anchor="middle">{escape(head)}</text>'
        )
        top = middle - (len(boxes) * (HIGH + GAP) - GAP) // 2
        for number, words in enumerate(boxes):
            y = top + number * (HIGH + GAP)
            parts.append(f'<rect x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="5" fill="{TINT}" stroke="{LINE}"/>')
            parts.append(
                f'<text x="{x + WIDE // 2}" y="{y + 20}" fill="{INK}" text-anchor="middle">{escape(words)}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


def main() -> int:
    if "--write" in sys.argv:
        PICTURE.write_text(drawn(), encoding="utf-8")
        return 0
    return int(PICTURE.read_text("utf-8") != drawn())


if __name__ == "__main__":
    sys.exit(main())
