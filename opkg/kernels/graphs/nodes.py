"""A growing list of graph nodes that holds each value once, and the graph of what its results need."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from opkg.kernels.graphs.graph import LEAVES, Graph, Node, Result

Key = tuple[object, ...]


def key_of(node: Node) -> Key:
    """What makes two nodes the same value; 1, 1.0 and True are three constants, and 0.0 is not -0.0."""
    value = (type(node.value).__name__, repr(node.value))
    return (node.op, node.args, node.type, node.name, value, node.dtype, node.axes, node.keepdims, node.parts)


class Nodes:
    """Nodes in order. `share` says whether equal operations are one node, too; leaves always are."""

    def __init__(self, share: bool) -> None:
        self.list: list[Node] = []
        self._share = share
        self._known: dict[Key, int] = {}

    def add(self, node: Node) -> int:
        """The number of a node: that of an equal one, when there is one."""
        if not self._share and node.op not in LEAVES:
            self.list.append(node)
            return len(self.list) - 1
        key = key_of(node)
        at = self._known.get(key)
        if at is None:
            at = self._known[key] = len(self.list)
            self.list.append(node)
        elif node.origin:
            self.name(at, node.origin)
        return at

    def name(self, at: int, origin: str) -> None:
        """Remembers the name in the text of an operation that has none yet."""
        if not self.list[at].origin and self.list[at].op not in LEAVES:
            self.list[at] = replace(self.list[at], origin=origin)

    def uniform(self, args: Sequence[int]) -> bool:
        return all(self.list[arg].uniform for arg in args)

    def graph(self, results: Sequence[Result]) -> Graph:
        """The nodes that the results need, in the same order."""
        used = reachable(self.list, [result.node for result in results])
        place = {old: new for new, old in enumerate(used)}
        nodes = tuple(moved(self.list[old], place.__getitem__) for old in used)
        return Graph(nodes, tuple(Result(result.name, place[result.node]) for result in results))


def moved(node: Node, place: Callable[[int], int]) -> Node:
    """A node with other numbers for its operands."""
    return replace(node, args=tuple(place(arg) for arg in node.args)) if node.args else node


def reachable(nodes: Sequence[Node], roots: Sequence[int]) -> list[int]:
    """The nodes that some nodes depend on, themselves among them, ascending."""
    seen: set[int] = set()
    todo = list(roots)
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo.extend(nodes[at].args)
    return sorted(seen)


def pruned(graph: Graph, names: Collection[str]) -> Graph:
    """What some results of a graph need of it."""
    return needed(graph.nodes, [result for result in graph.results if result.name in names])


def needed(nodes: Sequence[Node], results: Sequence[Result]) -> Graph:
    """The graph of results that need some of these nodes."""
    found = Nodes(share=True)
    found.list = list(nodes)
    return found.graph(results)


def with_inputs(graph: Graph, names: Mapping[int, str], results: Sequence[Result]) -> Graph:
    """What results need of a graph, with inputs of these names in the place of some nodes."""
    nodes = enumerate(graph.nodes)
    return needed([Node("input", (), n.type, names[at]) if at in names else n for at, n in nodes], results)
