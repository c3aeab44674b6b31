"""`opkg schema`: the JSON Schema of specs, for editors."""

from __future__ import annotations

import os
import sys

import click

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
    try:
        os.makedirs(os.path.dirname(write) or ".", exist_ok=True)
        with open(write, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as failure:
        from opkg.spec.diagnostics import OpkgError, Span, error

        raise OpkgError([error("OPK324", f"cannot write: {failure.strerror}", Span(write))]) from None
    return 0
