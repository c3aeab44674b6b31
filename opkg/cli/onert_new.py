"""`opkg onert new`: a spec of an operation for onert."""

from __future__ import annotations

import click

from opkg.cli.onert_tree import TARGET
from opkg.cli.output import log, opkg_in

_KINDS = ("elementwise", "reduction")  # those whose kernels are generated


@click.command("new")
@click.argument("name")
@click.option("--kind", type=click.Choice(_KINDS), default=_KINDS[0], show_default=True, help="What the op looks like.")
@click.option("--package", metavar="P", help="Package the op goes to: acme.vision.")
@click.option("--dir", "directory", type=click.Path(file_okay=False), metavar="D", help="The project's folder.")
def command(name: str, kind: str, package: str | None, directory: str | None) -> int:
    """Make a project with the operation NAME and the target onert, or add the operation to the project in D.

    As `opkg new`; what it computes is in the spec, and its kernel is generated.
    """
    from opkg.project.scaffold import new_op

    if directory == "":
        raise click.BadParameter("is empty", param_hint="--dir")
    made = new_op(name, kind, package, directory, TARGET)
    for file in made.files:
        log(f"wrote {file}", 1)
    where = f" in the new project {made.root}" if made.created_project else ""
    print(f"{name} ({kind}) is in {made.spec}{where}")
    if not made.created_project:
        log(f"its package must have the target: targets: [..., {TARGET}]")
    log(f"next: change the spec, then {opkg_in(made.root)} onert apply TREE")
    return 0
