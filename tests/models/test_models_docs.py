"""docs/fuse.md: its commands print what it shows, its program runs."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

import pytest
from doc_pages import renewed

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "fuse.md").read_text("utf-8")
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("onnx") is None and not os.environ.get("CI"), reason="the package onnx is missing"
)


def test_the_page_shows_what_is_printed() -> None:
    """Its runs are renewed by `python scripts/doc_runs.py --write docs/fuse.md`."""
    assert renewed(PAGE) == PAGE


def test_the_program_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (make,) = re.findall(r"```python make_gated.py\n(.*?)```", PAGE, re.S)
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    exec(compile(make, "make_gated.py", "exec"), {})
    exec(compile(program, "program", "exec"), {})
    assert capsys.readouterr().out == "['bias', 'gate', 'silu', 'scale']\n"
