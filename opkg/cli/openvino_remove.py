"""`opkg openvino remove`: takes ops out of a source tree of OpenVINO."""

from __future__ import annotations

from functools import partial

import click

from opkg.cli import tree_verbs
from opkg.cli.openvino_tree import planned, tree_of
from opkg.cli.output import format_option
from opkg.cli.trees import project_of


@click.command("remove")
@click.argument("tree", type=click.Path(exists=True, file_okay=False))
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--diff", is_flag=True, help="Print what would change as a unified diff; write nothing.")
@format_option
def command(tree: str, paths: tuple[str, ...], diff: bool, format: str) -> int:
    """Take out of TREE what `opkg openvino apply` put in: for the specs in PATHS, else for all of the project.

    The files are what they were before, byte for byte, but for what others changed in them. intree.json of the project
    knows what was put in; without it that is what the specs say now.
    """
    project = project_of(paths)
    opened = tree_of(tree)
    plan = partial(planned, opened, project, remove=True, everything=not paths)
    return tree_verbs.carry_out(opened, project, plan, diff, False, format)
