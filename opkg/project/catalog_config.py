"""Catalog of OPK660 to OPK666: a project's own settings, the layout of specs, clusters."""

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
    Entry(
        "OPK664",
        "Dask is not installed",
        "`--on-cluster` runs packages on the workers of a Dask cluster, for which the package distributed is needed.",
        "opkg verify --on-cluster tcp://10.0.0.1:8786",
        "pip install 'opkg[dask]'",
    ),
    Entry(
        "OPK665",
        "no scheduler answers",
        "No Dask scheduler could be reached at the address within 20 seconds.",
        "opkg verify --on-cluster tcp://10.0.0.1:8786   without a scheduler there",
        "dask scheduler &\ndask worker tcp://10.0.0.1:8786 --nthreads 1",
    ),
    Entry(
        "OPK666",
        "worker without the project",
        "Workers read the project, build it and run it where it lies: it must have the same path on each of them, on a shared "
        "file system.",
    ),
)
