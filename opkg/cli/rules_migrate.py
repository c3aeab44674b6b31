"""`opkg rules migrate`: the ops and rules of a classic package as a spec, for both interfaces."""

from __future__ import annotations

import click

from opkg.cli.output import exit_code, format_option, log, plural, show_findings


@click.command("migrate")
@click.argument("paths", nargs=-1, required=True, metavar="FILES...")
@click.option("--package", default="", metavar="NAME", help="The package's name in the spec. [THIS_PKG_NAME]")
@click.option("--output", default="", metavar="FILE", help="Where the spec goes. [specs/PACKAGE.yaml]")
@click.option("--preprocess", is_flag=True, help="Take rules from the compiler's -E: macros of the package expanded.")
@click.option("-I", "include", multiple=True, metavar="DIR", help="Include folder, for --preprocess.")
@click.option("-D", "define", multiple=True, metavar="NAME[=VALUE]", help="Macro, for --preprocess.")
@format_option
def command(
    paths: tuple[str, ...],
    package: str,
    output: str,
    preprocess: bool,
    include: tuple[str, ...],
    define: tuple[str, ...],
    format: str,
) -> int:
    """Make a spec of the C++ FILES (or folders) of a classic package: its ops, tensor properties and rules.

    It is the spec alone of what `opkg import` makes of them, which brings the kernels along. The report says what could not
    be carried and why, and what the spec still has to state (marked TODO there). No existing file is written to.
    """
    from opkg.imports.migrate import migrate, save

    options = [*(f"-I{folder}" for folder in include), *(f"-D{macro}" for macro in define)]
    migration = migrate(paths, package, options if preprocess else None, output)
    findings = list(migration.findings)
    if exit_code(findings):
        show_findings(findings, format)
        return 1
    save(migration)
    show_findings(findings, format)
    log(f"wrote {migration.path}: {plural(migration.ops, 'op')}, {plural(migration.rules, 'rule')}")
    log("next: fill in what is marked TODO, then opkg validate and opkg generate")
    return 0
