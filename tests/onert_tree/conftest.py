"""A tree, a project, and the hand-written edits in place of those of the target."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import onert_edits
import pytest
from click.testing import CliRunner, Result
from onert_mini import mini

from opkg.cli import onert_tree
from opkg.cli.main import cli
from opkg.spec.model import OpPackage
from opkg.trees.edit import Era, TreeEdit

SPEC = """\
opkg: 1
package: {{name: {name}, targets: [onert]}}
ops:
"""
OP = """\
  {op}:
    types: {{T: [float32]}}
    inputs:
      x: {{dtype: T, shape: [...]}}
    outputs:
      y: {{dtype: T, shape: x.shape}}
    compute: y = x * 2
"""

Run = Callable[..., Result]


def project(folder: Path, name: str = "acme.nn", *ops: str) -> Path:
    """A project with one spec of these ops."""
    (folder / "specs").mkdir(parents=True, exist_ok=True)
    text = SPEC.format(name=name) + "".join(OP.format(op=op) for op in ops or ("ScaledAdd", "Clamp"))
    (folder / "specs" / f"{name}.yaml").write_text(text)
    return folder


def onert(where: Path, *words: str | Path) -> Result:
    """`opkg onert WORDS`, started in a folder."""
    before = os.getcwd()
    os.chdir(where)
    try:
        return CliRunner().invoke(cli, ["-q", "onert", *(str(word) for word in words)], standalone_mode=False)
    finally:
        os.chdir(before)


def done(where: Path, *words: str | Path) -> str:
    result = onert(where, *words)
    assert result.return_value == 0, (result.output, result.exception)
    return result.output


def refused(where: Path, *words: str | Path) -> str:
    result = onert(where, *words)
    assert result.return_value == 1, (result.output, result.exception)
    return result.output


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the target wants, written by hand."""

    def texts(package: OpPackage, era: Era) -> tuple[dict[str, str], list[TreeEdit]]:
        names = [op.name for op in package.ops]
        files = {path: text for name in names for path, text in onert_edits.files(name).items()}
        return files, [edit for name in names for edit in onert_edits.edits(name, era)]

    monkeypatch.setattr(onert_tree, "_texts", texts)


@pytest.fixture(params=["oplist", "classic"])
def places(request: pytest.FixtureRequest, tmp_path: Path, by_hand: None) -> tuple[Path, Path]:
    """A tree and a project."""
    return mini(tmp_path / "ONE", request.param), project(tmp_path / "project")
