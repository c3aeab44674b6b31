"""How much of a tensor's arrangement in memory an operation has to know: the layout classes of nodes and snippets."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum

from opkg.kernels.graphs.graph import MOVES, REDUCE, Graph, Node
from opkg.kernels.snippet import Snippet


class LayoutClass(IntEnum):
    """OBLIVIOUS: elements in any order, in blocks or rows, give the same kernel. AWARE: the kernel is told the
    dimensions and finds the elements. DEPENDENT: what is computed hangs on the order of the dimensions in a call."""

    OBLIVIOUS = 0
    AWARE = 1
    DEPENDENT = 2

    def __str__(self) -> str:
        return f"layout-{self.name.lower()}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A class and the reason for it, as the end of a sentence."""

    layout: LayoutClass
    why: str


def classify_nodes(graph: Graph, may_broadcast: Collection[str]) -> tuple[Verdict, ...]:
    """The class of each node by itself. `may_broadcast`: the tensors whose shape may differ from the loop's."""
    narrow = _narrow(graph, may_broadcast)
    return tuple(_verdict(graph, node, narrow) for node in graph.nodes)


def classify(snippet: Snippet) -> Verdict:
    """The class of a whole kernel: the highest of its nodes, with the first such node's reason."""
    names = [operand.name for operand in snippet.inputs if operand.may_broadcast]
    worst = max(classify_nodes(snippet.graph, names), key=lambda verdict: verdict.layout)
    if worst.layout is LayoutClass.OBLIVIOUS:
        return Verdict(LayoutClass.OBLIVIOUS, "all tensors have one shape")
    return worst


def _narrow(graph: Graph, may_broadcast: Collection[str]) -> list[bool]:
    """Which nodes may have a smaller shape than the loop: made of broadcast tensors and single numbers only."""
    found: list[bool] = []
    for node in graph.nodes:
        if node.op in ("input", "param"):
            found.append(not node.uniform and node.name in may_broadcast)
        elif node.op in REDUCE:
            found.append(not node.uniform)
        else:
            wide = [arg for arg in node.args if not graph[arg].uniform]
            found.append(bool(wide) and all(found[arg] for arg in wide))
    return found


def _verdict(graph: Graph, node: Node, narrow: list[bool]) -> Verdict:
    if node.op in MOVES:
        return Verdict(LayoutClass.DEPENDENT, "it moves elements")
    if node.uniform:
        return Verdict(LayoutClass.OBLIVIOUS, "it is one number for all elements")
    if node.op in REDUCE:
        if isinstance(node.axes, str):
            return Verdict(
                LayoutClass.DEPENDENT, f"the param '{node.axes}' says in each call which dimensions it reduces"
            )
        if node.axes is None:
            return Verdict(LayoutClass.AWARE, "it reduces all elements, and the padding of blocks is none of them")
        axes = ", ".join(map(str, node.axes))
        return Verdict(LayoutClass.AWARE, f"it reduces the dimension{'s' if len(node.axes) > 1 else ''} {axes}")
    tensors = [arg for arg in dict.fromkeys(node.args) if not graph[arg].uniform]
    small = [arg for arg in tensors if narrow[arg]]
    if small and len(tensors) > 1:
        names = ", ".join(sorted(graph.operands_of(small[0])))
        what = f"made of {names}" if graph[small[0]].op != "input" else names
        return Verdict(LayoutClass.AWARE, f"an operand, {what}, may be broadcast")
    return Verdict(LayoutClass.OBLIVIOUS, "its operands have one shape")
