"""What `opkg rules test` calls: verdicts for the rules of specs and of C++ files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opkg.rules.core import TypedRule
from opkg.spec.model import OpPackage
from opkg.verify.rules.outcome import RULE_DEFAULTS, RuleOptions, RuleVerdict


def try_rules(
    rules: Sequence[TypedRule],
    packages: Iterable[OpPackage],
    root: Path | None = None,
    options: RuleOptions = RULE_DEFAULTS,
) -> list[RuleVerdict]:
    """One verdict for each rule, in order. `packages`: those whose ops the rules may use; their paths are relative to
    `root`, without it to the working directory (each spec's project is then looked for). Never raises for rules, specs or
    references that are wrong.
    """
    from opkg.verify.rules.equivalence import equivalent  # numpy comes with it
    from opkg.verify.rules.world import World

    world = World(packages, root)
    return [equivalent(rule, world, options) for rule in rules]
