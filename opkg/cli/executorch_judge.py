"""`opkg executorch judge`: ExecuTorch's own operator tests, with the generated builders in place of its own."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from opkg.cli.options import cluster_option
from opkg.cli.output import exit_code, log, paint, paths_argument, plural, show_findings
from opkg.spec.diagnostics import Diagnostic, MissingTool, Severity, Span, error
from opkg.verify.machines.executorch.packages import has_builders, module_name, no_builders, package_folder

if TYPE_CHECKING:
    from opkg.project.read import ReadProject
    from opkg.spec.model import OpPackage
    from opkg.verify.machines.executorch.environment import Environment
    from opkg.verify.machines.executorch.upstream_state import State
    from opkg.verify.machines.executorch.upstream_tests import Ran, Stock, Verdict

    Done = Callable[[Ran], None]


@click.command("judge")
@paths_argument
@click.option("-k", "expression", default="", metavar="EXPR", help="Only tests that pytest's -k EXPR chooses.")
@click.option(
    "--baseline", is_flag=True, help="Run the tests with ExecuTorch's own builders, too, instead of what is recorded."
)
@click.option("--fresh", is_flag=True, help="Run tests again that these builders have been judged by before.")
@click.option("--seed", default="", metavar="TEXT", help="In a random order that hangs on TEXT, a commit for example.")
@click.option("--most", type=click.IntRange(1), metavar="N", help="At most N of the tests that have nodes of the ops.")
@cluster_option("the tests")
@click.option("--format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    paths: tuple[str, ...], expression: str, baseline: bool, fresh: bool, seed: str, most: int | None, cluster: str,
    format: str,
) -> int:  # fmt: skip
    """Run ExecuTorch's operator tests with the builders that are generated from PATHS, in place of its own.

    All of them, as far as they have not run with these builders before: a run that was broken off goes on. A test is good
    when it passes and the project's builders made the nodes of their ops. Exit 1 when a test is worse than with the builders
    that ExecuTorch brings.
    """
    from opkg.cli.executorch_env import found_environment, generated_packages
    from opkg.project.read import read
    from opkg.report.executorch_upstream import as_json, table
    from opkg.verify.machines.executorch import upstream_state, upstream_tests

    projects = read(paths)
    findings, packages = _packages(projects)
    if exit_code(findings):
        show_findings(findings, format)
        return 1
    ops = upstream_tests.torch_ops(packages)
    if not any(op.torch for package in packages for op in package.ops):
        log("no operator test of ExecuTorch concerns these ops: say in torch: which torch ops they implement")
        return 0
    environment = found_environment(projects)
    known = upstream_tests.stock()
    tests = upstream_tests.every(environment)
    if most is not None:
        with_nodes = set(upstream_tests.concerning(ops, known))
        tests = [test for test in tests if test in with_nodes]
    tests = upstream_state.shuffled(tests, seed) if seed else tests
    tests = tests[:most]
    runner = _Runner(environment, cluster)
    if baseline:
        known = _measured(runner, tests, expression, known)
    folders = [folder for project in projects for folder in generated_packages(project)]
    names = [module_name(package.cpp_namespace) for package in packages]
    state = upstream_state.State(
        Path(projects[0].project.root) / "build", folders, environment, *_parts(projects, packages)
    )
    if fresh:
        state.forget()
    ran, said = _run(runner, folders, names, tests, expression, state)
    known = _stock_of_failures(runner, ran, known)
    verdicts = [upstream_tests.verdict(each, ops, known) for each in ran]
    places = _places(projects, packages)
    findings = [found for each in verdicts for found in _finding(each, known, places)]
    if said:
        findings.append(_broken(said, environment))
    sys.stdout.write(as_json(verdicts, ops) if format == "json" else table(verdicts, ops, paint()))
    show_findings(findings, format)
    return 1 if exit_code(findings) else 0


class _Runner(NamedTuple):
    """Where tests run: here, or on the workers of a cluster, which have the same environment at the same places."""

    environment: Environment
    cluster: str

    def run(
        self, folders: Sequence[Path], names: Sequence[str], tests: Sequence[str], expression: str, done: Done
    ) -> tuple[list[Ran], str]:
        """As `upstream_tests.run`."""
        from opkg.verify.machines.executorch import upstream_cluster, upstream_tests

        if not self.cluster:
            return upstream_tests.run(self.environment, folders, names, tests, expression, done)
        return upstream_cluster.run_tests_on(
            self.cluster, self.environment, folders, names, tests, expression, done
        )  # fmt: skip


def _run(
    runner: _Runner, folders: list[Path], names: list[str], tests: list[str], expression: str, state: State
) -> tuple[list[Ran], str]:
    """The tests that have not run yet; results of all that are asked for."""
    from opkg.verify.machines.executorch import upstream_tests

    try:
        chosen = upstream_tests.chosen(tests, expression)
    except SyntaxError:
        raise click.UsageError(f"-k {expression}: no expression of words, and, or, not and brackets") from None
    held = state.read()
    before = [held[test] for test in chosen if test in held]
    rest = [test for test in chosen if test not in held]
    if before:
        log(f"{plural(len(before), 'test')} of {len(chosen)} ran before with these builders (--fresh runs them again)")
    counted = itertools.count(len(before) + 1)

    def done(each: Ran) -> None:
        state.add(each)
        log(f"{next(counted)} of {len(chosen)}  {_outcome(each)}")

    if not rest:
        return before, ""
    log(f"{plural(len(rest), 'test')} to run")
    ran, said = runner.run(folders, names, rest, "", done)
    return [*before, *ran], said


def _stock_of_failures(runner: _Runner, ran: list[Ran], known: dict[str, Stock]) -> dict[str, Stock]:
    """What is recorded, and what ExecuTorch's own builders make of tests that fail and are not recorded."""
    unsure = [each.test for each in ran if each.outcome in ("failed", "crashed")]
    unsure = [test for test in unsure if test not in known or known[test].outcome == "unknown"]
    return _measured(runner, unsure, "", known) if unsure else known


