"""`opkg build`: compiles what was generated."""

from __future__ import annotations

from collections.abc import Sequence

import click

from opkg.cli.options import completed
from opkg.cli.output import exit_code, format_option, log, paths_argument, plural, show_findings, show_notable, words


def _kinds(ctx: click.Context) -> Sequence[str]:
    from opkg.verify.machines.device import KINDS

    return KINDS


@click.command("build")
@paths_argument
@click.option(
    "--interface",
    "interfaces",
    type=click.Choice(("qhpi", "classic", "onert", "openvino")),
    multiple=True,
    help="Only this one.",
)
@click.option(
    "--device", "devices", metavar="KIND", multiple=True, callback=words, shell_complete=completed(_kinds),
    help="For a device in place of this machine: v68, v69, v73, v75, v79, v81 (kernels), aarch64-linux, aarch64-android "
         "(the other half).",
)  # fmt: skip
@format_option
def command(paths: tuple[str, ...], interfaces: tuple[str, ...], devices: tuple[str, ...], format: str) -> int:
    """Compile the packages of the specs in PATHS (default: specs/, else the current folder) for this machine.

    The compiler is $CXX, else g++, else clang++; libraries go to build/ in the project. For a device, QHPI packages
    are built in two halves, and judged as `opkg device check` does.
    """
    from pathlib import Path

    from opkg.project.read import read
    from opkg.report.verify_progress import progress_bar
    from opkg.verify.api import BuildOptions, build

    _known(devices, interfaces)
    projects = read(paths)
    findings = [finding for project in projects for finding in project.findings]
    if exit_code(findings):
        show_findings(findings, format)
        return 1
    done = 0
    for _, (project, packages, _) in enumerate(projects):
        with progress_bar() as report:
            result = build(
                Path(project.root), packages, BuildOptions(interfaces, devices, prefix=project.prefix), report
            )
        findings += result.diagnostics
        done += len(result.libraries)
        for library in result.libraries:
            log(f"built {project.prefix}{library.relative_to(Path(project.root).resolve()).as_posix()}")
    show_notable(findings, format)
    log(f"{plural(done, 'library')} built".replace("librarys", "libraries"))
    return exit_code(findings)


def _known(devices: tuple[str, ...], interfaces: tuple[str, ...]) -> None:
    """UsageError for a device that nothing is built for."""
    if not devices:
        return
    from opkg.spec.diagnostics import nearest
    from opkg.verify.machines.device import KINDS

    for kind in devices:
        if kind not in KINDS:
            near = nearest(kind, KINDS)
            hint = f"Did you mean {near}?" if near else f"There are {', '.join(KINDS)}."
            raise click.UsageError(f"--device: nothing is built for '{kind}'. {hint}")
    if interfaces and "qhpi" not in interfaces:
        hint = "The classic interface needs the SDK's compiler: make hexagon HEXAGON_SDK_ROOT=... QNN_SDK_ROOT=..."
        raise click.UsageError(f"--device builds the qhpi interface. {hint}")
