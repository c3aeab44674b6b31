"""Where a graph computes softplus: as log(1 + exp(x)), or as it is made of exact steps."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.graphs.graph import Graph


@dataclass(frozen=True, slots=True)
class Softplus:
    """What it is of, its last node, and those before it, which nothing else uses."""

    argument: int
    last: int
    within: frozenset[int]


def softplus_in(graph: Graph) -> list[Softplus]:
    """Each log(1 + exp(x)), and each max(x, 0) + log1p(exp(-abs(x)))."""
    users, results = graph.users(), {result.node for result in graph.results}
    found = [_as_written(graph, at) or _composed(graph, at) for at in range(len(graph))]
    return [
        each
        for each in found
        if each is not None
        and not each.within & results
        and all(set(users[at]) <= each.within | {each.last} for at in each.within)
    ]


def _as_written(graph: Graph, last: int) -> Softplus | None:
    if graph[last].op != "log" or graph[graph[last].args[0]].op != "add":
        return None
    (sum_at,) = graph[last].args
    for exp, one in _both_ways(graph, sum_at):
        if graph[exp].op == "exp" and _is(graph, one, 1):
            return Softplus(graph[exp].args[0], last, frozenset((exp, sum_at)))
    return None


def _composed(graph: Graph, last: int) -> Softplus | None:
    if graph[last].op != "add":
        return None
    for above, log in _both_ways(graph, last):
        chain = [log]
        for op in ("log1p", "exp", "neg", "abs"):
            if graph[chain[-1]].op != op:
                break
            chain.append(graph[chain[-1]].args[0])
        else:
            *within, x = chain
            if graph[above].op == "max" and any(a == x and _is(graph, b, 0) for a, b in _both_ways(graph, above)):
                return Softplus(x, last, frozenset((above, *within)))
    return None


def _both_ways(graph: Graph, at: int) -> list[tuple[int, int]]:
    a, b = graph[at].args
    return [(a, b), (b, a)]


def _is(graph: Graph, at: int, number: float) -> bool:
    return graph[at].op == "const" and constant(graph, at) == number


def constant(graph: Graph, at: int) -> float:
    """The value of a constant."""
    return float(graph[at].value or 0.0)
