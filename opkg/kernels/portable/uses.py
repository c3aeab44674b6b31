"""Which nodes the texts of others need, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from opkg.kernels.graphs.graph import Graph


def uses(graph: Graph, needs: Sequence[Sequence[int]]) -> list[int]:
    """How often each node's value is asked for."""
    found = [0] * len(graph)
    for args in needs:
        for arg in args:
            found[arg] += 1
    for result in graph.results:
        found[result.node] += 1
    return found


def needed(needs: Sequence[Sequence[int]], wanted: Iterable[int], have: Mapping[int, object]) -> list[int]:
    """The nodes that `wanted` need and that are not there yet, in order."""
    found: set[int] = set()
    todo = [index for index in wanted if index not in have]
    while todo:
        index = todo.pop()
        if index in found:
            continue
        found.add(index)
        todo += [arg for arg in needs[index] if arg not in have]
    return sorted(found)
