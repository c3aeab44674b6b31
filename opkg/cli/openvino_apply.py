"""`opkg openvino apply`: puts ops into a source tree of OpenVINO."""

from __future__ import annotations

from functools import partial

import click

from opkg.cli import tree_verbs
from opkg.cli.openvino_tree import planned, tree_of
from opkg.cli.output import format_option
from opkg.cli.trees import project_of


@click.command("apply")
@click.argument("tree", type=click.Path(exists=True, file_okay=False))
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--diff", is_flag=True, help="Print what would change as a unified diff; write nothing.")
@click.option("--check", is_flag=True, help="Exit with 1 if something would change; write nothing.")
@format_option
def command(tree: str, paths: tuple[str, ...], diff: bool, check: bool, format: str) -> int:
    """Put the ops of the specs in PATHS (default: as for generate) into TREE, a source tree of OpenVINO.

    Each op with an emitter becomes an op of Snippets: its class, its emitter in the CPU plugin, and entries in their
    lists. All of it or nothing; what is there is not put in twice; intree.json of the project remembers it. What somebody
    edited since is reported and never lost.
    """
    project = project_of(paths)
    opened = tree_of(tree)
    plan = partial(planned, opened, project, remove=False, everything=not paths)
    return tree_verbs.carry_out(opened, project, plan, diff, check, format)
