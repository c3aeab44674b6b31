"""Counts calls of the kernels of op packages in this process, through a library loaded before them (opkg/sim/observer)."""

from __future__ import annotations

import ctypes
import os
from typing import Any

TWINS = (".flat", ".blocks")  # behind names of ops: what HTP calls those that have kernels for both layouts
_loaded: dict[str, Any] = {}


def start(library: str) -> None:
    """Loads the observer; before QNN loads an op package, because the packages take its registration function."""
    if "library" in _loaded:
        return
    found = ctypes.CDLL(library, mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    found.opkg_observed_kernels.restype = ctypes.c_uint64
    found.opkg_observed_name.restype = ctypes.c_char_p
    found.opkg_observed_calls.restype = found.opkg_observed_slices.restype = ctypes.c_uint64
    for name in ("opkg_observed_name", "opkg_observed_calls", "opkg_observed_slices"):
        getattr(found, name).argtypes = [ctypes.c_uint64]
    _loaded["library"] = found


def counts() -> dict[str, int]:
    """Calls so far by kernel: `package::Op/function`, also of the records that HTP calls `Op.flat` or `Op.blocks`. A call in
    several slices is one. Empty without an observer."""
    return _counted("opkg_observed_calls")


def slices() -> dict[str, int]:
    """Slices of all calls so far, by kernel as in counts(): a call that is not cut is one."""
    return _counted("opkg_observed_slices")


def _counted(function: str) -> dict[str, int]:
    library = _loaded.get("library")
    found: dict[str, int] = {}
    if library is None:
        return found
    for place in range(library.opkg_observed_kernels()):
        name = library.opkg_observed_name(place).decode()
        for twin in TWINS:
            name = name.replace(f"{twin}/", "/")
        found[name] = found.get(name, 0) + int(getattr(library, function)(place))
    return found


def elements(library: str) -> tuple[int, int]:
    """Elements so far by the vector code and by the portable code of a loaded package's generated kernels."""
    try:
        loaded = ctypes.CDLL(library, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
        vector, portable = (ctypes.c_uint64 * 2).in_dll(loaded, "opkg_paths")
    except (OSError, ValueError):  # not loaded, or it counts nothing
        return 0, 0
    return vector, portable


def since(before: dict[str, int]) -> dict[str, int]:
    """Calls since `before = counts()`, of kernels that were called."""
    return _grown(before, counts())


def slices_since(before: dict[str, int]) -> dict[str, int]:
    """Slices since `before = slices()`, of kernels that were called."""
    return _grown(before, slices())


def _grown(before: dict[str, int], now: dict[str, int]) -> dict[str, int]:
    return {name: count - before.get(name, 0) for name, count in now.items() if count > before.get(name, 0)}
