"""`opkg kernel tune`: how many steps a turn of each kernel's loop should do, by compiling and counting."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from opkg.cli.bench import archs_of, runnable
from opkg.cli.options import completed, ops_here
from opkg.cli.output import log, write_file

if TYPE_CHECKING:
    from opkg.spec.model import Op, OpPackage
    from opkg.verify.bench.tune import Tuned


@click.command("tune")
@click.argument("op", metavar="OP", required=False, shell_complete=completed(ops_here))
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--package", default="", metavar="NAME", help="The package, if several have the op.")
@click.option("--arch", "archs", multiple=True, callback=archs_of, metavar="ARCHS", help="v66, v68, v73. [v66 and v73]")
@click.option("--dry-run", is_flag=True, help="Show what is best, write nothing.")
def command(op: str | None, paths: tuple[str, ...], package: str, archs: tuple[str, ...], dry_run: bool) -> int:
    """Try 1, 2, 4 and 8 steps per turn of the loops of generated kernels, and keep the best in tuning.json.

    Without OP: all ops of the project. `opkg generate` reads the file.
    """
    from opkg.verify.bench.tune import TUNED_ON, load, tune

    owner, ops = _ops(op, paths, package)
    wanted = runnable(archs, TUNED_ON)
    root = Path()
    known = load(root)
    found = tune(ops, wanted, root, lambda name: log(f"tuned {name}", 1))
    for tuned in found:
        click.echo(_line(tuned))
    rows = [row for tuned in found for row in tuned.rows(owner.name)]
    if dry_run or not rows:
        return 0
    from opkg.kernels.tuning import FILE

    text = known.with_rows(rows).text()
    path = root / FILE
    if path.is_file() and path.read_text("utf-8") == text:
        log(f"{FILE} is as it was")
        return 0
    write_file(str(path), text)
    log(f"wrote {FILE}; run 'opkg generate'")
    return 0


def _ops(op: str | None, paths: tuple[str, ...], package: str) -> tuple[OpPackage, list[Op]]:
    """The ops to tune and their package."""
    from opkg.cli.kernel_load import find_op

    if op is not None:
        found = find_op(op, paths, package)
        return found.package, [found.op]
    from opkg.project.read import read
    from opkg.spec.diagnostics import OpkgError

    projects = read(paths)
    errors = [finding for project in projects for finding in project.findings if finding.is_error]
    if errors:
        raise OpkgError(errors)
    packages = [p for project in projects for p in project.packages if package in ("", p.name)]
    if len(packages) != 1:
        names = ", ".join(sorted(p.name for p in packages))
        raise click.UsageError(f"which package? There are {names}." if packages else f"no package '{package}'.")
    return packages[0], list(packages[0].ops)


def _line(tuned: Tuned) -> str:
    name = tuned.subject.name
    if tuned.problem:
        return f"{name}: not tuned: {tuned.problem}"
    costs = ", ".join(f"{turns}: {cost:.2f}" for turns, cost in tuned.costs)
    return f"{name}: {tuned.best} (packets and stalls per 128 bytes: {costs})"
