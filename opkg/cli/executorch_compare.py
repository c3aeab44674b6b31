"""`opkg executorch compare`: a model in ExecuTorch with the project's ops and without them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from opkg.cli.files import Source
from opkg.cli.output import exit_code, log, paint, show_findings, words, write_file
from opkg.spec.diagnostics import Diagnostic, Severity, Span
from opkg.verify.machines.executorch.packages import no_builders

if TYPE_CHECKING:
    from pathlib import Path

    from opkg.project.read import ReadProject
    from opkg.verify.machines.executorch.compare import Comparison, Package

MODES = ("float", "8a8w", "16a8w")


def _modes(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """`--modes float,8a8w`, also repeated."""
    chosen = words(ctx, param, values)
    unknown = [word for word in chosen if word not in MODES]
    if unknown:
        raise click.BadParameter(f"'{unknown[0]}' is none of {', '.join(MODES)}.", ctx, param)
    return chosen or MODES


@click.command("compare")
@click.argument("model", metavar="MODEL.py", type=Source())
@click.argument("paths", nargs=-1, type=click.Path(exists=True))
@click.option("--modes", multiple=True, callback=_modes, metavar="MODES", help="float, 8a8w, 16a8w. [all]")
@click.option("--timeout", type=click.FloatRange(1), default=None, help="Seconds that one run may take. [600]")
@click.option("--html", type=click.Path(dir_okay=False), metavar="FILE", help="Write a page.")
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    model: str, paths: tuple[str, ...], modes: tuple[str, ...], timeout: float | None, html: str | None, format: str
) -> int:
    """Lower and run a model with the packages of PATHS (default: as for generate) and without them, and compare.

    MODEL.py defines model(), a torch.nn.Module; inputs(), a tuple of tensors; and, if you like, calibration() and
    evaluation(), lists of such tuples: what quantization sees, and what is measured besides. Counts what is delegated,
    names the operators that were replaced, counts calls of the packages' kernels, and measures both programs against
    PyTorch. Exit 1 when the model cannot be used or a run with the packages fails.
    """
    from pathlib import Path

    from opkg.cli.executorch_env import found_environment, generated_packages
    from opkg.project.read import read
    from opkg.verify.machines.executorch.built import built
    from opkg.verify.machines.executorch.compare_findings import findings as findings_of

    projects = read(paths)
    findings = [found for project in projects for found in project.findings if found.severity is not Severity.INFO]
    if exit_code(findings):
        return _stopped(findings, format)
    environment = found_environment(projects)
    packages = []
    for project in projects:
        made, found = built(Path(project.project.root), project.packages)
        packages += made
        findings += project.project.shown(found)
    if not packages:
        findings.append(no_builders(Span("")))
    if exit_code(findings):
        return _stopped(findings, format)
    folders = [folder for project in projects for folder in generated_packages(project)]
    compared = _compared(environment, model, packages, folders, projects, modes, timeout)
    findings += findings_of(compared)
    _show(compared, findings, format, html)
    return exit_code(findings)


def _stopped(findings: list[Diagnostic], format: str) -> int:
    show_findings(findings, format)
    return 1


def _compared(
    environment: object, model: str, packages: list[Package], folders: list[Path], projects: list[ReadProject],
    modes: tuple[str, ...], timeout: float | None,
) -> Comparison:  # fmt: skip
    from pathlib import Path

    from opkg.verify.machines.executorch import compare, observer
    from opkg.verify.machines.executorch.environment import Environment

    assert isinstance(environment, Environment)
    root = Path(projects[0].project.root).resolve()
    total = 2 * len(modes)
    done: list[str] = []

    def report(text: str) -> None:
        done.append(text)
        log(f"{len(done)}/{total} {text}")

    pairs = compare.compare(
        environment, Path(model), packages, folders, observer.library(root),
        root / "build" / "compare" / Path(model).stem, modes, timeout or compare.TIMEOUT, report,
    )  # fmt: skip
    return compare.Comparison(model, tuple(package.name for package in packages), environment, pairs)


def _show(found: Comparison, findings: list[Diagnostic], format: str, html: str | None) -> None:
    if html:
        from opkg.report import compare_html

        write_file(html, compare_html.render(found, findings))
    if format == "json":
        from opkg.report import compare_json

        sys.stdout.write(compare_json.render(found, findings))
        return
    from opkg.report import compare_text

    sys.stdout.write(compare_text.render(found, paint()))
    show_findings(findings)
    if html:
        log(f"wrote {html}")
