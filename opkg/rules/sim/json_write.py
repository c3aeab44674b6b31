"""Writing the JSON form of graphs: everything, also ids, origins and split history; one line a node."""

from __future__ import annotations

import json
from typing import Any

from opkg.rules.sim.data import Fill, Listed, Random
from opkg.rules.sim.json_read import FORMAT
from opkg.rules.sim.model import CONST, Graph, Node


def write_json(graph: Graph, limit: int | None = None) -> str:
    """The graph's JSON text; `read_json` gives an equal graph with the same ids. `limit`: as for `write_text`."""
    parts = [f'"format": {json.dumps(FORMAT)}']
    if graph.options:
        parts.append(f'"options": {json.dumps(dict(sorted(graph.options.items())))}')
    parts.append(f'"nodes": {_lines([json.dumps(as_object(node, limit)) for node in graph.order()])}')
    if graph.splits:
        records = [
            {"origin": record.origin, "dim": record.dim, "count": record.count, "chunk": record.chunk}
            for _, record in sorted(graph.splits.items())
        ]
        parts.append(f'"splits": {_lines([json.dumps(record) for record in records])}')
    parts.append(f'"outputs": {json.dumps(dict(graph.outputs))}')
    return "{\n  " + ",\n  ".join(parts) + "\n}\n"


def as_object(node: Node, limit: int | None = None) -> dict[str, Any]:
    """A node as JSON has it."""
    made: dict[str, Any] = {"id": node.id}
    if node.name:
        made["name"] = node.name
    made |= {"op": node.op, "inputs": list(node.inputs), "type": node.output.dtype.name}
    if node.output.is_multi:
        made["outputs"] = node.output.count
    else:
        made["shape"] = list(node.output.shape)
    if (node.output.zero_offset, node.output.step_size) != (0, 1.0):
        made |= {"zero": node.output.zero_offset, "step": node.output.step_size}
    if node.op == CONST or node.data is not None:
        made["values"] = _values(node, limit)
    if node.origin != node.id:
        made["origin"] = node.origin
    if node.history:
        made["splits"] = [list(record) for record in node.history]
    return made


def _values(node: Node, limit: int | None) -> Any:
    data = node.data
    if isinstance(data, Fill):
        return {"fill": data.value}
    if isinstance(data, Random):
        return {"random": data.seed}
    if data is None or (limit is not None and node.output.elements > limit):
        return None
    return list(data.values) if isinstance(data, Listed) else data.values.reshape(-1).tolist()


def _lines(rows: list[str]) -> str:
    return "[\n    " + ",\n    ".join(rows) + "\n  ]" if rows else "[]"
