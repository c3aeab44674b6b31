"""Pictures of graphs: what the layout promises, and that names never become markup."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opkg.report.rules_layout import BETWEEN, GAP, depths, nearest_in_order, place
from opkg.report.rules_page import Line, Step, Story, curve, render
from opkg.report.rules_picture import Arrow, Box, Picture, columns, shortened


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    """Graphs without circles, with unused boxes and doubled arrows."""
    number = draw(st.integers(0, 14))
    boxes = tuple(
        Box(k, tuple(draw(st.lists(st.text("abc", max_size=20), min_size=1, max_size=3)))) for k in range(number)
    )
    arrows = []
    for target in range(1, number):
        sources = draw(st.lists(st.integers(0, target - 1), max_size=3))
        arrows += [Arrow(source, target, port, len(sources)) for port, source in enumerate(sources)]
    return Picture(boxes, tuple(arrows))


@given(pictures())
def test_layout(picture: Picture) -> None:
    placed = place(picture)
    size = {box.key: (box.width, box.height) for box in picture.boxes}
    assert set(placed.boxes) == set(size)
    rows: dict[int, list[int]] = {}
    depth = depths(picture)
    for key, (x, y) in placed.boxes.items():
        rows.setdefault(depth[key], []).append(key)
        assert x >= 0
        assert x + size[key][0] <= placed.width + 0.1
        assert y >= 0
        assert y + size[key][1] <= placed.height + 0.1
    for row in rows.values():
        row.sort(key=lambda key: placed.boxes[key][0])
        for left, right in itertools.pairwise(row):
            assert placed.boxes[left][0] + size[left][0] + GAP <= placed.boxes[right][0] + 0.2
    for arrow, points in zip(picture.arrows, placed.arrows, strict=True):
        (_, start), (x, end) = points[0], points[-1]
        assert end - start >= BETWEEN - 0.2, "data flows down"
        assert [y for _, y in points] == sorted(y for _, y in points)
        left = placed.boxes[arrow.target][0]
        assert left < x < left + size[arrow.target][0], "an arrow ends on its box"


@given(pictures())
def test_boxes_that_stay_keep_their_order(picture: Picture) -> None:
    first = place(picture).boxes
    again = place(picture, first).boxes
    assert set(again) == set(first)


def test_layout_of_a_circle() -> None:
    """No graph has one, but a picture of one must not hang."""
    boxes = (Box(0, ("a",)), Box(1, ("b",)))
    assert len(place(Picture(boxes, (Arrow(0, 1), Arrow(1, 0), Arrow(0, 0)))).arrows) == 3


def test_crossings_are_taken_out() -> None:
    boxes = tuple(Box(k, (str(k),)) for k in range(6))
    placed = place(Picture(boxes, (Arrow(0, 5), Arrow(1, 4), Arrow(2, 3))))
    tops = sorted(range(3), key=lambda k: placed.boxes[k][0])
    assert [5 - k for k in tops] == sorted(range(3, 6), key=lambda k: placed.boxes[k][0])


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 4), st.integers(0, 9)), min_size=1, max_size=6))
def test_places_in_order_are_the_nearest(items: list[tuple[int, int, int]]) -> None:
    """No small move of one place, or of a run of neighbours, makes the sum of squares less."""
    wanted, weights, apart = [[float(v) for v in column] for column in zip(*items, strict=True)]
    apart = apart[:-1]
    found = nearest_in_order(wanted, weights, apart)

    def allowed(places: list[float]) -> bool:
        return all(b - a >= d - 1e-9 for a, b, d in zip(places[:-1], places[1:], apart, strict=True))

    def cost(places: list[float]) -> float:
        return sum(w * (p - t) ** 2 for p, t, w in zip(places, wanted, weights, strict=True))

    assert allowed(found)
    for low in range(len(found)):
        for high in range(low, len(found)):
            for step in (-0.01, 0.01):
                moved = [p + step if low <= i <= high else p for i, p in enumerate(found)]
                assert not allowed(moved) or cost(moved) >= cost(found) - 1e-9


def test_curve() -> None:
    assert curve([(1, 2), (1, 10), (5, 20)]) == "M1 2V10C1 15 5 15 5 20"


def test_shortened() -> None:
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghijk", 7) == "abc\u2026ijk"
    assert columns("語a") == 3


def test_names_are_text_never_markup() -> None:
    evil = """</text><script>alert('x')</script>"&'"""
    picture = Picture((Box(0, (evil,), title=evil),), ())
    step = Step(evil, evil, 0, 0, (0,), (), (0,), ((evil, (Line(evil, evil, 0),)),))
    page = render(Story(evil, (evil,), (picture,), (step, step), ((evil, evil),), (("", evil),), False, evil))
    assert page.count("<script>") == 1
    assert "alert('x')</script>" not in page
    assert page.count("&lt;/text&gt;&lt;script&gt;") == 21


def test_page_loads_nothing() -> None:
    page = render(Story("t", (), (Picture((), ()),), (Step("whole run", "", 0, 0),)))
    assert not re.search(r"""(?i)\b(?:src|href)\s*=\s*["'](?!#)|url\((?!#)|@import|https?:""", page)


BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or ""
USER = """<script>
const seen = [];
const note = () => seen.push([
  document.getElementById("count").textContent,
  document.querySelectorAll("#before use.removed").length,
  document.querySelectorAll("#after use.built").length,
  [...document.querySelectorAll(".step")].filter((section) => !section.hidden).map((section) => section.id).join(),
].join("|"));
note();
for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "Home", "End", "ArrowLeft"]) {
  document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  note();
}
document.querySelector('[data-step="2"]').click();
note();
const slider = document.getElementById("slider");
slider.value = 0;
slider.dispatchEvent(new Event("input"));
note();
document.title = seen.join(";");
</script></body>"""


@pytest.mark.skipif(not BROWSER, reason="no chromium")
def test_a_browser_steps_through_the_page(tmp_path: Path) -> None:
    first = Picture((Box(0, ("x",)), Box(1, ("y",))), (Arrow(0, 1),))
    second = Picture((Box(0, ("x",)), Box(2, ("a",)), Box(3, ("b",))), (Arrow(0, 2), Arrow(2, 3)))
    third = Picture((Box(0, ("x",)), Box(4, ("c",))), (Arrow(0, 4),))
    steps = (
        Step("whole run", "", 0, 2, (), (1,), (4,)),
        Step("one", "", 0, 1, (0,), (1,), (2, 3)),
        Step("two", "", 1, 2, (0,), (2, 3), (4,)),
    )
    page = tmp_path / "page.html"
    page.write_text(render(Story("t", (), (first, second, third), steps)).replace("</body>", USER), "utf-8")
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/user"]
    done = subprocess.run([*command, "--dump-dom", f"file://{page}"], capture_output=True, text=True, timeout=120)
    title = re.search(r"<title>([^<]*)</title>", done.stdout)
    assert title is not None, done.stderr
    whole, one, two = "whole run|1|1|step-0", "step 1 of 2|1|2|step-1", "step 2 of 2|2|1|step-2"
    assert title[1].split(";") == [whole, one, two, two, whole, two, one, two, whole]
