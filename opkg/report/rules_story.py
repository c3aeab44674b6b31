"""A run of rules as a story for the page: a picture before and after each step, what to mark, what to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opkg.report import rules_why
from opkg.report.rules_graph import around, picture
from opkg.report.rules_page import Line, Step, Story
from opkg.report.rules_trace import Account, accounts, made
from opkg.report.verify_words import plural
from opkg.rules.sim.text_write import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opkg.report.rules_picture import Picture
    from opkg.rules.core import TypedRule
    from opkg.rules.sim.model import Graph
    from opkg.rules.sim.run import Run
    from opkg.spec.diagnostics import Diagnostic

LARGEST = 120  # nodes of a graph that is shown whole
NEAR = 40  # nodes shown around a change in a larger one
MOST_STEPS = 300
MOST_VALUES = 256  # of a constant, in these
MOST_TEXT = 200_000  # characters of a graph as text


def story(run: Run, title: str, findings: Sequence[Diagnostic] = (), rules: Sequence[TypedRule] = ()) -> Story:
    """The story of a run. Of graphs with more than LARGEST nodes only what is near the changes is drawn.

    `rules`: of which it says why they were not applied.
    """
    whole = max(len(run.before), len(run.graph)) <= LARGEST
    teller = _Teller(run, whole, _why(run, rules))
    shown = min(len(run.steps), MOST_STEPS)
    notes = [("fail" if finding.is_error else "", finding.message) for finding in (*run.findings, *findings)]
    if not whole:
        notes.append(("", f"The graph has more than {LARGEST} nodes: pictures show what is near a change."))
    if shown < len(run.steps):
        notes.append(("", f"The first {shown} of {len(run.steps)} steps are shown."))
    facts = (
        f"{plural(len(run.before), 'node')} before",
        f"{len(run.graph)} after",
        plural(len(run.steps), "step"),
        f"{plural(sum(bool(n) for n in run.counts.values()), 'rule')} of {len(run.counts)} applied",
    )
    texts = tuple(
        (f"graph {when}", write_text(graph, MOST_VALUES)[:MOST_TEXT])
        for when, graph in (("before", run.before), ("after", run.graph))
    )
    badge = "endless" if run.stopped is not None else "finished"
    return Story(
        title, facts, tuple(teller.pictures), tuple(teller.steps), texts, tuple(notes), run.stopped is None, badge
    )


class _Teller:
    """Makes pictures and steps side by side."""

    def __init__(self, run: Run, whole: bool, why: tuple[tuple[str, tuple[Line, ...]], ...]) -> None:
        self.pictures: list[Picture] = []
        self.steps: list[Step] = []
        self._whole = whole
        gone = tuple(id for id in run.before.nodes if id not in run.graph.nodes)
        new = tuple(id for id in run.graph.nodes if id not in run.before.nodes)
        first = self._add(run.before, gone)
        self.steps.append(Step("whole run", "", first, 0, (), gone, new, (("rules", _counts(run)), *why)))
        self._tell(run)
        last = self._add(run.graph, new) if not whole or len(run.steps) > MOST_STEPS else len(self.pictures) - 1
        self.steps[0] = Step("whole run", "", first, last, (), gone, new, self.steps[0].sections)

    def _tell(self, run: Run) -> None:
        """Each step; graphs that are shown whole have one picture between two steps."""
        previous = run.before.copy() if not self._whole else run.before
        for (account, graph), step in zip(accounts(run), run.steps[:MOST_STEPS], strict=False):
            marked = (*step.bound.values(), *step.removed)
            before = len(self.pictures) - 1 if self._whole else self._add(previous, marked)
            built = made(step)
            after = self._add(graph, (*built, step.result))
            self.steps.append(_step(account, before, after, tuple(step.bound.values()), step.removed, built))
            if not self._whole:
                previous.play(step.delta)

    def _add(self, graph: Graph, near: Sequence[int]) -> int:
        self.pictures.append(picture(graph, None if self._whole else around(graph, near, NEAR)))
        return len(self.pictures) - 1


def _step(
    account: Account,
    before: int,
    after: int,
    matched: tuple[int, ...],
    removed: tuple[int, ...],
    built: tuple[int, ...],
) -> Step:
    sections = tuple((name, tuple(Line(f.label, f.words, f.node) for f in facts)) for name, facts in account.sections)
    kept = tuple(id for id in dict.fromkeys(matched) if id not in removed)
    subtitle = account.where + (f", {account.place}" if account.place else "")
    return Step(account.name, subtitle, before, after, kept, removed, built, sections)


def _counts(run: Run) -> tuple[Line, ...]:
    return tuple(
        Line(name, f"applied {plural(count, 'time')}" if count else "never applied")
        for name, count in run.counts.items()
    )


def _why(run: Run, rules: Sequence[TypedRule]) -> tuple[tuple[str, tuple[Line, ...]], ...]:
    """Why rules were not applied: a line each, or several."""
    found = [Line(why.rule, line) for why in rules_why.why_not(run, rules) for line in rules_why.lines(why)]
    return (("why not", tuple(found)),) if found else ()
