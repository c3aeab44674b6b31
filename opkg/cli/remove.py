"""`opkg remove`: an op out of its spec, with what was generated for it."""

from __future__ import annotations

import click

from opkg.cli.kernel_load import find_any
from opkg.cli.options import completed, format_option, ops_here
from opkg.cli.output import log, show_actions, show_findings


@click.command("remove")
@click.argument("op", metavar="OP", shell_complete=completed(ops_here))
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--package", default="", metavar="NAME", help="The package, if several have the op.")
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@format_option
def command(op: str, paths: tuple[str, ...], package: str, dry_run: bool, format: str) -> int:
    """Remove OP from its spec, and all that was generated for it; all or nothing.

    Files of yours stay, and those that nothing uses any more are listed: kernels are not lost with a spec's lines.
    """
    from opkg.project.remove import remove

    while True:
        found = find_any(op, paths, package)
        done = remove(found.project, found.package, found.op, dry_run)
        if done is not None:
            break
    show_actions(done.actions, dry_run)
    show_findings(done.unused, format)
    if not dry_run:
        log(f"{op} is no part of {found.package.name} any more")
    return 0
