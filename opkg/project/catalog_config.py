"""Catalog of OPK660 to OPK663: a project's own settings, and the layout of specs."""

from __future__ import annotations

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK660",
        "settings that cannot be read",
        "opkg.toml, or a pyproject.toml that speaks of opkg, is no TOML, or cannot be read.",
        "machines = [host, htp]",
        'machines = ["host", "htp"]',
    ),
    Entry(
        "OPK661",
        "unknown setting",
        "A project's settings are machines, cases, seed, timeout and large (of `opkg verify`), and targets (of `generate` and "
        "`check`).",
        'machine = ["host"]',
        'machines = ["host"]',
    ),
    Entry(
        "OPK662",
        "setting with a value that does not do",
        "The value is of another type, or outside of what the option of that name takes.",
        "cases = 0",
        "cases = 8",
    ),
    Entry(
        "OPK663",
        "spec that is not laid out",
        "`opkg fmt` writes only what reads back as just the same values. A spec with anchors and aliases, or one that is "
        "a single pair of brackets, it leaves as it is.",
        "a: &one {dtype: float32}\nb: *one",
        "a: {dtype: float32}\nb: {dtype: float32}",
    ),
)
