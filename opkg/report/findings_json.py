"""Findings for programs: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence

from opkg.spec.diagnostics import Diagnostic


def as_object(finding: Diagnostic) -> dict[str, str | int]:
    """The finding as plain values. Lines and columns count from 1; the end column is exclusive."""
    span = finding.span
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "severity": finding.severity.value,
        "id": finding.id,
        "message": finding.message,
        "hint": finding.hint,
    }


def render(findings: Sequence[Diagnostic]) -> str:
    """One line each; empty without findings."""
    return "".join(json.dumps(as_object(finding)) + "\n" for finding in findings)
