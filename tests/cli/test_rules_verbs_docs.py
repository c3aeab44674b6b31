"""The page that teaches the rule language: every command in it prints what the page says."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "rules.md"


@pytest.fixture(scope="module")
def doc_runs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("doc_runs", ROOT / "scripts" / "doc_runs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_runs_of_the_page(doc_runs: ModuleType) -> None:
    page = PAGE.read_text("utf-8")
    assert doc_runs.renewed(page) == page, "python scripts/doc_runs.py --write docs/rules.md"


def test_a_run_that_differs_is_seen(doc_runs: ModuleType) -> None:
    head = "<!-- runs in: examples/rules -->\n"
    block = "```console\n$ cat cpp/nothing.cpp\n```\n"
    with pytest.raises(FileNotFoundError):
        doc_runs.renewed(head + block)
    with pytest.raises(ValueError, match="no command for a page"):
        doc_runs.renewed(head + block.replace("cat", "rm"))
    wrong = head + "```console\n$ opkg rules nothing\nfine\n$ echo $?\n0\n```\n"
    new = doc_runs.renewed(wrong)
    assert "no verb 'nothing'" in new
    assert new.endswith("$ echo $?\n2\n```\n")


def test_every_example_is_shown() -> None:
    """No rule file or graph of the examples is left without an explanation."""
    page = PAGE.read_text("utf-8")
    files = sorted((ROOT / "examples" / "rules").glob("cpp/*")) + sorted((ROOT / "examples" / "rules").glob("graphs/*"))
    assert files
    for path in files:
        assert re.search(rf"\b{path.parent.name}/{re.escape(path.name)}\b", page), f"{path.name} is not on the page"
