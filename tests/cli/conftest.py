"""Runs the command line in this process, and a small project to run it in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from opkg.cli.main import run

SPEC = """\
opkg: 1
package:
  name: acme.vision
  version: 1.0.0
  targets: [toy]
ops:
  Relu:
    summary: s
    inputs:
      x: {dtype: float32, shape: [rest...]}
    outputs:
      y: {dtype: float32, shape: x.shape}
    reference: references:f
"""


class Done(NamedTuple):
    """What a run printed, and its exit code."""

    code: int
    out: str
    err: str

    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def opkg(capfd: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    def call(*args: str) -> Done:
        capfd.readouterr()
        code = run(list(args))
        out, err = capfd.readouterr()
        return Done(code, out, err)

    return call


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one spec that asks for the out-of-tree target; it is the current folder."""
    toy = Path(__file__).parent.parent / "project" / "toy"
    monkeypatch.syspath_prepend(str(toy))
    monkeypatch.setenv("PYTHONPATH", str(toy))
    root = tmp_path / "proj"
    (root / "specs").mkdir(parents=True)
    (root / "specs" / "vision.yaml").write_text(SPEC)
    monkeypatch.chdir(root)
    for name in ("GITHUB_WORKSPACE", "OPKG_DEBUG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return root
