"""Why rules were never applied in a run: at which nodes they were tried, and what kept them from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opkg.report.findings_text import visible
from opkg.report.paint import Paint, plain
from opkg.report.rules_trace import Fact, conditions, place_of
from opkg.report.verify_words import plural
from opkg.rules.sim.attempt import Verdict
from opkg.rules.sim.engine import options_wanted

if TYPE_CHECKING:
    from opkg.rules.core import TypedRule
    from opkg.rules.sim.run import Run, Tried

MOST = 3  # reasons of a rule that are shown
_WORDS = {
    Verdict.NO_MATCH: "the pattern does not fit",
    Verdict.FALSE: "the constraint is false",
    Verdict.SAME: "what it builds is the root itself",
    Verdict.FAULT: "it fails",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """What kept a rule from `count` nodes, of which `node` is the first. `when`: the constraint's parts with their values."""

    node: str
    words: str
    count: int = 1
    when: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class WhyNot:
    """A rule that was never applied. `more`: reasons that are not among `reasons`."""

    rule: str
    place: str
    reasons: tuple[Reason, ...]
    more: int = 0


def why_not(run: Run, rules: Sequence[TypedRule]) -> tuple[WhyNot, ...]:
    """An account of each rule that a run (with Settings.attempts) never applied, in order."""
    tried: dict[int, list[Tried]] = {}
    for attempt in run.tried:
        tried.setdefault(id(attempt.rule), []).append(attempt)
    return tuple(_account(run, rule, tried.get(id(rule), [])) for rule in rules if not run.counts.get(rule.name))


def _account(run: Run, rule: TypedRule, tried: list[Tried]) -> WhyNot:
    found: dict[str, Reason] = {}
    # What came nearest to an application stands first.
    for one in sorted(tried, key=lambda t: t.attempt.verdict is Verdict.NO_MATCH):
        done = one.attempt
        words = f"{_WORDS[done.verdict]}{': ' if done.reason else ''}{done.reason}"
        when = conditions(rule, done.value, done.log) if done.verdict is Verdict.FALSE else ()
        key = words + "".join(f"{fact.label} {fact.words}" for fact in when)
        before = found.get(key)
        found[key] = (
            Reason(_label(run, done.root), words, 1, when)
            if before is None
            else Reason(before.node, words, before.count + 1, when)
        )
    reasons = tuple(found.values()) or (Reason("", _never_tried(run, rule)),)
    return WhyNot(rule.name, place_of(rule), reasons[:MOST], len(reasons[MOST:]))


def _never_tried(run: Run, rule: TypedRule) -> str:
    wanted = [
        name
        for name in options_wanted(rule)
        if not (run.graph.options.get(name) or run.graph.options.get(f"{name}_flag"))
    ]
    if wanted:
        return f"it runs only where the option {' and '.join(wanted)} is on"
    return f"no node is {rule.root}"


def _label(run: Run, id: int) -> str:
    """A node's name, of one that is gone too."""
    graph = run.graph if id in run.graph.nodes else run.before
    return graph.label(id) if id in graph.nodes else f"%{id}"


def lines(why: WhyNot) -> list[str]:
    """The reasons, a line each, and under a constraint its parts."""
    found = []
    for reason in why.reasons:
        again = f" (and at {plural(reason.count - 1, 'other node')})" if reason.count > 1 else ""
        found.append(f"{reason.node + ': ' if reason.node else ''}{reason.words}{again}")
        wide = max((len(fact.label) for fact in reason.when), default=0)
        found += [f"  {fact.label:{wide}}  {fact.words}" for fact in reason.when]
    return found + ([f"and {plural(why.more, 'other reason')}"] if why.more else [])


def render(why: WhyNot, paint: Paint = plain) -> str:
    """One rule as text, with a line end."""
    head = f"not applied: {paint(visible(why.rule), 'head')}  {paint(visible(why.place), 'dim')}"
    return "\n".join([head, *(f"  {visible(line)}" for line in lines(why))]) + "\n"


def as_object(why: WhyNot) -> dict[str, Any]:
    """One rule as plain values."""
    reasons = [
        {
            "node": reason.node,
            "reason": reason.words,
            "nodes": reason.count,
            "constraint": [[fact.label, fact.words] for fact in reason.when],
        }
        for reason in why.reasons
    ]
    return {"kind": "not applied", "rule": why.rule, "place": why.place, "reasons": reasons, "more": why.more}
