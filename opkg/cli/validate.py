"""`opkg validate`: everything that is wrong with specs, in one run."""

from __future__ import annotations

import click

from opkg.cli.output import exit_code, format_option, log, paths_argument, plural, show_findings


@click.command("validate")
@paths_argument
@format_option
def command(paths: tuple[str, ...], format: str) -> int:
    """Report everything that is wrong with the specs in PATHS (default: specs/, else the current folder)."""
    from opkg.project.read import read

    projects = read(paths)
    findings = [finding for project in projects for finding in project.findings]
    show_findings(findings, format)
    if not findings:
        specs = sum(len(project.project.specs) for project in projects)
        ops = sum(len(package.ops) for project in projects for package in project.packages)
        log(f"{plural(specs, 'spec')} with {plural(ops, 'op')}: nothing wrong")
    return exit_code(findings)
