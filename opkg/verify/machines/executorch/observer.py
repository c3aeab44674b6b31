"""Compiles the library that counts calls of kernels (opkg/sim/observer) on first use, into the cache of the runners."""

from __future__ import annotations

from pathlib import Path

from opkg.verify.machines import runners, toolchain

SOURCE = toolchain.SIM / "observer" / "observer.cpp"


def library(root: Path) -> Path:
    """Path of the library. Raises MissingTool without a compiler, OpkgError (OPK432) when it does not compile."""
    return runners.shared("opkg-observer", SOURCE, (toolchain.INCLUDE / "opkg" / "qhpi_abi.h",), root)
