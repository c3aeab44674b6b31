"""One attempt to apply one rule at one node: match, constraint, replacement, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from opkg.rules.core import Const, Expr, TypedRule
from opkg.rules.sim.arithmetic import Fault, Scalar
from opkg.rules.sim.build import BUILD
from opkg.rules.sim.builder import Builder, Described
from opkg.rules.sim.evaluate import evaluate
from opkg.rules.sim.frame import Frame, Settings
from opkg.rules.sim.match import match, why_not
from opkg.rules.sim.model import Delta, Graph, Node


class Verdict(StrEnum):
    """What became of an attempt."""

    APPLIED = "applied"
    NO_MATCH = "no match"
    FALSE = "constraint false"
    SAME = "no change"  # the replacement is the root itself
    FAULT = "fault"  # something that real code would crash on, or that is not known here


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at `root`. `bound`: tag -> node id. `value`: the constraint's. `log`: values of its subexpressions, when
    asked for. `result`: the node that stands for the root now; `delta`: all changes. `reason`: of a failure; `at`: its place
    in the rule. `missing`: options that were read and not set. `spent`: nodes built and slices begun, also in vain."""

    verdict: Verdict
    root: int
    bound: dict[str, int] = field(default_factory=dict)
    value: Scalar | None = None
    log: tuple[tuple[Expr, Scalar], ...] = ()
    result: int = -1
    built: tuple[int, ...] = ()
    delta: Delta | None = None
    reason: str = ""
    at: tuple[int, int] = (0, 0)
    missing: frozenset[str] = frozenset()
    spent: int = 0


def attempt(graph: Graph, rule: TypedRule, root: int, settings: Settings, verbose: bool = False) -> Attempt:
    """Tries a rule at a node and changes `graph` if it applies, only then. KeyError when there is no such node."""
    node = graph.nodes[root]
    bound = match(rule.match, graph, node)
    if bound is None:
        reason = why_not(rule.match, graph, node) if verbose else ""
        return Attempt(Verdict.NO_MATCH, root, reason=reason)
    frame = Frame(graph, bound, settings, log=[] if verbose else None)
    value: Scalar | None = None
    try:
        value = True if isinstance(rule.when, Const) and rule.when.value else evaluate(rule.when, frame)
        log, frame.log = tuple(frame.log or ()), None
        if not value:
            return Attempt(Verdict.FALSE, root, bound, value, log, missing=frozenset(frame.missing))
        return _replace(graph, rule, node, frame, value, log)
    except Fault as fault:
        log = tuple(frame.log or ())
        missing, reason = frozenset(frame.missing), fault.message
        return Attempt(
            Verdict.FAULT, root, bound, value, log, reason=reason, at=fault.at, missing=missing, spent=frame.spent
        )  # fmt: skip


def _replace(
    graph: Graph, rule: TypedRule, root: Node, frame: Frame, value: Scalar, log: tuple[tuple[Expr, Scalar], ...]
) -> Attempt:
    """Builds the replacement and puts it in the root's place; undoes everything on a Fault, or when it is the root."""
    users, first_id = graph.users(root.id), graph.next_id
    delta = graph.journal = Delta()
    builder = Builder(frame, root, BUILD)
    result = root
    try:
        result = builder.build(rule.replace, Described(root.output, root.origin, root.history))
        if result.id != root.id and builder.risky and _reaches(graph, result.id, set(users)):
            result = root
            raise Fault("the replacement reads what depends on the root: the graph would have a circle")
    finally:
        if result.id == root.id:
            graph.journal = None
            graph.play(delta, back=True)
            graph.next_id = first_id
    missing = frozenset(frame.missing)
    if result.id == root.id:
        return Attempt(Verdict.SAME, root.id, dict(frame.bound), value, log, missing=missing, spent=frame.spent)
    graph.redirect(root.id, result.id, users)
    graph.sweep((*reversed(builder.built), root.id))
    graph.journal = None
    built = tuple(id for id in builder.built if id in graph.nodes)
    return Attempt(
        Verdict.APPLIED, root.id, dict(frame.bound), value, log, result.id, built, delta, missing=missing
    )  # fmt: skip


def _reaches(graph: Graph, start: int, users: set[int]) -> bool:
    """Whether the node reads one of `users`, directly or not."""
    pending, seen = [start], set()
    while pending:
        id = pending.pop()
        if id in users:
            return True
        if id not in seen:
            seen.add(id)
            pending.extend(graph.nodes[id].inputs)
    return False


def apply_once(graph: Graph, rule: TypedRule, root: int, settings: Settings | None = None) -> Graph | None:
    """The graph after one application of the rule at a node, a copy; None when it does not apply (`attempt` says why)."""
    after = graph.copy()
    done = attempt(after, rule, root, settings or Settings())
    return after if done.verdict is Verdict.APPLIED else None
