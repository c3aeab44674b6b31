"""`opkg bundle`: everything for a run of a package on a device, in one folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from opkg.cli.device_check import find_socs
from opkg.cli.options import completed, known_op, socs_known
from opkg.cli.output import (
    exit_code,
    format_option,
    log,
    ops_option,
    paths_argument,
    plural,
    replace_file,
    show_findings,
    words,
)

if TYPE_CHECKING:
    from opkg.verify.bundle.api import Bundle

PURPOSES = ("qnn-net-run", "onnxruntime", "executorch")
SYSTEMS = ("linux", "android")
ONLY = {"onnxruntime": "linux", "executorch": "android"}  # where its runtime takes op packages
EXECUTABLE = (".sh",)


@click.command("bundle")
@paths_argument
@click.option("--soc", "socs", metavar="NAME", multiple=True, required=True, callback=words,
              shell_complete=completed(socs_known), help="SM8650, ...")  # fmt: skip
@click.option("--for", "purpose", type=click.Choice(PURPOSES), default=PURPOSES[0], show_default=True,
              help="What runs the graphs on the device.")  # fmt: skip
@click.option("--system", type=click.Choice(SYSTEMS), metavar="SYSTEM",
              help="linux or android: which ARM half. [linux; android for executorch]")  # fmt: skip
@ops_option
@click.option("--cases", type=click.IntRange(1, 100), default=2, show_default=True, metavar="N",
              help="Graphs per op and combination of element types.")  # fmt: skip
@click.option("--runtime", type=click.Path(exists=True, file_okay=False), metavar="DIR",
              help="A folder with QNN's libraries for ARM, to be put into the bundle.")  # fmt: skip
@click.option("-o", "--output", "out", type=click.Path(file_okay=False), metavar="DIR",
              help="Where the bundle goes. [build/bundle/SOC in the project]")  # fmt: skip
@format_option
def command(
    paths: tuple[str, ...], socs: tuple[str, ...], purpose: str, system: str | None, ops: tuple[str, ...], cases: int,
    runtime: str | None, out: str | None, format: str,
) -> int:  # fmt: skip
    """Prepare graphs of the packages in PATHS for a SoC, and write what a run of them on the device needs.

    Contexts (made on this machine, for the SoC), both halves of each package, inputs, expected outputs, scripts that push,
    run and compare by adb or ssh, and a README. The folder must not be there, or be a bundle.
    """
    from opkg.project.read import read
    from opkg.verify.bundle.api import bundle

    chosen = find_socs(socs)
    system = _system(purpose, system)
    if out is not None and len(chosen) > 1:
        raise click.UsageError("-o is for one SoC.")
    projects = read(paths)
    findings = [finding for project in projects for finding in project.findings]
    if exit_code(findings):
        show_findings(findings, format)
        return 1
    known_op(ops, [op.name for project in projects for package in project.packages for op in package.ops])
    if len(projects) > 1 and out is not None:
        raise click.UsageError("-o is for one project: these are several.")
    for project in projects:
        root = Path(project.project.root)
        for soc in chosen:
            folder = Path(out) if out is not None else root / "build" / "bundle" / soc.name
            _free(folder)
            made = bundle(
                root,
                project.packages,
                soc,
                ops,
                cases,
                Path(runtime) if runtime else None,
                purpose,
                f"aarch64-{system}",
            )
            findings += project.project.shown(made.findings)
            if made.ok:
                _write(made, folder)
    show_findings(findings, format)
    return exit_code(findings)


def _system(purpose: str, wanted: str | None) -> str:
    """The system of the ARM half. OpkgError (OPK799) for one on which the purpose's runtime takes no op packages."""
    from opkg.spec.diagnostics import OpkgError, Span, error

    only = ONLY.get(purpose)
    if wanted is not None and only is not None and wanted != only:
        why = {"executorch": "ExecuTorch registers op packages for Android and x86 only",
               "onnxruntime": "onnxruntime-qnn for ARM, which runs the models, is for Linux with glibc"}  # fmt: skip
        hint = "--for qnn-net-run has bundles for both systems"
        raise OpkgError([error("OPK799", f"--for {purpose} --system {wanted}: {why[purpose]}", Span(""), hint)])
    return wanted or only or SYSTEMS[0]


def _free(folder: Path) -> None:
    """UsageError for a folder that is none of ours."""
    if folder.exists() and not (folder / "bundle.json").is_file() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} is not empty, and no bundle.")


def _write(made: Bundle, folder: Path) -> None:
    """The bundle in place of an older one."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    for path, content in made.files.items():
        replace_file(str(folder / path), content)
        if path.endswith(EXECUTABLE):
            os.chmod(folder / path, 0o755)
    log(
        f"{plural(made.runs, 'graph')} for {made.soc.name} in {os.path.relpath(folder)}: README.md says how to run them"
    )
