"""Values of a pass over a row that its last pass needs again: an output has room for them, so they are computed once.

Softmax: the exponentials are summed up and stored; the last pass divides what is stored. That pass then reads no input,
so the output may lie over one; but as the input may be gone, nothing after the store may turn the row down. So it is for
exponentials of distances from a maximum only: their sum, 1 or more, divides whatever the elements are.

For others, and where results are smaller than single precision, the stack has room for those of a row that is not too long.
"""

from __future__ import annotations

from collections.abc import Sequence

from opkg.kernels.graphs.graph import REDUCE, Graph
from opkg.kernels.snippet import Snippet, Storage
from opkg.kernels.strategies.floating.ops import LARGE
from opkg.spec.compute.types import Type

_LARGE = frozenset(name.removesuffix("_sf") for name in LARGE)


KEPT = 2048  # elements of a row whose values are kept on the stack, 8 KB


def kept(snippet: Snippet, rank: Sequence[str], level: Sequence[int]) -> int | None:
    """The node that the pass in front of the last one stores in the output; None when there is none, or it is not worth it.

    `rank`: element, row or uniform, by node. `level`: passes that a node needs."""
    if [output.storage for output in snippet.outputs] != [Storage.F32]:
        return None
    found = _worth(snippet, rank, level)
    return found if found is not None and settles(snippet, rank, level, found) else None


def settles(snippet: Snippet, rank: Sequence[str], level: Sequence[int], at: int) -> bool:
    """Whether a node's sums, all that is found of it, divide whatever the elements are: no number of a row is tested."""
    return _never_turned_down(snippet.graph, rank, level) and _of_distances(snippet, at)


def buffered(snippet: Snippet, rank: Sequence[str], level: Sequence[int]) -> int | None:
    """The same of the stack."""
    one = [output.storage.bits for output in snippet.outputs] in ([8], [16], [32])
    return _worth(snippet, rank, level) if one and kept(snippet, rank, level) is None else None


def _of_distances(snippet: Snippet, at: int) -> bool:
    """Whether a node is exp() of numbers down to 0, which one is: distances from an extreme, or multiples of such."""
    graph, lows = snippet.graph, {param.name: param.low or 0 for param in snippet.params if param.low is not None}
    node = graph[at]
    if node.op != "exp":
        return False
    node = graph[node.args[0]]
    while node.op in ("mul", "div"):
        left, right = map(graph.__getitem__, node.args)
        value, by = (right, left) if left.uniform and node.op == "mul" else (left, right)
        least = by.value if by.op == "const" else lows.get(by.name, -1) if by.op == "param" and by.uniform else -1
        if least is None or not (least > 0 or (least == 0 and node.op == "mul")):
            return False
        node = value
    if node.op != "sub":
        return False
    return any(
        graph[node.args[at]].op == op and graph[node.args[at]].args == (node.args[1 - at],)
        for at, op in enumerate(("reduce_min", "reduce_max"))
    )


def _worth(snippet: Snippet, rank: Sequence[str], level: Sequence[int]) -> int | None:
    """The node that is worth keeping."""
    graph, last = snippet.graph, max(level, default=0)
    results = graph.results
    if len(results) != 1 or rank[results[0].node] != "element" or last < 1:
        return None
    folds = [at for at in graph.reductions if level[at] == last]
    for at in dict.fromkeys(graph[fold].args[0] for fold in folds):
        fits = rank[at] == "element" and graph[at].type is Type.REAL
        if fits and at != results[0].node and _costly(graph, rank, at) and _enough(graph, rank, results[0].node, at):
            return at
    return None


def _never_turned_down(graph: Graph, rank: Sequence[str], level: Sequence[int]) -> bool:
    """Whether numbers of the last fold are extremes or only divide elements: no other is tested after it."""
    users, last = graph.users(), max(level, default=0)
    stored = {result.node for result in graph.results}
    for at, node in enumerate(graph.nodes):
        if rank[at] != "row" or level[at] != last or node.op in ("reduce_max", "reduce_min"):
            continue
        divides = all(graph[user].op == "div" and graph[user].args[1] == at for user in users[at])
        if not divides or at in stored:
            return False
    return True


def _costly(graph: Graph, rank: Sequence[str], index: int) -> bool:
    """Whether a large function is part of a value."""
    return any(graph[at].op in _LARGE for at in _elements(graph, rank, [index], set()))


def _enough(graph: Graph, rank: Sequence[str], result: int, known: int) -> bool:
    """Whether a result needs no input beside the known value."""
    parts = _elements(graph, rank, [result], {known})
    return not any(graph[at].op in ("input", "param") for at in parts)


def _elements(graph: Graph, rank: Sequence[str], todo: list[int], known: set[int]) -> set[int]:
    """The element nodes that some need, without going through known ones and reductions."""
    found: set[int] = set()
    while todo:
        at = todo.pop()
        if at not in found and at not in known and rank[at] == "element":
            found.add(at)
            todo += () if graph[at].op in REDUCE else graph[at].args
    return found
