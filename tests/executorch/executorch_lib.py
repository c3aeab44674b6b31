"""Renders specs and writes the artifacts where a test can import them."""

from __future__ import annotations

from pathlib import Path

from opkg.spec.model import OpPackage
from opkg.spec.reader import read_file
from opkg.targets.executorch_builder import TARGET

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
_OWN = [HERE / "specs" / f"{name}.yaml" for name in ("everything", "computed", "mapped", "fused")]
SPECS = [*_OWN, *sorted(ROOT.glob("examples/*/specs/*.yaml"))]


def load(path: Path) -> OpPackage:
    """A spec that must be without errors."""
    package, findings = read_file(path)
    assert package is not None, findings
    return package


def write(package: OpPackage, folder: Path) -> Path:
    """Write the artifacts; returns the folder to put on the path."""
    for artifact in TARGET.render(package):
        target = folder / artifact.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(artifact.text, encoding="utf-8")
    return folder / "generated" / package.cpp_namespace / "executorch"
