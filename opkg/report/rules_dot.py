"""A graph before and after a run as one Graphviz picture: two clusters, what went and what came in colour."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from opkg.report.rules_graph import picture

if TYPE_CHECKING:
    from opkg.report.rules_picture import Picture
    from opkg.rules.sim.model import Graph

_SHAPES = {"op": "box", "const": "note", "input": "ellipse", "output": "ellipse"}


def render(before: Graph, after: Graph) -> str:
    """The text of a .dot file."""
    gone = {node.id for node in before.nodes.values() if after.nodes.get(node.id) is None}
    made = {node.id for node in after.nodes.values() if before.nodes.get(node.id) is None}
    lines = [
        "digraph rules {",
        "  compound=true;",
        '  node [fontname="Helvetica", fontsize=10, style="rounded,filled", fillcolor="white"];',
        '  edge [fontname="Helvetica", fontsize=9, color="#808080"];',
        *_cluster("before", picture(before), gone, "#fbe3e0"),
        *_cluster("after", picture(after), made, "#dff3e7"),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _cluster(name: str, shown: Picture, marked: Collection[int], colour: str) -> list[str]:
    """One side. Nodes are named by side and key, so that both sides can have a node of one key."""
    lines = [f"  subgraph cluster_{name} {{", f"    label={quoted(name)};"]
    for box in shown.boxes:
        fill = f', fillcolor="{colour}"' if box.key in marked else ""
        label = "\n".join(box.lines)
        lines.append(f"    {_name(name, box.key)} [label={quoted(label)}, shape={_SHAPES[box.tone]}{fill}];")
    for arrow in shown.arrows:
        port = f" [label={quoted(str(arrow.port))}]" if arrow.ports > 1 else ""
        lines.append(f"    {_name(name, arrow.source)} -> {_name(name, arrow.target)}{port};")
    return [*lines, "  }"]


def _name(side: str, key: int) -> str:
    return f"{side}_{key}" if key >= 0 else f"{side}_out{-1 - key}"


def quoted(text: str) -> str:
    """A DOT string: quotes and backslashes escaped, line breaks as DOT has them, other control characters dropped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "").replace("\n", "\\n")
    return '"' + "".join(char for char in escaped if char >= " ") + '"'
