"""Where lints put their findings: one rule, its text, diagnostics without repetition."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.rules.core import TypedRule
from opkg.rules.core_match import At
from opkg.spec.diagnostics import Diagnostic, Severity


@dataclass(slots=True)
class Report:
    """Findings about one rule."""

    rule: TypedRule
    findings: list[Diagnostic] = field(default_factory=list)

    def text(self, at: At) -> str:
        """What stands at a place, on one line, cut when long."""
        text = " ".join(self.rule.syntax.text.text[at[0] : at[1]].split())
        return text if len(text) <= 60 else f"{text[:57]}..."

    def add(self, severity: Severity, id: str, message: str, at: At, hint: str = "") -> None:
        """A finding at a place; without a place, at the rule's pattern."""
        match = self.rule.syntax.match
        start, end = at if at[1] > at[0] else (match.start, match.end)
        found = Diagnostic(id, message, self.rule.syntax.text.span(start, end), hint, severity)
        if found not in self.findings:
            self.findings.append(found)

    def warning(self, id: str, message: str, at: At, hint: str = "") -> None:
        self.add(Severity.WARNING, id, message, at, hint)

    def info(self, id: str, message: str, at: At, hint: str = "") -> None:
        self.add(Severity.INFO, id, message, at, hint)
