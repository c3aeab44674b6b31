"""A model before and after as a page."""

from __future__ import annotations

from opkg.fuse.api import EndToEnd, Proof
from opkg.fuse.find import Found


def render(found: Found, proof: Proof | None = None, end: EndToEnd | None = None) -> str:
    """One self-contained page."""
    return "<!doctype html>\n"
