"""Diagnostics of the rule language for `opkg explain`, from the parts of this room that report them."""

from __future__ import annotations

from importlib import import_module

from opkg.spec.catalog import Entry

PARTS = (
    *("text.catalog_syntax", "text.catalog_formatter", "elaborate.catalog", "lint.catalog", "sim.catalog"),
    "from_pattern_catalog",
)


def _gathered() -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for part in PARTS:
        entries = import_module(f"opkg.rules.{part}").ENTRIES
        if isinstance(entries, dict):
            entries = [Entry(id_, *texts) for id_, texts in entries.items()]
        for entry in entries:
            if entry.id in found:
                raise ValueError(f"diagnostic id {entry.id} is taken: {found[entry.id].title}")
            found[entry.id] = entry
    return found


ENTRIES = tuple(_gathered().values())
