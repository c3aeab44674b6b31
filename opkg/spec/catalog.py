"""The catalog of diagnostics, what `opkg explain ID` says: every room adds its ids; texts load only when asked for."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple


class Entry(NamedTuple):
    """One id: a title, why it is a fault, an example that has it and the same example without (both may be empty)."""

    id: str
    title: str
    explanation: str
    wrong: str = ""
    right: str = ""


# Modules with ENTRIES, a tuple of Entry or a dict of id -> (title, explanation[, wrong, right]), by the ids they hold:
# OPK1xx spec, 2xx targets, 3xx project, 4xx verify, 5xx rules, 6xx kernels, 7xx models.
# A room that has no such module (yet) has no entries.
ROOMS = (
    "opkg.spec.catalog_reading",
    "opkg.spec.catalog_records",
    "opkg.spec.catalog_compute",
    "opkg.spec.catalog_expressions",
    "opkg.spec.catalog_semantics",
    "opkg.spec.catalog_pattern",
    "opkg.targets.catalog",
    "opkg.project.catalog",
    "opkg.trees.catalog",
    "opkg.verify.catalog",
    "opkg.device.catalog",
    "opkg.rules.catalog",
    "opkg.kernels.catalog",
    "opkg.models.catalog",
    "opkg.fuse.catalog",
    "opkg.imports.catalog",
    "opkg.imports.catalog_cpp",
    "opkg.fuse.patch.catalog",
    "opkg.verify.bench.catalog",
    "opkg.verify.bundle.catalog",
    "opkg.verify.machines.executorch.catalog_compare",
    "opkg.verify.machines.executorch.catalog_upstream",
    "opkg.verify.machines.onert.catalog",
    "opkg.verify.machines.openvino.catalog",
)
_entries: dict[str, Entry] = {}
_loaded: set[str] = set()


def register(*entries: Entry) -> None:
    """Add entries (a plugin's, say). ValueError for an id that is taken by another entry."""
    for entry in entries:
        if _entries.setdefault(entry.id, entry) != entry:
            raise ValueError(f"diagnostic id {entry.id} is taken: {_entries[entry.id].title}")


def entries() -> dict[str, Entry]:
    """All entries by id, in order of the ids."""
    for room in ROOMS:
        if room in _loaded:
            continue
        _loaded.add(room)
        parent = room.rpartition(".")[0]
        if find_spec(parent) is not None and find_spec(room) is not None:
            found = import_module(room).ENTRIES
            if isinstance(found, dict):
                found = [Entry(id_, *texts) for id_, texts in found.items()]
            register(*found)
    return dict(sorted(_entries.items()))


def entry(id: str) -> Entry | None:
    """The entry of one id, whatever its case; None when there is none."""
    return entries().get(id.upper())
