"""One verification: compiles in the background, generates cases, runs every column, compares."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING

from opkg.spec.diagnostics import Diagnostic, OpkgError, Severity, Span, error, nearest, warning
from opkg.spec.model import Op, OpPackage
from opkg.verify import build as builder
from opkg.verify import casefile, execute, toolchain
from opkg.verify.build import Built
from opkg.verify.case import Case
from opkg.verify.cases import Plan, generate
from opkg.verify.judge import judge
from opkg.verify.machines import MachineState, RunFiles, interfaces_of
from opkg.verify.machines.base import MOST_RANKS, targets_of
from opkg.verify.options import Progress, Report, VerifyOptions
from opkg.verify.outcome import CaseOutcome, Cell, Column
from opkg.verify.reference import References
from opkg.verify.results import NOT_RUN, RawResult
from opkg.verify.runners import runner
from opkg.verify.sanitize import explained
from opkg.verify.sanitizers import slower

if TYPE_CHECKING:
    from opkg.verify.rules.machine_cases import RuleCase, RuleCases

CORE_PACKAGE = "qti.aisw"  # describes ops of the backend: no kernels, no library
RULES_INTERFACE = "qhpi"  # whose packages have their rules as callbacks
RULE_MACHINES = ("host", "htp")  # load packages; the others run kernels only
MODELS = "executorch"  # runs models around the ops, lowered with the package's builders
CORE_MACHINE = "htp"  # has the core's ops, too


@dataclass(slots=True)
class _Work:
    """One package's part of a run."""

    package: OpPackage
    builds: dict[tuple[str, str, str], Future[Built]] = field(default_factory=dict)  # by _kind
    cases: list[Case] = field(default_factory=list)
    rules: RuleCases | None = None  # of packages that have rules, when a machine runs them

    def rule_cases(self, machine: str, interface: str) -> list[RuleCase]:
        """The cases of rules that a machine can run."""
        if self.rules is None or interface != RULES_INTERFACE or machine not in RULE_MACHINES:
            return []
        return [case for case in self.rules.cases if machine == CORE_MACHINE or not case.needs_core]


@dataclass(slots=True)
class Run:
    """State of one `verify` call."""

    root: Path
    options: VerifyOptions
    machines: list[MachineState]
    report: Report
    findings: list[Diagnostic] = field(default_factory=list)
    done: dict[str, int] = field(default_factory=dict)
    total: int = 0
    lock: Lock = field(default_factory=Lock)
    stop: Event = field(default_factory=Event)
    enough: Event = field(default_factory=Event)  # a case failed, and that is to end the run

    def columns(self) -> list[Column]:
        """Every column of the table, those that are skipped included."""
        found = []
        for state in self.machines:
            lacking = state.availability
            for interface in state.machine.interfaces if lacking.ok else state.machine.interfaces[:1]:
                label = state.label if interface == "qhpi" else f"{state.machine.title} {interface}"
                checks = state.machine.checks
                name = state.machine.name.removesuffix(f"-{checks}")
                found.append(Column(label, name, interface, lacking.reason, lacking.install, checks))
        return found

    def advance(self, key: str, count: int, text: str) -> None:
        """Cases finished by one runner; called from several threads."""
        with self.lock:
            self.done[key] = count
            self.report(Progress("run", text, min(sum(self.done.values()), self.total), self.total))


def check_ops(packages: Sequence[OpPackage], names: tuple[str, ...]) -> None:
    known = tuple(op.name for package in packages for op in package.ops)
    for name in names:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean '{near}'?" if near else f"ops: {', '.join(known)}"
            raise OpkgError([error("OPK423", f"no op '{name}'", Span(""), hint)])


