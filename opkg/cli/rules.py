"""`opkg rules`: the verbs that work on optimization rules, of specs and of C++ files."""

from __future__ import annotations

import click

from opkg.cli.lazy import LazyGroup

VERBS = {
    "check": ("opkg.cli.rules_check", "Report everything that is wrong with rules."),
    "format": ("opkg.cli.rules_format", "Lay rules out in the canonical way."),
    "explain": ("opkg.cli.rules_explain", "Say in words what rules do, or what a construct means."),
    "apply": ("opkg.cli.rules_apply", "Run rules on a graph and show what they make of it."),
    "test": ("opkg.cli.rules_test", "Test that both sides of rules compute the same."),
    "offer": ("opkg.cli.rules_offer", "Print the rules that the patterns of ops stand for."),
    "migrate": ("opkg.cli.rules_migrate", "Make a spec of an existing classic package."),
}


class RuleVerbs(LazyGroup):
    """The verbs below `opkg rules`."""

    VERBS = VERBS


@click.group("rules", cls=RuleVerbs)
def command() -> None:
    """Optimization rules: DEF_PACKAGE_OPTIMIZATION and its kin, in specs (YAML) and in C++ files."""
