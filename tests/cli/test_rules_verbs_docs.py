"""The page that teaches the rule language: every command in it prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doc_pages import renewed

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "rules.md"


def test_runs_of_the_page() -> None:
    page = PAGE.read_text("utf-8")
    assert renewed(page) == page, "python scripts/doc_runs.py --write docs/rules.md"


def test_a_run_that_differs_is_seen() -> None:
    head = "<!-- runs in: examples/rules -->\n"
    block = "```console\n$ cat cpp/nothing.cpp\n```\n"
    with pytest.raises(FileNotFoundError):
        renewed(head + block)
    with pytest.raises(ValueError, match="no command for a page"):
        renewed(head + block.replace("cat", "rm"))
    wrong = head + "```console\n$ opkg rules nothing\nfine\n$ echo $?\n0\n```\n"
    new = renewed(wrong)
    assert "no verb 'nothing'" in new
    assert new.endswith("$ echo $?\n2\n```\n")


def test_every_example_is_shown() -> None:
    """No rule file or graph of the examples is left without an explanation."""
    page = PAGE.read_text("utf-8")
    files = sorted((ROOT / "examples" / "rules").glob("cpp/*")) + sorted((ROOT / "examples" / "rules").glob("graphs/*"))
    assert files
    for path in files:
        assert re.search(rf"\b{path.parent.name}/{re.escape(path.name)}\b", page), f"{path.name} is not on the page"
