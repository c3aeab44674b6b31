"""A rule in words: when it runs, what it matches, on which condition, what it builds, what to mind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from opkg.rules import syntax
from opkg.rules.constructs import rows_of
from opkg.rules.core import TypedRule
from opkg.rules.explain_trees import drawn, pattern, replacement
from opkg.rules.flags import option_of
from opkg.rules.infix import conditions
from opkg.rules.passes import passes_of

# Constructs of nearly every rule, whose traps the checker reports where they matter.
_COMMON = frozenset((
    "Op", "OpVarIn", "LET", "SELECT", "AND", "OR", "XOR", "NOT", "EQ", "NE", "LT", "GT", "LE", "GE", "ADD", "MUL", "MIN",
    "MAX", "DIV", "FROM_DEFAULT_PACKAGE", "OK", "true",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Explained:
    """One rule in words. `runs`: sentences; `matches` and `builds`: pictures, line by line; `conditions`: terms that all
    hold (none: no condition); `traps`: (construct, what to mind) of what the rule uses."""

    name: str
    root: str
    priority: int
    runs: tuple[str, ...]
    matches: tuple[str, ...]
    conditions: tuple[str, ...]
    builds: tuple[str, ...]
    traps: tuple[tuple[str, str], ...]

    def lines(self, traps: bool = True) -> list[str]:
        """All of it as plain text."""
        found = [f"rule {self.name}", *(f"  {line}" for line in self.runs)]
        found += ["  matches", *(f"    {line}" for line in self.matches)]
        found += ["  when", *(f"    {line}" for line in self.conditions)] if self.conditions else ["  always"]
        found += ["  builds", *(f"    {line}" for line in self.builds)]
        if traps and self.traps:
            found += ["  mind", *(f"    {name}: {text}" for name, text in self.traps)]
        return found


def explain(rule: TypedRule, sdk: str = "") -> Explained:
    """A typed rule in words; `sdk` decides which passes are its neighbours ("": the newest)."""
    return Explained(
        rule.name,
        rule.root,
        rule.priority,
        tuple(_runs(rule, sdk)),
        tuple(drawn(pattern(replace(rule.match, tag="*")))),
        tuple(conditions(rule.when)),
        tuple(drawn(replacement(rule.replace))),
        tuple(_traps(rule.syntax)),
    )


def _runs(rule: TypedRule, sdk: str) -> Iterator[str]:
    known = sorted((number, name) for name, number in passes_of(sdk).items())
    before = [(number, name) for number, name in known if number <= rule.priority]
    after = [(number, name) for number, name in known if number > rule.priority]
    text = rule.pass_text if rule.pass_text == str(rule.priority) else f"{rule.pass_text} ({rule.priority})"
    sentence = f"runs in pass {text}"
    if before and before[-1][0] != rule.priority:
        sentence += f", after {before[-1][1]} ({before[-1][0]})"
    if after:
        sentence += f", before {after[0][1]} ({after[0][0]})"
    yield sentence
    yield f"is tried on every {rule.root} until no rule of the pass applies any more"
    for flag in rule.flags:
        option = option_of(flag)
        yield f"only when the graph option {option} is on ({flag})" if option else f"flag {flag}"


def _traps(rule: syntax.Rule) -> Iterator[tuple[str, str]]:
    """Traps of the constructs a rule is written with, in order of their first use."""
    seen: set[str] = set()
    parts = [part for part in (rule.match, rule.when, rule.replace) if part is not None]
    for name in (name for part in parts for name in _names(part)):
        if name in seen or name in _COMMON:
            continue
        seen.add(name)
        traps = dict.fromkeys(row.trap for row in rows_of(name) if row.trap)
        yield from ((name, trap) for trap in traps)


def _names(node: Any) -> Iterator[str]:
    """Names of constructs in a tree, in order."""
    pending = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, syntax.Name):
            yield part.text
        elif isinstance(part, syntax.Call):
            yield part.name
            pending.extend(reversed(part.args))
        elif isinstance(part, syntax.Binary):
            pending.extend((part.right, part.left))
        elif isinstance(part, syntax.Unary):
            pending.append(part.operand)
        elif isinstance(part, syntax.Paren):
            pending.append(part.inner)
