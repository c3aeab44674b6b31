"""Rules in words, as `opkg rules explain` prints them: text for people, plain values for programs."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from opkg.report.findings_text import visible
from opkg.report.paint import Paint, plain
from opkg.spec.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from opkg.rules.core import TypedRule
    from opkg.rules.explain import Explained

WIDTH = 96


def render(explained: Explained, place: str, paint: Paint = plain) -> str:
    """One rule, with a line end. `place`: where it stands."""
    lines = [f"{paint(visible(explained.name), 'head')}  {paint(visible(place), 'dim')}"]
    lines += [f"  {visible(line)}" for line in explained.runs]
    lines += _section("matches", explained.matches, paint)
    lines += _section("when", explained.conditions or ("always",), paint)
    lines += _section("builds", explained.builds, paint)
    for i, (name, trap) in enumerate(explained.traps):
        lines += [paint("  mind", "warn")] if i == 0 else []
        lines += wrap(f"{name}: {trap}", WIDTH, initial_indent="    ", subsequent_indent="      ")
    return "\n".join(lines) + "\n"


def _section(title: str, lines: Sequence[str], paint: Paint) -> list[str]:
    return [paint(f"  {title}", "dim"), *(f"    {visible(line)}" for line in lines)]


def as_object(explained: Explained, place: str) -> dict[str, Any]:
    """One rule as plain values."""
    return {
        "kind": "rule", "rule": explained.name, "place": place, "root": explained.root, "priority": explained.priority,
        "runs": list(explained.runs), "matches": list(explained.matches), "when": list(explained.conditions),
        "builds": list(explained.builds), "traps": [{"construct": name, "text": text} for name, text in explained.traps],
    }  # fmt: skip


def as_finding(explained: Explained, rule: TypedRule) -> Diagnostic:
    """One rule as an information at its place (OPK518)."""
    span = rule.syntax.text.span(rule.syntax.match.start, rule.syntax.match.end)
    return Diagnostic("OPK518", render(explained, span.path).rstrip("\n"), span, "", Severity.INFO)
