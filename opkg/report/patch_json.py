"""A patched model as JSON."""

from __future__ import annotations

import json
from typing import Any

from opkg.fuse.patch.api import Patched
from opkg.fuse.patch.find import Place
from opkg.models.model import Model
from opkg.report.findings_json import as_object


def render(result: Patched, model: str, out: str) -> str:
    """One object: `places`, `left` (matches that are none), totals, `outputs`, `findings`. `out`: "" when nothing was written."""
    (nodes, left), (before, after) = result.nodes, result.bytes
    made: dict[str, Any] = {
        "model": model,
        "out": out,
        "places": [_place(result.found.model, place) for place in result.found.places],
        "left": [{"op": one.op, "node": one.node, "reason": one.reason} for one in result.found.left],
        "nodes": {"before": nodes, "after": left},
        "bytes": {"before": before, "after": after},
        "outputs": {
            each.name: {"difference": each.largest, "largest": each.value, "steps": each.steps, "ok": each.ok}
            for each in result.outputs
        },
        "findings": [as_object(finding) for finding in result.findings],
    }
    return json.dumps(made, indent=1) + "\n"


def _place(model: Model, place: Place) -> dict[str, Any]:
    return {
        "op": place.op.name,
        "nodes": [model.nodes[number].name for number in place.nodes],
        "computes": [model.nodes[number].op for number in place.nodes],
        "types": place.combination.suffix,
        "inputs": dict(zip((tensor.name for tensor in place.op.inputs), place.inputs, strict=True)),
        "outputs": dict(zip((tensor.name for tensor in place.op.outputs), place.outputs, strict=True)),
        "params": dict(place.params),
        "steps": dict(zip((tensor.name for tensor in place.op.tensors), map(str, place.steps), strict=True)),
        "bytes": {"before": place.before, "after": place.after},
    }
