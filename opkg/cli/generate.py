"""`opkg generate`: writes what the specs ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from opkg.cli.output import (
    exit_code,
    format_option,
    log,
    paths_argument,
    plural,
    show_actions,
    show_diff,
    show_notable,
    target_option,
)

if TYPE_CHECKING:
    from opkg.project.generate import GenerateResult

_DONE = {"write": "wrote", "update": "updated", "remove": "removed", "keep copy": "kept a copy in"}


@click.command("generate")
@paths_argument
@target_option
@click.option("--diff", is_flag=True, help="Print what would change as a unified diff; write nothing.")
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@click.option("--discard-edits", is_flag=True, help="Replace edited generated files too, each kept as FILE.edited-N.")
@format_option
def command(
    paths: tuple[str, ...], targets: tuple[str, ...], diff: bool, dry_run: bool, discard_edits: bool, format: str
) -> int:
    """Write what the specs in PATHS (default: specs/, else the current folder) ask for: all of it, or nothing.

    Unchanged files keep their time; files of yours (kernels/) are written once and never again; orphans go away. A
    generated file that was edited is never overwritten: the run stops and says how to go on.
    """
    from opkg.project.generate import Options, generate

    result = generate(paths, Options(targets, diff, dry_run, discard_edits))
    if result.undone:
        log("undid a run that was interrupted")
    show_notable(result.findings, format)
    if not result.ok:
        return exit_code(result.findings)
    if diff:
        for lines in result.diffs.values():
            show_diff(lines)
    if dry_run:
        show_actions(result.actions, dry=True)
    log_actions(result, dry_run or diff)
    return 0


def log_actions(result: GenerateResult, dry: bool = False) -> None:
    """What was done, on stderr; nothing of it for a run that only shows (`dry`)."""
    if not result.actions:
        log(f"{plural(result.files, 'file')} of {plural(result.specs, 'spec')}: nothing to do")
        return
    if dry:
        return
    counts: dict[str, int] = {}
    for verb, path in result.actions:
        counts[verb] = counts.get(verb, 0) + 1
        log(f"{_DONE[verb]} {path}", 0 if verb in ("keep copy", "remove") else 1)
    words = [f"{_DONE[verb].split()[0]} {number}" for verb, number in counts.items() if verb != "keep copy"]
    same = result.files - counts.get("write", 0) - counts.get("update", 0)
    log(", ".join(words) + f"; {plural(same, 'file')} unchanged")