def verified(run: Run, packages: Sequence[OpPackage]) -> list[Cell]:
    """Compiles in the background while cases are generated, then runs every column. An interrupt ends the runners."""
    with ThreadPoolExecutor(max(2, os.cpu_count() or 2), thread_name_prefix="opkg-verify") as pool:
        try:
            return _stages(run, packages, pool)
        except BaseException:
            run.stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _stages(run: Run, packages: Sequence[OpPackage], pool: ThreadPoolExecutor) -> list[Cell]:
    states = [s for s in run.machines if s.availability.ok]
    wanted = {s.machine.runner(i) for p in packages for s in states for i in interfaces_of(s.machine, p)} - {""}
    runners = {name: pool.submit(runner, name, run.root) for name in sorted(wanted)}
    work = [_start(run, package, states, pool) for package in packages if _ops_of(package, run.options)]
    references = References(run.root)
    for part in work:
        _generate_rules(run, part)
        _generate(run, part, references)
    run.total = sum(
        len(_fitting(part, interface)) + len(part.rule_cases(state.machine.name, interface))
        for part in work
        for state in states
        for interface in interfaces_of(state.machine, part.package)
    )
    tasks = [
        _column_task(run, part, state, interface, runners)
        for part in work
        for state in states
        for interface in interfaces_of(state.machine, part.package)
    ]
    finished = list(pool.map(lambda task: task(), tasks))
    run.findings += [f for w in work for b in w.builds.values() if b.exception() is None for f in b.result().findings]
    return [cell for cells in finished for cell in cells]


def _ops_of(package: OpPackage, options: VerifyOptions) -> tuple[Op, ...]:
    return tuple(op for op in package.ops if not options.ops or op.name in options.ops)


def _start(run: Run, package: OpPackage, states: list[MachineState], pool: ThreadPoolExecutor) -> _Work:
    work = _Work(package)
    for state in states:
        for interface in interfaces_of(state.machine, package):
            kind = _kind(state, interface)
            if kind not in work.builds:
                words = " ".join(word for word in (interface, *kind[:2]) if word)
                run.report(Progress("build", f"{package.name} ({words})"))
                work.builds[kind] = pool.submit(_build, run.root, package, *kind)
    run.findings += _not_run(package, states, bool(work.builds))
    return work


def _not_run(package: OpPackage, states: list[MachineState], some: bool) -> list[Diagnostic]:
    """Findings for machines whose targets a package lacks; an error when no machine runs it."""
    span = package.spans.get("", Span(package.path))
    lacking = [s.machine for s in states if s.machine.also and s.machine.also not in targets_of(package)]
    found = [
        warning("OPK406", f"{package.name} is not run on {m.name}: it has no target {m.also}", span) for m in lacking
    ]
    if some or not states:
        return found
    if package.name == CORE_PACKAGE:
        hint = "`opkg executorch judge` runs upstream's tests with its builders"
        return [error("OPK406", f"{package.name} has no library to run: its ops are QNN's own", span, hint)]
    targets = ["qnn-htp-qhpi", *sorted({s.machine.also for s in states} - {""})]
    hint = f"add {' and '.join(targets)} to its targets"
    return [error("OPK406", f"{package.name} has no target that a machine runs", span, hint)]


def _kind(state: MachineState, interface: str) -> tuple[str, str, str]:
    """What machines share a build of: architecture ("": this host's), what is looked for, interface."""
    return state.machine.arch, state.machine.checks, interface


def _build(root: Path, package: OpPackage, arch: str, checks: str, interface: str) -> Built:
    if not arch:
        return builder.build(root, package, interface, checks)
    from opkg.verify.hexagon.build import build

    return build(root, package, interface, arch, checks)


def _generate(run: Run, work: _Work, references: References) -> None:
    """The cases of all wanted ops of a package; findings instead where that is not possible."""
    spec = run.root / work.package.path
    plan = Plan(run.options.cases, run.options.seed, run.options.case)
    for op in _ops_of(work.package, run.options):
        run.report(Progress("generate", op.name))
        try:
            cases, findings = generate(op, references.load(op, spec), plan)
        except OpkgError as failed:
            run.findings += failed.diagnostics
            continue
        work.cases += cases
        run.findings += findings
        of_rule = work.rules is not None and any(case.id == plan.only for case in work.rules.cases)
        if plan.only and not cases and not findings and not of_rule:
            message = f"{op.name} has no case '{plan.only}'"
            run.findings.append(error("OPK422", message, op.span, "cases are named like u8-007"))


