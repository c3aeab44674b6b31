"""`opkg new`: a first project, or one more op in the one at hand."""

from __future__ import annotations

import sys

import click

from opkg.cli.output import log, opkg_in

_KINDS = ("elementwise", "reduction", "layout", "custom")


def _folder(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value == "":
        raise click.BadParameter("is empty", ctx, param)
    return value


@click.command("new")
@click.argument("name")
@click.option("--kind", type=click.Choice(_KINDS), help="What the op looks like. [elementwise]")
@click.option("--package", metavar="P", help="Package the op goes to: acme.vision.")
@click.option(
    "--dir", "directory", type=click.Path(file_okay=False), callback=_folder, metavar="D", help="The project's folder."
)
@click.option("--no-input", is_flag=True, help="Never ask (nor is anything asked without a terminal).")
@click.option("--dry-run", is_flag=True, help="Say what would be written; write nothing.")
def command(
    name: str, kind: str | None, package: str | None, directory: str | None, no_input: bool, dry_run: bool
) -> int:
    """Make a project with the op NAME, or add the op to the project in D (default: here).

    The result validates, builds and verifies at once. Elementwise ops and reductions say what they compute in the spec,
    and their kernels are generated; the other kinds come with a kernel of yours in C++ and a reference in numpy.
    """
    from opkg.project.scaffold import new_op

    if kind is None:
        kind = _ask_kind() if not no_input and sys.stdin.isatty() and sys.stdout.isatty() else _KINDS[0]
    made = new_op(name, kind, package, directory, dry=dry_run)
    if dry_run:
        folder = "" if made.root in (".", "") else f"{made.root}/"
        for file in made.files:
            print(f"would write {folder}{file}")
        return 0
    for file in made.files:
        log(f"wrote {file}", 1)
    where = f" in the new project {made.root}" if made.created_project else ""
    print(f"{name} ({kind}) is in {made.spec}{where}")
    *first, last = made.yours
    log(f"next: {opkg_in(made.root)} verify, then change {', '.join(first) + ' and ' if first else ''}{last}")
    return 0


def _ask_kind() -> str:
    kind: str = click.prompt("Kind of op", type=click.Choice(_KINDS), default=_KINDS[0])
    return kind
