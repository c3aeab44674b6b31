"""Diagnostics of the rule language for `opkg explain`: gathers the modules `catalog_*` of this room."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import opkg.rules
from opkg.spec.catalog import Entry


def _gathered() -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for module in sorted(module.name for module in iter_modules(opkg.rules.__path__)):
        if not module.startswith("catalog_"):
            continue
        entries = import_module(f"opkg.rules.{module}").ENTRIES
        if isinstance(entries, dict):
            entries = [Entry(id_, *texts) for id_, texts in entries.items()]
        for entry in entries:
            if entry.id in found:
                raise ValueError(f"diagnostic id {entry.id} is taken: {found[entry.id].title}")
            found[entry.id] = entry
    return found


ENTRIES = tuple(_gathered().values())
