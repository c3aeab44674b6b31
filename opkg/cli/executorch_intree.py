"""`opkg executorch intree`: lays the builders of packages out in a checkout of ExecuTorch, and takes them out again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from opkg.cli.output import exit_code, format_option
from opkg.cli.tree_verbs import carry_out
from opkg.cli.trees import opened, project_of
from opkg.spec.diagnostics import Diagnostic, OpkgError, Severity, Span, error, sort_key, warning
from opkg.verify.machines.executorch.packages import has_builders, no_builders

if TYPE_CHECKING:
    from opkg.project.read import ReadProject
    from opkg.spec.model import OpPackage
    from opkg.trees.checkout import Checkout
    from opkg.trees.record import Record

KNOWS = "this opkg knows the lists of ExecuTorch 1.2 to 1.5"


@click.command("intree")
@click.argument("checkout", type=click.Path(exists=True, file_okay=False))
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--remove", is_flag=True, help="Take out what was put in.")
@click.option("--diff", is_flag=True, help="Print what would change as a unified diff; write nothing.")
@click.option("--check", is_flag=True, help="Exit with 1 if something would change; write nothing.")
@click.option(
    "--existing",
    type=click.Choice(["refuse", "replace", "beside"]),
    help="Of torch ops that CHECKOUT has builders of: put nothing in (default, unless ours replace them already), let ours "
    "come first, or leave them as they are.",
)
@format_option
def command(
    checkout: str, paths: tuple[str, ...], remove: bool, diff: bool, check: bool, existing: str | None, format: str
) -> int:
    """Put the builders of the specs in PATHS (default: as for generate) into CHECKOUT, a source tree of ExecuTorch.

    Files, and entries in its lists: all of them or nothing. What is there is not put in twice; intree.json of the
    project remembers it, and --remove (without PATHS: all packages) restores the files. What somebody edited since
    is reported and never lost.
    """
    read = _project(paths, remove)
    tree = opened(checkout, KNOWS)

    def planned() -> tuple[Record, list[Diagnostic]]:
        return _plan(tree, read, remove, not paths, existing or "", check)

    return carry_out(tree, read, planned, diff, check, format)


def _project(paths: tuple[str, ...], remove: bool) -> ReadProject:
    """The project; to take out everything its specs may be gone."""
    try:
        return project_of(paths)
    except OpkgError as failure:
        if not remove or paths or failure.diagnostics[0].id != "OPK300":
            raise
    from opkg.cli.executorch_known import without_specs

    return without_specs()


def _plan(
    tree: Checkout, read: ReadProject, remove: bool, everything: bool, existing: str, check: bool
) -> tuple[Record, list[Diagnostic]]:
    """The checkout as it is going to be, in `tree`; the project's record then, and all findings.

    `check`: what was left over is one, too.
    """
    from opkg.cli.executorch_existing import let_in, put_back, set_aside
    from opkg.cli.executorch_files import files_of
    from opkg.cli.executorch_known import known_by_marks, known_of, ours, rules, unmarked
    from opkg.cli.executorch_leftovers import left_over
    from opkg.trees import checkout as checkouts
    from opkg.trees import dangling
    from opkg.trees import record as records

    project = read.project
    record = records.load(project.root, project.prefix)
    key = os.path.relpath(tree.root, project.root)
    remembered = record.get(key, {})
    if not project.specs and not remembered:
        remembered = known_by_marks(tree)
    names = {*(package.name for package in read.packages), *(remembered if everything else ())}
    replaced = put_back(tree, names)
    known = known_of(tree, read, remembered)
    left_behind = left_over(tree, read, remembered, ours(known)) if check else []
    if remove:
        gone = list(known) if everything else [package.name for package in read.packages]
        left = checkouts.plan(tree, known, (), gone)
        dangling.report(tree)
        warned = [] if left_behind else unmarked(tree, read, remembered, known)
        return {**record, key: left}, [*left_behind, *warned, *tree.findings]
    findings = [*(found for found in read.findings if found.severity is not Severity.INFO), *left_behind]
    packages = _packages(tree, read, findings)
    if exit_code(findings):
        return record, findings
    mode = existing or ("replace" if replaced else "refuse")
    trees, held = let_in(tree, packages, mode, ours(known))
    wanted = [checkouts.Package(name, files_of(read, each), each.insertions) for name, each in trees.items()]
    gone = [name for name in known if everything and name not in trees]
    laid = checkouts.plan(tree, known, wanted, gone)
    if mode == "replace":
        set_aside(tree, packages, held, rules(laid))
    dangling.report(tree)
    return {**record, key: laid}, [*findings, *sorted(tree.findings, key=sort_key)]


def _packages(tree: Checkout, read: ReadProject, findings: list[Diagnostic]) -> list[OpPackage]:
    """The packages to be put in; adds to the findings what stands against it."""
    from opkg.targets.executorch_builder.intree_stock import BUILDERS

    packages = [p for p in read.packages if has_builders(p)]
    if not packages:
        where = Span(f"{read.project.prefix}{read.project.specs[0]}")
        findings.append(no_builders(where))
    elif not os.path.isdir(f"{tree.root}/{BUILDERS}"):
        message = f"is no source tree of ExecuTorch: it has no folder {BUILDERS}"
        findings.append(error("OPK361", message, Span(tree.prefix or "."), "name the folder above backends/"))
    else:
        from opkg.cli.executorch_existing import fuses

        passes = fuses(tree)
        findings += read.project.shown([found for package in packages for found in _left_out(package, passes)])
    return packages


def _left_out(package: OpPackage, passes: bool) -> list[Diagnostic]:
    """What of a package has no place in the checkout."""
    hint = "fusions need the pass manager of ExecuTorch 1.4 and later"
    found = [
        warning("OPK365", f"the fusion of {op.name} (pattern:) is not put into this checkout", op.span, hint)
        for op in package.ops
        if op.pattern is not None and not passes
    ]
    from opkg.targets.executorch_builder.profiles import DEFAULT, profile_of

    if profile_of(package.executorch) is not DEFAULT:
        message = f"the spec is for ExecuTorch {package.executorch}; checkouts are of {DEFAULT.versions[-1]}"
        found.append(error("OPK365", message, package.spans.get("executorch") or package.ops[0].span))
    return found
