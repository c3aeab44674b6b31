"""How an audit of a tree of onert is shown: a table, and JSON."""

from __future__ import annotations

import json

from opkg.trees.onert.audit import Audit, Point


def table(audit: Audit, names: list[str]) -> str:
    """A line an operation, a column a touch point that the tree has; at the end how many have each."""
    width = max(map(len, [*names, "of 100 operations"]), default=0)
    points = list(audit.points)
    lines = [_line("", width, points, [point.short for point in points])]
    for name in names:
        marks = ["x" if name in audit.points[point] else "-" for point in points]
        lines.append(_line(name, width, points, marks))
    counts = [str(len(found)) for found in audit.points.values()]
    lines.append(_line(f"of {len(audit.operations)} operations", width, points, counts))
    core = ", ".join(point.short for point in points if point.core)
    lines.append(f"{len(audit.complete)} of {len(audit.operations)} have {core}")
    return "\n".join(lines) + "\n"


def _line(head: str, width: int, points: list[Point], cells: list[str]) -> str:
    columns = [cell.rjust(len(point.short)) for point, cell in zip(points, cells, strict=True)]
    return "  ".join([head.ljust(width), *columns]).rstrip()


def as_json(audit: Audit, names: list[str], era: str) -> str:
    """Everything that the audit knows. `complete`: operations that have all touch points of the core."""
    value = {
        "format": 1,
        "era": era,
        "points": [
            {"name": p.name, "words": p.words, "core": p.core, "count": len(f)} for p, f in audit.points.items()
        ],
        "operations": {
            name: {
                "line": audit.operations[name],
                "complete": name in audit.complete,
                "has": {point.name: name in found for point, found in audit.points.items()},
            }
            for name in names
        },
        "count": len(audit.operations),
        "complete": list(audit.complete),
    }
    return json.dumps(value, indent=1) + "\n"
