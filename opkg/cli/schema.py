"""`opkg schema`: the JSON Schema of specs, for editors."""

from __future__ import annotations

import sys

import click

from opkg.cli.output import write_file

PLACE = ".opkg/opspec.schema.json"


@click.command("schema")
@click.option(
    "--write", is_flag=False, flag_value=PLACE, metavar="[FILE]", help=f"Write it to FILE (default: {PLACE})."
)
def command(write: str | None) -> int:
    """Print the JSON Schema of specs; editors complete and check by it.

    The line that tells an editor so, at the top of a spec:

        # yaml-language-server: $schema=../.opkg/opspec.schema.json
    """
    from opkg.spec import schema

    text = schema.text()
    if write is None:
        sys.stdout.write(text)
        return 0
    write_file(write, text)
    return 0
