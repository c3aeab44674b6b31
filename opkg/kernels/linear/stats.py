"""Numbers of a kernel: how often tensors are walked through before and after fusion, what its code needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opkg.kernels.graphs.graph import LEAVES, Graph
from opkg.kernels.graphs.shapes import Dims, ShapeError, broadcast, shapes_of
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs


@dataclass(frozen=True, slots=True)
class Walks:
    """Walks through whole tensors: every operation by itself (one per tensor operand and one for the result), and the
    kernel (its inputs and outputs, once each)."""

    before: int
    after: int

    @property
    def shrink(self) -> float:
        """How many times fewer."""
        return self.before / self.after


def walks(graph: Graph) -> Walks:
    """The walks of a graph; operands that are one number in a call are none."""
    before = 0
    for node in graph.nodes:
        if node.op not in LEAVES and not node.uniform:
            before += 1 + sum(not graph[arg].uniform for arg in node.args)
    return Walks(max(before, _tensors(graph)), _tensors(graph))


def _tensors(graph: Graph) -> int:
    """Tensors that a kernel reads and writes."""
    read = {node.name for node in graph.nodes if node.op in ("input", "param") and not node.uniform}
    return len(read) + len(graph.results)


def walked_bytes(snippet: Snippet, tensors: Mapping[str, Dims]) -> tuple[int, int]:
    """Bytes that go through memory, before and after, for shapes of inputs and outputs in numbers.

    Between operations alone values would have the size of the (first) output's elements. ShapeError when shapes do not
    fit or are names.
    """
    graph = snippet.graph
    shapes = shapes_of(graph, tensors)
    size = snippet.outputs[0].storage.bytes
    sizes = {operand.name: operand.storage.bytes for operand in (*snippet.inputs, *snippet.outputs)}
    ends = {result.node: result.name for result in graph.results}

    def bytes_of(at: int) -> int:
        node = graph[at]
        name = node.name if node.op in LEAVES else ends.get(at, "")
        return _count(shapes[at]) * sizes.get(name, size)

    before = 0
    for at, node in enumerate(graph.nodes):
        if node.op not in LEAVES and not node.uniform:
            before += bytes_of(at) + sum(bytes_of(arg) for arg in node.args if not graph[arg].uniform)
    after = sum(_count(tensors[operand.name]) * sizes[operand.name] for operand in read_inputs(snippet))
    for operand in snippet.outputs:
        node_shape = shapes[next(r.node for r in graph.results if r.name == operand.name)]
        after += _count(tensors.get(operand.name) or broadcast([node_shape])) * sizes[operand.name]
    return max(before, after), after


def _count(shape: Dims) -> int:
    count = 1
    for dim in shape:
        if isinstance(dim, str):
            raise ShapeError(f"the dimension {dim} has no number")
        count *= dim
    return count