def _generate_rules(run: Run, work: _Work) -> None:
    """The cases of the rules of all wanted ops; a finding for a rule that no machine of this run can show."""
    here = any(state.machine.name in RULE_MACHINES and state.availability.ok for state in run.machines)
    ruled = any(op.rules for op in _ops_of(work.package, run.options))
    if not (here and ruled and any(kind[0] == "" and kind[2] == RULES_INTERFACE for kind in work.builds)):
        return
    from opkg.verify.rules.machine_cases import no_case
    from opkg.verify.rules.machine_run import cases_of

    options = run.options
    run.report(Progress("generate", "rules"))
    work.rules = cases_of(work.package, run.root, options.ops, options.cases, options.seed, options.case)
    run.findings += work.rules.findings
    if not any(state.machine.name == CORE_MACHINE and state.availability.ok for state in run.machines):
        hidden = {case.rule.name: case.rule for case in work.rules.cases if case.needs_core}
        run.findings += [no_case(rule, "it needs ops that only the HTP backend has") for rule in hidden.values()]


def _column_task(
    run: Run, work: _Work, state: MachineState, interface: str, runners: dict[str, Future[Path]]
) -> Callable[[], list[Cell]]:
    label = state.machine.name.removesuffix(f"-{state.machine.checks}")
    column = next(
        c for c in run.columns()
        if c.machine == label and c.interface == interface and c.checks == state.machine.checks
    )  # fmt: skip

    def task() -> list[Cell]:
        try:
            built = work.builds[_kind(state, interface)].result()
            wanted = state.machine.runner(interface)
            program = runners[wanted].result() if wanted else built.library
        except OpkgError as failed:
            run.findings += failed.diagnostics
            return []
        if not built.ok or built.library is None or program is None:
            return []
        cells = _run_column(run, work, state, column, program, built.library) if _fitting(work, interface) else []
        return _finished(run, column, cells + _run_rules(run, work, state, column, program, built.library))

    return task


def _fitting(work: _Work, interface: str) -> list[Case]:
    """The cases whose tensors an interface can carry."""
    most = MOST_RANKS[interface]
    return [case for case in work.cases if all(len(tensor.shape) <= most for tensor in case.tensors)]


def _job(
    run: Run, work: _Work, state: MachineState, column: Column, program: Path, library: Path, name: str, count: int
) -> tuple[execute.Job, Path, Path]:
    """A run of cases on one column, and the case files that its command names."""
    folder = library.parent / "verify" / state.machine.name
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / f"{name}.cases", folder / f"{name}.bin"
    timeout = run.options.timeout * slower(state.machine.checks)
    files = RunFiles(
        library,
        work.package.interface_provider,
        column.interface,
        *paths,
        timeout,
        run.options.trace,
        folder / "report",
    )
    results = "results" if name == "cases" else name
    job = execute.Job(
        state.machine.command(program, files), folder, results, count, timeout * 1.5 + 10, run.stop,
        state.machine.variables(files), None, run.enough,
    )  # fmt: skip
    return job, *paths


def _run_column(run: Run, work: _Work, state: MachineState, column: Column, program: Path, library: Path) -> list[Cell]:
    """Runs all cases of a package on one column and compares the results."""
    package, cases = work.package, _fitting(work, column.interface)
    job, text, data = _job(run, work, state, column, program, library, "cases", len(cases))
    key = f"{package.name} {column.label}"
    with toolchain.locked(job.folder / ".lock"):
        if state.machine.name == MODELS:
            return _run_models(run, package, cases, column, job, library)
        if state.machine.arch:
            outcomes = _run_kernels(run, package, cases, column, job, data)
        else:
            casefile.write(cases, package.name, text, data)
            sources = builder.interface_folder(run.root, package, column.interface)

            def judged(result: RawResult) -> CaseOutcome:
                return judge(cases[result.case], explained(result, run.root, sources))

            results = execute.run(_ending(run, job, judged), lambda done: run.advance(key, done, key))
            outcomes = [judged(result) for result in results]
    run.advance(key, len(cases), key)
    return _cells(package, column, cases, outcomes)


def _ending(run: Run, job: execute.Job, judged: Callable[[RawResult], CaseOutcome]) -> execute.Job:
    """The job, which ends with the first case that fails where that is wanted."""
    return replace(job, fails=lambda result: not judged(result).ok) if run.options.fail_fast else job


