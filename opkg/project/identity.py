"""Who generates: opkg's version, and a checksum over the code and templates that decide what comes out."""

from __future__ import annotations

import os
from functools import cache
from hashlib import sha256

import opkg
from opkg.project.files import read

# Folders and files below opkg/ on which generated text depends.
_CODE = (
    "spec",
    "rules",
    "kernels",
    "models",
    "targets",
    "device",
    "sim/include/opkg",
    "resources.py",
    "project/provenance.py",
)


@cache
def generator() -> str:
    """16 hex digits that change with opkg's own sources: a checkout changes under one version, and so may a patch."""
    package = os.path.dirname(os.path.abspath(opkg.__file__))
    templates = os.path.join(package, "_data", "templates")
    if not os.path.isdir(templates):
        templates = os.path.join(os.path.dirname(package), "templates")
    state = sha256()
    for name in _CODE:
        _add(state, os.path.join(package, name), name)
    _add(state, templates, "templates")
    return state.hexdigest()[:16]


def _add(state: object, path: str, name: str) -> None:
    """Adds a file, or the files of a folder in order of their names."""
    if name.endswith((".py", ".j2", ".h", ".cmake", ".txt", ".yaml", ".json")) and os.path.isfile(path):
        data = read(path)
        state.update(b"%b %d\n" % (name.encode(), len(data)))  # type: ignore[attr-defined]
        state.update(data)  # type: ignore[attr-defined]
    elif os.path.isdir(path):
        for entry in sorted(os.listdir(path)):
            if entry != "__pycache__" and not entry.startswith("."):
                _add(state, f"{path}/{entry}", f"{name}/{entry}")


def ours() -> str:
    """What the manifest writes for files that a target of ours made."""
    return f"opkg {opkg.__version__} ({generator()})"
