"""What an op adds to graphs of convolutions, as JSON: a list of objects, one per graph."""

from __future__ import annotations

import json
from collections.abc import Sequence

from opkg.verify.graphs.measure import Row


def render(rows: Sequence[Row]) -> str:
    """Keys: op, types, shape, pairs, conversions, kernels and added (name: number), problem, why (conversions are added)."""
    return json.dumps([_object(row) for row in rows], indent=2) + "\n"


def _object(row: Row) -> dict[str, object]:
    return {
        "op": row.op, "types": row.types, "shape": list(row.shape), "pairs": row.pairs, "conversions": row.conversions,
        "kernels": dict(row.kernels), "added": dict(row.added), "problem": row.problem,
        "why": row.why,
    }  # fmt: skip
