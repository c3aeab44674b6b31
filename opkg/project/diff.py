"""Unified diffs between a file as it is and as it should be."""

from __future__ import annotations

import os
from difflib import unified_diff

from opkg.project import files
from opkg.project.state import FileState, Status

_WITHOUT = (Status.SAME, Status.BLOCKED)


def diff(root: str, prefix: str, file: FileState) -> list[str]:
    """Lines (without line ends) that turn the file in the tree into the one wanted; empty when there are none.

    A file that is missing or goes away is compared with /dev/null; so is a file of the user's that is to be written.
    """
    if file.status in _WITHOUT:
        return []
    shown = prefix + file.path
    place = f"{root}/{file.path}"
    exists = os.path.isfile(place)
    before = _lines(files.unix(files.read(place))) if exists else []
    after = _lines(file.wanted.data()) if file.wanted is not None else []
    old = f"a/{shown}" if exists else "/dev/null"
    new = f"b/{shown}" if file.wanted is not None else "/dev/null"
    text = [line.rstrip("\n") for line in unified_diff(before, after, old, new)]
    return [part for line in text for part in line.split("\n")]


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "replace").split("\n")
    if lines[-1]:
        return [*lines[:-1], lines[-1] + "\n\\ No newline at end of file"]
    return lines[:-1]
