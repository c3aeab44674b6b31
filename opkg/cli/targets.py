"""`opkg targets`: what can be generated here, and who provides it."""

from __future__ import annotations

import json

import click

from opkg.cli.output import exit_code, show_findings


@click.command("targets")
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(format: str) -> int:
    """List the targets that a spec may name, with the distribution that provides each."""
    from opkg.targets.registry import listing

    found, findings = listing()
    if format == "json":
        for line in found:
            maker = {"distribution": line.maker.distribution, "version": line.maker.version}
            print(json.dumps({"name": line.name, "summary": line.summary, **maker}))
    else:
        wide = max(len(line.name) for line in found)
        by = max(len(str(line.maker)) for line in found)
        for line in found:
            print(f"{line.name:{wide}}  {line.maker!s:{by}}  {line.summary}".rstrip())
    show_findings(findings, format)
    return exit_code(findings)
