"""What `opkg rules test` calls: verdicts for the rules of packages and of C++ files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opkg.rules.core import TypedRule
from opkg.spec.diagnostics import OpkgError, Span, error, nearest
from opkg.spec.model import OpPackage
from opkg.verify.rules.outcome import RULE_DEFAULTS, RuleOptions, RuleVerdict


def try_rules(
    rules: Sequence[TypedRule], packages: Iterable[OpPackage], root: Path, options: RuleOptions = RULE_DEFAULTS
) -> list[RuleVerdict]:
    """One verdict for each rule, in order. `packages`: those whose ops the rules may use; paths of specs and references are
    relative to `root`. Raises OpkgError (OPK453) for a name in `options.only` that no rule has.
    """
    from opkg.verify.rules.equivalence import equivalent  # numpy comes with it
    from opkg.verify.rules.world import World

    chosen = chosen_rules(rules, options.only)
    world = World(packages, root)
    return [equivalent(rule, world, options) for rule in chosen]


def rules_of(packages: Iterable[OpPackage]) -> list[TypedRule]:
    """The rules of specs that can work, in order."""
    from opkg.rules.check import check_package

    return [rule for package in packages for rule in check_package(package).rules]


def chosen_rules(rules: Sequence[TypedRule], names: Sequence[str]) -> list[TypedRule]:
    """The rules of those names (`Op.rule`, or its last part), all when there are none."""
    found = []
    for name in names:
        named = [rule for rule in rules if name in (rule.name, rule.name.rpartition(".")[2])]
        if not named:
            known = tuple(rule.name for rule in rules)
            near = nearest(name, known)
            hint = f"did you mean '{near}'?" if near else f"rules: {', '.join(known[:12])}"
            raise OpkgError([error("OPK453", f"no rule '{name}'", Span(""), hint)])
        found += [rule for rule in named if rule not in found]
    return found if names else list(rules)
