"""A verification as one JSON object, and its failures as diagnostics."""

from __future__ import annotations

import json
import math
from typing import Any

from opkg.spec.diagnostics import Diagnostic, error
from opkg.verify.judge.around import Around
from opkg.verify.judge.outcome import CaseOutcome, Cell, VerifyResult
from opkg.verify.judge.paths import Paths
from opkg.verify.judge.results import Fault
from opkg.verify.judge.tolerance import BINS, OutputStats

VERSION = 1


def _number(value: float) -> float | str:
    """JSON has no infinities."""
    return value if math.isfinite(value) else str(value)


def _elements(paths: Paths) -> dict[str, int]:
    """How many elements vector code and portable code of generated kernels computed."""
    return {"vector": paths.vector, "portable": paths.portable}


def _around(each: Around) -> dict[str, str | int]:
    """What one op adds to two convolutions."""
    if each.problem:
        return {"form": each.form, "problem": each.problem}
    return {"form": each.form, "layout_conversions": each.conversions, "transposes": each.transposes}


def _output(stats: OutputStats) -> dict[str, Any]:
    return {
        "name": stats.name,
        "dtype": stats.dtype.name,
        "shape": list(stats.shape),
        "unit": stats.unit,
        "elements": stats.elements,
        "failed": stats.failed,
        "worst": _number(stats.worst),
        "mean": _number(stats.mean),
        "worst_abs": _number(stats.worst_abs),
        "allowed_abs": _number(stats.room),
        "judged_by": "bound" if stats.bounded else "tolerance",
        "share_of_bound": _number(stats.share),
        "without_bound": stats.unknown,
        "histogram": list(stats.histogram),
        "worst_elements": [
            {
                "index": list(e.index), "expected": _number(e.expected), "got": _number(e.got),
                "expected_stored": e.expected_stored, "got_stored": e.got_stored, "error": _number(e.error),
            }
            for e in stats.worst_elements
        ],
    }  # fmt: skip


def _case(result: VerifyResult, cell: Cell, outcome: CaseOutcome) -> dict[str, Any]:
    return {
        "case": outcome.case,
        "status": outcome.status,
        "description": outcome.description,
        "message": outcome.message,
        "stage": outcome.stage,
        "code": outcome.code,
        "kernels": list(outcome.kernels),
        "elements": _elements(outcome.paths),
        "microseconds": outcome.microseconds,
        "outputs": [_output(o) for o in outcome.outputs],
        "log": [{"level": x.level, "text": x.text} for x in outcome.log],
        "trace": list(outcome.trace),
        "command": result.command(cell, outcome),
    }


def _diagnostic(finding: Diagnostic) -> dict[str, Any]:
    return {
        "id": finding.id, "severity": finding.severity.value, "path": finding.span.path, "line": finding.span.line,
        "column": finding.span.column, "message": finding.message, "hint": finding.hint,
    }  # fmt: skip


def as_object(result: VerifyResult) -> dict[str, Any]:
    """The run as plain values."""
    return {
        "version": VERSION,
        "ok": result.ok,
        "seed": result.seed,
        "seconds": round(result.seconds, 3),
        "cases": result.cases,
        "failures": len(result.failures),
        "bins": list(BINS),
        "columns": [
            {"label": c.label, "machine": c.machine, "interface": c.interface, "ran": c.ran, "reason": c.reason}
            for c in result.columns
        ],
        "diagnostics": [_diagnostic(d) for d in result.diagnostics],
        "cells": [
            {
                "package": cell.package, "op": cell.op, "rule": cell.rule, "combination": cell.combination,
                "types": cell.types, "column": cell.column.label, "ok": cell.ok, "result": cell.text(),
                "kernels": list(cell.kernels), "code": cell.code, "elements": _elements(cell.paths),
                "between_convolutions": [_around(each) for each in cell.around],
                "cases": [_case(result, cell, outcome) for outcome in cell.outcomes],
            }
            for cell in result.cells
        ],
    }  # fmt: skip


def render(result: VerifyResult) -> str:
    """The JSON text, one object."""
    return json.dumps(as_object(result), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def faults(result: VerifyResult) -> list[Diagnostic]:
    """What sanitizers saw, each once for a line, with the first case that has it."""
    cases: dict[object, list[tuple[Cell, CaseOutcome]]] = {}
    first: dict[object, Fault] = {}
    for cell, outcome in result.failures:
        for fault in outcome.faults:
            cases.setdefault(fault.cause, []).append((cell, outcome))
            first.setdefault(fault.cause, fault)
    found = []
    for cause, having in cases.items():
        fault = first[cause]
        cell, outcome = having[0]
        others = f" and {len(having) - 1} more" if len(having) > 1 else ""
        message = f"{fault.text} ({cell.op} {outcome.case}{others}, {cell.column.label})"
        found.append(error("OPK467", message, fault.span, result.command(cell, outcome)))
    return found


def diagnostics(result: VerifyResult) -> list[Diagnostic]:
    """All findings of a run: those that stopped something, what sanitizers saw (OPK467), and one per failing case (OPK440)."""
    found = [*result.diagnostics, *faults(result)]
    for cell, outcome in result.failures:
        message = f"{cell.op} {outcome.case} on {cell.column.label}: {outcome.reason()}"
        found.append(error("OPK440", message, cell.span, result.command(cell, outcome)))
    return found
