"""`opkg validate`: everything that is wrong with specs, in one run; slips of the pen are mended on request."""

from __future__ import annotations

import click

from opkg.cli.output import exit_code, format_option, log, paths_argument, plural, replace_file, show_findings


@click.command("validate")
@paths_argument
@click.option("--fix", is_flag=True, help="First mend misspelt words that have one right form nearby.")
@format_option
def command(paths: tuple[str, ...], fix: bool, format: str) -> int:
    """Report everything that is wrong with the specs in PATHS (default: specs/, else the current folder).

    --fix puts the word of the hint in the place of a misspelt key, element type, function or target, and says so for each;
    all else in the file stays as it is.
    """
    from opkg.project.read import read

    if fix:
        _fix(paths)
    projects = read(paths)
    findings = [finding for project in projects for finding in project.findings]
    show_findings(findings, format)
    if not findings:
        specs = sum(len(project.project.specs) for project in projects)
        ops = sum(len(package.ops) for project in projects for package in project.packages)
        log(f"{plural(specs, 'spec')} with {plural(ops, 'op')}: nothing wrong")
    return exit_code(findings)


def _fix(paths: tuple[str, ...]) -> None:
    """Writes what can be mended; a spec that changed meanwhile is left alone."""
    from opkg.project.files import read
    from opkg.project.fix import fixed

    for spec in fixed(paths):
        if read(spec.path) != spec.before:
            log(f"{spec.shown} changed meanwhile: not mended")
            continue
        replace_file(spec.shown, spec.data)
        for span, old, new in spec.fixes:
            log(f"{span.path}:{span.line}:{span.column}: {old} -> {new}")
