"""A project in a temporary folder whose specs ask for the out-of-tree target in `toy/`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from opkg.project.check import CheckResult, check
from opkg.project.generate import GenerateResult, Options, generate

TOY = Path(__file__).parent / "toy"
OP = """\
  {name}:
    summary: {summary}
    inputs:
      x: {{dtype: float32, shape: [rest...]}}
    outputs:
      y: {{dtype: float32, shape: x.shape}}
    reference: references:f
"""


class Tree:
    """The project; the current folder is its root."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def spec(
        self, *ops: str, path: str = "specs/vision.yaml", package: str = "acme.vision", targets: str = "[toy]",
        summary: str = "s",
    ) -> None:  # fmt: skip
        head = f"opkg: 1\npackage:\n  name: {package}\n  version: 1.0.0\n  targets: {targets}\nops:\n"
        self.write(path, head + "".join(OP.format(name=name, summary=summary) for name in ops))

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def read(self, path: str) -> str:
        return (self.root / path).read_text()

    def files(self) -> dict[str, bytes]:
        """Everything in the tree but specs, by path."""
        found = sorted(p for p in self.root.rglob("*") if p.is_file() or p.is_symlink())
        return {
            str(p.relative_to(self.root)): b"link" if p.is_symlink() else p.read_bytes()
            for p in found
            if "specs" not in p.parts[len(self.root.parts) :][:1]
        }

    def folders(self) -> set[str]:
        return {str(p.relative_to(self.root)) for p in self.root.rglob("*") if p.is_dir()}

    def generate(self, *paths: str, **options: object) -> GenerateResult:
        return generate(paths, Options(**options))  # type: ignore[arg-type]

    def check(self, *paths: str, **options: object) -> CheckResult:
        return check(paths, **options)  # type: ignore[arg-type]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Makes the toy distribution importable, here and in child processes."""
    monkeypatch.syspath_prepend(str(TOY))
    monkeypatch.setenv("PYTHONPATH", f"{TOY}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    yield
    sys.modules.pop("acme_opkg", None)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, toy: None) -> Tree:
    root = tmp_path / "proj"
    root.mkdir()
    monkeypatch.chdir(root)
    return Tree(root)


@pytest.fixture
def ids() -> Callable[[GenerateResult | CheckResult], list[tuple[str, str]]]:
    """(id, path) of each finding."""
    return lambda result: [(finding.id, finding.span.path) for finding in result.findings]
