"""The page on `opkg import`: every command in it prints what the page says."""

from __future__ import annotations

from pathlib import Path

from doc_pages import renewed

PAGE = Path(__file__).parent.parent.parent / "docs" / "migration.md"


def test_runs_of_the_page() -> None:
    page = PAGE.read_text("utf-8")
    assert renewed(page) == page, "python scripts/doc_runs.py --write docs/migration.md"
