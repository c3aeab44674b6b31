"""`opkg rename`: another name for an op, everywhere in its project."""

from __future__ import annotations

import click

from opkg.cli.kernel_load import find_any
from opkg.cli.options import completed, format_option, ops_here
from opkg.cli.output import log, show_actions, show_findings


@click.command("rename")
@click.argument("old", metavar="OLD", shell_complete=completed(ops_here))
@click.argument("new", metavar="NEW")
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--package", default="", metavar="NAME", help="The package, if several have the op.")
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@format_option
def command(old: str, new: str, paths: tuple[str, ...], package: str, dry_run: bool, format: str) -> int:
    """Rename op OLD to NEW: in its spec, in rules, in its kernel files, and in all that is generated; all or nothing.

    A kernel file of the name that opkg gave it moves along. Lines elsewhere that have the old name are listed, not changed.
    Graphs and contexts that were made with the old name need the old package: see opkg compat.
    """
    from opkg.project.read import read
    from opkg.project.rename import rename

    while True:
        found = find_any(old, paths, package)
        packages = [
            p for each in read(paths, check_targets=False) if each.project == found.project for p in each.packages
        ]
        done = rename(found.project, packages, found.package, found.op, new, dry_run)
        if done is not None:
            break
    show_actions(done.actions, dry_run)
    show_findings(done.left, format)
    if not dry_run:
        log(f"{old} is {new} now; graphs made with {found.package.name} {old} need the old package (opkg compat)")
    return 0
