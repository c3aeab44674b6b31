"""`opkg rules test`: whether both sides of rules compute the same, on random graphs."""

from __future__ import annotations

import sys
from typing import Any

import click

from opkg.cli.output import log, paint, show_findings
from opkg.cli.rules_external import OptionValue, externals, graph_options
from opkg.cli.rules_load import How, chosen, load_all, reading_options


@click.command("test")
@click.argument("paths", nargs=-1, metavar="[FILES]...")
@click.option("--rule", "names", metavar="NAME", multiple=True, help="Only this rule (may be repeated).")
@click.option("--cases", type=click.IntRange(1, 100_000), default=24, show_default=True, help="Graphs per rule.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Other graphs, reproducibly.")
@graph_options
@reading_options
@click.option("--format", "format", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(
    paths: tuple[str, ...], names: tuple[str, ...], cases: int, seed: int, external: str | None,
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
    rule_options = RuleOptions(
        cases, seed, externals=tuple(externals(external).items()), options=tuple(options.items())
    )
    verdicts = try_rules(rules, loaded.packages, options=rule_options)
    sys.stdout.write(lines(verdicts) if format == "json" else render(verdicts, paint()))
    if not rules:
        log("there is no rule in these files")
    return int(any(verdict.status is Status.DIFFERENT for verdict in verdicts))
