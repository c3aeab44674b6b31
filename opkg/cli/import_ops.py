"""`opkg import`: ops that are declared elsewhere as a spec, with all that is generated from it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from opkg.cli.output import exit_code, format_option, log, plural, show_diff, show_findings, target_option

if TYPE_CHECKING:
    from opkg.imports.form import Imported


@click.command("import")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--out", "folder", default=".", metavar="DIR", help="The project that the spec goes to. [.]")
@click.option("--package", default="", metavar="NAME", help="The package's name in the spec. [as the source says]")
@target_option
@click.option("--dry-run", is_flag=True, help="Write nothing: print the spec.")
@click.option("--diff", "diff", is_flag=True, help="With --dry-run: print what differs from the spec that is there.")
@click.option("--preprocess", is_flag=True, help="C++: take rules from the compiler's -E.")
@click.option("-I", "include", multiple=True, metavar="DIR", help="Include folder, for --preprocess.")
@click.option("-D", "define", multiple=True, metavar="NAME[=VALUE]", help="Macro, for --preprocess.")
@format_option
def command(
    sources: tuple[str, ...],
    folder: str,
    package: str,
    targets: tuple[str, ...],
    dry_run: bool,
    diff: bool,
    preprocess: bool,
    include: tuple[str, ...],
    define: tuple[str, ...],
    format: str,
) -> int:
    """Make a spec of ops that are declared elsewhere, and generate from it.

    A SOURCE is a file of QNN's OpDef XML (several: ops and supplements), `domain::Op@version` of the installed onnx or a
    Python module with OpSchemas, or a schema of torch (`ns::op(Tensor x) -> Tensor`, or a .txt file of them). What a source
    does not say is marked TODO in the spec, with the reason. No existing file is written to.
    """
    from dataclasses import replace

    from opkg.imports.read import Options, read, todos_of
    from opkg.imports.save import difference, draft, save
    from opkg.spec.diagnostics import sort_key

    options = [*(f"-I{each}" for each in include), *(f"-D{macro}" for macro in define)]
    imported = read(sources, Options(package, options if preprocess else None))
    if targets:
        imported = replace(imported, targets=targets)
    findings = list(imported.findings)
    name = _package(imported, package)
    if exit_code(findings):
        show_findings(findings, format)
        return 1
    made = draft(imported, name)
    findings = sorted([*imported.findings, *made.findings], key=sort_key) + todos_of(made.imported)
    if exit_code(findings):
        show_findings(findings, format)
        return 1
    if dry_run:
        if diff:
            show_diff(difference(made, folder))
        else:
            click.echo(made.text, nl=False)
        return 0
    for path in save(made, folder):
        log(f"wrote {path}", 2)
    show_findings(findings, format)
    todos = sum(len(op.all_todos) for op in made.imported.ops)
    spec = os.path.join(folder, made.path) if folder != "." else made.path
    log(f"wrote {spec} ({plural(len(made.imported.ops), 'op')}, {todos} TODO) and what is generated from it")
    return 0


def _package(imported: Imported, given: str) -> str:
    """The package's name. Raises OpkgError (OPK622) where it is not known or no name."""
    from opkg.spec.diagnostics import OpkgError, Span, error
    from opkg.spec.names import package_faults

    name = given or imported.package
    place = Span(imported.sources[0])
    if not name:
        raise OpkgError([error("OPK622", "the sources name no package", place, "give it: --package acme.vision")])
    if faults := package_faults(name):
        raise OpkgError([error("OPK622", message, place, f"--package: {hint}") for _, message, hint in faults])
    return name
