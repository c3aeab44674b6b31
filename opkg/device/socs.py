"""The SoCs that are known by name: a table, read from `tables/socs.tsv`."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

TABLES = Path(__file__).with_name("tables")


@dataclass(frozen=True, slots=True)
class Soc:
    """`model`: QNN's number of it; `arch`: of its DSP ("v75"); `vtcm`: MiB; `threads`: of HVX; `shell`: the one of the
    table of names that is its own, empty when none is public."""

    name: str
    model: int
    arch: str
    vtcm: int
    threads: int
    shell: str
    automotive: bool


@functools.cache
def socs() -> dict[str, Soc]:
    """All of them by name ("SM8650")."""
    found = {}
    for line in (TABLES / "socs.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, model, arch, vtcm, threads, shell, automotive = line.split("\t")
            own = "" if shell == "-" else shell
            found[name] = Soc(name, int(model), arch, int(vtcm), int(threads), own, automotive == "yes")
    return found
