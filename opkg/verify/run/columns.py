"""Runs the cases of a package on one column, a machine and an interface, and judges the results."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from opkg.spec.diagnostics import OpkgError, Severity, error
from opkg.spec.model import OpPackage
from opkg.verify.cases import casefile
from opkg.verify.cases.case import Case
from opkg.verify.cases.generate import Plan
from opkg.verify.judge.outcome import CaseOutcome, Cell, Column
from opkg.verify.judge.results import NOT_RUN, RawResult
from opkg.verify.judge.verdict import judge
from opkg.verify.machines import build as builder
from opkg.verify.machines import execute, toolchain
from opkg.verify.machines.sanitize import explained
from opkg.verify.machines.sanitizers import slower
from opkg.verify.machines.table import MachineState, RunFiles
from opkg.verify.run import large as run_large
from opkg.verify.run.work import MODELS, ONERT, ONNX_MODELS, OPENVINO, Run, Work, fitting, kind_of, ops_of


def column_task(
    run: Run, work: Work, state: MachineState, interface: str, runners: dict[str, Future[Path]]
) -> Callable[[], list[Cell]]:
    label = state.machine.name.removesuffix(f"-{state.machine.checks}")
    column = next(
        c for c in run.columns()
        if c.machine == label and c.interface == interface and c.checks == state.machine.checks
    )  # fmt: skip

    def task() -> list[Cell]:
        try:
            built = work.builds[kind_of(state, interface)].result()
            wanted = state.machine.runner(interface)
            program = runners[wanted].result() if wanted else built.library
        except OpkgError as failed:
            run.findings += failed.diagnostics
            return []
        if not built.ok or built.library is None or program is None:
            return []
        large = run_large.is_for(run.options, state.machine.name, interface)
        cells = (
            _run_column(run, work, state, column, program, built.library) if large or fitting(work, interface) else []
        )
        return _finished(run, column, cells + _run_rules(run, work, state, column, program, built.library))

    return task


def _job(
    run: Run, work: Work, state: MachineState, column: Column, program: Path, library: Path, name: str, count: int,
    least: float = 0.0,
) -> tuple[execute.Job, Path, Path]:  # fmt: skip
    """A run of cases on one column, and the case files that its command names. `least`: seconds a case has at least."""
    folder = library.parent / "verify" / state.machine.name
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / f"{name}.cases", folder / f"{name}.bin"
    timeout = max(run.options.timeout * slower(state.machine.checks), least)
    files = RunFiles(
        library,
        _provider(work.package, column),
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


def _provider(package: OpPackage, column: Column) -> str:
    """The symbol of the library through which a machine finds the kernels."""
    if column.machine != ONERT:
        return package.interface_provider
    from opkg.verify.machines.onert.column import symbol

    return symbol(package)


def _run_column(run: Run, work: Work, state: MachineState, column: Column, program: Path, library: Path) -> list[Cell]:
    """Runs all cases of a package on one column and compares the results."""
    package, cases = work.package, fitting(work, column.interface)
    job, text, data = _job(run, work, state, column, program, library, "cases", len(cases))
    key = f"{package.name} {column.label}"
    with toolchain.locked(job.folder / ".lock"):
        if state.machine.name == MODELS:
            return _run_models(run, package, cases, column, job, library)
        if state.machine.name == ONNX_MODELS:
            return _run_onnx(run, package, cases, column, job, library)
        if state.machine.name in (ONERT, OPENVINO):
            return _run_in_runtime(run, package, cases, column, job, (text, data))
        if state.machine.arch:
            outcomes = _run_kernels(run, package, cases, column, job, data)
        else:
            casefile.write(cases, package.name, text, data)
            sources = builder.interface_folder(run.root, package, column.interface)

            def judged(result: RawResult) -> CaseOutcome:
                return judge(cases[result.case], explained(result, run.root, sources, package))

            job = run.keep(_ending(run, job, judged), (program, library, text, data))
            results = execute.run(job, lambda done: run.advance(key, done, key))
            outcomes = [judged(result) for result in results]
        if run_large.is_for(run.options, state.machine.name, column.interface):
            for case, outcome in run_large.run(_large(run, work, state, column, program, library), run.findings):
                cases.append(case)
                outcomes.append(outcome)
                run.advance(key, len(cases), key)
                if run.options.fail_fast and not outcome.ok:
                    break
    run.advance(key, len(cases), key)
    return _cells(package, column, cases, outcomes)


def _large(
    run: Run, work: Work, state: MachineState, column: Column, program: Path, library: Path
) -> run_large.LargeRun:
    """The large cases of a package on one column."""
    options = run.options
    job, *paths = _job(run, work, state, column, program, library, "large", 1, run_large.LEAST_TIMEOUT)
    plan = Plan(seed=options.seed, only=options.case, large=options.large)
    ops = ops_of(work.package, options) if not run.enough.is_set() else ()
    return run_large.LargeRun(work.package.name, ops, work.meanings, plan, job, (paths[0], paths[1]))


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
        finding = error("OPK438", message, cell.span, "--timeout sets the seconds that a case may take")
        if run.enough.is_set():
            finding = replace(finding, hint="--fail-fast ends a run with the first failure", severity=Severity.WARNING)
        run.findings.append(finding)
    kept = [replace(c, outcomes=tuple(o for o in c.outcomes if o.status != NOT_RUN)) for c in cells]
    return [cell for cell in kept if cell.outcomes]


def _run_models(
    run: Run, package: OpPackage, cases: list[Case], column: Column, job: execute.Job, library: Path
) -> list[Cell]:
    """Runs models around the ops, of some of the cases."""
    from opkg.verify.machines.executorch import column as models
    from opkg.verify.machines.executorch.plan import select

    planned = select(cases, run.options.cases, bool(run.options.case))
    run.findings += models.findings(package, ops_of(package, run.options))
    key = f"{package.name} {column.label}"
    share = len(cases) / max(len(planned), 1)
    job = replace(job, cases=len(planned), timeout=run.options.timeout)
    report = lambda done: run.advance(key, int(done * share), key)  # noqa: E731
    outcomes = models.run(planned, package, run.root, library, job, report, run.options.fail_fast)
    run.advance(key, len(cases), key)
    return _cells(package, column, [each.case for each in planned], outcomes)


def _run_onnx(
    run: Run, package: OpPackage, cases: list[Case], column: Column, job: execute.Job, library: Path
) -> list[Cell]:
    """Runs ONNX models around the ops, of some of the cases."""
    from opkg.verify.machines.onnxruntime import column as models
    from opkg.verify.machines.onnxruntime import holding

    run.findings += holding.findings(ops_of(package, run.options), cases)
    chosen = holding.select(cases, run.options.cases, bool(run.options.case))
    key = f"{package.name} {column.label}"
    share = len(cases) / max(len(chosen), 1)
    report = lambda done: run.advance(key, int(done * share), key)  # noqa: E731
    job = replace(job, timeout=run.options.timeout)
    standing = {} if run.options.case else _among_convolutions(run, package)
    outcomes = models.run(run.root, package, chosen, library, job, report, run.options.fail_fast, standing)
    run.advance(key, len(cases), key)
    return _cells(package, column, chosen, outcomes)


def _among_convolutions(run: Run, package: OpPackage) -> dict[tuple[str, str], Case]:
    """Calls that can stand behind a convolution, by op and combination; a layout costs something in 8 and 16 bits only."""
    from opkg.verify.cases.reference import References
    from opkg.verify.cases.shaped import shaped
    from opkg.verify.graphs import chain
    from opkg.verify.graphs.measure import SHAPE

    found: dict[tuple[str, str], Case] = {}
    for op in ops_of(package, run.options):
        meaning = References(run.root).load(op, run.root / package.path)
        for combination in op.combinations:
            case = shaped(op, combination, meaning, SHAPE)
            if isinstance(case, Case) and not chain.unfit(case):
                found[op.name, str(combination)] = case
    return found


def _run_in_runtime(
    run: Run, package: OpPackage, cases: list[Case], column: Column, job: execute.Job, files: tuple[Path, Path]
) -> list[Cell]:
    """Runs ops inside onert or OpenVINO, with the cases that it can hold."""
    if column.machine == ONERT:
        from opkg.verify.machines.onert import column as runtime
    else:
        from opkg.verify.machines.openvino import column as runtime  # type: ignore[no-redef]

    run.findings += runtime.findings(ops_of(package, run.options), cases)
    held = runtime.held(cases)
    key = f"{package.name} {column.label}"
    job = replace(job, timeout=run.options.timeout)
    report = lambda done: run.advance(key, done, key)  # noqa: E731
    outcomes = runtime.run(package, run.root, held, job, files, report, run.options.fail_fast)
    run.advance(key, len(cases), key)
    computed = {op.name for op in package.ops if op.compute is not None}
    return [replace(c, by_hand=c.op not in computed) for c in _cells(package, column, held, outcomes)]


def _run_kernels(
    run: Run, package: OpPackage, cases: list[Case], column: Column, job: execute.Job, data: Path
) -> list[CaseOutcome]:
    """Runs the kernels without a package around them: each one that can take a case's tensors."""
    from opkg.verify.machines.hexagon import column as hexagon

    calls = hexagon.calls_of(package, cases, column.interface)
    key = f"{package.name} {column.label}"
    share = len(cases) / max(len(calls), 1)
    job = replace(job, cases=len(calls), timeout=run.options.timeout)  # the program keeps no time itself
    job = _ending(run, job, lambda result: hexagon.judged(calls[result.case], result, run.root))
    results = hexagon.run(calls, job, data, lambda done: run.advance(key, int(done * share), key))
    return hexagon.outcomes(cases, calls, results, run.root)


def _run_rules(run: Run, work: Work, state: MachineState, column: Column, program: Path, library: Path) -> list[Cell]:
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
            lambda result: explained(result, run.root, sources, package), run.options.fail_fast,
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
        by_hand = any(kernel.body for kernel in case.op.kernels if kernel.combination == case.combination)
        cells.append(Cell(package.name, name, short, types, column, chosen, case.op.span, by_hand=by_hand))
    return cells
