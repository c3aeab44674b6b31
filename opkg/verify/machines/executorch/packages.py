"""The generated Python packages with builders: which op packages have one, where it is, what it is called."""

from __future__ import annotations

from pathlib import Path

from opkg.spec.diagnostics import Diagnostic, Span, error
from opkg.spec.model import OpPackage

TARGET = "executorch-builder"


def has_builders(package: OpPackage) -> bool:
    """Whether the spec asks for them."""
    return any(target.text == TARGET for target in package.targets)


def package_folder(root: Path, package: OpPackage) -> Path:
    """The folder that PYTHONPATH must have for the generated Python package."""
    return root / "generated" / package.cpp_namespace / "executorch"


def module_name(namespace: str) -> str:
    """The generated Python package of an op package with this C++ namespace."""
    return f"{namespace}_executorch"


def no_builders(span: Span) -> Diagnostic:
    """The finding about specs of which none asks for builders."""
    return error("OPK307", f"no spec here has the target {TARGET}", span, f"targets: [{TARGET}]")
