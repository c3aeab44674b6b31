"""`opkg export`: a package's generated files, what they share and the user's kernels, in a folder that needs no other.

The folder has the project's own layout (`generated/PACKAGE`, `generated/opkg`, `kernels`), so that every relative path of
the build files holds. A record of it tells what an earlier export wrote from what somebody put or changed there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from opkg import SHARED_FOLDER
from opkg.project import files, lock, manifest, transaction
from opkg.project.check import check_projects
from opkg.project.discover import Project, shown_prefix
from opkg.project.generate import Action, Plan, write
from opkg.project.recovery import recover_locked
from opkg.project.state import Look, look
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error

RECORD = "opkg-export.json"
_INCLUDED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Exported:
    """What was done in the folder, or why nothing was. `files`: how many an export holds."""

    findings: tuple[Diagnostic, ...] = ()
    actions: tuple[Action, ...] = ()
    files: int = 0


def export(project: Project, spec: str, targets: Sequence[str], folder: str) -> Exported:
    """Copies what the targets (none: all) of a spec generated, byte for byte. Raises OpkgError.

    Files that are not current, or a file in `folder` that an export did not write so, are findings; nothing is written.
    """
    only = project._replace(specs=(spec,), scope=(spec,))
    checked = check_projects([only], targets)
    if not checked.ok:
        return Exported(checked.findings)
    with lock.locked(project.root, project.prefix, exclusive=False):
        texts = _texts(project.root, spec, targets)
    root = os.path.abspath(folder)
    if f"{root}/".startswith(f"{project.root}/generated/"):
        message = "generated/ holds what specs ask for, and nothing else"
        return Exported((error("OPK329", message, Span(folder), "name a folder outside of it"),))
    os.makedirs(root, exist_ok=True)
    there = Project(root, shown_prefix(root, os.path.isabs(folder)), (), ("",))
    with lock.locked(root, there.prefix, exclusive=True):
        recover_locked(root, there.prefix)
        plan = _plan(there, texts)
        if not plan.findings and plan.changes:
            plan.findings.extend(finding for finding in [write([plan])] if finding is not None)
    if plan.findings:
        return Exported(tuple(there.shown(plan.findings)))
    return Exported((), tuple(plan.actions), len(texts))


def _texts(root: str, spec: str, targets: Sequence[str]) -> dict[str, bytes]:
    """The files of an export by path: those of the targets, those they share, and the user's with what these include."""
    made = [m for name, m in manifest.load(root).specs[spec]["made"].items() if not targets or name in targets]
    paths = [path for m in made for path in (*m["files"], *(SHARED_FOLDER + name for name in m["shared"]))]
    found = {path: files.read(f"{root}/{path}") for path in paths}
    todo = [path for m in made for path in m["yours"]]
    while todo:
        path = todo.pop()
        if path in found:
            continue
        found[path] = files.read(f"{root}/{path}")
        for name in _INCLUDED.findall(found[path]):
            beside = os.path.normpath(os.path.join(os.path.dirname(path), os.fsdecode(name)))
            if not beside.startswith(("../", "/")) and os.path.isfile(f"{root}/{beside}"):
                todo.append(beside)
    return found


def _plan(there: Project, texts: dict[str, bytes]) -> Plan:
    """What changes in the folder. A file that is neither as wanted nor as an export wrote it is in the way."""
    root = there.root
    before = _recorded(root)
    plan = Plan(there, None, [], [], [], len(texts))
    outside: dict[str, str] = {}
    for path, data in sorted(texts.items()):
        seen = look(root, path, outside)
        if seen.signature is not None and not seen.fault and seen.data == files.unix(data):
            continue
        if seen.fault or (seen.signature is not None and not _ours(seen, before.get(path))):
            plan.findings.append(_in_the_way(path, seen))
            continue
        plan.changes.append(transaction.Change(path, lambda data=data: data, seen.signature))  # type: ignore[misc]
        plan.actions.append(Action("update" if seen.signature else "write", there.prefix + path))
    for path in sorted(before.keys() - texts.keys()):
        seen = look(root, path, outside)
        if seen.signature is None and not seen.fault:
            continue
        if seen.fault or not _ours(seen, before[path]):
            plan.findings.append(_in_the_way(path, seen))
            continue
        plan.changes.append(transaction.Change(path, None, seen.signature))
        plan.actions.append(Action("remove", there.prefix + path))
    _plan_record(plan, texts)
    return plan


def _ours(seen: Look, checksum: str | None) -> bool:
    return checksum is not None and sha256(seen.data).hexdigest() == checksum


def _in_the_way(path: str, seen: Look) -> Diagnostic:
    message = (
        seen.fault or "an export would write or remove this file, which was put here or changed since the last one"
    )
    return error("OPK329", message, Span(path), "move it away, or export to another folder")


def _plan_record(plan: Plan, texts: dict[str, bytes]) -> None:
    rows = {path: files.digest(data) for path, data in sorted(texts.items())}
    data = (json.dumps({"format": 1, "files": rows}, indent=1) + "\n").encode()
    seen = look(plan.project.root, RECORD, {})
    if seen.fault:
        plan.findings.append(_in_the_way(RECORD, seen))
    elif seen.data != data:
        plan.changes.append(transaction.Change(RECORD, lambda: data, seen.signature))


def _recorded(root: str) -> dict[str, str]:
    """The checksums of what the last export wrote; none when there was none. Raises OpkgError for a record that is none."""
    try:
        text = files.read(f"{root}/{RECORD}", follow=False)
        rows: dict[str, str] = json.loads(text)["files"]
        paths = [part for path in rows for part in path.split("/")]
        if any(part in ("", ".", "..") for part in paths) or not all(isinstance(s, str) for s in rows.values()):
            raise ValueError
        return rows
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        place = shown_prefix(root, False) + RECORD
        hint = "export to another folder, or remove the file: an export then changes only what is missing"
        raise OpkgError([error("OPK329", "is no record of an export", Span(place), hint)]) from None
