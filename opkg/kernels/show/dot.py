"""A graph as a Graphviz picture: tensors, numbers of a call, operations in the colour of their layout class."""

from __future__ import annotations

from collections.abc import Collection

from opkg.kernels.graphs.classify import LayoutClass, classify_nodes
from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.show.graph import symbol

_COLOURS = {LayoutClass.OBLIVIOUS: "white", LayoutClass.AWARE: "#fdf1d0", LayoutClass.DEPENDENT: "#fbe3e0"}


def dot(graph: Graph, name: str, may_broadcast: Collection[str] = ()) -> str:
    """The text of a .dot file."""
    lines = [
        f"digraph {_quoted(name)} {{",
        '  node [fontname="Helvetica", fontsize=10, style="rounded,filled", fillcolor="white"];',
        '  edge [fontname="Helvetica", fontsize=9, color="#808080"];',
    ]
    verdicts = classify_nodes(graph, may_broadcast)
    for at, (node, verdict) in enumerate(zip(graph.nodes, verdicts, strict=True)):
        shape = "ellipse" if node.op in ("input", "param") else "plaintext" if node.op == "const" else "box"
        colour = _COLOURS[verdict.layout]
        fill = f', fillcolor="{colour}"' if colour != "white" else ""
        lines.append(f"  n{at} [label={_quoted(_label(node))}, shape={shape}{fill}];")
        for place, arg in enumerate(node.args):
            port = f" [label={place}]" if len(node.args) > 1 else ""
            lines.append(f"  n{arg} -> n{at}{port};")
    for result in graph.results:
        lines.append(f"  {_quoted('out ' + result.name)} [label={_quoted(result.name)}, shape=ellipse];")
        lines.append(f"  n{result.node} -> {_quoted('out ' + result.name)};")
    return "\n".join([*lines, "}"]) + "\n"


def _label(node: Node) -> str:
    text = symbol(node)
    return f"{node.origin} = {text}" if node.origin else text


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char for char in escaped if char >= " ") + '"'
