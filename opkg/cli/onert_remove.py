"""`opkg onert remove`: takes operations out of a source tree of onert."""

from __future__ import annotations

from contextlib import ExitStack

import click

from opkg.cli.onert_tree import planned, tree_of
from opkg.cli.output import exit_code, format_option, show_findings
from opkg.cli.trees import log_changes, project_of, show_changes


@click.command("remove")
@click.argument("tree", type=click.Path(exists=True, file_okay=False))
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--diff", is_flag=True, help="Print what would change as a unified diff; write nothing.")
@format_option
def command(tree: str, paths: tuple[str, ...], diff: bool, format: str) -> int:
    """Take out of TREE what `opkg onert apply` put in: for the specs in PATHS, else for all of the project.

    The files are what they were before, byte for byte, but for what others changed in them. intree.json of the project
    knows what was put in; without it that is what the specs say now.
    """
    from opkg.trees import checkout as trees

    project = project_of(paths)
    opened = tree_of(tree)
    root = project.project
    with ExitStack() as stack:
        trees.hold(stack, [(opened.root, opened.prefix), (root.root, root.prefix)])
        record, findings = planned(opened, project, remove=True, everything=not paths)
        changes = opened.changes()
        if not (diff or exit_code(findings)):
            trees.apply(opened, root.root, root.prefix, record)
    show_findings(findings, format)
    if exit_code(findings):
        return 1
    if diff:
        show_changes(opened, changes)
    log_changes(changes, diff)
    return 0
