"""The packages of a project as a comparison takes them: their generated files current, their libraries built."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import OpPackage
from opkg.verify.machines import build, current
from opkg.verify.machines.executorch.compare import CORE, Package
from opkg.verify.machines.executorch.packages import TARGET, has_builders


def built(root: Path, packages: Sequence[OpPackage]) -> tuple[list[Package], list[Diagnostic]]:
    """Those with builders, and what stands against them; paths are relative to `root`. MissingTool without a compiler."""
    made, found = [], []
    for package in packages:
        if not has_builders(package):
            continue
        wrong = current.findings(root, [package], (TARGET,))
        found += wrong
        library = None
        if package.name != CORE and not any(finding.is_error for finding in wrong):
            result = build.build(root, package, "qhpi")
            found += result.findings
            library = result.library
        made.append(Package(package.name, package.cpp_namespace, library))
    return made, found
