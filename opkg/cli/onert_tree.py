"""What the verbs of `opkg onert` share: the tree that a user named, and what specs want in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from opkg.cli.output import exit_code, log
from opkg.cli.trees import opened
from opkg.spec.diagnostics import Diagnostic, Severity, Span, error, sort_key, warning

if TYPE_CHECKING:
    from opkg.project.read import ReadProject
    from opkg.spec.model import OpPackage
    from opkg.targets.foreign import Era, TreeEdit
    from opkg.trees.checkout import Checkout, Package
    from opkg.trees.record import Laid, Record

TARGET = "onert"


def tree_of(path: str) -> Checkout:
    """The tree in a folder. UsageError when it is none of onert."""
    from opkg.trees.onert.eras import MARK
    from opkg.trees.onert.plan import KNOWS

    tree = opened(path, KNOWS)
    tree.adopts = False
    if not os.path.isfile(f"{tree.root}/{MARK}"):
        above = os.path.abspath(path)
        while above != os.path.dirname(above) and not os.path.isfile(f"{above}/{MARK}"):
            above = os.path.dirname(above)
        inside = os.path.isfile(f"{above}/{MARK}")
        hint = f"Its top is {above}." if inside else "Name the top folder of a clone of Samsung/ONE, above runtime/."
        raise click.UsageError(f"{path} is no source tree of onert: it has no {MARK}. {hint}")
    return tree


def wanted(tree: Checkout, read: ReadProject, findings: list[Diagnostic], copyright: str) -> list[Package]:
    """What the packages with target onert want in the tree; adds to the findings what stands against it.

    `copyright`: who is named at the head of new files, "" for no licence text.
    """
    from opkg.trees.onert.eras import detect, words
    from opkg.trees.onert.plan import package as placed

    packages = [p for p in read.packages if any(target.text == TARGET for target in p.targets)]
    if not packages and not exit_code(findings):
        where = Span(f"{read.project.prefix}{read.project.specs[0]}")
        findings.append(error("OPK370", "no spec here has the target onert", where, "add it: targets: [onert]"))
    if exit_code(findings):
        return []
    findings += read.project.shown([found for each in packages for found in _left_out(each)])
    era = detect(tree.as_it_is)
    log(f"this tree: {words(era)}", 1)
    return [placed(tree, each.name, *_texts(each, era, copyright)) for each in packages]


def _left_out(package: OpPackage) -> list[Diagnostic]:
    """What of a package is not put in: there is no kernel for it."""
    return [
        warning("OPK372", f"{op.name} says nothing that it computes (compute:), and is not put in", op.span)
        for op in package.ops
        if op.compute is None
    ]


def _texts(package: OpPackage, era: Era, copyright: str) -> tuple[dict[str, str], list[TreeEdit]]:
    """New files by their paths at de7f4736, and edits."""
    from opkg.targets.onert.edits import edits
    from opkg.targets.onert.files import files
    from opkg.targets.onert.layout import Option

    ops = [op for op in package.ops if op.compute is not None]
    made = {each.path: each.text for op in ops for each in files(op, era, Option(copyright))}
    return made, [edit for op in ops for edit in edits(package, op, era)]


def planned(
    tree: Checkout, read: ReadProject, remove: bool, everything: bool, copyright: str = ""
) -> tuple[Record, list[Diagnostic]]:
    """The tree as it is going to be, in `tree`; the project's record then, and all findings.

    `everything`: the run is about all packages that were ever put in, not about those of named specs.
    """
    from opkg.trees import record as records
    from opkg.trees.checkout import plan
    from opkg.trees.onert.plan import laid_by

    project = read.project
    record = records.load(project.root, project.prefix)
    key = os.path.relpath(tree.root, project.root)
    known = dict(record.get(key, {}))
    findings = [found for found in read.findings if found.severity is not Severity.INFO]
    if remove and everything and known:
        return {**record, key: plan(tree, known, (), list(known))}, tree.findings
    packages = wanted(tree, read, findings, copyright)
    if exit_code(findings):
        return record, findings
    for each in packages:
        known.setdefault(each.name, laid_by(tree, each))
    if remove:
        tree.findings.clear()
        laid: dict[str, Laid] = plan(tree, known, (), [each.name for each in packages])
    else:
        names = {each.name for each in packages}
        laid = plan(tree, known, packages, [name for name in known if everything and name not in names])
    return {**record, key: laid}, [*findings, *sorted(tree.findings, key=sort_key)]
