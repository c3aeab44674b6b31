"""`opkg fmt`: specs in one layout, with their rules; comments stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from opkg.cli.formatting import How, check_option, diff_option, format_files
from opkg.cli.output import format_option
from opkg.cli.rules_files import Given, gather

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opkg.spec.diagnostics import Diagnostic

STDIN_PATH = "-"


@click.command("fmt")
@click.argument("paths", nargs=-1, metavar="[SPECS]...")
@check_option
@diff_option
@format_option
def command(paths: tuple[str, ...], check: bool, diff: bool, format: str) -> int:
    """Lay out SPECS (default: specs/, else the current folder): indentation, spaces, blank lines, and rules.

    Words, their order and comments stay as they are. A file that is no YAML is not touched, and rules of a spec with errors are
    not laid out. `-` reads standard input and
    prints the result.
    """
    given, findings = gather(paths, "yaml" if paths == (STDIN_PATH,) else None)
    others = [one.path for one in given if one.named and not one.is_spec]
    if others:
        raise click.UsageError(f"'{others[0]}' is no spec: opkg rules format lays out the rules of C++ files.")
    return format_files([one for one in given if one.is_spec], findings, formatted, How(check, diff, format))


def formatted(given: Given) -> tuple[bytes, Sequence[Diagnostic]]:
    """The spec in the canonical layout, and findings; with an error among these it must not be written."""
    from opkg.rules.text.formatter import format_spec
    from opkg.spec.diagnostics import Span, warning
    from opkg.spec.layout import laid_out
    from opkg.spec.source import read_tree

    root, found = read_tree(given.data, given.path)
    if root is None or any(finding.is_error for finding in found):
        return given.data, found
    text = given.data.decode().removeprefix("\ufeff")
    crlf = "\r\n" in text
    made = laid_out(text.replace("\r\n", "\n"))
    if made is None:
        message = "left as it is: anchors, tags or brackets around the whole that the layout does not do justice to"
        return given.data, [warning("OPK663", message, Span(given.path), "write the values out")]
    data = (made.replace("\n", "\r\n") if crlf else made).encode()
    with_rules, problems = format_spec(data, given.path)
    if any(finding.is_error for finding in problems):
        return data, []  # `opkg validate` says what is wrong with it
    return with_rules, problems
