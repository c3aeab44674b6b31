"""The findings of the targets (OPK200 to OPK299) for `opkg explain`; a target may have a catalog of its own."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from opkg.spec.catalog import Entry


def _entries() -> tuple[Entry, ...]:
    """Those of every target that has a `catalog.py`."""
    found: list[Entry] = []
    for path in sorted(Path(__file__).parent.glob("*/catalog.py")):
        found += import_module(f"opkg.targets.{path.parent.name}.catalog").ENTRIES
    return tuple(found)


ENTRIES = _entries()
