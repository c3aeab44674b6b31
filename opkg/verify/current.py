"""Whether the generated files belong to the spec as it is: asks opkg/project, when that room is there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage


def findings(root: Path, packages: Sequence[OpPackage]) -> list[Diagnostic]:
    """One finding per package whose generated files are missing, stale or edited (OPK403)."""
    return []
