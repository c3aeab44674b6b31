"""The package's library for this machine, which the backend then finds by its name."""

from __future__ import annotations

import ctypes
from pathlib import Path

from .constants import INTERFACE_PROVIDER, LIBRARY, PACKAGE_NAME

BACKEND = "libQnnHtp.so"


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
