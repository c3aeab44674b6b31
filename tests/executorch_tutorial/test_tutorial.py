"""The tutorial, run as its reader would: every command succeeds and prints what the page shows, but for the numbers."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from doc_pages import renewed

from opkg.verify.machines.executorch.environment import Missing, find

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "tutorial-executorch.md"
# Times, errors and sizes differ between machines, and with them the width of columns; so does which result is the better one.
_NUMBER = re.compile(r"\d[\d.,]*(e[-+]?\d+)?(\+cpu)?")
_COMPARED = re.compile(r"^network\.py: info: .*\n(    \(opkg explain OPK445\)\n)?(\d+ infos? in 1 file\n)?", re.M)


def plain(page: str) -> list[str]:
    """The lines of the page without what may differ."""
    text = _COMPARED.sub("", page)
    return [re.sub(r"\s+", " ", _NUMBER.sub("#", line)).strip() for line in text.splitlines()]


@pytest.mark.xdist_group("executorch")
def test_the_tutorial_runs() -> None:
    environment = find(ROOT)
    if isinstance(environment, Missing):
        if os.environ.get("CI"):
            pytest.fail(environment.reason)
        pytest.skip(environment.reason)
    page = PAGE.read_text("utf-8")
    assert plain(renewed(page)) == plain(page), "python scripts/doc_runs.py --write docs/tutorial-executorch.md"
    passed = re.findall(r"(\d+) cases, 0 failures", page)
    assert len(passed) == 2
    assert "operators: executorch_call_delegate, getitem\n" in page
