"""The package's library for this machine, which the backend then finds by its name."""

from __future__ import annotations

import ctypes
import os
import warnings
from pathlib import Path

from .constants import INTERFACE_PROVIDER, LIBRARY, PACKAGE_NAME

BACKEND = "libQnnHtp.so"
_told: list[str] = []


def load_library(library: str | Path) -> None:
    """Load the library, before a .pte that uses it is made or loaded in this process.

    A .pte names it without a folder, so LD_LIBRARY_PATH serves as well. ValueError when it is not
    this package's.
    """
    path = Path(library)
    if PACKAGE_NAME == "qti.aisw":
        raise ValueError("the ops of qti.aisw are the backend's own: there is no library to load")
    if not path.is_file():
        raise ValueError(f"{path}: no such file; build the op package first (opkg build)")
    if INTERFACE_PROVIDER.encode() + b"\0" not in path.read_bytes():
        raise ValueError(f"{path} does not export {INTERFACE_PROVIDER} ({PACKAGE_NAME})")
    if path.name != LIBRARY:
        raise ValueError(f"{path} is not called {LIBRARY}, as a .pte has it")
    try:
        ctypes.CDLL(BACKEND, ctypes.RTLD_GLOBAL)  # whose functions the library uses
    except OSError:
        return  # nothing can be lowered without the backend, which says so itself
    try:
        found = ctypes.CDLL(str(path.resolve()))
        named = ctypes.CDLL(LIBRARY)
    except OSError as failure:
        raise ValueError(f"{path} does not load under its name: {failure}") from failure
    if found._handle != named._handle:
        raise ValueError(f"{path}: another {LIBRARY} is loaded, or found in LD_LIBRARY_PATH")


def tell_of_missing() -> None:
    """A warning, once, where the backend runs without the package's library: it refuses all of its ops then."""
    if _told or PACKAGE_NAME == "qti.aisw" or not _is_loaded(BACKEND) or _is_loaded(LIBRARY):
        return
    _told.append(LIBRARY)
    text = (
        f"{LIBRARY} is not loaded, and the backend takes none of the package's ops: give it "
        "what package_info(<path of the library>) returns, as op_package_infos of its options"
    )
    warnings.warn(f"[{PACKAGE_NAME}] {text}", stacklevel=3)


def _is_loaded(library: str) -> bool:
    """Whether this process has a library; True where that cannot be asked."""
    mode = getattr(os, "RTLD_NOLOAD", None)
    if mode is None:
        return True
    try:
        ctypes.CDLL(library, mode)
    except OSError:
        return False
    return True
