"""`opkg check`: whether the generated files are what the specs ask for; writes nothing (but undoes a killed run)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from opkg.project import fastcheck, lock, manifest
from opkg.project.config import config_of
from opkg.project.discover import Project, discover
from opkg.project.recovery import recover
from opkg.spec.diagnostics import Diagnostic

if TYPE_CHECKING:
    from opkg.project.state import State

MOST_DIFFS = 10  # shown in full; `opkg generate --diff` shows all


class CheckResult(NamedTuple):
    """Findings in order (paths as people see them), diffs by such a path, and what was compared.

    `undiffed`: how many files differ whose diff was left out.
    """

    findings: tuple[Diagnostic, ...] = ()
    diffs: Mapping[str, list[str]] = {}
    undiffed: int = 0
    specs: int = 0
    files: int = 0

    @property
    def ok(self) -> bool:
        return not any(finding.is_error for finding in self.findings)


def check(paths: Sequence[str] = (), targets: Collection[str] = (), quick: bool = True) -> CheckResult:
    """Checks the projects of `paths`. Raises OpkgError when there is no spec.

    `targets`: only those. `quick` false: render even where all checksums are as the manifest says.
    """
    return check_projects(discover(paths), targets, quick)


def check_projects(projects: Sequence[Project], targets: Collection[str] = (), quick: bool = True) -> CheckResult:
    """As `check`, for projects already found."""
    results = [_check(project, targets, quick) for project in projects]
    if len(results) == 1:
        return results[0]
    return CheckResult(
        tuple(finding for result in results for finding in result.findings),
        {path: lines for result in results for path, lines in result.diffs.items()},
        sum(result.undiffed for result in results),
        sum(result.specs for result in results),
        sum(result.files for result in results),
    )


def _check(project: Project, targets: Collection[str], quick: bool) -> CheckResult:
    recover(project.root, project.prefix)
    targets = targets or config_of(project.root, project.prefix).targets
    with lock.locked(project.root, project.prefix, exclusive=False):
        compared = fastcheck.is_current(project, targets) if quick else 0
        if compared:
            return CheckResult(specs=len(project.specs), files=compared)
        return _look_closely(project, targets)


def _look_closely(project: Project, targets: Collection[str]) -> CheckResult:
    """Renders everything and says of each file why it differs."""
    from opkg.project import findings, render, state
    from opkg.project.diff import diff

    before = manifest.load(project.root)
    rendering = render.render(project, before, targets)
    specs = len(project.specs)
    if not rendering.ok:
        return CheckResult(tuple(project.shown(rendering.findings)), specs=specs)
    now = state.of_files(rendering, before, targets)
    found = rendering.findings + [findings.of_check(project, file) for file in now.changed]
    if not targets:
        found += _of_manifest(project, before, now)
    diffs: dict[str, list[str]] = {}
    for file in now.changed[:MOST_DIFFS]:
        lines = diff(project.root, project.prefix, file)
        if lines:
            diffs[project.prefix + file.path] = lines
    undiffed = max(0, len(now.changed) - MOST_DIFFS)
    return CheckResult(tuple(project.shown(found)), diffs, undiffed, specs, len(rendering.wanted))


def _of_manifest(project: Project, before: manifest.Manifest, now: State) -> list[Diagnostic]:
    """A finding when the manifest does not say what it would say now (opkg's own checksum aside)."""
    from opkg.project import findings

    if before.fault:
        return [findings.manifest_fault(project, before.fault)]
    plain = [_without_makers(specs) for specs in (before.specs, now.specs)]
    if now.changed or (plain[0] == plain[1] and before.shared == now.shared):
        return []
    return [findings.manifest_fault(project, "does not match the specs")]


def _without_makers(specs: manifest.Specs) -> manifest.Specs:
    without = {}
    for spec, entry in specs.items():
        made = {
            name: manifest.Made(**{**record, "by": record["by"].partition(" (")[0]})
            for name, record in entry["made"].items()
        }
        for record in made.values():
            record["yours"] = sorted(record["yours"])
            record["shared"] = sorted(record["shared"])
        without[spec] = manifest.SpecEntry(package=entry["package"], targets=entry["targets"], made=made)
    return without
