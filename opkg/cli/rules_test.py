"""`opkg rules test`: whether both sides of rules compute the same, on random graphs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from opkg.cli.output import log, paint, show_findings
from opkg.cli.rules_external import externals
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
@click.option("--external", metavar="FILE.py", help="Python for the C++ functions that rules call.")
@reading_options
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    paths: tuple[str, ...], names: tuple[str, ...], cases: int, seed: int, external: str | None, format: str, **how: Any
) -> int:
    """Test the rules in FILES: random graphs that a rule accepts must give the same result before and after it.

    Ops of a spec mean their reference, core ops have a meaning built in; a rule with another op is skipped. Exit code 1
    when a counterexample is found.
    """
    from opkg.report.rules_verdicts import lines, render
    from opkg.verify.rules.outcome import RuleOptions, Status

    loaded = load_all(paths, How(**how))
    errors = [finding for finding in loaded.findings if finding.is_error]
    if errors:
        show_findings(errors, format)
        return 1
    rules = chosen(loaded, names)
    options = RuleOptions(cases=cases, seed=seed, externals=tuple(externals(external).items()))
    verdicts = _verdicts(rules, loaded.packages, options)
    sys.stdout.write(lines(verdicts) if format == "json" else render(verdicts, paint()))
    if not rules:
        log("there is no rule in these files")
    return int(any(verdict.status is Status.DIFFERENT for verdict in verdicts))


def _verdicts(rules: Sequence[TypedRule], packages: Sequence[OpPackage], options: RuleOptions) -> list[RuleVerdict]:
    """Verdicts in order of the rules. Specs of several projects have their references in several places.

    Rules of C++ files may use the ops of the first project.
    """
    from opkg.verify.rules.api import try_rules

    roots: dict[str, list[OpPackage]] = {}
    for package in packages:
        root, path = _root(package.path)
        roots.setdefault(root, []).append(replace(package, path=path))
    where = {package.name: root for root, inside in roots.items() for package in inside}
    first = next(iter(roots), os.getcwd())
    found: dict[int, RuleVerdict] = {}
    for root in roots or {first: []}:
        mine = [rule for rule in rules if where.get(rule.package, first) == root]
        for rule, verdict in zip(mine, try_rules(mine, roots.get(root, ()), Path(root), options), strict=True):
            found[id(rule)] = verdict
    return [found[id(rule)] for rule in rules]


def _root(spec: str) -> tuple[str, str]:
    """The project root of a spec, and the spec's path from there."""
    from opkg.project.discover import root_of

    whole = os.path.abspath(spec)
    root = root_of(os.path.dirname(whole))
    return root, os.path.relpath(whole, root)
