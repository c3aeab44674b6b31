"""Divisors that are 0: what is computed where an input is 0, and elsewhere, as one choice around everything else.

`where(b == 0, a, a // where(b == 0, 1, b) + c)` is a choice between two graphs: one in which b is 0, and one in which
it is not, so that its quotients are whole numbers in a known range. Without a guard quotients are infinite in the first one.
"""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.nodes import reachable
from opkg.kernels.strategies.fixed.infinite import Infinite
from opkg.kernels.strategies.fixed.numbers import Unfit
from opkg.kernels.strategies.fixed.questions import Question, question
from opkg.spec.compute.types import Type

_DIVISIONS = ("floor_div", "mod", "div")
_MOST = 2  # divisors, one choice in the other: the graph is there twice for each


def guarded(graph: Graph, finite: frozenset[str]) -> tuple[Graph, frozenset[str]]:
    """The graph with choices by `b == 0` outermost, and the divisors that have one. Raises Unfit."""
    if not any(graph.operands_of(node.args[1]) for node in graph.nodes if node.op in _DIVISIONS):
        return graph, frozenset()
    graph = canonical(_with_rests(graph), finite)
    found = _divisors(graph)
    if not 1 <= len(found) <= _MOST:
        return graph, frozenset()
    for name in found:
        graph = canonical(_apart(graph, name), finite)
    return graph, frozenset(found)


def _with_rests(graph: Graph) -> Graph:
    """a - b * (a // b) as a % b: of what is not rounded in between, the same."""
    nodes = list(graph.nodes)
    for index, node in enumerate(nodes):
        if node.op != "sub" or nodes[node.args[1]].op != "mul":
            continue
        for by, whole in (factors := nodes[node.args[1]].args, factors[::-1]):
            if nodes[whole].op == "floor_div" and nodes[whole].args == (node.args[0], by):
                nodes[index] = replace(node, op="mod", args=(node.args[0], by))
    return Graph(tuple(nodes), graph.results)


def _divisors(graph: Graph) -> list[str]:
    """The inputs that something is divided by, where they are compared with 0, or quotients are parts of something else."""
    tested = {name for name in graph.inputs if any(_equality(graph, node, name) for node in graph.nodes)}
    below = [graph.operands_of(node.args[1]) for node in graph.nodes if node.op in _DIVISIONS]
    guards = {name for name in tested if any(name in names for names in below)}
    whole = set(_stored(graph))
    parts = {asked.second for index, asked in _questions(graph).items() if index not in whole}
    return [name for name in graph.inputs if name in guards | parts]


def _questions(graph: Graph) -> dict[int, Question]:
    asked = {index: question(graph, node) for index, node in enumerate(graph.nodes)}
    return {index: found for index, found in asked.items() if found is not None}


def _stored(graph: Graph) -> list[int]:
    """The nodes that are results, or chosen as results."""
    todo = [result.node for result in graph.results]
    for node in todo:
        if graph[node].op in ("select", "cast"):
            todo += graph[node].args[1 if graph[node].op == "select" else 0 :]
    users = graph.users()
    return [node for node in todo if all(user in todo for user in users[node])]


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
    with_zero = _with_zero(graph, nodes, name, (at, zero))
    known = {}
    for place, node in enumerate(graph.nodes):
        if _equality(graph, node, name):
            known[place] = len(nodes)
            nodes.append(Node("const", (), Type.BOOL, value=node.op == "ne", uniform=True))
    without = _copied(graph, nodes, known)
    results = []
    for result in graph.results:
        if at in reachable(graph.nodes, [result.node]):
            branches = with_zero[result.node], without[result.node]
            nodes.append(Node("select", (zero + 1, *branches), graph[result.node].type))
            result = Result(result.name, len(nodes) - 1)
        results.append(result)
    return Graph(tuple(nodes), tuple(results))


def _with_zero(graph: Graph, nodes: list[Node], name: str, zero: tuple[int, int]) -> dict[int, int]:
    """Adds the operations of a graph where an input is 0: the number of each."""
    asked = {index: found for index, found in _questions(graph).items() if found.second == name}
    if not asked or any(_equality(graph, node, name) for node in graph.nodes):
        return _copied(graph, nodes, {zero[0]: zero[1]})
    if len({found.first for found in asked.values()}) > 1:
        raise Unfit(f"several numbers divided by '{name}', which may be 0")
    first = next(iter(asked.values())).first
    at = next(i for i, node in enumerate(graph.nodes) if node.op == "input" and node.name == first)
    sides = {index: 0 if found.asked == "rest" else -1 if found.flipped else 1 for index, found in asked.items()}
    infinite = Infinite(graph, nodes, zero, sides)
    above, below, none = (infinite.at(sign) for sign in (1, -1, 0))
    tests = len(nodes)
    nodes += [Node(op, (at, zero[1]), Type.BOOL) for op in ("gt", "lt")]
    made = {}
    for result in graph.results:
        place = result.node
        nodes.append(Node("select", (tests + 1, below[place], none[place]), graph[place].type))
        nodes.append(Node("select", (tests, above[place], len(nodes) - 1), graph[place].type))
        made[place] = len(nodes) - 1
    return made


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
