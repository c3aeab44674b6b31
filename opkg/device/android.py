"""The names of Android's C libraries: a table, read from `tables/android-exports.tsv`."""

from __future__ import annotations

import functools
from typing import NamedTuple

from opkg.device.socs import TABLES

LEVEL = 30  # Android 11, with which the oldest SoC of v68 came
LIBRARIES = ("libc.so", "libm.so", "libdl.so", "liblog.so")  # every app and program may load them


class Name(NamedTuple):
    """`library`: that has it; `level`: the first API level in which it does."""

    library: str
    level: int


@functools.cache
def names() -> dict[str, Name]:
    """What code of a package may use; Android has more."""
    found = {}
    for line in (TABLES / "android-exports.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, library, level = line.split("\t")
            found[name] = Name(library, int(level))
    return found
