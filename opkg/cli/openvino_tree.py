"""What the verbs of `opkg openvino` share: the tree that a user named, and what specs want in it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from opkg.cli import tree_verbs
from opkg.cli.output import exit_code
from opkg.cli.tree_verbs import tree_at, with_target, without_target

if TYPE_CHECKING:
    from opkg.project.read import ReadProject
    from opkg.spec.diagnostics import Diagnostic
    from opkg.trees.checkout import Checkout, Package
    from opkg.trees.record import Record

TARGET = "openvino-extension"


def tree_of(path: str) -> Checkout:
    """The tree in a folder. UsageError when it is none of OpenVINO."""
    from opkg.trees.openvino.eras import KNOWS, MARK

    return tree_at(
        path, MARK, KNOWS, ("OpenVINO", "Name the top folder of a clone of openvinotoolkit/openvino, above src/.")
    )


def _wanted(tree: Checkout, read: ReadProject, findings: list[Diagnostic]) -> list[Package]:
    """What the packages want in the tree; adds to the findings what stands against it."""
    from opkg.targets.openvino_extension.tree import left_out, tree_edits, tree_files
    from opkg.trees.checkout import Package
    from opkg.trees.openvino.eras import detect
    from opkg.trees.placing import insertion

    packages = with_target(read, TARGET)
    if not packages and not exit_code(findings):
        findings.append(without_target(read, TARGET))
    if exit_code(findings):
        return []
    findings += read.project.shown([found for each in packages for found in left_out(each)])
    era = detect(tree.as_it_is)
    return [
        Package(each.name, tree_files(each), [insertion(tree, "openvino", edit) for edit in tree_edits(each, era)])
        for each in packages
    ]


def planned(tree: Checkout, read: ReadProject, remove: bool, everything: bool) -> tuple[Record, list[Diagnostic]]:
    """See `opkg.cli.tree_verbs.planned`."""
    return tree_verbs.planned(tree, read, partial(_wanted, tree, read), remove, everything)
