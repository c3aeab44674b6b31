"""What rows of quantized elements have in whole steps: extremes, and distances of elements from an extreme or the mean."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.norms import Steps
from opkg.kernels.strategies.rows.masks import chosen_value
from opkg.spec.compute.types import Type

_EXTREMES = ("reduce_max", "reduce_min")


def in_steps(graph: Graph, snippet: Snippet, node: Node) -> bool:
    """Whether a reduction is the extreme of a quantized input, or of what a mask chooses of it: it is found in whole steps."""
    if node.op not in _EXTREMES:
        return False
    element = graph[element_of(graph, node)]
    return element.op == "input" and element.type is Type.REAL and snippet.operand(element.name).quantized


def element_of(graph: Graph, node: Node) -> int:
    """What a reduction is of, beside a mask that chooses."""
    chosen = chosen_value(graph, node.args[0])
    return node.args[0] if chosen is None else chosen


def folded(graph: Graph, snippet: Snippet, at: int) -> tuple[int, ...]:
    """The nodes that a reduction asks for."""
    node = graph[at]
    element = element_of(graph, node)
    if element == node.args[0] or not in_steps(graph, snippet, node):
        return node.args
    return (graph[node.args[0]].args[0], element)


def of_distance(graph: Graph, snippet: Snippet, index: int, steps: Steps | None = None) -> tuple[int, int] | None:
    """Element and extreme, where a node is the difference of a quantized input and its extreme; with `steps`, or its mean."""
    node = graph[index]
    if node.op != "sub":
        return None
    if steps is not None and (found := steps.from_mean(index)):
        return found
    for element, extreme in (node.args, node.args[::-1]):
        other = graph[extreme]
        if graph[element].op != "input" or not other.op.startswith("reduce_") or element_of(graph, other) != element:
            continue
        if in_steps(graph, snippet, other):
            return element, extreme
    return None


def only_distances(graph: Graph, snippet: Snippet, at: int, steps: Steps) -> bool:
    """Whether an extreme or a mean is only taken from elements."""
    stored = any(result.node == at for result in graph.results)
    return not stored and all(of_distance(graph, snippet, user, steps) is not None for user in graph.users()[at])
