"""Finds OpenVINO: the installed wheel, which is not imported."""

from __future__ import annotations

import importlib.util
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path

INSTALL = "pip install 'opkg[openvino]' (PyPI's openvino: x86-64 with AVX2)"


def folder() -> Path | None:
    """The folder of the wheel with `include` and `libs`; None when it is not here, or holds no headers."""
    try:
        found = importlib.util.find_spec("openvino")
    except (ImportError, ValueError):
        return None
    for place in (found.submodule_search_locations if found else None) or ():
        path = Path(place)
        if (path / "include" / "openvino" / "openvino.hpp").is_file() and list((path / "libs").glob("libopenvino.so*")):
            return path
    return None


def version() -> str:
    """The wheel's version."""
    try:
        return installed("openvino")
    except PackageNotFoundError:
        return ""
