"""The example of docs/rules-migrate.md is what the command makes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opkg.imports.migrate import migrate

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules-migrate.md"


def test_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = dict(re.findall(r"```(cpp|yaml)\n(.*?)```", PAGE.read_text(), re.DOTALL))
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "Clamp.cpp").write_text(blocks["cpp"])
    monkeypatch.chdir(tmp_path)
    made = migrate(["src/Clamp.cpp"], "acme.clamp")
    assert made.spec == blocks["yaml"]


def test_every_id_of_the_table_is_in_the_catalog() -> None:
    from opkg.spec.catalog import entries

    ids = re.findall(r"^\| (OPK\d+) \|", PAGE.read_text(), re.MULTILINE)
    assert len(ids) == 8
    assert set(ids) <= set(entries())
