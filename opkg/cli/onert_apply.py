"""`opkg onert apply`: puts operations into a source tree of onert."""

from __future__ import annotations

from functools import partial

import click

from opkg.cli import tree_verbs
from opkg.cli.onert_tree import planned, tree_of
from opkg.cli.output import format_option
from opkg.cli.trees import project_of


@click.command("apply")
@click.argument("tree", type=click.Path(exists=True, file_okay=False))
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--diff", is_flag=True, help="Print what would change as a unified diff; write nothing.")
@click.option("--check", is_flag=True, help="Exit with 1 if something would change; write nothing.")
@click.option(
    "--copyright", metavar="TEXT", help="Who is named in new files: 2026 A Company; empty: no licence text. [as before]"
)
@format_option
def command(tree: str, paths: tuple[str, ...], diff: bool, check: bool, copyright: str | None, format: str) -> int:
    """Put the operations of the specs in PATHS (default: as for generate) into TREE, a source tree of onert.

    New files, and entries in the lists, classes and switches of the tree: all of them or nothing. What is there is not
    put in twice; intree.json of the project remembers it. What somebody edited since is reported and never lost.
    """
    project = project_of(paths)
    opened = tree_of(tree)
    plan = partial(planned, opened, project, remove=False, everything=not paths, copyright=copyright)
    return tree_verbs.carry_out(opened, project, plan, diff, check, format)
