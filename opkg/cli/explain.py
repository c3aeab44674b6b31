"""`opkg explain`: what a finding's id means, with an example."""

from __future__ import annotations

import click

from opkg.cli.options import completed
from opkg.spec.diagnostics import nearest


def _ids(ctx: click.Context) -> list[str]:
    from opkg.spec import catalog

    return list(catalog.entries())


@click.command("explain")
@click.argument("id", metavar="[ID]", required=False, shell_complete=completed(_ids))
@click.option("--list", "all_ids", is_flag=True, help="List all ids with their titles.")
def command(id: str | None, all_ids: bool) -> int:
    """Say more about a finding: what its ID (OPK123) means, and an example of it and of its cure."""
    from opkg.spec import catalog

    if id is None or all_ids:
        for entry in catalog.entries().values():
            print(f"{entry.id}  {entry.title}")
        return 0
    wanted = id.upper()
    wanted = f"OPK{wanted}" if wanted.isdigit() else wanted
    found = catalog.entry(wanted)
    if found is None:
        near = nearest(wanted, list(catalog.entries()))
        raise click.UsageError(f"no finding '{id}'." + (f" Did you mean {near}?" if near else ""))
    print(page(found))
    return 0


def page(entry: object) -> str:
    """The page of one entry, folded to 88 columns."""
    from textwrap import fill, indent

    from opkg.spec.catalog import Entry

    assert isinstance(entry, Entry)
    parts = [f"{entry.id}: {entry.title}", fill(entry.explanation, 88)]
    for title, example in (("Wrong:", entry.wrong), ("Right:", entry.right)):
        if example:
            parts.append(f"{title}\n\n{indent(example.strip(), '    ')}")
    return "\n\n".join(parts)
