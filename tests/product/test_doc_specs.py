"""Every complete spec that a page of the documentation shows passes `opkg validate`, whatever block it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from opkg.project.read import read

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    {*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md"), *ROOT.glob("opkg/**/*.md")}
)
FIRST = re.compile(r"( *)opkg: 1\s*(#.*)?")


def specs(page: Path) -> Iterator[tuple[str, str]]:
    """Place and text of each spec: from its line `opkg: 1` to the end of the block that it stands in."""
    lines = page.read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        first = FIRST.fullmatch(line)
        if first is None:
            continue
        indent, end = first[1], number + 1
        while end < len(lines) and _goes_on(lines[end], indent):
            end += 1
        text = "\n".join(each[len(indent) :] for each in lines[number:end])
        yield f"{page.relative_to(ROOT)}:{number + 1}", text + "\n"


def _goes_on(line: str, indent: str) -> bool:
    return not line.startswith(("```", "$ ")) and (line.startswith(indent) or not line.strip())


FOUND = [each for page in PAGES for each in specs(page)]


@pytest.mark.parametrize(("place", "text"), FOUND, ids=[place for place, _ in FOUND])
def test_a_spec_of_the_docs_is_valid(tmp_path: Path, place: str, text: str) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "page.yaml").write_text(text, "utf-8")
    (project,) = read((str(tmp_path),))
    assert project.ok, "\n".join(f"{place} + {d.span.line - 1}: {d.message} [{d.id}]" for d in project.findings)
    assert project.packages[0].ops


def test_all_of_them_are_found() -> None:
    """As many as there are lines that begin one; the page of the format has eight."""
    pages = {place.partition(":")[0] for place, _ in FOUND}
    assert {"README.md", "docs/spec.md", "docs/rules.md", "docs/executorch.md", "docs/tutorial-executorch.md"} <= pages
    assert sum(place.startswith("docs/spec.md:") for place, _ in FOUND) >= 8
    lines = [line for page in PAGES for line in page.read_text("utf-8").splitlines()]
    assert len(FOUND) == sum(line.partition("#")[0].strip() == "opkg: 1" for line in lines)
