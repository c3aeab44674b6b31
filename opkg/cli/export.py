"""`opkg export`: a package as one folder for a build system that has no opkg."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from opkg.cli.options import completed, packages_here
from opkg.cli.output import exit_code, format_option, log, paths_argument, plural, show_findings, target_option

if TYPE_CHECKING:
    from opkg.project.discover import Project


@click.command("export")
@click.argument("package", shell_complete=completed(packages_here))
@paths_argument
@click.option("-o", "--output", "folder", metavar="DIR", help="Where to.  [build/export/PACKAGE of the project]")
@target_option
@format_option
def command(package: str, paths: tuple[str, ...], folder: str | None, targets: tuple[str, ...], format: str) -> int:
    """Copy PACKAGE of the specs in PATHS (default: specs/, else the current folder) to a folder that needs no other.

    It holds the generated files of the package, the part of generated/opkg that they need, and your kernels with the
    headers these include, at the same relative places: the Makefile and CMakeLists.txt in it work as they stand.
    """
    from opkg.project.discover import discover
    from opkg.project.export import export

    if folder == "":
        raise click.BadParameter("is empty", param_hint="-o")
    project, spec = _find(package, discover(paths), targets)
    where = folder or f"{project.prefix}build/export/{package.replace('.', '_')}"
    done = export(project, spec, targets, where)
    show_findings(done.findings, format)
    if exit_code(done.findings):
        return 1
    for verb, path in done.actions:
        log(
            {"write": "wrote", "update": "updated", "remove": "removed"}[verb] + f" {path}",
            0 if verb == "remove" else 1,
        )
    log(f"{plural(done.files, 'file')} of {package} in {where}" + ("" if done.actions else ": nothing to do"))
    return 0


def _find(name: str, projects: list[Project], targets: tuple[str, ...]) -> tuple[Project, str]:
    """The project and the spec of a package; click.UsageError when there is none, or it lacks a target. Where a spec cannot
    be read it may be that of the package: OpkgError."""
    from opkg.project.read import read_spec
    from opkg.spec.diagnostics import Diagnostic, OpkgError, nearest

    known: list[str] = []
    unread: list[Diagnostic] = []
    for project in projects:
        for spec in project.specs:
            package, findings, _ = read_spec(project.root, spec)
            if package is None:
                unread += project.shown(findings)
                continue
            known.append(package.name)
            if package.name == name:
                _wants(name, [text.text for text in package.targets], targets)
                return project, spec
    if unread:
        raise OpkgError(unread)
    near = nearest(name, known)
    hint = f" Did you mean '{near}'?" if near else f" There is {', '.join(known)}." if known else ""
    raise click.UsageError(f"no package '{name}'.{hint}")


def _wants(name: str, there: list[str], targets: tuple[str, ...]) -> None:
    from opkg.spec.diagnostics import nearest

    for target in targets:
        if target not in there:
            near = nearest(target, there)
            hint = f" Did you mean '{near}'?" if near else f" It has {', '.join(there)}."
            raise click.UsageError(f"{name} has no target '{target}'.{hint}")
