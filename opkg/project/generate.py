"""`opkg generate`: brings the generated files of projects up to date, all of them or none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from opkg.project import fastcheck, lock, manifest
from opkg.project.config import config_of
from opkg.project.discover import Project, discover
from opkg.project.recovery import recover_locked, unfinished
from opkg.spec.diagnostics import Diagnostic

if TYPE_CHECKING:
    from opkg.project.state import FileState, State
    from opkg.project.transaction import Change, Transaction


@dataclass(frozen=True, slots=True)
class Options:
    """`targets`: only those (empty: all). `diff`, `dry_run`: write nothing. `discard_edits`: keep copies and go on."""

    targets: tuple[str, ...] = ()
    diff: bool = False
    dry_run: bool = False
    discard_edits: bool = False


class Action(NamedTuple):
    """What is (or would be) done to a file: "write", "update", "remove", "keep copy". Path as people see it."""

    verb: str
    path: str


@dataclass(frozen=True, slots=True)
class GenerateResult:
    """Findings, actions in order of the paths, and diffs by path (when asked for). `specs`, `files`: looked at."""

    findings: tuple[Diagnostic, ...] = ()
    actions: tuple[Action, ...] = ()
    diffs: dict[str, list[str]] = field(default_factory=dict)
    specs: int = 0
    files: int = 0
    undone: bool = False

    @property
    def ok(self) -> bool:
        return not any(finding.is_error for finding in self.findings)


class Plan(NamedTuple):
    """What is to be done in one project."""

    project: Project
    state: State | None
    changes: list[Change]
    actions: list[Action]
    findings: list[Diagnostic]
    files: int


def generate(paths: Sequence[str] = (), options: Options = Options()) -> GenerateResult:
    """Generates for the projects of `paths`. Raises OpkgError when there is no spec, or another run does not end.

    With any error nothing at all is written. An exception on the way (KeyboardInterrupt and SIGTERM too) leaves every
    tree as it was.
    """
    projects = discover(paths)
    with ExitStack() as locks:
        for project in projects:
            locks.enter_context(lock.locked(project.root, project.prefix, exclusive=True))
        undone = [recover_locked(project.root, project.prefix) for project in projects]
        plans = [_plan(project, _with_settings(project, options)) for project in projects]
        result = _result(plans, options, any(undone))
        changing = [plan for plan in plans if plan.changes]
        if not result.ok or not changing or options.diff or options.dry_run:
            return result
        failed = write(changing)
    return result if failed is None else GenerateResult((failed,), specs=result.specs, files=result.files)


def _with_settings(project: Project, options: Options) -> Options:
    """Without targets on the command line, those that the project's settings name."""
    return options if options.targets else replace(options, targets=config_of(project.root, project.prefix).targets)


def planned(project: Project, first: Sequence[Change]) -> Plan:
    """Changes of the user's own files, `project.texts` among them, and of all that the specs then ask for."""
    plan = _plan(project, _with_settings(project, Options()))
    own = {change.path for change in first}
    return plan._replace(
        changes=[*first, *(change for change in plan.changes if change.path not in own)],
        actions=[
            *(Action(_verb(change), project.prefix + change.path) for change in first),
            *(action for action in plan.actions if action.path.removeprefix(project.prefix) not in own),
        ],
    )


def _verb(change: Change) -> str:
    return "remove" if change.data is None else "update" if change.signature else "write"


def _result(plans: list[Plan], options: Options, undone: bool) -> GenerateResult:
    diffs: dict[str, list[str]] = {}
    if options.diff:
        from opkg.project.diff import diff

        for plan in plans:
            for file in plan.state.changed if plan.state else ():
                diffs[plan.project.prefix + file.path] = diff(plan.project.root, plan.project.prefix, file)
    return GenerateResult(
        tuple(finding for plan in plans for finding in plan.project.shown(plan.findings)),
        tuple(action for plan in plans for action in plan.actions),
        diffs,
        sum(len(plan.project.specs) for plan in plans),
        sum(plan.files for plan in plans),
        undone,
    )


