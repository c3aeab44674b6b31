"""What a run of rules gives: the graph, each step, what was found, and why it was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from opkg.rules.core import Expr, TypedRule
from opkg.rules.sim.arithmetic import Scalar
from opkg.rules.sim.attempt import Attempt
from opkg.rules.sim.model import Delta, Graph
from opkg.spec.diagnostics import Diagnostic


class StepKind(StrEnum):
    RULE = "rule"
    DEAD = "dead code"
    CSE = "common subexpressions"
    FOLD = "constant propagation"


@dataclass(frozen=True, slots=True)
class Step:
    """One change of the graph. For a rule: `bound` is tag -> node id (of the graph before), `value` the constraint's,
    `log` the values of its subexpressions in order of evaluation (Settings.verbose), `root` the node replaced, `result` the
    node that stands for it now, `built` the new nodes that are left. `delta` has all changes.
    """

    kind: StepKind
    priority: int
    rule: TypedRule | None
    delta: Delta
    root: int = -1
    result: int = -1
    bound: dict[str, int] = field(default_factory=dict)
    value: Scalar | None = None
    log: tuple[tuple[Expr, Scalar], ...] = ()
    built: tuple[int, ...] = ()

    @property
    def removed(self) -> tuple[int, ...]:
        """Ids of nodes that were there before and are gone."""
        made: set[int] = set()
        gone = []
        for before, after in self.delta.changes:
            if before is None and after is not None:
                made.add(after.id)
            elif before is not None and after is None and before.id not in made:
                gone.append(before.id)
        return tuple(gone)


@dataclass(frozen=True, slots=True)
class Tried:
    """An attempt that changed nothing (Settings.attempts): pass, rule, and what became of it."""

    priority: int
    rule: TypedRule
    attempt: Attempt
    step: int  # number of steps made before it


class StopKind(StrEnum):
    REPEATS = "repeats"  # a node comes back that the same rules rewrote before
    LINEAGE = "lineage"  # rewrites of rewrites, too many
    GROWTH = "growth"  # too many applications or new nodes in one pass


@dataclass(frozen=True, slots=True)
class Stopped:
    """An endless rule set. `rules`: names in the order in which they follow each other; `text`: what they do, in words."""

    kind: StopKind
    priority: int
    rules: tuple[str, ...]
    node: int
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run. `before` and `graph`: the graph given and the last one. `counts`: rule name -> applications."""

    before: Graph
    graph: Graph
    steps: tuple[Step, ...]
    tried: tuple[Tried, ...]
    counts: dict[str, int]
    findings: tuple[Diagnostic, ...]
    stopped: Stopped | None

    def at(self, number: int) -> Graph:
        """The graph after that many steps; 0 is the graph given."""
        graph = self.before.copy()
        for step in self.steps[:number]:
            graph.play(step.delta)
        return graph

    def graphs(self) -> Iterator[Graph]:
        """The graph before the first step and after each. It is one store that changes: copy what is to be kept."""
        graph = self.before.copy()
        yield graph
        for step in self.steps:
            graph.play(step.delta)
            yield graph
