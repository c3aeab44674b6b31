"""A tree and a project, and hand-written edits in place of those of the target."""

from __future__ import annotations

from pathlib import Path

import onert_edits
import pytest
from onert_lib import project
from onert_mini import mini

from opkg.cli import onert_tree
from opkg.spec.model import OpPackage
from opkg.targets.foreign import Era, TreeEdit


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the target wants, written by hand."""

    def texts(package: OpPackage, era: Era, copyright: str) -> tuple[dict[str, str], list[TreeEdit]]:
        names = [op.name for op in package.ops]
        files = {path: text for name in names for path, text in onert_edits.files(name).items()}
        return files, [edit for name in names for edit in onert_edits.edits(name, era)]

    monkeypatch.setattr(onert_tree, "_texts", texts)


@pytest.fixture(params=["oplist", "classic"])
def places(request: pytest.FixtureRequest, tmp_path: Path, by_hand: None) -> tuple[Path, Path]:
    """A tree and a project."""
    return mini(tmp_path / "ONE", request.param), project(tmp_path / "project")
