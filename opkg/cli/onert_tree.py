"""What the verbs of `opkg onert` share: the tree that a user named, and what specs want in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from opkg.cli import tree_verbs
from opkg.cli.output import exit_code, log
from opkg.cli.tree_verbs import known_of, tree_at, with_target, without_target
from opkg.spec.diagnostics import Diagnostic, warning

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

    return tree_at(path, MARK, KNOWS, ("onert", "Name the top folder of a clone of Samsung/ONE, above runtime/."))


def wanted(tree: Checkout, read: ReadProject, findings: list[Diagnostic], named: Mapping[str, str]) -> list[Package]:
    """What the packages with target onert want in the tree; adds to the findings what stands against it.

    `named`: who is named at the head of new files, by package; "" for no licence text.
    """
    from opkg.cli.onert_bodies import carried
    from opkg.trees.onert.eras import detect, words
    from opkg.trees.onert.plan import package as placed

    packages = with_target(read, TARGET)
    if not packages and not exit_code(findings):
        findings.append(without_target(read, TARGET))
    if exit_code(findings):
        return []
    findings += read.project.shown([found for each in packages for found in _left_out(each)])
    if not _known(tree):
        return []
    era = detect(tree.as_it_is)
    log(f"this tree: {words(era)}", 1)
    findings += read.project.shown([found for each in packages for found in _unknown(tree, each)])
    findings += read.project.shown(_untested(packages, era))
    made = []
    for each in packages:
        files, edits = _texts(each, era, named.get(each.name, ""))
        made.append(placed(tree, each.name, {**files, **carried(read.project, each, era, findings)}, edits))
    return made


def _known(tree: Checkout) -> bool:
    """Whether a tree has what generated code needs; else there are findings."""
    from opkg.trees.onert.eras import NEEDS
    from opkg.trees.traits import unmet

    lacking = unmet(NEEDS, tree.as_it_is)
    for need, line in lacking:
        hint = "what is put into trees compiles in those since the beginning of 2021"
        tree.fault("OPK375", f"{need.words}: the tree is too old", need.path, line, hint)
    return not lacking


def _unknown(tree: Checkout, package: OpPackage) -> list[Diagnostic]:
    """What the tree's schema does not have, of that which ops name."""
    from opkg.targets.onert.schema import faults
    from opkg.trees.onert.plan import schema_of

    path, text = schema_of(tree)
    return [found for op in package.ops for found in faults(op, path, text)] if path else []


def _left_out(package: OpPackage) -> list[Diagnostic]:
    """What of a package is not put in: there is no kernel for it."""
    from opkg.targets.onert.lint import in_tree

    return [
        warning("OPK372", f"{op.name} has no kernel that a tree of onert could call, and is not put in", op.span)
        for op in package.ops
        if not in_tree(op)
    ]


def _untested(packages: list[OpPackage], era: Era) -> list[Diagnostic]:
    """Which tests of the operations this tree cannot compile."""
    lacks = [] if era.compiler_factory else ["the core (it has no CompilerFactory)"]
    if not era.model_tests:
        lacks.append("the API (it has no GenModelTest that a model may fail)")
    elif not era.custom_gen and any(op.builtin is None for each in packages for op in each.ops):
        lacks.append("the API for CUSTOM operators (CircleGen makes none)")
    if not lacks:
        return []
    message = f"generated tests of {' and of '.join(lacks)} are left out: this tree is of another year"
    return [warning("OPK377", message, packages[0].ops[0].span)]


def _texts(package: OpPackage, era: Era, copyright: str) -> tuple[dict[str, str], list[TreeEdit]]:
    """New files by their paths at de7f4736, and edits."""
    from opkg.targets.onert.edits import edits
    from opkg.targets.onert.files import files
    from opkg.targets.onert.layout import Option
    from opkg.targets.onert.lint import in_tree

    ops = [op for op in package.ops if in_tree(op)]
    made = {each.path: each.text for op in ops for each in files(package, op, era, Option(copyright))}
    return made, [edit for op in ops for edit in edits(package, op, era)]


def _names(tree: Checkout, read: ReadProject, known: Mapping[str, Laid], copyright: str | None) -> dict[str, str]:
    """Who is named at the head of new files, by package: as asked, else as before in this tree."""
    from opkg.trees.onert.plan import named_in

    names = {}
    for package in with_target(read, TARGET):
        before = known[package.name].copyright if package.name in known else ""
        before = before or named_in(tree, [op.name for op in package.ops])
        before = before or next((laid.copyright for laid in known.values() if laid.copyright), "")
        names[package.name] = copyright if copyright is not None else before
    return names


def planned(
    tree: Checkout, read: ReadProject, remove: bool, everything: bool, copyright: str | None = None
) -> tuple[Record, list[Diagnostic]]:
    """See `opkg.cli.tree_verbs.planned`. `copyright`: who is named at the head of new files, None: who was before."""
    names = _names(tree, read, known_of(tree, read), copyright)
    packages = partial(wanted, tree, read, named=names)
    return tree_verbs.planned(tree, read, packages, remove, everything, names, ("OPK373", "OPK374"))
