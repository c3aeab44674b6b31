"""What `apply` and `remove` of a source tree do, whosever tree it is: plan, write or show, say what was done."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from opkg.cli.output import exit_code, show_findings
from opkg.cli.trees import log_changes, opened, show_changes, stale
from opkg.spec.diagnostics import Diagnostic, Severity, Span, error, sort_key

if TYPE_CHECKING:
    from opkg.project.read import ReadProject
    from opkg.spec.model import OpPackage
    from opkg.trees.checkout import Checkout, Package
    from opkg.trees.record import Laid, Record

Plan = Callable[[], "tuple[Record, list[Diagnostic]]"]
Wanted = Callable[["list[Diagnostic]"], "list[Package]"]


def tree_at(path: str, mark: str, knows: str, words: tuple[str, str]) -> Checkout:
    """The tree in a folder. UsageError when it has no `mark`; `words`: what it is none of, and which folder to name."""
    tree = opened(path, knows)
    tree.adopts = False
    if not os.path.isfile(f"{tree.root}/{mark}"):
        above = os.path.abspath(path)
        while above != os.path.dirname(above) and not os.path.isfile(f"{above}/{mark}"):
            above = os.path.dirname(above)
        inside = os.path.isfile(f"{above}/{mark}")
        hint = f"Its top is {above}." if inside else words[1]
        raise click.UsageError(f"{path} is no source tree of {words[0]}: it has no {mark}. {hint}")
    return tree


def with_target(read: ReadProject, target: str) -> list[OpPackage]:
    """The packages of specs that have a target."""
    return [p for p in read.packages if any(each.text == target for each in p.targets)]


def without_target(read: ReadProject, target: str) -> Diagnostic:
    """The finding that no package has the target."""
    where = Span(f"{read.project.prefix}{read.project.specs[0]}")
    return error("OPK370", f"no spec here has the target {target}", where, f"add it: targets: [{target}]")


def carry_out(tree: Checkout, project: ReadProject, planned: Plan, diff: bool, check: bool, format: str) -> int:
    """Puts in or takes out what is planned, all of it or nothing; or shows that."""
    from opkg.trees import writing

    root = project.project
    with ExitStack() as stack:
        writing.hold(stack, [(tree.root, tree.prefix), (root.root, root.prefix)])
        record, findings = planned()
        changes = tree.changes()
        if check and not exit_code(findings):
            findings += [stale(tree, each) for each in changes]
        if not (check or diff or exit_code(findings)):
            writing.apply(tree, root.root, root.prefix, record)
    show_findings(findings, format)
    if diff and not exit_code(tree.findings):
        show_changes(tree, changes)
    if exit_code(findings):
        return 1
    log_changes(changes, diff)
    return 0


def known_of(tree: Checkout, read: ReadProject) -> dict[str, Laid]:
    """What a project's record says of this tree."""
    from opkg.trees import record as records

    record = records.load(read.project.root, read.project.prefix)
    return dict(record.get(os.path.relpath(tree.root, read.project.root), {}))


def planned(
    tree: Checkout,
    read: ReadProject,
    wanted: Wanted,
    remove: bool,
    everything: bool,
    named: Mapping[str, str] = MappingProxyType({}),
    harmless: tuple[str, ...] = (),
) -> tuple[Record, list[Diagnostic]]:
    """The tree as it is going to be, in `tree`; the project's record then, and all findings.

    `wanted`: what the packages want, adding findings; `everything`: the run is about all packages that were ever put in, not
    about those of named specs; `named`: who is named at the head of new files, by package; `harmless`: findings that do not stand
    against taking something out.
    """
    from opkg.trees import record as records
    from opkg.trees.checkout import plan
    from opkg.trees.placing import laid_by

    record = records.load(read.project.root, read.project.prefix)
    key = os.path.relpath(tree.root, read.project.root)
    known = dict(record.get(key, {}))
    findings = [found for found in read.findings if found.severity is not Severity.INFO]
    if remove and everything and known:
        return {**record, key: plan(tree, known, (), list(known))}, tree.findings
    packages = wanted(findings)
    if remove:
        findings = [found for found in findings if found.id not in harmless]
    if exit_code(findings):
        return record, findings
    for each in packages:
        known.setdefault(each.name, laid_by(tree, each))
    mine = [each.name for each in packages]
    if remove:
        tree.findings.clear()
        laid: dict[str, Laid] = plan(tree, known, (), mine)
    else:
        laid = plan(tree, known, packages, [name for name in known if everything and name not in mine])
        laid |= {name: replace(laid[name], copyright=named[name]) for name in mine if name in named}
    return {**record, key: laid}, [*findings, *sorted(tree.findings, key=sort_key)]
