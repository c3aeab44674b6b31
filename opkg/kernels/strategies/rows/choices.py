"""Choices between elements in what is summed up: sums of those elements for which a test holds.

`where(t, a, b)` is b + t * (a - b), t being 1 or 0; so are a maximum, a minimum and an absolute value, whose test is a
comparison. Sums of products with tests are sums of stored numbers where these are 0 elsewhere.
"""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.plan import Plan, Test
from opkg.kernels.strategies.rows.poly import Poly
from opkg.spec.compute.types import Type

_PARTED = frozenset(("max", "min", "abs"))


def as_choices(snippet: Snippet) -> Snippet:
    """The snippet with maxima, minima and absolute values of elements as choices."""
    graph, nodes = snippet.graph, Nodes(share=True)
    places: list[int] = []
    for node in graph.nodes:
        made = replace(node, args=tuple([places[arg] for arg in node.args]))
        elements = node.type is Type.REAL and node.op in _PARTED and _of_elements(graph, node)
        places.append(_choice(nodes, made) if elements else nodes.add(made))
    return replace(snippet, graph=nodes.graph([Result(result.name, places[result.node]) for result in graph.results]))


def _of_elements(graph: Graph, node: Node) -> bool:
    """Whether a node hangs on elements, and on no reduction."""
    todo, inputs = list(node.args), 0
    while todo:
        inner = graph[todo.pop()]
        if inner.op.startswith("reduce_"):
            return False
        inputs += inner.op == "input"
        todo += inner.args
    return inputs > 0


def _choice(nodes: Nodes, node: Node) -> int:
    first = node.args[0]
    if node.op == "abs":
        second = nodes.add(Node("neg", (first,), Type.REAL))
        against = nodes.add(Node("const", (), Type.REAL, value=0.0, uniform=True))
    else:
        second = against = node.args[1]
    test = nodes.add(Node("lt" if node.op == "min" else "gt", (first, against), Type.BOOL))
    return nodes.add(Node("select", (test, first, second), Type.REAL, origin=node.origin))


def chosen(plan: Plan, node: Node) -> Poly | None:
    """The polynomial of a choice between polynomials, or of a bool as a number; None of anything else."""
    if node.op == "cast" and plan.graph[node.args[0]].type is Type.BOOL and node.type is not Type.BOOL:
        return _test(plan, node.args[0])
    if node.op != "select" or plan.rank[node.args[0]] != "element" or node.type is Type.BOOL:
        return None
    then, other = (plan.polys.get(arg) for arg in node.args[1:])
    if then is None or other is None:
        return None
    moved = poly.mul(_test(plan, node.args[0]), poly.add(then, other, -1))
    return None if moved is None else poly.add(other, moved)


def _test(plan: Plan, at: int) -> Poly:
    for test in plan.tests.values():
        if test.node == at:
            return poly.atom(test.atom)
    test = Test(plan.shared.names.take(plan.graph[at].origin or "chosen"), at)
    plan.tests[test.atom] = test
    return poly.atom(test.atom)
