"""Edits of the user's own files of a project, with all that the specs then ask for: one transaction, under the lock."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from opkg.project import lock
from opkg.project.discover import Project
from opkg.project.files import read, read_only
from opkg.project.findings import is_read_only
from opkg.project.recovery import recover_locked
from opkg.project.transaction import Change
from opkg.spec.diagnostics import OpkgError, Span

if TYPE_CHECKING:
    from opkg.project.generate import Plan
    from opkg.project.state import Look

Before = Mapping[str, bytes]  # files that are there, by path relative to the root
Made = Mapping[str, bytes | None]  # what becomes of files; None: deleted


def edit(
    project: Project, specs: Sequence[str], more: Collection[str], make: Callable[[Before], Made], dry: bool = False
) -> Plan | None:
    """Reads `specs` and the files `more` (where they are there), and writes what `make` makes of them.

    `dry`: plans only. None when a killed run had to be undone, of which these files may be: look again, then. Raises
    OpkgError when the result has errors, or something is in the way; nothing is written then.
    """
    with lock.locked(project.root, project.prefix, exclusive=True):
        if recover_locked(project.root, project.prefix):
            return None
        seen = _seen(project, [*specs, *more], specs[0])
        before = {path: read(f"{project.root}/{path}") for path in seen if seen[path].signature is not None}
        made = make(before)
        guarded = [path for path in made if path in before and read_only(f"{project.root}/{path}")]
        if guarded and not dry:
            raise OpkgError([is_read_only(project.prefix + path) for path in guarded])
        texts = {path: data for path, data in made.items() if path in specs and data is not None}
        changed = project._replace(specs=tuple(specs), scope=tuple(specs), texts=texts)
        plan = planned_with(changed, [_change(path, data, seen) for path, data in made.items()])
        if not dry:
            write_plan(plan)
    return plan


def _seen(project: Project, paths: Sequence[str], spec: str) -> dict[str, Look]:
    from opkg.project import findings
    from opkg.project.state import FileState, Status, look

    seen = {path: look(project.root, path, {}) for path in paths}
    faults = [(path, each.fault) for path, each in seen.items() if each.fault]
    if faults:
        blocked = [findings.blocked(FileState(path, Status.BLOCKED, spec, note=note)) for path, note in faults]
        raise OpkgError(project.shown(blocked))
    return seen


def _change(path: str, data: bytes | None, seen: Mapping[str, Look]) -> Change:
    return Change(path, None if data is None else partial(bytes, data), seen[path].signature)


def planned_with(project: Project, own: Sequence[Change]) -> Plan:
    """Those changes and everything that the specs then ask for, so that the ops build and verify at once."""
    from opkg.project.generate import planned

    plan = planned(project, own)
    if any(finding.is_error for finding in plan.findings):
        raise OpkgError(project.shown(plan.findings))
    return plan


def write_plan(plan: Plan) -> None:
    from opkg.project.generate import write

    failed = write([plan])
    if failed is not None:
        raise OpkgError([failed])


def replaced(text: str, pieces: Sequence[tuple[Span, str]]) -> str:
    """The text with other words at some spans, which do not overlap; lines and columns count from 1."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for span, word in sorted(pieces, key=lambda piece: piece[0][1:3], reverse=True):
        start = starts[span.line - 1] + span.column - 1
        end = starts[span.end_line - 1] + span.end_column - 1
        text = text[:start] + word + text[end:]
    return text
