"""What a graph asks of the quotient of two inputs: `a // b`, `a % b`, and a / b rounded to a whole number."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.graphs.graph import Graph, Node

_ASKED = {"floor_div": "down", "mod": "rest"}
_ROUNDED = {"floor": "down", "ceil": "up", "trunc": "whole", "round": "nearest"}  # of a quotient


@dataclass(frozen=True, slots=True)
class Question:
    """`asked`: an enumerator of opkg::fixed::Asked. `flipped`: of the negative quotient."""

    asked: str
    flipped: bool
    first: str
    second: str


def question(graph: Graph, node: Node) -> Question | None:
    """What a node is of two inputs; None where it is something else."""
    asked = _ASKED.get(node.op, "")
    if node.op in _ROUNDED and graph[node.args[0]].op == "div":
        asked, node = _ROUNDED[node.op], graph[node.args[0]]
    if not asked:
        return None
    flipped, operands = False, []
    for arg in node.args:
        operand = graph[arg]
        if operand.op == "neg" and asked != "rest":
            flipped, operand = not flipped, graph[operand.args[0]]
        operands.append(operand)
    if any(operand.op != "input" for operand in operands):
        return None
    return Question(asked, flipped, operands[0].name, operands[1].name)
