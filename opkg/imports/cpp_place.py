"""Which op of the spec a rule hangs below: the one it matches or builds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from opkg.imports.cpp_facts import Facts, built_or_matched, own_name, root_of
from opkg.imports.cpp_form import CppOp, PlacedRule
from opkg.rules.syntax import Rule


def place_rules(facts: Facts, rules: Sequence[PlacedRule], prefixes: Sequence[str]) -> list[CppOp]:
    """Each rule below one op, in order; rules that are tried on the same root stay together, so that their order stays.

    The op is the root itself when the package has it, else the first op of the package that the first rule of this
    root builds or matches, else the package's first op.
    """
    homes: dict[str, str] = {}
    placed: dict[str, list[PlacedRule]] = {name: [] for name in facts.ops}
    for rule in rules:
        home = homes.setdefault(_root(rule.rule), _home(rule.rule, facts, prefixes))
        taken = {other.name for other in placed[home]}
        placed[home].append(replace(rule, name=_free(rule.name, taken)))
    return [CppOp(op, tuple(placed[name])) for name, op in facts.ops.items()]


def _root(rule: Rule) -> str:
    """The root op in one spelling."""
    text = root_of(rule)
    if text.startswith('FROM_DEFAULT_PACKAGE("'):
        return "q::" + text.split('"')[1]
    return text


def _home(rule: Rule, facts: Facts, prefixes: Sequence[str]) -> str:
    names = [_root(rule)]
    names += [name for part in (rule.replace, rule.match) for name, _, _ in built_or_matched(part)]
    for name in names:
        bare = own_name(name, prefixes)
        if bare in facts.ops:
            return bare
    return next(iter(facts.ops))


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number when another rule of the op has it."""
    number, out = 2, name
    while out in taken:
        out, number = f"{name}_{number}", number + 1
    return out
