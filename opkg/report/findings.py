"""Findings to text in one of four formats; each renderer is a module of its own and loads when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from opkg.spec.diagnostics import Diagnostic

FORMATS = ("text", "json", "sarif", "github")
Paint = Callable[[str, str], str]  # text, style ("error", "warning", "info", "head", "dim", "mark") -> text

_CODES = {"error": "1;31", "warning": "1;33", "info": "1;36", "head": "1", "dim": "2", "mark": "1;32", "good": "32"}


def plain(text: str, style: str) -> str:
    """No colours."""
    return text


def ansi(text: str, style: str) -> str:
    """Colours of a terminal."""
    code = _CODES.get(style, "")
    return f"\x1b[{code}m{text}\x1b[0m" if code else text


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
