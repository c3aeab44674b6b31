"""A verification as JUnit XML: a suite per op and machine, a test case per case."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from opkg.report.verify_text import failure
from opkg.verify.judge.outcome import CaseOutcome, Cell, VerifyResult

# Characters that XML 1.0 cannot hold, even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def _suite(root: ElementTree.Element, name: str, counts: dict[str, str]) -> ElementTree.Element:
    suite = ElementTree.SubElement(root, "testsuite", name=_clean(name))
    suite.attrib.update(counts)
    return suite


def _case(suite: ElementTree.Element, result: VerifyResult, cell: Cell, outcome: CaseOutcome) -> None:
    seconds = f"{outcome.microseconds / 1e6:.6f}"
    name = f"{cell.package}.{cell.op}.{cell.column.label}"
    case = ElementTree.SubElement(suite, "testcase", name=_clean(outcome.case), classname=_clean(name), time=seconds)
    if not outcome.ok:
        kind = "failure" if outcome.status in ("failed", "rejected") else "error"
        broken = ElementTree.SubElement(case, kind, message=_clean(outcome.reason()), type=outcome.status)
        broken.text = _clean(failure(result, cell, outcome))
    lines = [outcome.description, *(f"{line.level}: {line.text}" for line in outcome.log), *outcome.trace]
    if outcome.kernels:
        lines.append("kernel: " + ", ".join(outcome.kernels))
    lines.append(f"code: {outcome.paths.text() or cell.code or 'unknown'}")
    ElementTree.SubElement(case, "system-out").text = _clean("\n".join(lines))


def _skipped(root: ElementTree.Element, result: VerifyResult) -> None:
    for column in result.columns:
        if not column.ran:
            counts = {"tests": "1", "failures": "0", "errors": "0", "skipped": "1", "time": "0"}
            suite = _suite(root, column.label, counts)
            case = ElementTree.SubElement(suite, "testcase", name="available", classname=column.label, time="0")
            ElementTree.SubElement(case, "skipped", message=_clean(column.reason))


def _stopped(root: ElementTree.Element, result: VerifyResult) -> int:
    """Findings that kept cases from running, as errors of a suite of their own."""
    found = [d for d in result.diagnostics if d.is_error]
    if found:
        counts = {"tests": str(len(found)), "failures": "0", "errors": str(len(found)), "skipped": "0", "time": "0"}
        suite = _suite(root, "opkg", counts)
        for finding in found:
            place = f"{finding.span.path}:{finding.span.line}:{finding.span.column}"
            case = ElementTree.SubElement(suite, "testcase", name=_clean(f"{finding.id} {place}"), classname="opkg")
            message = _clean(finding.message)
            ElementTree.SubElement(case, "error", message=message, type=finding.id).text = _clean(finding.hint)
    return len(found)


def render(result: VerifyResult) -> str:
    """The XML text."""
    root = ElementTree.Element("testsuites", name="opkg verify")
    groups: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in result.cells:
        groups.setdefault((cell.package, cell.op, cell.column.label), []).append(cell)
    for (package, op, label), cells in groups.items():
        outcomes = [o for cell in cells for o in cell.outcomes]
        failed = sum(o.status in ("failed", "rejected") for o in outcomes)
        broken = sum(not o.ok for o in outcomes) - failed
        counts = {"tests": str(len(outcomes)), "failures": str(failed), "errors": str(broken), "skipped": "0"}
        seconds = f"{sum(o.microseconds for o in outcomes) / 1e6:.6f}"
        suite = _suite(root, f"{package}.{op} {label}", {**counts, "time": seconds})
        properties = ElementTree.SubElement(suite, "properties")
        for cell in cells:
            ElementTree.SubElement(properties, "property", name=f"code {cell.combination}".strip(), value=cell.code)
        for cell in cells:
            for outcome in cell.outcomes:
                _case(suite, result, cell, outcome)
    _skipped(root, result)
    stopped = _stopped(root, result)
    root.set("tests", str(result.cases + stopped))
    root.set("failures", str(sum(int(s.get("failures", "0")) for s in root)))
    root.set("errors", str(sum(int(s.get("errors", "0")) for s in root)))
    root.set("time", f"{result.seconds:.3f}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"
