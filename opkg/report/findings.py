"""Findings to text in one of four formats; each renderer is a module of its own and loads when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.report.paint import Paint, plain
from opkg.spec.diagnostics import Diagnostic

FORMATS = ("text", "json", "sarif", "github")


def render(findings: Sequence[Diagnostic], format: str, paint: Paint = plain) -> str:
    """All findings in one of FORMATS, with a line end unless empty. Only `text` is painted."""
    match format:
        case "json":
            from opkg.report.findings_json import render as render_json

            return render_json(findings)
        case "sarif":
            from opkg.report.findings_sarif import render as render_sarif

            return render_sarif(findings)
        case "github":
            from opkg.report.findings_github import render as render_github

            return render_github(findings)
        case _:
            from opkg.report.findings_text import render as render_text

            return render_text(findings, paint)