def _packages(projects: list[ReadProject]) -> tuple[list[Diagnostic], list[OpPackage]]:
    """Packages that have builders, generated; findings when something is missing."""
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


def _parts(projects: list[ReadProject], packages: list[OpPackage]) -> tuple[dict[str, str], frozenset[str]]:
    """What hangs on single ops, as `State` has it; nothing where the builders are not those of the specs."""
    from opkg.targets.executorch_builder import TARGET
    from opkg.targets.executorch_builder.parts import of_all_ops, op_digests

    for read in projects:
        root = Path(read.project.root)
        files = [each for package in read.packages if package in packages for each in TARGET.render(package)]
        if not all((root / each.path).read_text("utf-8").endswith(each.text) for each in files):
            return {}, frozenset()
    digests = {name: digest for package in packages for name, digest in op_digests(package).items()}
    return digests, frozenset(name for package in packages for name in of_all_ops(package))


def _measured(runner: _Runner, tests: list[str], expression: str, known: dict[str, Stock]) -> dict[str, Stock]:
    """What ExecuTorch's own builders make of the tests here and now."""
    from opkg.verify.machines.executorch import upstream_tests

    log("with ExecuTorch's own builders")
    ran, _ = runner.run((), (), tests, expression, _told)
    return known | {each.test: upstream_tests.Stock(each.outcome, each.left) for each in ran}


def _told(ran: Ran) -> None:
    log(_outcome(ran))


def _outcome(ran: Ran) -> str:
    """A test as it ended; of a process that ended with it, how, as nobody knows when."""
    return f"{ran.test} {ran.outcome} ({ran.message if ran.outcome == 'crashed' else f'{ran.seconds:.1f} s'})"


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
