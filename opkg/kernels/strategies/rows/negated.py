"""`-sum(f(x))` as the sum of -f(x): an entropy is made of p * log(p), which is not above 0, and sums of tables are of what is
not below it."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.graphs.graph import LEAVES, Graph, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.graphs.signs import Signs
from opkg.kernels.snippet import Snippet
from opkg.spec.compute.types import Type

_SUMS = ("reduce_sum", "reduce_mean")
_PLAIN = frozenset(("add", "sub", "mul", "div", "neg", "abs", "min", "max", "select", *LEAVES))


def sums_of_negated(snippet: Snippet) -> Snippet:
    """The snippet with such sums; the same one where there is nothing to write anew."""
    graph = snippet.graph
    signs, users = Signs(list(graph.nodes), snippet.finite), graph.users()
    results = {result.node for result in graph.results}
    found = {
        at
        for at, node in enumerate(graph.nodes)
        if node.op == "neg"
        and graph[node.args[0]].op in _SUMS
        and graph[node.args[0]].type is Type.REAL
        and users[node.args[0]] == (at,)
        and node.args[0] not in results
        and _bends(graph, graph[node.args[0]].args[0])
        and not signs.positive(graph[node.args[0]].args[0])
    }
    return replace(snippet, graph=_written(graph, found)) if found else snippet


def _bends(graph: Graph, at: int) -> bool:
    """Whether a value of elements is more than sums, products and choices."""
    node = graph[at]
    if node.op.startswith("reduce_") or node.uniform:
        return False
    return node.op not in _PLAIN or any(_bends(graph, arg) for arg in node.args)


def _written(graph: Graph, found: set[int]) -> Graph:
    nodes, place = Nodes(share=True), list[int]()
    for at, node in enumerate(graph.nodes):
        if at not in found:
            place.append(nodes.add(replace(node, args=tuple([place[arg] for arg in node.args]))))
            continue
        total = graph[node.args[0]]
        inner = nodes.add(replace(node, args=(place[total.args[0]],), origin=""))
        place.append(nodes.add(replace(total, args=(inner,), origin=node.origin)))
    return nodes.graph([Result(result.name, place[result.node]) for result in graph.results])
