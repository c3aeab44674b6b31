"""Catalog of OPK660 to OPK662: a project's own settings."""

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
)
