"""An import into a project: its spec, the files that come along, and all that is generated from them; all of it or nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from functools import partial

from opkg.imports.fit import fitted
from opkg.imports.form import Imported, ImportedOp, Todo
from opkg.imports.writer import spec_text
from opkg.project import lock
from opkg.project.discover import Project, shown_prefix
from opkg.project.edit import planned_with, write_plan
from opkg.project.files import read, unix
from opkg.project.recovery import recover_locked
from opkg.project.transaction import Change
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, warning


@dataclass(frozen=True, slots=True)
class Draft:
    """The spec of an import before it is written: where it goes below the project's folder, and what validating it found.

    `imported`: the import without the ops that could not be carried, of which findings tell.
    """

    path: str
    text: str
    imported: Imported
    findings: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        return not any(finding.is_error for finding in self.findings)


def draft(imported: Imported, package: str) -> Draft:
    """The spec's text, as its targets can have it, read back as `opkg validate` does.

    An op with which the spec would not validate is left out (OPK632), so that the others are carried.
    """
    imported = fitted(imported)
    path = f"specs/{package.replace('.', '_')}.yaml"
    left: list[Diagnostic] = []
    while True:
        text = spec_text(imported, package)
        findings = _findings(text, path, imported.targets)
        wrong = _by_op(text, findings, imported)
        if any(op.compute and op.name in wrong for op in imported.ops):
            ops = (_signed(op, wrong[op.name]) if op.name in wrong and op.compute else op for op in imported.ops)
            imported = replace(imported, ops=tuple(ops))
            continue
        if not wrong or len(wrong) == len(imported.ops):
            return Draft(path, text, imported, (*left, *findings))
        for op in imported.ops:
            if found := wrong.get(op.name):
                message = f"op '{op.name}' is not carried: {found.message}"
                left.append(warning("OPK632", message, op.span, f"{found.hint} ({found.id})".strip()))
        imported = replace(imported, ops=tuple(op for op in imported.ops if op.name not in wrong))


def _signed(op: ImportedOp, why: Diagnostic) -> ImportedOp:
    """The op without uint32 where that is what stands in the way of its computation; else without computation."""
    types = tuple([(name, tuple([d for d in kept if d != "uint32" or "int32" not in kept])) for name, kept in op.types])
    if why.id != "OPK461" or types == op.types or op.combinations:
        return _uncomputed(op, why)
    todos = [
        Todo(f"types of {n}", f"uint32 there, too: {why.message}", op.span)
        for n, kept in op.types
        if (n, kept) not in types
    ]
    return replace(op, types=types, todos=(*op.todos, *todos))


def _uncomputed(op: ImportedOp, why: Diagnostic) -> ImportedOp:
    """The op without the computation that its declaration has, which a spec cannot say."""
    todo = Todo("compute or reference", f"'{op.compute}' there: {why.message}", op.span)
    return replace(op, compute="", todos=(*op.todos, todo))


def _findings(text: str, path: str, targets: Sequence[str]) -> list[Diagnostic]:
    from opkg.project.read import check, rule_findings, targets_of
    from opkg.spec.reader import read as read_spec

    made, found = read_spec(text.encode(), path)
    findings = list(found)
    if made is not None:
        findings += rule_findings(made)
    if made is not None and not any(finding.is_error for finding in findings):
        loaded, missing = targets_of(made, targets)
        findings += missing + [finding for target in loaded for finding in check(target, made)]
    return findings


def _by_op(text: str, findings: Sequence[Diagnostic], imported: Imported) -> dict[str, Diagnostic]:
    """The first error of each op that has one."""
    names = {op.name for op in imported.ops}
    at = [(number, line[2:-1]) for number, line in enumerate(text.split("\n"), 1) if line[2:-1] in names]
    out: dict[str, Diagnostic] = {}
    for finding in findings:
        before = [name for number, name in at if number <= finding.span.line]
        if finding.is_error and before:
            out.setdefault(before[-1], finding)
    return out


def save(draft: Draft, folder: str) -> tuple[str, ...]:
    """Writes the draft, the files that come along and what is generated into the project in `folder`, which may be new.

    The paths of what was written, relative to the folder. Raises OpkgError, and writes nothing, when a file of the user's is
    in the way (OPK621): nothing is ever overwritten.
    """
    os.makedirs(folder, exist_ok=True)
    root = os.path.abspath(folder)
    prefix = shown_prefix(root, os.path.isabs(folder))
    own = {draft.path: draft.text.encode(), **dict(draft.imported.files)}
    with lock.locked(root, prefix, exclusive=True):
        recover_locked(root, prefix)
        if taken := [_in_the_way(prefix + path) for path in own if os.path.lexists(f"{root}/{path}")]:
            raise OpkgError(taken)
        project = Project(root, prefix, (draft.path,), (draft.path,), {draft.path: own[draft.path]})
        plan = planned_with(project, [Change(path, partial(bytes, data)) for path, data in own.items()])
        write_plan(plan)
    return tuple(action.path.removeprefix(prefix) for action in plan.actions)


def _in_the_way(path: str) -> Diagnostic:
    hint = "import overwrites nothing: --dry-run --diff shows what differs; give another --out, or move it"
    return error("OPK621", f"'{path}' exists", Span(path), hint)


def difference(draft: Draft, folder: str) -> list[str]:
    """Lines of a unified diff from what stands in the folder to the draft; none where they are the same."""
    place = os.path.join(folder, draft.path)
    try:
        before = unix(read(place)).decode("utf-8", "replace").splitlines()
    except OSError:
        before = []
    old = f"a/{draft.path}" if before else "/dev/null"
    return list(unified_diff(before, draft.text.splitlines(), old, f"b/{draft.path}", lineterm=""))
