"""`opkg list`: the ops of specs at a glance."""

from __future__ import annotations

import sys

import click

from opkg.cli.options import known_op, ops_option, paths_argument
from opkg.cli.output import exit_code, log, paint, show_findings


@click.command("list")
@paths_argument
@ops_option
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(paths: tuple[str, ...], ops: tuple[str, ...], format: str) -> int:
    """List the ops of the specs in PATHS: inputs, params= and outputs, element types, and what each is made of.

    A "?" marks what a caller may leave out. Specs with errors are left out of the list, and their findings follow it.
    """
    from opkg.project.read import read
    from opkg.report.ops_list import Listed, as_json, as_text

    projects = read(paths, check_targets=False)
    known_op(ops, [op.name for project in projects for package in project.packages for op in package.ops])
    listed = [
        Listed(package, project.project.prefix + package.path, chosen)
        for project in projects
        for package in project.packages
        if (chosen := tuple(op for op in package.ops if not ops or op.name in ops))
    ]
    sys.stdout.write(as_json(listed) if format == "json" else as_text(listed, paint()))
    errors = [finding for project in projects for finding in project.findings if finding.is_error]
    show_findings(errors, format)
    if not listed and not errors:
        log("there are no ops")
    return exit_code(errors)
