"""What `opkg rules test` calls: verdicts for the rules of specs and of C++ files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opkg.rules.core import TypedRule
from opkg.spec.model import OpPackage
from opkg.verify.rules.outcome import RuleOptions, RuleVerdict


def test_rules(
    rules: Sequence[TypedRule], packages: Iterable[OpPackage], options: RuleOptions, *roots: Path
) -> list[RuleVerdict]:
    """One verdict for each rule, in order. `packages`: those whose ops the rules may use; their paths are relative to the
    root that is given, else to the working directory. Never raises for rules, specs or references that are wrong.
    """
    from opkg.verify.rules.equivalence import equivalent  # numpy comes with it
    from opkg.verify.rules.world import World

    world = World(packages, roots[0] if roots else None)
    return [equivalent(rule, world, options) for rule in rules]
