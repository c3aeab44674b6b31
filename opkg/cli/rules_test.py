"""`opkg rules test`: whether both sides of rules compute the same, on random graphs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from opkg.cli.options import cluster_option
from opkg.cli.output import log, paint, show_findings
from opkg.cli.rules_external import OptionValue, externals, graph_options
from opkg.cli.rules_load import How, chosen, load_all, reading_options

if TYPE_CHECKING:
    from opkg.rules.core import TypedRule
    from opkg.spec.model import OpPackage
    from opkg.verify.rules.outcome import RuleOptions, RuleVerdict


@click.command("test")
@click.argument("paths", nargs=-1, metavar="[FILES]...")
@click.option("--rule", "names", metavar="NAME", multiple=True, help="Only this rule (may be repeated).")
@click.option("--cases", type=click.IntRange(1, 100_000), default=24, show_default=True, help="Graphs per rule.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Other graphs, reproducibly.")
@cluster_option("the rules")
@graph_options
@reading_options
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    paths: tuple[str, ...], names: tuple[str, ...], cases: int, seed: int, cluster: str, external: str | None,
    options: dict[str, OptionValue], format: str, **how: Any,
) -> int:  # fmt: skip
    """Test the rules in FILES: random graphs that a rule accepts must give the same result before and after it.

    Ops of a spec mean their reference, core ops have a meaning built in; a rule with another op is skipped. Exit code 1
    when a counterexample is found.
    """
    from opkg.report.rules_verdicts import lines, render
    from opkg.verify.rules.api import try_rules
    from opkg.verify.rules.outcome import RuleOptions, Status

    loaded = load_all(paths, How(**how))
    if loaded.errors:
        show_findings(loaded.errors, format)
        return 1
    rules = chosen(loaded, names)
    rule_options = RuleOptions(cases, seed, options=tuple(options.items()))
    given = externals(external)
    if cluster:
        verdicts = _on_cluster(cluster, rules, loaded.packages, rule_options, external)
    else:
        rule_options = replace(rule_options, externals=tuple(given.items()))
        verdicts = try_rules(rules, loaded.packages, options=rule_options)
    sys.stdout.write(lines(verdicts) if format == "json" else render(verdicts, paint()))
    if not rules:
        log("there is no rule in these files")
    return int(any(verdict.status is Status.DIFFERENT for verdict in verdicts))


def _on_cluster(
    address: str, rules: list[TypedRule], packages: Iterable[OpPackage], options: RuleOptions, external: str | None
) -> list[RuleVerdict]:
    """The rules as tasks of a cluster; a file of the user's with functions is read there."""
    from opkg.report.verify_progress import progress_bar
    from opkg.verify.cluster import Task, run_on

    file = os.path.abspath(external) if external else None
    tasks = [
        Task(rule.name, os.getcwd(), partial(_tried, rule, tuple(packages), options, file)) for rule in rules
    ]  # fmt: skip
    with progress_bar() as report:
        return run_on(address, tasks, report)


def _tried(rule: TypedRule, packages: tuple[OpPackage, ...], options: RuleOptions, external: str | None) -> RuleVerdict:
    """What a worker does."""
    from opkg.verify.rules.api import try_rules

    options = replace(options, externals=tuple(externals(external).items()))
    return try_rules([rule], packages, options=options)[0]