def _plan(project: Project, options: Options) -> Plan:
    compared = 0 if project.texts else fastcheck.is_current(project, options.targets)
    if compared:
        return Plan(project, None, [], [], [], compared)
    from opkg.project import render, state

    before = manifest.load(project.root)
    rendering = render.render(project, before, options.targets)
    if not rendering.ok:
        return Plan(project, None, [], [], rendering.findings, 0)
    now = state.of_files(rendering, before, options.targets)
    plan = Plan(project, now, [], [], rendering.findings, len(rendering.wanted))
    plan.findings.extend(_of_others(project, before, now, options.targets))
    for file in now.changed:
        _plan_file(plan, file, options)
    _plan_manifest(plan, now)
    return plan


def _of_others(project: Project, before: manifest.Manifest, now: State, targets: Sequence[str]) -> list[Diagnostic]:
    """Shared files that would change under specs and targets that the run is not about."""
    from opkg.project import findings
    from opkg.project.state import needed_elsewhere

    elsewhere = needed_elsewhere(project, before, targets)
    changing = sorted(name for name in elsewhere if name in before.shared and now.shared[name] != before.shared[name])
    return [findings.shared_changes(project, changing, *elsewhere[changing[0]])] if changing else []


def _plan_file(plan: Plan, file: FileState, options: Options) -> None:
    from opkg.project import findings, transaction
    from opkg.project.files import read
    from opkg.project.state import Status
    from opkg.project.transaction import Change

    project = plan.project
    if file.status is Status.BLOCKED:
        plan.findings.append(findings.blocked(file))
        return
    shown = project.prefix + file.path
    if file.status in (Status.EDITED, Status.FOREIGN, Status.ORPHAN_EDITED, Status.COPY):
        if not options.discard_edits:
            plan.findings.append(findings.refused(project, file))
            return
        copy = transaction.spare(f"{project.root}/{file.path}")[len(project.root) + 1 :]
        plan.changes.append(Change(copy, partial(read, f"{project.root}/{file.path}", follow=False)))
        plan.actions.append(Action("keep copy", project.prefix + copy))
    if file.wanted is None:
        plan.changes.append(Change(file.path, None, file.signature))
        plan.actions.append(Action("remove", shown))
    else:
        data, checksum = file.ready or (None, "")
        make = file.wanted.data if data is None else partial(bytes, data)
        plan.changes.append(Change(file.path, make, file.signature, checksum))
        plan.actions.append(Action("update" if file.signature else "write", shown))


def _plan_manifest(plan: Plan, now: State) -> None:
    """The manifest goes last, so that a run that is cut short leaves the old one."""
    from opkg.project.state import look
    from opkg.project.transaction import Change

    data = manifest.text(now.specs, now.shared)
    seen = look(plan.project.root, manifest.PATH, {})
    if seen.data != data or seen.signature is None:
        plan.changes.append(Change(manifest.PATH, lambda: data, seen.signature))


def write(plans: list[Plan]) -> Diagnostic | None:
    """Stages all projects, then puts all in place; the finding when that failed and everything was undone."""
    from opkg.project import findings
    from opkg.project.interrupt import interruptible
    from opkg.project.transaction import Changed, Transaction

    begun = [(Transaction(plan.project.root), plan) for plan in plans]
    working = begun[0] if begun else None
    try:
        with interruptible():
            for working in begun:
                working[0].stage(working[1].changes)
            for working in begun:
                working[0].apply()
            _finish(begun)
    except BaseException as failure:
        _rollback(begun)
        if working is None or not isinstance(failure, (Changed, OSError)):
            raise
        path = working[1].project.prefix + working[0].current
        if isinstance(failure, Changed):
            return findings.changed_meanwhile(path)
        return findings.cannot_write(path, failure)
    return None


def _finish(begun: list[tuple[Transaction, Plan]]) -> None:
    from opkg.project.interrupt import uninterrupted

    with uninterrupted():
        for transaction, _ in begun:
            transaction.finish()


def _rollback(begun: list[tuple[Transaction, Plan]]) -> None:
    """Undoes what was begun, the last first. What cannot be undone now is left to the next run, and said."""
    from opkg.project.interrupt import uninterrupted

    with uninterrupted():
        for transaction, plan in reversed(begun):
            try:
                transaction.rollback()
            except OSError as failure:
                raise unfinished(plan.project.prefix, failure) from failure
