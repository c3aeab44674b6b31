"""Ops with their whole text into a project, in one transaction: a new project, or more ops in one that is there."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from opkg.project import lock
from opkg.project.discover import Project, shown_prefix
from opkg.project.edit import edit, planned_with, write_plan
from opkg.project.recovery import recover, recover_locked
from opkg.project.scaffold import (
    NewOp,
    choose,
    failure_at,
    is_free,
    like,
    specs_in,
    text_of,
)
from opkg.project.transaction import Change

if TYPE_CHECKING:
    from opkg.project.generate import Plan

TARGET = "qnn-htp-qhpi"
Ops = Sequence[tuple[str, str]]  # names, and their lines from the name on


def add_ops(ops: Ops, directory: str, package: str | None, default: str, more: Sequence[str] = ()) -> NewOp:
    """Writes ops to the project in `directory`, or makes one there whose package is `package` (else `default`), with the targets
    `more` besides, and all that the spec then asks for. Raises OpkgError when an op is there already, or its text has findings;
    nothing is written then."""
    while True:
        specs = specs_in(directory)
        made = (
            _extend(directory, *choose(specs, package), ops)
            if specs
            else _create(directory, package or default, ops, more)
        )
        if made is not None:  # else the folder is not any more what it was
            return made


def preview(ops: Ops, package: str) -> Plan:
    """What a new project of these ops would be, with all findings; nothing is written."""
    return _new_project(os.path.join(os.getcwd(), ".opkg-preview"), package, ops)


def _with_ops(before: Mapping[str, bytes], spec: str, ops: Ops, prefix: str = "") -> bytes:
    """The spec with the ops at its end."""
    from opkg.project.scaffold_text import names_in, with_op

    package, known = names_in(before[spec], prefix + spec)
    text = text_of(before[spec], prefix + spec)
    for name, lines in ops:
        if name in known:
            message = f"op '{name}' exists already in package '{package}'"
            raise failure_at("OPK342", message, prefix + spec, "use another folder (--dir), or remove the op there")
        text = with_op(text, lines, prefix + spec)
    return like(before[spec], text)


def _new_project(target: str, package: str, ops: Ops, more: Sequence[str] = ()) -> Plan:
    from opkg.project.scaffold_text import project_files

    slug = package.split(".")[-1]
    files = project_files(slug, package, ", ".join((TARGET, *more)))
    spec = f"specs/{slug}.yaml"
    files[spec] = _with_ops(files, spec, ops)
    root = os.path.abspath(target)
    project = Project(root, shown_prefix(root, os.path.isabs(target)), (spec,), ("",), {spec: files[spec]})
    return planned_with(project, [Change(path, partial(bytes, data)) for path, data in files.items()])


def _create(target: str, package: str, ops: Ops, more: Sequence[str]) -> NewOp | None:
    """A new project; None when somebody else made one there meanwhile."""
    from opkg.project.staging import place

    if not is_free(target, True, recover):
        return None
    if os.path.isdir(target):
        with lock.locked(target, target, exclusive=True):
            if not is_free(target, True, recover_locked):
                return None
            plan = _new_project(target, package, ops, more)
            write_plan(plan)
    else:
        plan = _new_project(target, package, ops, more)
        if not place(target, plan):
            return None
    spec = str(Path(target, plan.project.specs[0]))
    return NewOp(str(Path(target)), spec, tuple(sorted(c.path for c in plan.changes)), True, ("the spec",))


def _extend(base: str, project: Project, spec: str, ops: Ops) -> NewOp | None:
    """More ops in a spec, under the project's lock; None when a killed run had to be undone."""
    plan = edit(project, [spec], (), lambda before: {spec: _with_ops(before, spec, ops, project.prefix)})
    if plan is None:
        return None
    wrote = tuple(action.path.removeprefix(project.prefix) for action in plan.actions)
    return NewOp(str(Path(base)), project.prefix + spec, wrote, False, ("the spec",))
