"""Fused ops of a model as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from opkg.fuse.api import Proof
from opkg.fuse.ends import EndToEnd
from opkg.fuse.find import Found
from opkg.fuse.fused import FusedOp
from opkg.report.findings_json import as_object
from opkg.spec.diagnostics import Diagnostic


def render(
    found: Found, proof: Proof | None = None, end: EndToEnd | None = None, findings: Sequence[Diagnostic] = ()
) -> str:
    """One object: `ops` (places, gain, computation), `left` (node -> reason), totals; after a run `proof`, `rewritten`, whole
    models on machines (`end_to_end`), and `findings` of these."""
    nodes = found.model.nodes
    fused = sum(len(op.places) * (len(op.ops) - 1) for op in found.ops)
    made: dict[str, Any] = {
        "model": found.model.name,
        "target": found.plan.limits.name,
        "nodes": {"before": len(nodes), "after": len(nodes) - fused},
        "bytes": {"before": found.before, "after": found.after},
        "ops": [_op(found, op) for op in found.ops],
        "left": {nodes[number].name: reason for number, reason in found.left.items()},
    }
    if proof is not None:
        made["proof"] = _proof(proof)
    if end is not None:
        outputs = {
            name: {"difference": off, "kernels": fused, "largest": most} for name, off, fused, most in end.outputs
        }
        counts = {"before": end.nodes[0], "after": end.nodes[1]}
        made["rewritten"] = {"file": end.file, "nodes": counts, "outputs": outputs}
        made["end_to_end"] = [asdict(run) for run in end.runs]
        made["findings"] = [as_object(each) for each in findings]
    return json.dumps(made, indent=1) + "\n"


def _op(found: Found, op: FusedOp) -> dict[str, Any]:
    nodes = found.model.nodes
    return {
        "name": op.name,
        "computes": list(op.ops),
        "compute": op.compute,
        "bytes": {"before": op.before, "after": op.after},
        "packets": {"before": op.packets[0], "after": op.packets[1], "numbers_of_rows": op.numbers},
        "places": [
            {
                "nodes": [nodes[number].name for number in place.nodes],
                "inputs": dict(zip(op.inputs, place.inputs, strict=True)),
                "outputs": dict(zip(op.outputs, place.outputs, strict=True)),
                "params": {name: place.numbers[at] for name, at in op.params},
                "shape": list(place.space),
            }
            for place in op.places
        ],
    }


def _proof(proof: Proof) -> dict[str, Any]:
    return {
        "runtime": proof.runtime,
        "ok": proof.ok,
        "against": [
            {"op": a.op, "place": a.place, "output": a.output, "error": a.error, "allowed": a.allowed,
             "apart": a.apart, "unit": a.unit}
            for a in proof.against
        ],
        "findings": [as_object(each) for each in proof.findings],
        "kernels": [
            {"op": cell.op, "types": cell.types, "on": cell.column.label, "cases": len(cell.outcomes),
             "failures": len(cell.failures), "error": cell.text(), "code": cell.code}
            for cell in proof.verified.cells
        ],
    }  # fmt: skip
