"""What `opkg build` and `opkg verify` call: builds packages, runs their cases on machines, compares. Prints nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from opkg.spec.diagnostics import Diagnostic, Span, sort_key
from opkg.spec.model import Op, OpPackage
from opkg.verify.machines import build as builder
from opkg.verify.machines import current, device, resume
from opkg.verify.options import (
    BUILD_DEFAULTS,
    VERIFY_DEFAULTS,
    BuildOptions,
    BuildResult,
    Built,
    Progress,
    Report,
    VerifyOptions,
    silent,
)

if TYPE_CHECKING:
    from opkg.verify.cases.case import Case
    from opkg.verify.judge.outcome import Cell, VerifyResult

__all__ = ["BuildOptions", "BuildResult", "Progress", "Report", "VerifyOptions", "build", "verify"]


def build(
    root: Path, packages: Sequence[OpPackage], options: BuildOptions = BUILD_DEFAULTS, report: Report = silent
) -> BuildResult:
    """Builds every interface of the packages, or their halves for devices. Raises MissingTool without compiler or make."""
    begun = time.monotonic()
    findings = current.findings(root, packages) if options.check_current else []
    wanted = options.interfaces
    jobs = [(p, i) for p in packages for i in builder.interfaces(p) if not wanted or i in wanted]
    if options.devices:
        device.need(options.devices)
        findings += device.classic(packages, options.devices)
        jobs = [(p, kind) for p, i in jobs if i == "qhpi" for kind in options.devices]
    if any(d.is_error for d in findings):
        return BuildResult((), _shown(findings, options.prefix), time.monotonic() - begun)
    built: list[Built] = []
    for number, (package, interface) in enumerate(jobs):
        report(Progress("build", f"{package.name} ({interface})", number, len(jobs)))
        run = device.build if options.devices else builder.build
        built.append(run(root, package, interface))
    findings += [f for b in built for f in b.findings]
    return BuildResult(tuple(built), _shown(findings, options.prefix), time.monotonic() - begun)


def _shown(findings: Sequence[Diagnostic], prefix: str) -> tuple[Diagnostic, ...]:
    """The findings in order, each once, with paths as people see them."""
    unique = sorted(dict.fromkeys(findings), key=sort_key)
    return tuple(replace(d, span=_prefixed(d.span, prefix)) for d in unique)


def _prefixed(span: Span, prefix: str) -> Span:
    return span._replace(path=prefix + span.path) if span.path and not Path(span.path).is_absolute() else span


def _prefixed_cell(cell: Cell, prefix: str) -> Cell:
    outcomes = tuple(
        replace(o, faults=tuple(replace(f, span=_prefixed(f.span, prefix)) for f in o.faults)) if o.faults else o
        for o in cell.outcomes
    )
    return replace(cell, span=_prefixed(cell.span, prefix), outcomes=outcomes)


def verify(
    root: Path,
    packages: Sequence[OpPackage],
    options: VerifyOptions = VERIFY_DEFAULTS,
    report: Report = silent,
    more: Callable[[Op], Sequence[Case]] | None = None,
) -> VerifyResult:
    """Verifies packages of one project. Paths in the packages are relative to `root`. `more`: further cases of an op.

    Raises MissingTool when a machine of `options.on` is not here, OpkgError for names that do not exist. Everything
    else that goes wrong is in the result.
    """
    from opkg.verify.judge.outcome import VerifyResult
    from opkg.verify.machines.table import choose
    from opkg.verify.run.verification import check_ops, verified  # numpy comes with it
    from opkg.verify.run.work import Run

    begun = time.monotonic()
    run = Run(root.resolve(), options, choose(options.on, root.resolve(), options.sanitize), report)
    run.more = more
    check_ops(packages, options.ops)
    if options.check_current:
        also = {state.machine.also for state in run.machines if state.availability.ok} - {""}
        run.findings += current.findings(run.root, packages, also)
    cells: list[Cell] = []
    if not any(d.is_error for d in run.findings):
        cells = verified(run, packages)
        resume.over(each.place for each in run.kept)
    used = {cell.column.label for cell in cells}
    columns = tuple(c for c in run.columns() if not c.ran or c.label in used or c.interface == "qhpi")
    findings = _shown(run.findings, options.prefix)
    cells = [_prefixed_cell(cell, options.prefix) for cell in cells]
    return VerifyResult(
        columns, tuple(cells), findings, options.seed, options.cases, time.monotonic() - begun, run.resumed
    )
