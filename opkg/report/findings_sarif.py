"""Findings as SARIF 2.1.0, which code scanning services read."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from opkg import __version__
from opkg.report.findings_github import in_workspace
from opkg.spec.diagnostics import Diagnostic, Severity

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(findings: Sequence[Diagnostic]) -> str:
    """One document, also when there is no finding."""
    return json.dumps(document(findings), indent=1) + "\n"


def document(findings: Sequence[Diagnostic]) -> dict[str, Any]:
    """The document as plain values."""
    ids = sorted({finding.id for finding in findings})
    places = {id: place for place, id in enumerate(ids)}
    driver = {"name": "opkg", "version": __version__, "rules": [_rule(id) for id in ids]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, places[finding.id]) for finding in findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(id: str) -> dict[str, Any]:
    """What the catalog says of an id."""
    from opkg.spec.catalog import entry

    found = entry(id)
    if found is None:
        return {"id": id, "defaultConfiguration": {"level": "error"}}
    return {
        "id": id,
        "shortDescription": {"text": found.title},
        "fullDescription": {"text": found.explanation},
        "help": {"text": f"{found.explanation} (opkg explain {id})"},
        "defaultConfiguration": {"level": "error"},
    }


def _result(finding: Diagnostic, rule: int) -> dict[str, Any]:
    text = finding.message + (f" ({finding.hint})" if finding.hint else "")
    result: dict[str, Any] = {
        "ruleId": finding.id,
        "ruleIndex": rule,
        "level": _LEVEL[finding.severity],
        "message": {"text": text},
    }
    if finding.span.path:
        result["locations"] = [{"physicalLocation": _location(finding)}]
    return result


def _location(finding: Diagnostic) -> dict[str, Any]:
    span = finding.span
    path = in_workspace(span.path)
    uri = ("file://" if os.path.isabs(path) else "") + quote(os.fsencode(path))  # a name need not be UTF-8
    region = {"startLine": span.line, "startColumn": span.column}
    if (span.end_line, span.end_column) > (span.line, span.column):
        region |= {"endLine": span.end_line, "endColumn": span.end_column}
    return {"artifactLocation": {"uri": uri}, "region": region}
