"""`opkg rules check`: everything that is wrong with rules, in one run."""

from __future__ import annotations

from typing import Any

import click

from opkg.cli.output import exit_code, format_option, log, plural, show_findings
from opkg.cli.rules_load import How, load_all, reading_options


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[FILES]...")
@reading_options
@format_option
def command(paths: tuple[str, ...], format: str, **how: Any) -> int:
    """Report everything that is wrong with the rules in FILES: specs (.yaml), C++ files, or folders of them.

    Also tensor properties and op registrations. `-` is standard input (with --as). Without FILES: specs/, else the
    current folder.
    """
    loaded = load_all(paths, How(**how))
    show_findings(loaded.findings, format)
    if not loaded.findings:
        log(f"{plural(len(loaded.written), 'rule')} in {plural(loaded.files, 'file')}: nothing wrong")
    return exit_code(loaded.findings)
