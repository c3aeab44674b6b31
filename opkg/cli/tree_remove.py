"""`remove` of a source tree, whosever tree it is: `opkg onert remove` and `opkg openvino remove` are made of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

import click

from opkg.cli import tree_verbs
from opkg.cli.output import format_option
from opkg.cli.trees import project_of

if TYPE_CHECKING:
    from opkg.project.read import ReadProject
    from opkg.spec.diagnostics import Diagnostic
    from opkg.trees.checkout import Checkout
    from opkg.trees.record import Record

_HELP = """Take out of TREE what `{apply}` put in: for the specs in PATHS, else for all of the project.

The files are what they were before, byte for byte, but for what others changed in them. intree.json of the project
knows what was put in; without it that is what the specs say now.
"""


class Planned(Protocol):
    """What a tree is going to be: the project's record then, and all findings."""

    def __call__(
        self, tree: Checkout, read: ReadProject, remove: bool, everything: bool
    ) -> tuple[Record, list[Diagnostic]]: ...


def remove_command(apply: str, tree_of: Callable[[str], Checkout], planned: Planned) -> click.Command:
    """The verb that takes out what the verb `apply` puts in; `tree_of`: the tree in a folder that a user named."""

    @click.command("remove", help=_HELP.format(apply=apply))
    @click.argument("tree", type=click.Path(exists=True, file_okay=False))
    @click.argument("paths", nargs=-1, type=click.Path(exists=True))
    @click.option("--diff", is_flag=True, help="Print what would change as a unified diff; write nothing.")
    @format_option
    def command(tree: str, paths: tuple[str, ...], diff: bool, format: str) -> int:
        project = project_of(paths)
        opened = tree_of(tree)
        plan = partial(planned, opened, project, remove=True, everything=not paths)
        return tree_verbs.carry_out(opened, project, plan, diff, False, format)

    return command
