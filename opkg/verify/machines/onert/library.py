"""Finds onert's runtime: libonert.so of PyPI's wheel, or one that the user built."""

from __future__ import annotations

import importlib.util
import os
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path

LIBRARY = "libonert.so"
VARIABLE = "OPKG_ONERT_LIB"
INSTALL = (
    "pip install 'opkg[onert]' (PyPI's onert 0.1.0: Python 3.11, Linux on x86-64), or set OPKG_ONERT_LIB to a libonert.so "
    "of your own build"
)
WRITER = "pip install flatbuffers"


def wanted() -> str:
    """What the user's variable names; empty when nothing."""
    return os.environ.get(VARIABLE, "")


def library() -> Path | None:
    """libonert.so: $OPKG_ONERT_LIB (the library or its folder), else that of the installed wheel, which is not imported."""
    named = wanted()
    if named:
        path = Path(named).expanduser()
        path = path / LIBRARY if path.is_dir() else path
        return path if path.is_file() else None
    try:
        found = importlib.util.find_spec("onert")
    except (ImportError, ValueError):
        return None
    for folder in (found.submodule_search_locations if found else None) or ():
        path = Path(folder) / "native" / LIBRARY
        if path.is_file():
            return path
    return None


def version() -> str:
    """The wheel's version; empty for a library that a variable names, which does not say."""
    if wanted():
        return ""
    try:
        return installed("onert")
    except PackageNotFoundError:
        return ""


def lacks_writer() -> bool:
    """Whether `flatbuffers`, with which models are written, is not here."""
    return importlib.util.find_spec("flatbuffers") is None
