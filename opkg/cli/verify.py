"""`opkg verify`: builds, runs the cases on every machine there is, compares with the reference, reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from opkg.cli.options import cluster_option, on_option, ops_option
from opkg.cli.output import exit_code, log, paint, paths_argument, plural, show_findings, write_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opkg.project.read import ReadProject
    from opkg.spec.diagnostics import Span
    from opkg.verify.api import VerifyOptions
    from opkg.verify.judge.outcome import VerifyResult


class _Size(click.ParamType[int]):
    """A number of bytes: 8M, 512K or 0."""

    name = "size"

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        unit = {"K": 1 << 10, "M": 1 << 20}.get(text[-1:].upper(), 1)
        digits = text if unit == 1 else text[:-1]
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10) or int(digits) * unit > MOST_BYTES:
            self.fail(f"{text!r} is no number of bytes up to 256M: 8M, 512K or 0", param, ctx)
        return int(digits) * unit


MOST_BYTES = 256 << 20
SIZE = _Size()
NOT_WRITTEN = "OPK349"


@click.command("verify")
@paths_argument
@on_option("host, htp, executorch, hexagon, onert, openvino, onnxruntime; default: host and htp.")
@ops_option
@click.option("--cases", type=click.IntRange(1, 100_000), default=None, help="Cases per op and element types. [24]")
@click.option("--seed", type=click.IntRange(0), default=None, help="Other cases, reproducibly. [0]")
@click.option("--case", default="", metavar="NAME", help="Only this case, as a failure names it: u8-007.")
@click.option(
    "--large",
    type=SIZE,
    default=None,
    help="htp: one more case per op and element types, of so many bytes; 0: none. [8M]",
)
@click.option("--timeout", type=click.FloatRange(0.1), default=None, help="Seconds a case may take. [20]")
@click.option(
    "--sanitize", is_flag=True, help="Run the kernels under AddressSanitizer, UBSan, ThreadSanitizer or valgrind."
)
@click.option("--fresh", is_flag=True, help="Begin anew, also when the same run was interrupted before.")
@click.option("--fail-fast", is_flag=True, help="Stop with the first case that fails.")
@click.option("--trace", is_flag=True, help="Record the calls that a backend makes.")
@click.option("--generate", is_flag=True, help="First write what the specs ask for, as opkg generate does.")
@click.option("--watch", is_flag=True, help="Generate and verify again whenever a file of the project changes.")
@cluster_option("the packages")
@click.option("--junit", type=click.Path(dir_okay=False), help="Write JUnit XML to this file.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False), help="Write everything as JSON to this file.")
@click.option("--html", type=click.Path(dir_okay=False), help="Write the page here. [build/verify.html]")
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    paths: tuple[str, ...], on: tuple[str, ...], ops: tuple[str, ...], cases: int | None, seed: int | None, case: str,
    large: int | None, timeout: float | None, sanitize: bool, fail_fast: bool, fresh: bool, trace: bool, generate: bool,
    watch: bool, cluster: str, junit: str | None, json_file: str | None, html: str | None, format: str,
) -> int:  # fmt: skip
    """Run generated cases, and the specs' own, of the ops in PATHS and compare them with the reference.

    Machines: host (our simulation of the HTP interfaces), htp (Qualcomm's own HTP backend for x86), executorch (a
    model around each op, quantized, lowered with the package's builders and run on the same backend), hexagon (the kernels
    in qemu-hexagon, on every architecture that it runs; one alone: hexagon-v66), onert (custom kernels inside Samsung's
    runtime, PyPI's onert), openvino (extension ops on the CPU device of PyPI's openvino), onnxruntime (a node of each op
    in an ONNX model, on the HTP backend of PyPI's onnxruntime-qnn).

    --sanitize builds the kernels so that they look for faults themselves: on host (the default then) for stray accesses,
    leaks, undefined behaviour and data races, on hexagon for misaligned accesses.
    """
    from opkg.verify.options import VerifyOptions

    options = VerifyOptions((), ops, case=case, trace=trace, sanitize=sanitize, fail_fast=fail_fast, fresh=fresh)
    asked = _Asked(on, cases, seed, timeout, large, cluster)
    reports = _Reports(junit, json_file, html, format)

    def once() -> int:
        generated = _generated(paths, format) if generate or watch else 0
        return generated or _once(paths, options, asked, reports)

    if not watch:
        return once()
    from opkg.cli.watch import watched

    return watched(paths, once)


class _Reports(NamedTuple):
    """Where the results go: files (None: none; of the page, the default place), and how they are printed."""

    junit: str | None
    json: str | None
    html: str | None
    format: str


class _Asked(NamedTuple):
    """What the command line says; empty or None: the project's settings say it, else opkg's own defaults."""

    machines: tuple[str, ...]
    cases: int | None
    seed: int | None
    timeout: float | None
    large: int | None
    cluster: str = ""

    def over(self, options: VerifyOptions, root: str, prefix: str) -> VerifyOptions:
        """The options of one project's run."""
        from dataclasses import replace

        from opkg.project.config import config_of

        own = config_of(root, prefix)
        said = {name: getattr(self, name) for name in ("cases", "seed", "timeout", "large")}
        values = {name: getattr(own, name) if value is None else value for name, value in said.items()}
        machines = self.machines or (() if options.sanitize else own.machines)
        if not self.machines and machines:
            _known(machines, own.places["machines"])
        given = {name: value for name, value in values.items() if value is not None}
        return replace(options, on=machines, prefix=prefix, **given)


def _known(machines: Sequence[str], place: Span) -> None:
    """Raises Misuse at the line of the project's settings for a machine that there is not."""
    from dataclasses import replace

    from opkg.spec.diagnostics import Misuse
    from opkg.verify.machines.table import check_names

    try:
        check_names(machines)
    except Misuse as failed:
        raise Misuse([replace(found, span=place) for found in failed.diagnostics]) from None


def _generated(paths: tuple[str, ...], format: str) -> int:
    """As `opkg generate`; its exit code. Nothing is printed unless something changed or is wrong."""
    from opkg.cli.generate import log_actions
    from opkg.project.generate import generate

    result = generate(paths)
    if not result.ok:
        show_findings(result.findings, format)
        return 1
    if result.actions:
        log_actions(result)
    return 0


def _once(paths: tuple[str, ...], options: VerifyOptions, asked: _Asked, reports: _Reports) -> int:
    """One run; its exit code."""
    from opkg.project.interrupt import interruptible
    from opkg.project.read import read

    projects = read(paths)
    findings = [finding for project in projects for finding in project.findings]
    if exit_code(findings):
        show_findings(findings, reports.format)
        return 1
    show_findings([finding for finding in findings if finding.id == NOT_WRITTEN], reports.format)
    try:
        with interruptible():  # runners and what they started end with us
            result = _verified(_with_ops(projects, options.ops), options, asked)
    except KeyboardInterrupt:
        log("the same command goes on where this run ends")
        raise
    if result.resumed:
        log(f"{plural(result.resumed, 'case')} ran before the run was interrupted (--fresh runs them again)")
    page = reports.html or (f"{projects[0].project.prefix}build/verify.html" if len(projects) == 1 else None)
    try:
        _write_reports(result, reports.junit, reports.json, page)
    finally:  # on a full disk the results are printed all the same
        _show(result, reports.format, page)
    return int(not result.ok)


def _with_ops(projects: list[ReadProject], ops: tuple[str, ...]) -> list[ReadProject]:
    """The projects that have one of the ops; all when none has (verify then names the nearest)."""
    having = [p for p in projects if any(op.name in ops for package in p.packages for op in package.ops)]
    return having or projects


def _verified(projects: Sequence[ReadProject], options: VerifyOptions, asked: _Asked) -> VerifyResult:
    from dataclasses import replace
    from pathlib import Path

    from opkg.report.verify_progress import progress_bar
    from opkg.verify.api import verify
    from opkg.verify.judge.outcome import merged

    results = []
    if len(projects) > 1 and asked.seed is None:  # one seed for all: commands that repeat a case name it
        first = projects[0].project
        asked = asked._replace(seed=asked.over(options, first.root, first.prefix).seed)
    if asked.cluster:
        return _on_cluster(projects, options, asked)
    for project, packages, _ in projects:
        known = {op.name for package in packages for op in package.ops}
        ops = tuple(name for name in options.ops if name in known) if len(projects) > 1 else options.ops
        with progress_bar() as report:
            mine = replace(asked.over(options, project.root, project.prefix), ops=ops)
            results.append(verify(Path(project.root), packages, mine, report))
    return merged(results)


def _on_cluster(projects: Sequence[ReadProject], options: VerifyOptions, asked: _Asked) -> VerifyResult:
    """The packages as tasks of a cluster: those that have one of the ops asked for."""
    from dataclasses import replace

    from opkg.report.verify_progress import progress_bar
    from opkg.verify.judge.outcome import merged
    from opkg.verify.run.cluster import Job, verify_on
    from opkg.verify.run.verification import check_ops

    check_ops([package for each in projects for package in each.packages], options.ops)
    jobs = []
    for project, packages, _ in projects:
        mine = asked.over(options, project.root, project.prefix)
        for package in packages:
            ops = tuple(op.name for op in package.ops if op.name in options.ops)
            if ops or not options.ops:
                jobs.append(Job(project.root, package, replace(mine, ops=ops)))
    with progress_bar() as report:
        return merged(verify_on(asked.cluster, jobs, report))


def _write_reports(result: VerifyResult, junit: str | None, json_file: str | None, html: str | None) -> None:
    if junit:
        from opkg.report import verify_junit

        write_file(junit, verify_junit.render(result))
    if json_file:
        from opkg.report import verify_json

        write_file(json_file, verify_json.render(result))
    if html:
        from opkg.report import verify_html

        write_file(html, verify_html.render(result))


def _show(result: VerifyResult, format: str, page: str | None) -> None:
    if format == "json":
        from opkg.report.verify_json import diagnostics

        show_findings(diagnostics(result), format)
        return
    from opkg.report import verify_text
    from opkg.report.check_text import by_cause
    from opkg.report.verify_json import faults

    print(by_cause([*result.diagnostics, *faults(result)], paint()), end="")
    print(verify_text.render(result, paint(), page or ""))
    if not result.cells and not result.diagnostics:
        log("nothing was verified")
