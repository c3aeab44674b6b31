"""What a run of rules did, step by step: an account of each step that text, JSON and the page are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opkg.report.findings_text import visible
from opkg.report.paint import Paint, plain
from opkg.report.rules_graph import is_inline, line_of
from opkg.rules.core import Cast, Const, HtpType, Type
from opkg.rules.sim.model import Node

if TYPE_CHECKING:
    from opkg.rules.core import Expr, TypedRule
    from opkg.rules.sim.arithmetic import Scalar
    from opkg.rules.sim.model import Graph
    from opkg.rules.sim.run import Run, Step


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: a label (a tag, a value, a node's name), words, and the id of the node it is about."""

    label: str
    words: str
    node: int | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """One step. `place`: where the rule stands; `when`: value and text of the constraint and its parts."""

    number: int
    name: str
    where: str
    place: str
    matched: tuple[Fact, ...] = ()
    when: tuple[Fact, ...] = ()
    built: tuple[Fact, ...] = ()
    removed: tuple[Fact, ...] = ()
    instead: tuple[Fact, ...] = ()  # root and what stands for it now

    @property
    def sections(self) -> tuple[tuple[str, tuple[Fact, ...]], ...]:
        """The parts that have something to say."""
        parts = (
            ("matched", self.matched),
            ("constraint", self.when),
            ("built", self.built),
            ("removed", self.removed),
            ("instead", self.instead),
        )
        return tuple((name, facts) for name, facts in parts if facts)


def accounts(run: Run) -> Iterator[tuple[Account, Graph]]:
    """Each step's account, with the graph after it: one store that changes from step to step."""
    graphs = run.graphs()
    graph = next(graphs)
    for number, step in enumerate(run.steps, 1):
        matched = tuple(Fact(tag, line_of(graph, id), id) for tag, id in step.bound.items())
        removed = _facts(graph, step.removed)
        labels = {step.root: graph.label(step.root)}
        after = next(graphs)
        built = _facts(after, made(step))
        instead: tuple[Fact, ...] = ()
        if step.rule is not None and step.result not in {fact.node for fact in built}:
            instead = (Fact(labels[step.root], f"is now {after.label(step.result)}", step.result),)
        yield _account(number, step, matched, built, removed, instead), after


def _facts(graph: Graph, ids: Iterable[int]) -> tuple[Fact, ...]:
    """Lines of nodes; shapes stand in the lines of the ops that read them."""
    return tuple(Fact(graph.label(id), line_of(graph, id), id) for id in ids if not is_inline(graph, id))


def made(step: Step) -> tuple[int, ...]:
    """Ids of nodes that were not there before and are there after."""
    new: dict[int, None] = {}
    for before, after in step.delta.changes:
        node: Node | None = after or before
        if before is None and after is not None:
            new[after.id] = None
        elif after is None and node is not None:
            new.pop(node.id, None)
    return tuple(new)


def _account(
    number: int,
    step: Step,
    matched: tuple[Fact, ...],
    built: tuple[Fact, ...],
    removed: tuple[Fact, ...],
    instead: tuple[Fact, ...],
) -> Account:
    if step.rule is None:
        return Account(number, str(step.kind), f"after pass {step.priority}", "", (), (), built, removed)
    rule = step.rule
    where = (
        f"pass {rule.pass_text} ({rule.priority})" if rule.pass_text != str(rule.priority) else f"pass {rule.priority}"
    )
    return Account(
        number,
        rule.name,
        where,
        place_of(rule),
        matched,
        conditions(rule, step.value, step.log),
        built,
        removed,
        instead,
    )


def place_of(rule: TypedRule) -> str:
    """`path:line` of a rule."""
    span = rule.syntax.text.span(rule.syntax.start, rule.syntax.start + 1)
    return f"{span.path}:{span.line}"


def conditions(rule: TypedRule, value: Scalar | None, log: Sequence[tuple[Expr, Scalar]]) -> tuple[Fact, ...]:
    """The constraint and its parts with their values, as written, outer ones first, parts indented. `log`: the values of
    its subexpressions in order of evaluation."""
    if value is None:
        return ()
    values: dict[tuple[int, int], tuple[Expr, Scalar]] = {}
    for expr, value in log:
        if not _is_number(expr) and expr.at[1] > expr.at[0]:
            values[expr.at] = (expr, value)  # of a macro the last one evaluated is the whole
    text = rule.syntax.text.text
    facts: list[Fact] = []
    open_at: list[int] = []
    for start, end in sorted(values, key=lambda at: (at[0], -at[1])):
        while open_at and open_at[-1] <= start:
            open_at.pop()
        expr, value = values[start, end]
        words = " ".join(text[start:end].split())
        facts.append(Fact(shown(value, getattr(expr, "type", None)), "  " * len(open_at) + words))
        open_at.append(end)
    return tuple(facts) or (Fact("true", "always"),)


def _is_number(expr: Expr) -> bool:
    """Whether it is a number as written, perhaps converted: its value says nothing new."""
    return isinstance(expr, Const) or (isinstance(expr, Cast) and _is_number(expr.operand))


def shown(value: Scalar, type: Type | None = None) -> str:
    """A scalar as the language writes it: `true`, `-3`, `0.5`, `DType::QUInt8`."""
    if isinstance(value, bool) or type is Type.BOOL:
        return "true" if value else "false"
    if type is Type.DTYPE and int(value) in set(HtpType):
        return f"DType::{HtpType(int(value)).name}"
    return f"{value:.9g}" if isinstance(value, float) else str(value)


# ---- text and JSON


def render(account: Account, paint: Paint = plain) -> str:
    """One step as text, with a line end."""
    head = f"step {account.number}: {paint(visible(account.name), 'head')}, {account.where}"
    lines = [head + (f"  {paint(visible(account.place), 'dim')}" if account.place else "")]
    for name, facts in account.sections:
        wide = max(len(fact.label) for fact in facts)
        for i, fact in enumerate(facts):
            label = name if i == 0 else ""
            words = fact.words if name in ("built", "removed") else f"{fact.label:{wide}}  {fact.words}"
            lines.append(f"  {paint(f'{label:10}', 'dim')} {visible(words)}".rstrip())
    return "\n".join(lines) + "\n"


def as_object(account: Account) -> dict[str, Any]:
    """One step as plain values."""
    return {
        "kind": "step", "step": account.number, "rule": account.name,
        "pass": account.where.removeprefix("pass "), "place": account.place,
        "matched": {fact.label: fact.words for fact in account.matched},
        "constraint": [[fact.label, fact.words.strip()] for fact in account.when],
        "built": [fact.words for fact in account.built], "removed": [fact.words for fact in account.removed],
    }  # fmt: skip