def _finished(run: Run, column: Column, cells: list[Cell]) -> list[Cell]:
    """The cells without the cases that the run did not come to, of which a finding says how many they are."""
    left = [(cell, outcome) for cell in cells for outcome in cell.outcomes if outcome.status == NOT_RUN]
    if left:
        cell, outcome = left[0]
        everything = sum(len(cell.outcomes) for cell in cells)
        message = f"{column.label} stopped: {outcome.message}; {len(left)} of {everything} cases were not run"
        finding = error("OPK443", message, cell.span, "--timeout sets the seconds that a case may take")
        if run.enough.is_set():
            finding = replace(finding, hint="--fail-fast ends a run with the first failure", severity=Severity.WARNING)
        run.findings.append(finding)
    kept = [replace(c, outcomes=tuple(o for o in c.outcomes if o.status != NOT_RUN)) for c in cells]
    return [cell for cell in kept if cell.outcomes]


def _run_models(
    run: Run, package: OpPackage, cases: list[Case], column: Column, job: execute.Job, library: Path
) -> list[Cell]:
    """Runs models around the ops, of some of the cases."""
    from opkg.verify.executorch import column as models
    from opkg.verify.executorch.plan import select

    planned = select(cases, run.options.cases, bool(run.options.case))
    run.findings += models.findings(package, _ops_of(package, run.options))
    key = f"{package.name} {column.label}"
    share = len(cases) / max(len(planned), 1)
    job = replace(job, cases=len(planned), timeout=run.options.timeout)
    report = lambda done: run.advance(key, int(done * share), key)  # noqa: E731
    outcomes = models.run(planned, package, run.root, library, job, report, run.options.fail_fast)
    run.advance(key, len(cases), key)
    return _cells(package, column, [each.case for each in planned], outcomes)


def _run_kernels(
    run: Run, package: OpPackage, cases: list[Case], column: Column, job: execute.Job, data: Path
) -> list[CaseOutcome]:
    """Runs the kernels without a package around them: each one that can take a case's tensors."""
    from opkg.verify.hexagon import column as hexagon

    calls = hexagon.calls_of(package, cases, column.interface)
    key = f"{package.name} {column.label}"
    share = len(cases) / max(len(calls), 1)
    job = replace(job, cases=len(calls), timeout=run.options.timeout)  # the program keeps no time itself
    job = _ending(run, job, lambda result: hexagon.judged(calls[result.case], result, run.root))
    results = hexagon.run(calls, job, data, lambda done: run.advance(key, int(done * share), key))
    return hexagon.outcomes(cases, calls, results, run.root)


def _run_rules(run: Run, work: _Work, state: MachineState, column: Column, program: Path, library: Path) -> list[Cell]:
    """Runs the cases of a package's rules on one column."""
    cases = work.rule_cases(column.machine, column.interface)
    if not cases:
        return []
    from opkg.verify.rules.machine_run import run_column

    package = work.package
    job, text, data = _job(run, work, state, column, program, library, "rules", len(cases))
    sources = builder.interface_folder(run.root, package, column.interface)
    key = f"{package.name} {column.label} rules"
    with toolchain.locked(job.folder / ".lock"):
        cells = run_column(
            package, run.root, cases, column, (text, data), job, lambda done: run.advance(key, done, key),
            lambda result: explained(result, run.root, sources), run.options.fail_fast,
        )  # fmt: skip
    run.advance(key, len(cases), key)
    return cells


def _cells(package: OpPackage, column: Column, cases: list[Case], outcomes: list[CaseOutcome]) -> list[Cell]:
    """Outcomes grouped by op and combination, in the order of the cases."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, case in enumerate(cases):
        groups.setdefault((case.op.name, str(case.combination)), []).append(place)
    cells = []
    for (name, types), places in groups.items():
        case = cases[places[0]]
        short = case.combination.suffix or "any"
        chosen = tuple(outcomes[p] for p in places)
        cells.append(Cell(package.name, name, short, types, column, chosen, case.op.span))
    return cells
