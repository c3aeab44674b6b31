"""`opkg new`: a project from the cookiecutter template, or one more op in an existing one; all of it or nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from opkg.project import lock
from opkg.project.discover import Project, discover, shown_prefix
from opkg.project.edit import edit, planned_with, write_plan
from opkg.project.files import read
from opkg.project.recovery import recover, recover_locked
from opkg.project.transaction import Change
from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.spec.names import op_name_fault, package_faults, snake
from opkg.spec.source import MAX_BYTES

if TYPE_CHECKING:
    from opkg.project.generate import Plan

KINDS = ("elementwise", "reduction", "layout", "custom")
COMPUTED = ("elementwise", "reduction")  # their specs have `compute:`
TARGET = "qnn-htp-qhpi"  # of a new project, unless told otherwise
_BESIDE = frozenset((".git", ".opkg-transaction", ".opkg-transaction-done"))  # what an "empty" folder may have


@dataclass(frozen=True, slots=True)
class NewOp:
    """What `opkg new` wrote: the project root, the spec, and every file made or changed, relative to the root.

    `yours`: what a user changes next; the kernel and reference only for kinds that have no `compute:`.
    """

    root: str
    spec: str
    files: tuple[str, ...]
    created_project: bool
    yours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Answers:
    """What the user said, checked: nothing else may come near a template or a path."""

    name: str
    kind: str
    package: str | None
    target: str = TARGET

    @property
    def slug(self) -> str:
        return self.new_package.split(".")[-1]

    @property
    def new_package(self) -> str:
        return self.package or "my.ops"

    @property
    def body(self) -> str:
        return f"kernels/{snake(self.name)}.cpp"

    @property
    def yours(self) -> tuple[str, ...]:
        return ("the spec",) if self.kind in COMPUTED else ("the spec", "references.py", self.body)

    def context(self, package: str) -> dict[str, str]:
        """What the templates of an op know."""
        namespace = package.replace(".", "_").replace("-", "_")
        stem = snake(self.name)
        return {
            "name": self.name, "snake": stem, "body": self.body, "namespace": namespace,
            "header": f"{namespace}/{stem}.h",
        }  # fmt: skip


def new_op(
    name: str, kind: str, package: str | None, directory: str | None, target: str = TARGET, dry: bool = False
) -> NewOp:
    """Adds op `name` to the project in `directory` (default: here), or makes a project for it. `dry`: says only what it would do.

    A new project is for `target`, and goes to `directory`, or to a folder named after the package. Raises OpkgError when
    an answer does not do, the op exists, the spec to extend is not clear, or a file of the user's is in the way; nothing is
    written then.
    """
    answers = replace(_checked(name, kind, package), target=target)
    base = directory or "."
    target = directory or answers.slug
    while True:
        specs = specs_in(base)
        if specs:
            made = _extend(base, *choose(specs, answers.package), answers, dry)
        else:
            made = _create(target, answers, directory is not None, dry)
        if made is not None:  # else the folder is not any more what it was
            return made


def _checked(name: str, kind: str, package: str | None) -> _Answers:
    """The answers, each fit for file names, C++ and templates."""
    fault = op_name_fault(name)
    faults = [*([fault] if fault else []), *(package_faults(package) if package is not None else [])]
    if faults:
        raise OpkgError([error(id, message, Span(""), hint) for id, message, hint in faults])
    return _Answers(name, kind, package)


def failure_at(id: str, message: str, path: str, hint: str = "") -> OpkgError:
    return OpkgError([error(id, message, Span(path), hint)])


def specs_in(base: str) -> list[tuple[Project, str]]:
    """The specs of the project in a folder; none where there is no project."""
    folder = os.path.join(base, "specs")
    if not os.path.isdir(folder):
        return []
    try:
        return [(project, spec) for project in discover((folder,)) for spec in project.specs]
    except OpkgError as failure:
        if failure.diagnostics[0].id == "OPK300":
            return []
        raise


def choose(specs: list[tuple[Project, str]], package: str | None) -> tuple[Project, str]:
    from opkg.project.scaffold_text import names_in

    names = {}
    for project, spec in specs:
        name, _ = names_in(read(f"{project.root}/{spec}", limit=MAX_BYTES), project.prefix + spec)
        names[name] = (project, spec)
    if package is None and len(names) == 1:
        return next(iter(names.values()))
    known = ", ".join(sorted(names))
    folder = specs[0][0].prefix + "specs"
    if package is None:
        raise failure_at("OPK340", f"this project has several packages: {known}", folder, "name one: --package P")
    if package not in names:
        hint = f"this project has {known}; for a new package use another folder (--dir)"
        raise failure_at("OPK340", f"no package '{package}' in this project", folder, hint)
    return names[package]


def _create(target: str, answers: _Answers, given: bool, dry: bool) -> NewOp | None:
    """A new project with its first op; None when somebody else made one there meanwhile."""
    from opkg.project.staging import place

    if not is_free(target, given, recover):
        return None
    if dry:
        plan = _new_project(target, answers)
    elif os.path.isdir(target):
        with lock.locked(target, target, exclusive=True):
            if not is_free(target, given, recover_locked):
                return None
            plan = _new_project(target, answers)
            write_plan(plan)
    else:
        try:
            plan = _new_project(target, answers)
            if not place(target, plan):
                return None
        except OpkgError:
            if os.path.lexists(target):  # made meanwhile: files of that project were in the way, or half seen
                return None
            raise
    spec = os.path.join(target, plan.project.specs[0])
    return NewOp(str(Path(target)), str(Path(spec)), tuple(sorted(c.path for c in plan.changes)), True, answers.yours)


def is_free(target: str, given: bool, recover: Callable[[str, str], object]) -> bool:
    """Whether a project can be made there, after what a killed run left half done is taken back; False: it is a project by
    now, which the user gave. A folder that has only a repository in it is as good as an empty one."""
    if os.path.isdir(target):
        recover(target, shown_prefix(os.path.abspath(target), os.path.isabs(target)))
        if set(os.listdir(target)) <= _BESIDE:
            return True
        if specs_in(target):
            if given:
                return False
            raise failure_at(
                "OPK341", f"'{target}' is a project already", target, "to add an op to it: --dir " + target
            )
    elif not os.path.lexists(target):
        return True
    elif os.path.islink(target):
        raise failure_at("OPK341", f"'{target}' is a link to nothing", target, "choose another folder: --dir")
    raise failure_at("OPK341", f"'{target}' exists and is not an opkg project", target, "choose an empty folder: --dir")


def _new_project(target: str, answers: _Answers) -> Plan:
    """All files of the project to be."""
    from opkg.project.scaffold_text import project_files

    files = project_files(answers.slug, answers.new_package, answers.target)
    spec = f"specs/{answers.slug}.yaml"
    for path, data in _op_files(files, spec, answers).items():
        files[path] = data
    root = os.path.abspath(target)
    project = Project(root, shown_prefix(root, os.path.isabs(target)), (spec,), ("",), {spec: files[spec]})
    try:
        return planned_with(project, [Change(path, partial(bytes, data)) for path, data in files.items()])
    except OpkgError as failure:  # nothing is there of the files that it speaks of
        raise OpkgError([replace(d, span=Span("")) for d in failure.diagnostics if d.is_error]) from None


def _op_files(before: Mapping[str, bytes], spec: str, answers: _Answers, prefix: str = "") -> dict[str, bytes]:
    """The user's files that an op changes or adds: the spec; without `compute:` also its kernel and references.py."""
    from opkg.project.scaffold_text import names_in, snippet, with_op, with_reference

    package, ops = names_in(before[spec], prefix + spec)
    if answers.name in ops:
        message = f"op '{answers.name}' exists already in package '{package}'"
        raise failure_at("OPK342", message, prefix + spec, "choose another name")
    context = answers.context(package)
    made: dict[str, str] = {}
    if answers.kind not in COMPUTED:
        if answers.body in before:
            kernel = prefix + answers.body
            raise failure_at("OPK343", f"'{kernel}' is in the way", kernel, "move it, or choose another op name")
        made[answers.body] = snippet(answers.kind, "kernel.cpp.j2", context)
        references = text_of(before.get("references.py", b""), prefix + "references.py")
        made["references.py"] = with_reference(references, answers.kind, context, prefix + "references.py")
    lines = snippet(answers.kind, "op.yaml.j2", context)
    made[spec] = with_op(text_of(before[spec], prefix + spec), lines, prefix + spec)
    result = {path: like(before.get(path, b""), text) for path, text in made.items()}
    names_in(result[spec], prefix + spec)
    return result


def text_of(data: bytes, path: str) -> str:
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise failure_at("OPK343", "the file is not UTF-8, so that nothing can be added to it", path) from None


def like(before: bytes, text: str) -> bytes:
    """With the line ends that the file has."""
    return re.sub(r"\r?\n", "\r\n", text).encode() if b"\r\n" in before else text.encode()


def _extend(base: str, project: Project, spec: str, answers: _Answers, dry: bool) -> NewOp | None:
    """One more op in a spec: read, changed and written under the project's lock, in one transaction.

    None when a killed run had to be undone, of which the spec may be.
    """
    more = [] if answers.kind in COMPUTED else ["references.py", answers.body]
    plan = edit(project, [spec], more, lambda before: _op_files(before, spec, answers, project.prefix), dry)
    if plan is None:
        return None
    wrote = tuple(action.path.removeprefix(project.prefix) for action in plan.actions)
    return NewOp(str(Path(base)), project.prefix + spec, wrote, False, answers.yours)
