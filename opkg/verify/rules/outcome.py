"""What a test of rules found: one verdict per rule, and the counterexample that proves a rule wrong. No numpy here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from opkg.spec.diagnostics import Diagnostic, Severity, Span


class Status(StrEnum):
    """What became of a rule. Only EQUIVALENT is a pass; SKIPPED says nothing either way."""

    EQUIVALENT = "equivalent"
    DIFFERENT = "different"  # a counterexample was found
    NO_GRAPH = "no graph"  # no graph was found that the pattern and the constraint accept
    SKIPPED = "skipped"  # an op without meaning, a function that is not known here, ...


class Fault(StrEnum):
    """In what the two sides of a rule differ."""

    VALUES = "values"
    SHAPE = "shape"
    TYPE = "type"
    QUANTIZATION = "quantization"
    INVALID = "invalid"  # the replacement holds an op that its own definition does not allow
    CRASH = "crash"  # the replacement cannot be built


@dataclass(frozen=True, slots=True)
class Worst:
    """The element with the largest error: real values and stored numbers as text. `error` in `unit` (lsb, ulp or "")."""

    output: str
    index: tuple[int, ...]
    before: str
    after: str
    error: str


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A graph on which a rule changes the result. `before` and `after`: graphs in the text form of `opkg.rules.sim`.

    `message`: one line, what differs. `bound`: (tag, description of its node: type, shape, quantization, first values).
    `case`: the number of the sample, which with the seed gives the same graph again.
    """

    fault: Fault
    message: str
    case: int
    bound: tuple[tuple[str, str], ...]
    before: str
    after: str
    worst: tuple[Worst, ...] = ()
    failed: int = 0
    elements: int = 0


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """One rule. `cases`: graphs on which both sides agreed; `rejected`: graphs that match and whose constraint is false,
    on which the rule left the graph alone; `tries`: drafts it took. `reason`: why skipped, or why no graph was found.
    """

    rule: str
    package: str
    span: Span
    status: Status
    cases: int = 0
    rejected: int = 0
    tries: int = 0
    reason: str = ""
    counterexample: Counterexample | None = None
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is known against the rule."""
        return self.status in (Status.EQUIVALENT, Status.SKIPPED)

    def finding(self) -> Diagnostic | None:
        """The verdict as a finding (OPK450 different, OPK451 no graph, OPK452 skipped); None when equivalent."""
        if self.status is Status.EQUIVALENT:
            return None
        if self.status is Status.DIFFERENT and self.counterexample is not None:
            message = f"{self.rule}: the two sides differ: {self.counterexample.message}"
            return Diagnostic("OPK450", message, self.span, self._repeat())
        if self.status is Status.NO_GRAPH:
            message = f"{self.rule}: no graph found that pattern and constraint accept in {self.tries} tries"
            return Diagnostic("OPK451", message, self.span, self.reason, Severity.WARNING)
        return Diagnostic("OPK452", f"{self.rule}: not tested: {self.reason}", self.span, "", Severity.INFO)

    def _repeat(self) -> str:
        return f"opkg rules test --rule {self.rule} prints the graph and the values"


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """How rules are tested. `cases`: graphs wanted per rule; `tries`: most drafts per rule.
    `externals`: Python for C++ functions, see `opkg.rules.sim.context`."""

    cases: int = 24
    seed: int = 0
    tries: int = 400
    externals: tuple[tuple[str, object], ...] = ()
    options: tuple[tuple[str, bool | int | float | str], ...] = ()


RULE_DEFAULTS = RuleOptions()
