"""Searches graphs that a rule accepts: draws one, looks at the constraint, mends what it says no to, draws again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from opkg.rules import core
from opkg.rules.sim import Settings
from opkg.rules.sim.arithmetic import Fault
from opkg.rules.sim.evaluate import evaluate
from opkg.rules.sim.frame import Frame
from opkg.rules.sim.match import match, why_not
from opkg.verify.cases.rng import Rng
from opkg.verify.rules.drawing_package_ops import any_node
from opkg.verify.rules.goals import Goal, Key, Repair
from opkg.verify.rules.leaves import THEMES
from opkg.verify.rules.meaning import Unfit
from opkg.verify.rules.sampler import Maker, Sample, Style
from opkg.verify.rules.world import World

ROUNDS = 8  # of mending, for one graph


@dataclass(slots=True)
class Search:
    """The search for one rule. `rejected`: graphs that match and whose constraint is false. `failed`: reasons, counted."""

    rule: core.TypedRule
    world: World
    seed: int
    settings: Settings
    tries: int = 0
    rejected: list[Sample] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    unknown: str = ""

    def samples(self, most: int, tiny: bool = False) -> Iterator[Sample]:
        """Graphs that pattern and constraint accept, until `most` drafts are used up."""
        end = self.tries + most
        number = 0
        while self.tries < end and not self.unknown:
            found = self.one(Style(self.seed, number, 0, tiny), end)
            number += 1
            if found is not None:
                yield found

    def one(self, style: Style, end: int) -> Sample | None:
        """One graph, mended at most `ROUNDS` times; None when that did not help."""
        goals: dict[Key, Goal] = {("", f"hint {int(t)}"): True for t in hints(self.rule) if t in THEMES}
        attempt = 0
        for turn in range(ROUNDS):
            if self.tries >= end or self.unknown:
                return None
            self.tries += 1
            try:
                drawn = Style(style.seed, style.number, attempt, style.tiny)
                sample = Maker(self.rule, self.world, drawn, goals, any_node).make()
            except Unfit as unfit:
                self.failed[str(unfit)] += 1
                attempt += 1
                continue
            frame = self._frame(sample)
            if frame is None:
                attempt += 1
                continue
            if self._holds(frame):
                return sample
            if turn == 0:
                self.rejected.append(sample)
            repair = Repair(
                self.rule, frame, Rng(self.seed, "repair", self.rule.name, style.label, str(turn)), dict(goals)
            )
            mended = repair.make(self.rule.when, True)
            self.failed.update(self._text(at) for at in repair.blame[:1])
            if not mended or repair.goals == goals:
                attempt += 1
            goals = repair.goals
        return None

    def _frame(self, sample: Sample) -> Frame | None:
        root = sample.graph.nodes[sample.root]
        bound = match(self.rule.match, sample.graph, root)
        if bound is None:
            self.failed[why_not(self.rule.match, sample.graph, root) or "the pattern does not match"] += 1
            return None
        return Frame(sample.graph, bound, self.settings)

    def _holds(self, frame: Frame) -> bool:
        try:
            return bool(evaluate(self.rule.when, frame))
        except Fault as fault:
            if "not known here" in fault.message:
                self.unknown = fault.message
            self.failed[fault.message] += 1
            return False

    def _text(self, at: core.At) -> str:
        """A condition as it stands in the rule."""
        return " ".join(self.rule.syntax.text.text[at[0] : at[1]].split()) or "the constraint"

    def worst(self) -> str:
        """What stood in the way most often."""
        return self.failed.most_common(1)[0][0] if self.failed else ""


def hints(rule: core.TypedRule) -> frozenset[core.HtpType]:
    """Element types that the constraint names."""
    found: set[core.HtpType] = set()

    def visit(node: object) -> None:
        if isinstance(node, core.Const):
            if node.type is core.Type.DTYPE and node.value in [int(t) for t in core.HtpType]:
                found.add(core.HtpType(int(node.value)))
        elif isinstance(node, tuple):
            for part in node:
                visit(part)
        elif hasattr(node, "__dataclass_fields__"):
            for name in node.__dataclass_fields__:
                visit(getattr(node, name))

    visit(rule.when)
    return frozenset(found)
