"""`opkg check`: the regeneration check for CI."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from opkg.cli.output import (
    exit_code,
    format_option,
    log,
    notable,
    paint,
    paths_argument,
    plural,
    show_diff,
    show_findings,
    target_option,
)

if TYPE_CHECKING:
    from opkg.project.check import CheckResult

MOST_LINES = 60  # of one diff
WHOLE = ("OPK310", "OPK313")  # files that are missing, or wanted no more: their differences are the whole files


@click.command("check")
@paths_argument
@target_option
@click.option("--full", is_flag=True, help="Render even where all checksums match.")
@format_option
def command(paths: tuple[str, ...], targets: tuple[str, ...], full: bool, format: str) -> int:
    """Check that the generated files are what the specs in PATHS ask for. Writes nothing.

    Tells stale files (the spec changed) from edited, missing, orphaned ones and those of another opkg version, shows
    the difference and the command that mends it. Fails when it finds no spec.
    """
    from opkg.project.check import check

    result = check(paths, targets, quick=not full)
    if format == "text":
        _show(result._replace(findings=tuple(notable(result.findings))))
    else:
        show_findings(result.findings, format)
    if not result.findings:
        log(f"{plural(result.files, 'generated file')} of {plural(result.specs, 'spec')}: all current")
    return exit_code(result.findings)


def _show(result: CheckResult) -> None:
    """Each finding with its diff below it; many files of one cause together, with one diff."""
    if not result.findings:
        return
    from opkg.report.check_text import FEW, cause, causes
    from opkg.report.findings_text import Sources, one, summary

    sources, colour = Sources(), paint()
    left = result.undiffed
    for group in causes(result.findings):
        if len(group) <= FEW:
            for finding in group:
                print(one(finding, sources, colour), end="")
                show_diff(result.diffs.get(finding.span.path, ()), MOST_LINES)
            continue
        print(cause(group, result.diffs, colour), end="")
        diffs = [lines for finding in group if (lines := result.diffs.get(finding.span.path))]
        if diffs and group[0].id not in WHOLE:
            show_diff(diffs[0], MOST_LINES)
            left += len(diffs) - 1
    if left:
        print(f"(not shown: the diffs of {plural(left, 'more file')}; opkg generate --diff shows all)")
    print(summary(result.findings, colour))
