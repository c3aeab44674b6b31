"""A project with target onert, and `opkg onert` as a user calls it."""

from __future__ import annotations

import os
from pathlib import Path

from click.testing import CliRunner, Result

from opkg.cli.main import cli

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
