"""Runs something again whenever a file of the user's changes, until it is interrupted."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence

from opkg.cli.output import log, show_findings
from opkg.project.discover import SKIPPED, discover
from opkg.spec.diagnostics import OpkgError

LOOK = 0.25  # seconds between two looks
SUFFIXES = (".yaml", ".yml", ".py", ".cpp", ".cc", ".c", ".h", ".hpp", ".json", ".toml")
Seen = dict[str, tuple[int, int]]


def watched(paths: Sequence[str], once: Callable[[], int]) -> int:
    """Calls `once` now and after every change of a file in the projects of `paths`; findings do not end it.

    Leaves by KeyboardInterrupt only, and by errors that no change of a file mends (misuse, a missing tool).
    """
    while True:
        before = look(paths)
        try:
            once()
        except OpkgError as failure:
            if failure.exit_code != 1:
                raise
            show_findings(failure.diagnostics)
        log("waiting for changes (Ctrl-C ends)")
        while look(paths) == before:
            time.sleep(LOOK)


def look(paths: Sequence[str]) -> Seen:
    """Time and size of each file that a run may depend on: not what opkg and tools write."""
    seen: Seen = {}
    for top in _tops(paths):
        for path in _files(top):
            try:
                found = os.stat(path)
            except OSError:
                continue  # an editor puts a new file in the place of the old one
            seen[path] = (found.st_mtime_ns, found.st_size)
    return seen


def _tops(paths: Sequence[str]) -> list[str]:
    """Roots of the projects; while there is no spec, the paths themselves."""
    try:
        return [project.root for project in discover(paths)]
    except OpkgError:
        return [os.path.abspath(path) for path in paths or (".",)]


def _files(top: str) -> Iterator[str]:
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in SKIPPED]
        yield from (os.path.join(folder, name) for name in names if name.endswith(SUFFIXES) and name[0] != ".")
