"""A comparison of a model as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from opkg.report.compare_rows import counted
from opkg.spec.diagnostics import Diagnostic
from opkg.verify.machines.executorch.compare import Comparison, Pair, Run

VERSION = 1


def _run(found: Comparison, run: Run | None) -> dict[str, Any] | None:
    if run is None:
        return None
    return {
        "status": run.status, "stage": run.stage, "message": run.message, "log": str(run.log or ""),
        "seconds": dict(run.seconds), "samples": run.samples, "delegates": run.delegates, "operators_delegated": run.operators,
        "delegated": dict(run.delegated), "on_cpu": dict(run.on_cpu), "bytes": run.bytes,
        "kernel_calls": found.calls(run), "kernel_slices": found.cut(run), "not_taken": list(run.warnings),
        "nearly": list(run.nearly),
        "decomposed": dict(run.decomposed),
        "nodes": [asdict(node) for node in run.nodes],
        "against_float": [asdict(figures) for figures in run.against_float],
        "against_quantized": [asdict(figures) for figures in run.against_quantized],
        "quantization": [asdict(figures) for figures in run.quantization],
    }  # fmt: skip


def _pair(found: Comparison, pair: Pair) -> dict[str, Any]:
    return {
        "mode": pair.mode,
        "replaced": [
            {"ours": counted(each.ours), "stock": counted(each.stock), "file": each.file, "line": each.line,
             "module": each.module}
            for each in pair.replaced()
        ],
        "changed": {name: {"stock": before, "ours": after} for name, (before, after) in pair.changed().items()},
        "stock": _run(found, pair.stock),
        "ours": _run(found, pair.ours),
    }  # fmt: skip


def as_object(found: Comparison, findings: Sequence[Diagnostic]) -> dict[str, Any]:
    """The comparison as plain values. Numbers are as `opkg_executorch.compare_errors` defines them; null means nothing."""
    env = found.environment
    return {
        "version": VERSION,
        "model": found.model,
        "packages": list(found.packages),
        "environment": {"executorch": env.executorch, "torch": env.torch, "qnn": env.qnn, "python": str(env.python)},
        "findings": [
            {"id": f.id, "severity": f.severity.value, "path": f.span.path, "line": f.span.line, "message": f.message,
             "hint": f.hint}
            for f in findings
        ],
        "modes": [_pair(found, pair) for pair in found.pairs],
    }  # fmt: skip


def render(found: Comparison, findings: Sequence[Diagnostic]) -> str:
    """The JSON text."""
    return json.dumps(as_object(found, findings), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
