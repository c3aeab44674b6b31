"""What is wrong with generated files, for people: those with the same cause together, with their differences below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opkg.report.findings_text import Sources, one, summary, visible
from opkg.report.paint import Paint
from opkg.spec.diagnostics import Diagnostic

FEW = 3  # findings of one cause that are shown each by itself
LISTED = 10  # paths of a cause that are listed


def causes(findings: Sequence[Diagnostic]) -> list[list[Diagnostic]]:
    """The findings by what happened and what mends it, in order of the first of each; places in files stay alone."""
    groups: dict[object, list[Diagnostic]] = {}
    for finding in findings:
        whole = finding.span[1:] == (1, 1, 1, 1)
        key = (finding.id, finding.message, finding.hint) if whole else finding
        groups.setdefault(key, []).append(finding)
    return list(groups.values())


def cause(findings: Sequence[Diagnostic], diffs: Mapping[str, list[str]], paint: Paint) -> str:
    """Several files of one cause: what happened, the files with their numbers of lines, the hint once."""
    first = findings[0]
    severity = paint(first.severity.value, first.severity.value)
    lines = [f"{severity}: {len(findings)} files: {visible(first.message)} {paint(f'[{first.id}]', 'dim')}"]
    lines += [f"    {visible(finding.span.path)}{_size(finding, diffs)}" for finding in findings[:LISTED]]
    if len(findings) > LISTED:
        lines.append(paint(f"    ... and {len(findings) - LISTED} more", "dim"))
    explain = paint(f"(opkg explain {first.id})", "dim")
    lines.append(f"    hint: {visible(first.hint)} {explain}" if first.hint else f"    {explain}")
    return "\n".join(lines) + "\n"


def by_cause(findings: Sequence[Diagnostic], paint: Paint) -> str:
    """All findings without differences, and the summary line; empty without findings."""
    if not findings:
        return ""
    sources = Sources()
    text = ""
    for group in causes(findings):
        few = len(group) <= FEW
        text += "".join(one(finding, sources, paint) for finding in group) if few else cause(group, {}, paint)
    return text + summary(findings, paint) + "\n"


def _size(finding: Diagnostic, diffs: Mapping[str, list[str]]) -> str:
    """` (+3 -1)` where the difference was made."""
    lines = diffs.get(finding.span.path)
    if not lines:
        return ""
    added = sum(line.startswith("+") and not line.startswith("+++ ") for line in lines)
    removed = sum(line.startswith("-") and not line.startswith("--- ") for line in lines)
    return f"  (+{added} -{removed})"
