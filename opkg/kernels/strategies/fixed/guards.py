"""Guards of divisors: what is computed where an input is 0, and elsewhere, as one choice around everything else.

`where(b == 0, a, a // where(b == 0, 1, b) + c)` is a choice between two graphs: one in which b is 0, and one in which
it is not, so that its quotients are whole numbers in a known range.
"""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.nodes import reachable
from opkg.spec.compute.types import Type

_DIVISIONS = ("floor_div", "mod", "div")
_MOST = 2  # guards, one in the other: the graph is there twice for each


def guarded(graph: Graph, finite: frozenset[str]) -> tuple[Graph, frozenset[str]]:
    """The graph with choices by `b == 0` outermost, and the divisors that have one."""
    found = _divisors(graph)
    if not 1 <= len(found) <= _MOST:
        return graph, frozenset()
    for name in found:
        graph = canonical(_apart(graph, name), finite)
    return graph, frozenset(found)


def _divisors(graph: Graph) -> list[str]:
    """The inputs that something is divided by and that are compared with 0."""
    tested = {name for name in graph.inputs if any(_equality(graph, node, name) for node in graph.nodes)}
    below = [graph.operands_of(node.args[1]) for node in graph.nodes if node.op in _DIVISIONS]
    return [name for name in graph.inputs if name in tested and any(name in names for names in below)]


def _equality(graph: Graph, node: Node, name: str) -> bool:
    if node.op not in ("eq", "ne"):
        return False
    x, zero = (graph[arg] for arg in node.args)
    return x.op == "input" and x.name == name and zero.op == "const" and zero.value == 0


def _apart(graph: Graph, name: str) -> Graph:
    """Results that hang on an input: as they are where it is 0, or as they are where it is not."""
    nodes = list(graph.nodes)
    at = next(i for i, node in enumerate(nodes) if node.op == "input" and node.name == name)
    zero = len(nodes)
    nodes += [Node("const", (), Type.REAL, value=0.0, uniform=True), Node("eq", (at, zero), Type.BOOL)]
    with_zero = _copied(graph, nodes, {at: zero})
    known = {}
    for place, node in enumerate(graph.nodes):
        if _equality(graph, node, name):
            known[place] = len(nodes)
            nodes.append(Node("const", (), Type.BOOL, value=node.op == "ne", uniform=True))
    without = _copied(graph, nodes, known)
    results = []
    for result in graph.results:
        if at in reachable(graph.nodes, [result.node]):
            nodes.append(
                Node("select", (zero + 1, with_zero[result.node], without[result.node]), graph[result.node].type)
            )
            result = Result(result.name, len(nodes) - 1)
        results.append(result)
    return Graph(tuple(nodes), tuple(results))


def _copied(graph: Graph, nodes: list[Node], given: dict[int, int]) -> dict[int, int]:
    """Adds the operations of a graph with other nodes in the place of some: the number of each."""
    place: dict[int, int] = {}
    for index, node in enumerate(graph.nodes):
        if index in given:
            place[index] = given[index]
        elif all(place[arg] == arg for arg in node.args):
            place[index] = index
        else:
            place[index] = len(nodes)
            nodes.append(replace(node, args=tuple(place[arg] for arg in node.args)))
    return place
