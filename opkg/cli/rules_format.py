"""`opkg rules format`: lays rules out in the canonical way and touches nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from opkg.cli.formatting import How, check_option, diff_option, format_files
from opkg.cli.output import format_option
from opkg.cli.rules_files import Given, gather

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opkg.spec.diagnostics import Diagnostic

_BOM = b"\xef\xbb\xbf"


@click.command("format")
@click.argument("paths", nargs=-1, metavar="[FILES]...")
@check_option
@diff_option
@click.option("--as", "as_", type=click.Choice(("cpp", "yaml")), help="What the files are, whatever their suffix.")
@format_option
def command(paths: tuple[str, ...], check: bool, diff: bool, as_: str | None, format: str) -> int:
    """Lay out the rules in FILES (specs, C++ files, folders of them): comments stay, what is no rule stays as it is.

    A file with a rule that cannot be read is not touched. `-` reads standard input and prints the result.
    """
    given, findings = gather(paths, as_)
    return format_files(given, findings, formatted, How(check, diff, format))


def formatted(given: Given) -> tuple[bytes, Sequence[Diagnostic]]:
    """The file in the canonical layout, and findings; with an error among these it must not be written."""
    from opkg.rules.text.formatter import format_cpp, format_spec

    if given.is_spec:
        return format_spec(given.data, given.path)
    text, findings = format_cpp(given.text(), given.path)
    bom = _BOM if given.data.startswith(_BOM) else b""
    return bom + text.encode("utf-8", "surrogateescape"), findings
