"""Which specs and projects a run is about: the paths given, searched for specs, grouped by project root."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from opkg.project import files, manifest
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error

SUFFIXES = (".yaml", ".yml")
SKIPPED = frozenset(("generated", "build", "dist", "node_modules", "venv", "__pycache__"))
_SPEC = rb"""(?m)^(?:\xef\xbb\xbf)?["']?opkg["']?[ \t]*:"""  # compiled only when a file outside of specs/ is met


class Project(NamedTuple):
    """A project root and what of it the run is about.

    `root`: absolute. `prefix` + a path relative to the root is the path as people see it. `specs`: relative to the
    root, posix, sorted. `scope`: the folders ("" for all, else with a "/" at the end) and files the run covers.
    `texts`: specs as they are about to be written, instead of what is on the disk.
    """

    root: str
    prefix: str
    specs: tuple[str, ...]
    scope: tuple[str, ...]
    texts: Mapping[str, bytes] = MappingProxyType({})

    def covers(self, spec: str) -> bool:
        """Whether the run is also about a spec (perhaps deleted) at that path."""
        return any(spec == part or part == "" or (part.endswith("/") and spec.startswith(part)) for part in self.scope)

    def shown(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings with paths as people see them."""
        if not self.prefix:
            return list(findings)
        return [self._shown(finding) for finding in findings]

    def _shown(self, finding: Diagnostic) -> Diagnostic:
        span = finding.span._replace(path=self.prefix + finding.span.path)
        return Diagnostic(finding.id, finding.message, span, finding.hint, finding.severity)


class _Found:
    """What the search gathers."""

    def __init__(self) -> None:
        self.specs: dict[str, set[str]] = {}  # root -> specs, relative
        self.scope: dict[str, set[str]] = {}
        self.skipped = 0  # YAML files that do not look like specs
        self.roots: dict[str, str] = {}  # folder -> root of the specs in it

    def root(self, folder: str) -> str:
        found = self.roots.get(folder)
        if found is None:
            found = self.roots[folder] = root_of(folder)
        return found

    def add(self, root: str, spec: str | None, top: str) -> None:
        """A spec (None: only the root) found below `top`, or `top` itself."""
        specs = self.specs.setdefault(root, set())
        if spec is not None:
            specs.add(spec[len(root) :].lstrip("/"))
        scope = self.scope.setdefault(root, set())
        if spec == top:
            scope.add(spec[len(root) :].lstrip("/"))
        elif top == root or root.startswith(top.rstrip("/") + "/"):
            scope.add("")
        else:
            scope.add(top[len(root) :].lstrip("/") + "/")


def root_of(folder: str) -> str:
    """The project root of specs in a folder (absolute): above the nearest `specs`, else the folder itself.

    The search for `specs` ends where a repository begins.
    """
    current = folder
    while not os.path.lexists(f"{current}/.git"):
        above = os.path.dirname(current)
        if os.path.basename(current) == "specs":
            return above
        if above == current:
            break
        current = above
    return folder


def discover(paths: Sequence[str]) -> list[Project]:
    """The projects of `paths` (none: `specs/` if there is one, else here), by root.

    Raises OpkgError: OPK300 when there is no spec at all, OPK301 for a path that cannot be read.
    """
    given = list(paths) or ["specs" if os.path.isdir("specs") else "."]
    found = _Found()
    try:
        for path in given:
            _search(os.path.abspath(path), found)
    except OSError as failure:
        message = f"cannot be read: {failure.strerror}"
        raise OpkgError([error("OPK301", message, Span(str(failure.filename or given[0])))]) from None
    if not any(found.specs.values()):
        raise OpkgError([_none(given, found.skipped)])
    absolute = any(os.path.isabs(path) for path in given)
    return [
        Project(root, shown_prefix(root, absolute), tuple(sorted(specs)), _least(found.scope[root]))
        for root, specs in sorted(found.specs.items())
    ]


def _none(given: list[str], skipped: int) -> Diagnostic:
    where = ", ".join(given)
    hint = "opkg new NAME makes a first one; or name the folder that has specs/"
    if skipped:
        hint = f"outside of specs/ a YAML file is a spec only if it has a line 'opkg: 1' ({skipped} skipped)"
    return error("OPK300", f"no spec found in {where}", Span(given[0]), hint)


def _least(scope: set[str]) -> tuple[str, ...]:
    return ("",) if "" in scope else tuple(sorted(scope))


def shown_prefix(root: str, absolute: bool) -> str:
    """What stands before the path of a file, relative to a project's root, when it is shown."""
    here = os.getcwd()
    if root == here:
        return ""
    if root.startswith(here.rstrip("/") + "/"):
        return root[len(here.rstrip("/")) + 1 :] + "/"
    return (root if absolute else os.path.relpath(root, here)).rstrip("/") + "/"


def _search(top: str, found: _Found) -> None:
    if not os.path.isdir(top):
        os.stat(top)
        found.add(found.root(os.path.dirname(top)), top, top)
        return
    if found.root(top) != top:  # in a folder `specs`: its project may have lost all specs
        _add_empty(found, found.root(top), top)
    for folder, names in _walk(top):
        root = found.root(folder)
        if "generated" in names and os.path.isfile(f"{folder}/{manifest.PATH}"):
            found.add(folder, None, top)
        for name in names:
            if name.endswith(SUFFIXES) and not name.startswith("."):
                path = f"{folder}/{name}"
                if root != folder or re.search(_SPEC, files.unix(files.read(path, limit=1 << 22))):
                    found.add(root, path, top)
                else:
                    found.skipped += 1


def _add_empty(found: _Found, root: str, top: str) -> None:
    if os.path.isfile(f"{root}/{manifest.PATH}"):
        found.add(root, None, top)


def _walk(top: str) -> Iterator[tuple[str, list[str]]]:
    """Each folder to search with the names in it, in order; links to folders are not followed."""
    pending = [top.rstrip("/") or "/"]
    while pending:
        folder = pending.pop()
        inside = "/specs/" in f"{folder}/"
        names: list[str] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if entry.is_dir(follow_symlinks=False):
                    if not name.startswith(".") and (inside or name not in SKIPPED):
                        pending.append(f"{folder}/{name}")
                    elif name == "generated":
                        names.append(name)
                elif not entry.is_dir():
                    names.append(name)
        yield folder, sorted(names)
