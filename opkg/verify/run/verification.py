"""One verification: compiles in the background, generates cases, runs every column, compares."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from pathlib import Path

from opkg.spec.diagnostics import Diagnostic, Misuse, OpkgError, Span, error, nearest, warning
from opkg.spec.model import OpPackage
from opkg.verify.cases.generate import Plan, generate
from opkg.verify.cases.reference import References
from opkg.verify.judge.outcome import Cell
from opkg.verify.machines import build as builder
from opkg.verify.machines import toolchain
from opkg.verify.machines.base import TARGETS, targets_of
from opkg.verify.machines.runners import runner
from opkg.verify.machines.table import MachineState, interfaces_of
from opkg.verify.options import Built, Progress
from opkg.verify.run import large as run_large
from opkg.verify.run.columns import column_task
from opkg.verify.run.work import CORE_MACHINE, RULE_MACHINES, RULES_INTERFACE, Kind, Run, Work, fitting, kind_of, ops_of

_LOOK_UP = 0.5  # seconds
CORE_PACKAGE = "qti.aisw"  # describes ops of the backend: no kernels, no library


def check_ops(packages: Sequence[OpPackage], names: tuple[str, ...]) -> None:
    known = tuple(op.name for package in packages for op in package.ops)
    for name in names:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean '{near}'?" if near else f"ops: {', '.join(known)}"
            raise Misuse([error("OPK423", f"no op '{name}'", Span(""), hint)])


def verified(run: Run, packages: Sequence[OpPackage]) -> list[Cell]:
    """Compiles in the background while cases are generated, then runs every column. An interrupt ends the compilers
    and the runners."""
    try:
        with ThreadPoolExecutor(max(2, os.cpu_count() or 2), thread_name_prefix="opkg-verify") as pool:
            try:
                return _stages(run, packages, pool)
            except BaseException:
                run.stop.set()
                toolchain.BUILDS.end()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        toolchain.BUILDS.begin()  # whoever waited for a turn has ended


def _stages(run: Run, packages: Sequence[OpPackage], pool: ThreadPoolExecutor) -> list[Cell]:
    states = [s for s in run.machines if s.availability.ok]
    wanted = {s.machine.runner(i) for p in packages for s in states for i in interfaces_of(s.machine, p)} - {""}
    runners = {name: pool.submit(runner, name, run.root) for name in sorted(wanted)}
    work = [Work(package) for package in packages if ops_of(package, run.options)]
    references = References(run.root)
    if run.options.case:  # which may not be there: that is said before anything is compiled
        _cases(run, work, references)
        run.findings += _no_case(run, work)
        work = [part for part in work if _has_case(run, part)]
    for part in work:
        _start(run, part, states, pool)
    if not run.options.case:
        _cases(run, work, references)
    run.total = sum(
        len(fitting(part, interface))
        + len(part.rule_cases(state.machine.name, interface))
        + run_large.most(ops_of(part.package, run.options), run.options, state.machine.name, interface)
        for part in work
        for state in states
        for interface in interfaces_of(state.machine, part.package)
    )
    tasks = [
        column_task(run, part, state, interface, runners)
        for part in work
        for state in states
        for interface in interfaces_of(state.machine, part.package)
    ]
    finished = _finished([pool.submit(task) for task in tasks])
    run.findings += [f for w in work for b in w.builds.values() if b.exception() is None for f in b.result().findings]
    return [cell for cells in finished for cell in cells]


def _finished(columns: Sequence[Future[list[Cell]]]) -> list[list[Cell]]:
    """The results of all columns, or the first exception. Looks up now and then: a signal that comes just before a wait
    without end is only seen after it."""
    waiting = set(columns)
    while waiting:
        done, waiting = wait(waiting, _LOOK_UP, FIRST_EXCEPTION)
        for column in done:
            column.result()
    return [column.result() for column in columns]


def _cases(run: Run, work: list[Work], references: References) -> None:
    for part in work:
        _generate_rules(run, part)
        _generate(run, part, references)


def _has_case(run: Run, part: Work) -> bool:
    """Whether a package has the case that was asked for, an op's, a rule's or a large one."""
    ruled = part.rules is not None and any(case.id == run.options.case for case in part.rules.cases)
    return bool(part.cases) or ruled or run_large.can_run(run.options, run.machines)


def _no_case(run: Run, work: Sequence[Work]) -> list[Diagnostic]:
    """That nothing has the case that was asked for, unless there is more to be said against it."""
    if not work or run.findings or any(_has_case(run, part) for part in work):
        return []
    ops = [op for part in work for op in ops_of(part.package, run.options)]
    who = f"{ops[0].name} has no" if len(ops) == 1 else f"none of {len(ops)} ops has a"
    return [error("OPK422", f"{who} case '{run.options.case}'", ops[0].span, "cases are named like u8-007")]


def _kinds(run: Run, package: OpPackage) -> set[Kind]:
    """The builds of a package that the machines of a run need."""
    states = [state for state in run.machines if state.availability.ok]
    return {kind_of(state, interface) for state in states for interface in interfaces_of(state.machine, package)}


def _start(run: Run, work: Work, states: list[MachineState], pool: ThreadPoolExecutor) -> None:
    """Begins to compile."""
    package = work.package
    for state in states:
        for interface in interfaces_of(state.machine, package):
            kind = kind_of(state, interface)
            if kind not in work.builds:
                words = " ".join(word for word in (interface, *kind[:2], kind[3]) if word)
                run.report(Progress("build", f"{package.name} ({words})"))
                work.builds[kind] = pool.submit(_build, run.root, package, *kind)
    run.findings += _not_run(package, states, bool(work.builds))


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
    targets = dict.fromkeys(name for s in states for name in (TARGETS[s.machine.interfaces[0]], s.machine.also) if name)
    hint = f"add {' and '.join(targets)} to its targets"
    return [error("OPK406", f"{package.name} has no target that a machine runs", span, hint)]


def _build(root: Path, package: OpPackage, arch: str, checks: str, interface: str, model: str) -> Built:
    if not arch:
        return builder.build(root, package, interface, checks, model)
    from opkg.verify.machines.hexagon.build import build

    return build(root, package, interface, arch, checks)


def _generate(run: Run, work: Work, references: References) -> None:
    """The cases of all wanted ops of a package; findings instead where that is not possible."""
    spec = run.root / work.package.path
    plan = Plan(run.options.cases, run.options.seed, run.options.case)
    for op in ops_of(work.package, run.options):
        run.report(Progress("generate", op.name))
        try:
            work.meanings[op.name] = references.load(op, spec)
            cases, findings = generate(op, work.meanings[op.name], plan)
        except OpkgError as failed:
            run.findings += failed.diagnostics
            continue
        work.cases += [*cases, *(run.more(op) if run.more is not None else ())]
        run.findings += findings


def _generate_rules(run: Run, work: Work) -> None:
    """The cases of the rules of all wanted ops; a finding for a rule that no machine of this run can show."""
    here = any(state.machine.name in RULE_MACHINES and state.availability.ok for state in run.machines)
    ruled = any(op.rules for op in ops_of(work.package, run.options))
    if not (here and ruled and any(kind[0] == "" and kind[2] == RULES_INTERFACE for kind in _kinds(run, work.package))):
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
