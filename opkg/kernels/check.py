"""Computations from which no kernel can be generated, said at their place in the text."""

from __future__ import annotations

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op


def check(op: Op) -> list[Diagnostic]:
    """What stands in the way of generating the kernels of an op that have no `body`."""
    return []
