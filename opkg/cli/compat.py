"""`opkg compat`: what a change of specs breaks for graphs and contexts that were made before it."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import click

from opkg.cli.output import exit_code, format_option, log, paths_argument, plural, show_findings
from opkg.spec.diagnostics import Diagnostic, MissingTool, OpkgError, Span, error, warning

if TYPE_CHECKING:
    from collections.abc import Iterable

    from opkg.device.contract import Promise
    from opkg.project.discover import Project
    from opkg.spec.model import OpPackage

TARGET = "qnn-htp-qhpi"  # whose kernels contexts name


@click.command("compat")
@paths_argument
@click.option("--against", "revision", metavar="REV", required=True, help="The revision in git that is in use.")
@format_option
def command(paths: tuple[str, ...], revision: str, format: str) -> int:
    """Say what the specs in PATHS break for those who use the packages of the revision REV.

    Names of packages, ops and kernels, inputs by position, types and ranks, params with their defaults. What is new and may
    be left out breaks nothing. Kernel names are those of the generated sources in REV, and those that the specs ask for now.
    Exit code 1 on a break.
    """
    from opkg.device.contract import broken
    from opkg.project.read import read

    if revision.startswith("-"):
        raise click.UsageError(f"--against wants a revision of git, not '{revision}'.")
    findings: list[Diagnostic] = []
    count = 0
    for each in read(paths, check_targets=False):
        findings += [finding for finding in each.findings if finding.is_error]
        if exit_code(findings):
            continue
        before, said = _before(each.project, revision)
        now = {promise.package.path: promise for promise in (_now(each.project, p) for p in each.packages)}
        count += len(before)
        found = list(said)
        for promise in before:
            found += broken(promise, now.get(promise.package.path) or _named(promise, now.values()))
        findings += each.project.shown(found)
    show_findings(findings, format)
    if not exit_code(findings):
        log(f"{plural(count, 'package')} of {revision}: nothing is broken")
    return exit_code(findings)


def _named(before: Promise, now: Iterable[Promise]) -> Promise | None:
    """The package of the same name in another file."""
    return next((each for each in now if each.package.name == before.package.name), None)


def _now(project: Project, package: OpPackage) -> Promise:
    """With the kernels that its spec asks for now, whether or not generated/ has been renewed since. OpkgError where the
    target refuses the spec."""
    from opkg.device.contract import Promise, kernels_in
    from opkg.targets.registry import load

    if not _has_kernels(package):
        return Promise(package, None)
    folder = f"{_sources(package)}/"
    target = load(TARGET, Span("")).target
    if wrong := [finding for finding in target.check(package) if finding.is_error]:
        raise OpkgError(project.shown(wrong))
    files = target.render(package)
    return Promise(package, kernels_in(file.text for file in files if file.path.startswith(folder)))


def _has_kernels(package: OpPackage) -> bool:
    return any(target.text == TARGET for target in package.targets)


def _sources(package: OpPackage) -> str:
    return f"generated/{package.cpp_namespace}/qhpi/src"


def _before(project: Project, revision: str) -> tuple[list[Promise], list[Diagnostic]]:
    """The packages of a revision, by the specs that the run covers. OpkgError without such a revision."""
    from opkg.device.contract import Promise, kernels_in
    from opkg.spec.reader import read

    _git(
        project,
        "rev-parse",
        "--verify",
        "--quiet",
        f"{revision}^{{commit}}",
        failing=f"git knows no revision '{revision}'",
    )
    listed = _git(project, "ls-tree", "-r", "-z", "--name-only", revision, "--", ".").split("\0")
    found: list[Promise] = []
    findings: list[Diagnostic] = []
    for path in listed:
        if not path.endswith((".yaml", ".yml")) or not project.covers(path) or path.startswith("generated/"):
            continue
        package, said = read(_git(project, "show", f"{revision}:./{path}").encode(), path)
        if package is None:
            if path in project.specs:
                hint = f"opkg of that revision may read it; the first finding is: {said[0].message}" if said else ""
                findings.append(error("OPK488", f"the spec of {revision} cannot be read", Span(path), hint))
            continue
        names = [name for name in listed if name.startswith(f"{_sources(package)}/") and name.endswith(".cpp")]
        kernels = kernels_in([_git(project, "show", f"{revision}:./{name}") for name in names]) if names else None
        if kernels is None and _has_kernels(package):
            message = f"{revision} has no generated sources of {package.name}: names of kernels are not compared"
            findings.append(warning("OPK488", message, Span(path), "keep generated/ in git"))
        found.append(Promise(package, kernels))
    return found, findings


def _git(project: Project, *words: str, failing: str = "") -> str:
    """What git says in the project's folder. OpkgError when it refuses, MissingTool without it."""
    try:
        done = subprocess.run(
            ["git", "-C", project.root, *words], capture_output=True, check=False, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise MissingTool([error("OPK488", "opkg compat needs git", Span(""), "apt-get install git")]) from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        message = failing or f"git {words[0]} failed"
        raise OpkgError([error("OPK488", message, Span(project.prefix or "."), said[0] if said else "")])
    return done.stdout.decode("utf-8", "replace")
