"""Runs the cases of rules on one machine, beside the cases of ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from opkg.rules.core import TypedRule
from opkg.spec.model import OpPackage
from opkg.verify.judge.outcome import CaseOutcome, Cell, Column
from opkg.verify.judge.results import RawResult
from opkg.verify.machines import execute
from opkg.verify.machines.build import interface_folder
from opkg.verify.rules import machine_cases
from opkg.verify.rules.equivalence import span_of
from opkg.verify.rules.machine_cases import RuleCase, RuleCases
from opkg.verify.rules.world import World

INTERFACE = "qhpi"  # the interface whose packages have the rules as callbacks that machines run


def built_rules(package: OpPackage, root: Path) -> list[TypedRule]:
    """The rules that the generated QHPI sources have: those whose names stand in a table of rewrites. The target's own
    findings say why it left others out."""
    from opkg.rules.check import check_package

    sources = sorted(interface_folder(root, package, INTERFACE).glob("src/*.cpp"))
    texts = [source.read_text(encoding="utf-8", errors="replace") for source in sources]
    return [rule for rule in check_package(package).rules if any(f'{{"{rule.name}", ' in text for text in texts)]


def cases_of(package: OpPackage, root: Path, ops: tuple[str, ...], count: int, seed: int, only: str) -> RuleCases:
    """Cases of the rules of the wanted ops (all when there are none). A package without rules has none, at no cost."""
    if not any(op.rules for op in package.ops if not ops or op.name in ops):
        return RuleCases()
    rules = built_rules(package, root)
    wanted = [rule for rule in rules if not ops or rule.name.rpartition(".")[0] in ops]
    world = World([package], root)
    return machine_cases.generate(package, wanted, rules, world, count, seed, only)


def run_column(
    package: OpPackage, root: Path, cases: Sequence[RuleCase], column: Column, paths: tuple[Path, Path], job: execute.Job,
    report: Callable[[int], None], explained: Callable[[RawResult], RawResult], fail_fast: bool = False,
) -> list[Cell]:  # fmt: skip
    """Runs the cases of a package's rules and compares the results. `paths`: of the case files that the job reads.
    `explained`: a result with the report of a sanitizer in words. `fail_fast`: ends with the first case that fails."""
    world = World([package], root)
    text, data = machine_cases.render(cases, world, package)
    paths[0].write_text(text, encoding="utf-8")
    paths[1].write_bytes(data)

    def judged(result: RawResult) -> CaseOutcome:
        return machine_cases.judge(cases[result.case], explained(result), world)

    if fail_fast:
        job = replace(job, fails=lambda result: not judged(result).ok)
    results = execute.run(job, report)
    groups: dict[str, list[int]] = {}
    for place, case in enumerate(cases):
        groups.setdefault(case.rule.name, []).append(place)
    cells = []
    for places in groups.values():
        case = cases[places[0]]
        outcomes = tuple(judged(results[p]) for p in places)
        rule = case.rule.name.rpartition(".")[2]
        cells.append(Cell(package.name, f"{case.op}/{rule}", "", "", column, outcomes, span_of(case.rule), rule))
    return cells
