"""`opkg onert audit`: which operation of a source tree of onert lacks what."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from opkg.cli.onert_tree import tree_of
from opkg.cli.options import known_op, ops_option, words
from opkg.cli.output import exit_code, show_findings
from opkg.spec.diagnostics import Diagnostic, Severity, Span, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opkg.trees.checkout import Checkout
    from opkg.trees.onert.audit import Audit, Point

_FORMATS = ("text", "json", "sarif", "github")


@click.command("audit")
@click.argument("tree", type=click.Path(exists=True, file_okay=False))
@click.option(
    "--require", metavar="[P]", multiple=True, is_flag=False, flag_value="core", callback=words,
    help="Exit with 1 if an operation lacks these touch points: names, `core` (default) or `all`.",
)  # fmt: skip
@ops_option
@click.option("--lacking", is_flag=True, help="Only operations that lack something of the core, or of --require.")
@click.option("--format", "format", type=click.Choice(_FORMATS), default="text", show_default=True)
def command(tree: str, require: tuple[str, ...], ops: tuple[str, ...], lacking: bool, format: str) -> int:
    """Say which operation of TREE, a source tree of onert, lacks which touch point.

    The core is what every operation should have: both validators, both shape inferers, the dumper, a loader, and a
    kernel in the cpu backend. SARIF has a result for each operation that lacks something; a warning without --require.
    """
    from opkg.report.onert_audit import as_json, table
    from opkg.trees.found import Unexpected
    from opkg.trees.onert.audit import audit
    from opkg.trees.onert.eras import MARK, detect
    from opkg.trees.onert.eras import words as era_words

    opened = tree_of(tree)
    points = _points(require)
    try:
        found = audit(opened.as_it_is, lambda folder: _names(opened, folder))
    except Unexpected as reason:
        opened.fault("OPK361", reason.message, MARK, reason.line, opened.knows, reason.column)
        show_findings(opened.findings, format)
        return 1
    names = _chosen(found, ops)
    if lacking:
        names = [name for name in names if found.lacks(name, points)]
    findings = [*_shown(opened, found.problems), *_lacking(opened, found, names, points, bool(require))]
    if format == "json":
        print(as_json(found, names, era_words(detect(opened.as_it_is))), end="")
    elif format == "text":
        print(table(found, names), end="")
        show_findings([each for each in findings if require or each.id != "OPK371"])
    else:
        show_findings(findings, format)
    return exit_code(findings)


def _names(tree: Checkout, folder: str) -> Sequence[str]:
    try:
        return os.listdir(f"{tree.root}/{folder}")
    except OSError:
        return ()


def _points(require: tuple[str, ...]) -> list[Point]:
    """The touch points of --require; without it those of the core. UsageError for an unknown one."""
    from opkg.trees.onert.audit import POINTS

    core = [point for point in POINTS if point.core]
    known = {"core": core, "all": list(POINTS), **{point.name: [point] for point in POINTS}}
    for name in require:
        if name not in known:
            near = nearest(name, list(known))
            raise click.UsageError(
                f"no touch point '{name}'."
                + (f" Did you mean '{near}'?" if near else "")
                + f" There are {', '.join(known)}."
            )
    wanted = [point for name in require or ("core",) for point in known[name]]
    return list(dict.fromkeys(wanted))


def _chosen(found: Audit, ops: tuple[str, ...]) -> list[str]:
    known_op(ops, list(found.operations), "operation", " in the tree")
    return list(ops) or list(found.operations)


def _shown(tree: Checkout, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Findings with paths as people see them."""
    return [
        Diagnostic(f.id, f.message, f.span._replace(path=tree.prefix + f.span.path), f.hint, f.severity)
        for f in findings
    ]


def _lacking(tree: Checkout, found: Audit, names: list[str], points: list[Point], required: bool) -> list[Diagnostic]:
    """A finding for each operation that lacks something: an error when it is required."""
    from opkg.trees.onert.eras import MARK

    severity = Severity.ERROR if required else Severity.WARNING
    return [
        Diagnostic(
            "OPK371",
            f"{name} has no {', no '.join(point.words for point in lacks)}",
            Span(tree.prefix + MARK, found.operations[name], 1, found.operations[name], 1),
            "",
            severity,
        )
        for name in names
        if (lacks := found.lacks(name, points))
    ]
