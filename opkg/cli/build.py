"""`opkg build`: compiles what was generated."""

from __future__ import annotations

import click

from opkg.cli.output import exit_code, format_option, log, paths_argument, plural, show_findings


@click.command("build")
@paths_argument
@click.option(
    "--interface",
    "interfaces",
    type=click.Choice(("qhpi", "classic", "onert", "openvino")),
    multiple=True,
    help="Only this one.",
)
@format_option
def command(paths: tuple[str, ...], interfaces: tuple[str, ...], format: str) -> int:
    """Compile the packages of the specs in PATHS (default: specs/, else the current folder) for this machine.

    The compiler is $CXX, else g++, else clang++; libraries go to build/ in the project.
    """
    from pathlib import Path

    from opkg.project.read import read
    from opkg.report.verify_progress import progress_bar
    from opkg.verify.api import BuildOptions, build

    projects = read(paths)
    findings = [finding for project in projects for finding in project.findings]
    if exit_code(findings):
        show_findings(findings, format)
        return 1
    done = 0
    for _, (project, packages, _) in enumerate(projects):
        with progress_bar() as report:
            result = build(Path(project.root), packages, BuildOptions(interfaces, prefix=project.prefix), report)
        findings += result.diagnostics
        done += len(result.libraries)
        for library in result.libraries:
            log(f"built {project.prefix}{library.relative_to(Path(project.root).resolve()).as_posix()}")
    show_findings(findings, format)
    log(f"{plural(done, 'library')} built".replace("librarys", "libraries"))
    return exit_code(findings)
