"""Whether the generated files belong to the spec as it is: asks opkg/project and puts its answer in one finding."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic, OpkgError, Severity, Span, error
from opkg.spec.model import OpPackage
from opkg.verify.machines.base import TARGETS, targets_of

# What does not make a verification wrong: an edit, an orphan, another version's mark, the manifest itself.
_HARMLESS = frozenset(("OPK312", "OPK313", "OPK314", "OPK315"))
MOST_NAMED = 3


def findings(root: Path, packages: Sequence[OpPackage], also: Collection[str] = ()) -> list[Diagnostic]:
    """One error per project whose generated sources are missing or stale (OPK403); warnings for the rest.

    Paths are relative to `root`. Only the targets that are built are looked at, and those of `also`.
    """
    from opkg.project.check import check_projects
    from opkg.project.discover import discover

    root = root.resolve()
    wanted = {name for package in packages for name in targets_of(package)} & {*TARGETS.values(), *also}
    if not wanted:
        return []
    try:
        projects = discover([str(root / package.path) for package in packages])
        result = check_projects(projects, sorted(wanted))
    except OpkgError as failed:
        return list(failed.diagnostics)
    prefixes = tuple(project.prefix for project in projects)
    found = [_relative(finding, prefixes) for finding in result.findings]
    broken = [f for f in found if f.is_error and f.id not in _HARMLESS]
    mild = [replace(f, severity=Severity.WARNING) for f in found if f.id in _HARMLESS]
    return mild + ([_one(broken)] if broken else [])


def _relative(finding: Diagnostic, prefixes: tuple[str, ...]) -> Diagnostic:
    path = finding.span.path
    for prefix in prefixes:
        path = path.removeprefix(prefix) if prefix else path
    return replace(finding, span=finding.span._replace(path=path))


def _one(broken: list[Diagnostic]) -> Diagnostic:
    """The first finding when there is only one, else a summary of all."""
    if len(broken) == 1 or any(not f.id.startswith("OPK31") for f in broken):
        return broken[0]
    names = ", ".join(f.span.path for f in broken[:MOST_NAMED])
    more = f" and {len(broken) - MOST_NAMED} more" if len(broken) > MOST_NAMED else ""
    message = f"generated files are missing or not current: {names}{more}"
    return error("OPK403", message, Span(broken[0].span.path), "run: opkg generate")
