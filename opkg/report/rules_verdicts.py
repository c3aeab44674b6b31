"""Verdicts of `opkg rules test`: a table, counterexamples in full, and the same as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from opkg.report.findings_text import visible, where
from opkg.report.paint import Paint, plain
from opkg.report.verify_words import plural
from opkg.verify.rules.outcome import Counterexample, Fault, RuleVerdict, Status

_STYLES = {Status.EQUIVALENT: "good", Status.DIFFERENT: "bad", Status.NO_GRAPH: "warn", Status.SKIPPED: "dim"}


def render(verdicts: Sequence[RuleVerdict], paint: Paint = plain) -> str:
    """Table, counterexamples and the summary line, with a line end."""
    if not verdicts:
        return ""
    parts = [table(verdicts, paint)]
    parts += [counterexample(verdict, paint) for verdict in verdicts if verdict.counterexample is not None]
    return "\n\n".join([*parts, summary(verdicts, paint)]) + "\n"


def table(verdicts: Sequence[RuleVerdict], paint: Paint = plain) -> str:
    """One line a rule: name, status, what was done or why not."""
    name = max(len("rule"), *(len(verdict.rule) for verdict in verdicts))
    status = max(len(verdict.status) for verdict in verdicts)
    lines = [paint(f"{'rule':{name}}  verdict", "head")]
    for verdict in verdicts:
        mark = paint(f"{verdict.status:{status}}", _STYLES[verdict.status])
        lines.append(f"{visible(verdict.rule):{name}}  {mark}  {visible(_words(verdict))}".rstrip())
        lines += [f"{'':{name}}  {'':{status}}  {paint(visible(note), 'dim')}" for note in verdict.notes]
    return "\n".join(lines)


def _words(verdict: RuleVerdict) -> str:
    if verdict.status is Status.SKIPPED:
        return verdict.reason
    if verdict.status is Status.NO_GRAPH:
        reason = f": {verdict.reason}" if verdict.reason else ""
        return f"none in {verdict.tries} {'try' if verdict.tries == 1 else 'tries'}{reason}"
    words = plural(verdict.cases, "graph") + " agreed"
    if verdict.counterexample is not None:
        return _DIFFER[verdict.counterexample.fault] + (f", after {words}" if verdict.cases else "")
    return words + (f", {verdict.rejected} left alone as the constraint was false" if verdict.rejected else "")


_DIFFER = {
    Fault.VALUES: "values differ", Fault.SHAPE: "shapes differ", Fault.TYPE: "element types differ",
    Fault.QUANTIZATION: "quantizations differ", Fault.INVALID: "an op is not allowed there",
    Fault.CRASH: "the replacement cannot be built",
}  # fmt: skip


def counterexample(verdict: RuleVerdict, paint: Paint = plain) -> str:
    """The graph on which a rule is wrong: operands, both graphs, the worst elements."""
    found = verdict.counterexample
    assert found is not None
    head = f"{paint('DIFFERENT', 'bad')} {visible(verdict.rule)}  {paint(where(verdict.span), 'dim')}"
    lines = [head, f"  {visible(found.message)}"]
    wide = max((len(tag) for tag, _ in found.bound), default=0)
    lines += [f"  {tag:{wide}}  {visible(words)}" for tag, words in found.bound]
    for title, graph in (("before", found.before), ("after", found.after)):
        lines.append(f"  {paint(title, 'head')}")
        lines += [f"    {visible(line)}" for line in graph.splitlines()]
    lines += _worst(found)
    return "\n".join(lines)


def _worst(found: Counterexample) -> list[str]:
    if not found.worst:
        return []
    lines = ["  worst elements:"]
    for worst in found.worst:
        at = ", ".join(map(str, worst.index))
        lines.append(
            f"    {visible(worst.output)}[{at}]: before {worst.before}, after {worst.after}, off by {worst.error}"
        )
    return lines


def summary(verdicts: Sequence[RuleVerdict], paint: Paint = plain) -> str:
    """`3 rules: 2 equivalent, 1 different`."""
    counts = [(status, sum(verdict.status is status for verdict in verdicts)) for status in Status]
    words = [paint(f"{count} {_NAMES[status]}", _STYLES[status]) for status, count in counts if count]
    return f"{plural(len(verdicts), 'rule')}: {', '.join(words)}"


_NAMES = {
    Status.EQUIVALENT: "equivalent", Status.DIFFERENT: "different", Status.NO_GRAPH: "without a graph",
    Status.SKIPPED: "skipped",
}  # fmt: skip


def as_object(verdict: RuleVerdict) -> dict[str, Any]:
    """A verdict as plain values; those of a finding (`path`, `line`, ..., `hint`) first when it is one."""
    from opkg.report.findings_json import as_object as finding_object

    finding = verdict.finding()
    made: dict[str, Any] = dict(finding_object(finding)) if finding is not None else {
        "path": verdict.span.path, "line": verdict.span.line, "column": verdict.span.column,
    }  # fmt: skip
    made |= {
        "kind": "verdict", "rule": verdict.rule, "package": verdict.package, "status": verdict.status.value,
        "cases": verdict.cases, "rejected": verdict.rejected, "reason": verdict.reason, "notes": list(verdict.notes),
    }  # fmt: skip
    found = verdict.counterexample
    if found is not None:
        made["counterexample"] = {
            "fault": found.fault.value, "message": found.message, "case": found.case, "operands": dict(found.bound),
            "before": found.before, "after": found.after, "failed": found.failed, "elements": found.elements,
            "worst": [
                {"output": w.output, "index": list(w.index), "before": w.before, "after": w.after, "error": w.error}
                for w in found.worst
            ],
        }  # fmt: skip
    return made


def lines(verdicts: Sequence[RuleVerdict]) -> str:
    """One JSON object a line."""
    return "".join(json.dumps(as_object(verdict)) + "\n" for verdict in verdicts)
