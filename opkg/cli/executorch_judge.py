"""`opkg executorch judge`: ExecuTorch's own operator tests, with the generated builders in place of its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from opkg.cli.output import exit_code, log, paint, paths_argument, plural, show_findings
from opkg.spec.diagnostics import Diagnostic, MissingTool, Severity, Span, error
from opkg.verify.machines.executorch.packages import has_builders, module_name, no_builders, package_folder

if TYPE_CHECKING:
    from opkg.project.read import ReadProject
    from opkg.spec.model import OpPackage
    from opkg.verify.machines.executorch.environment import Environment
    from opkg.verify.machines.executorch.judge import Ran, Stock, Verdict


@click.command("judge")
@paths_argument
@click.option("-k", "expression", default="", metavar="EXPR", help="Only tests that pytest's -k EXPR chooses.")
@click.option(
    "--baseline", is_flag=True, help="Run the tests with ExecuTorch's own builders, too, instead of what is recorded."
)
@click.option("--format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(paths: tuple[str, ...], expression: str, baseline: bool, format: str) -> int:
    """Run ExecuTorch's operator tests that concern the ops of PATHS (torch:) with the builders that are generated.

    A test is good when it passes and the project's builders made the nodes. Exit 1 when a test is worse than with the
    builders that ExecuTorch brings.
    """
    from opkg.cli.executorch_env import found_environment, generated_packages
    from opkg.project.read import read
    from opkg.report.executorch_judge import as_json, table
    from opkg.verify.machines.executorch import judge

    projects = read(paths)
    findings, packages = _packages(projects)
    if exit_code(findings):
        show_findings(findings, format)
        return 1
    environment = found_environment(projects)
    folders = [folder for project in projects for folder in generated_packages(project)]
    ops = judge.torch_ops(packages)
    known = judge.stock()
    tests = judge.concerning(ops, known)
    if not tests:
        log("no operator test of ExecuTorch concerns these ops: say in torch: which torch ops they implement")
        return 0
    if baseline:
        known = _measured(environment, tests, expression, known)
    names = [module_name(package.cpp_namespace) for package in packages]
    log(f"up to {plural(len(tests), 'test')}")
    ran, said = judge.run(environment, folders, names, tests, expression, _told)
    verdicts = [judge.judge(each, ops, known) for each in ran]
    places = _places(projects, packages)
    findings = [found for each in verdicts for found in _finding(each, known, places)]
    if said:
        findings.append(_broken(said, environment))
    sys.stdout.write(as_json(verdicts, ops) if format == "json" else table(verdicts, ops, paint()))
    show_findings(findings, format)
    return 1 if exit_code(findings) else 0


def _packages(projects: list[ReadProject]) -> tuple[list[Diagnostic], list[OpPackage]]:
    """Packages that have builders, generated; findings when something is missing."""
    from pathlib import Path

    findings = [found for read in projects for found in read.findings if found.severity is not Severity.INFO]
    packages = [p for read in projects for p in read.packages if has_builders(p)]
    if not packages and not exit_code(findings):
        findings.append(no_builders(Span("")))
    for read in projects:
        for package in read.packages:
            if package in packages and not package_folder(Path(read.project.root), package).is_dir():
                message = f"the builders of {package.name} are not generated"
                findings.append(error("OPK446", message, package.ops[0].span, "run opkg generate"))
    return findings, packages


def _measured(environment: Environment, tests: list[str], expression: str, known: dict[str, Stock]) -> dict[str, Stock]:
    """What ExecuTorch's own builders make of the tests here and now."""
    from opkg.verify.machines.executorch import judge

    log("with ExecuTorch's own builders")
    ran, _ = judge.run(environment, (), (), tests, expression, _told)
    return known | {each.test: judge.Stock(each.outcome, each.left) for each in ran}


def _told(ran: Ran) -> None:
    log(f"{ran.test} {ran.outcome} ({ran.seconds:.1f} s)", 1)


def _places(projects: list[ReadProject], packages: list[OpPackage]) -> dict[str, Span]:
    """Where the specs name the torch ops."""
    found: dict[str, Span] = {}
    for read in projects:
        for package in read.packages:
            for op in package.ops if package in packages else ():
                for call in op.torch:
                    span = call.span
                    found[call.op] = span._replace(path=f"{read.project.prefix}{span.path}")
    return found


def _finding(verdict: Verdict, known: dict[str, Stock], places: dict[str, Span]) -> list[Diagnostic]:
    if not verdict.worse:
        return []
    ran, hint = verdict.ran, "; ".join(verdict.ran.reasons)
    before = known.get(ran.test)
    names = [*ran.left, *(before.nodes if before is not None else ()), *ran.ours]
    place = next((places[name] for name in names if name in places), Span(""))
    if verdict.word in ("failed", "crashed"):
        text = f"{ran.test} {verdict.word}; {verdict.stock} with ExecuTorch's own builders: {ran.message}"
        return [error("OPK447", text, place, hint)]
    if verdict.word == "not used":
        return [error("OPK448", f"{ran.test}: no builder of these packages made a node", place, hint)]
    left = ", ".join(f"{count} {name}" for name, count in ran.left.items())
    return [error("OPK449", f"{ran.test}: left to ExecuTorch's own builders: {left}", place, hint)]


def _broken(said: str, environment: Environment) -> Diagnostic:
    if "No module named pytest" in said:
        hint = f"install it: {environment.python} -m pip install pytest"
        raise MissingTool([error("OPK430", f"{environment.python} has no pytest", Span(""), hint)])
    return error("OPK446", f"the tests broke off: {said.splitlines()[-1]}", Span(""), said)
