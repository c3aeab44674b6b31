"""Findings as GitHub workflow commands, which become annotations of a pull request."""

from __future__ import annotations

import os
from collections.abc import Sequence

from opkg.spec.diagnostics import Diagnostic, Severity

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(findings: Sequence[Diagnostic]) -> str:
    """One line each. Where GITHUB_WORKSPACE is set, paths are relative to it, as GitHub wants them."""
    return "".join(_one(finding) + "\n" for finding in findings)


def _one(finding: Diagnostic) -> str:
    span = finding.span
    properties = [("file", in_workspace(span.path)), ("line", str(span.line)), ("col", str(span.column))]
    if span.end_line == span.line and span.end_column > span.column + 1:
        properties.append(("endColumn", str(span.end_column - 1)))
    properties.append(("title", f"opkg {finding.id}"))
    words = ",".join(f"{name}={_property(value)}" for name, value in properties if span.path or name == "title")
    text = finding.message + (f"\nhint: {finding.hint}" if finding.hint else "")
    return f"::{_COMMAND[finding.severity]} {words}::{_data(text)}"


def in_workspace(path: str) -> str:
    """The path relative to the checkout's root, where the environment names it."""
    workspace = os.environ.get("GITHUB_WORKSPACE", "")
    if not workspace or not path:
        return path
    whole = os.path.abspath(path)
    inside = whole.startswith(workspace.rstrip("/") + "/")
    return os.path.relpath(whole, workspace) if inside else path


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
