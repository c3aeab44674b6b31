"""Shapes of the values of a graph, with dimensions that are numbers or names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opkg.kernels.graphs.graph import MOVES, REDUCE, Graph, Node

# A number, or the name of a dimension (`C`) or of a run of them (`*batch`): known only in a call, and not 1 in it.
Dim = int | str
Dims = tuple[Dim, ...]


class ShapeError(ValueError):
    """Shapes that do not broadcast, or a dimension that is not there."""


def broadcast(shapes: Sequence[Dims]) -> Dims:
    """numpy's broadcast; two different names never fit."""
    rank = max(map(len, shapes), default=0)
    result: list[Dim] = [1] * rank
    for shape in shapes:
        for place, dim in enumerate(shape, rank - len(shape)):
            if dim != 1 and result[place] not in (1, dim):
                raise ShapeError(f"shapes {' and '.join(map(text_of, shapes))} do not broadcast")
            result[place] = dim if dim != 1 else result[place]
    return tuple(result)


def text_of(shape: Dims) -> str:
    return "[" + ", ".join(map(str, shape)) + "]"


def shapes_of(graph: Graph, tensors: Mapping[str, Dims]) -> tuple[Dims, ...]:
    """The shape of every node. `tensors`: shapes of inputs and tensor params. ShapeError when they do not fit."""
    found: list[Dims] = []
    for node in graph.nodes:
        if node.op in ("input", "param"):
            found.append(() if node.uniform else tensors[node.name])
        elif node.op in MOVES:
            raise ShapeError(f"'{node.op.removeprefix('move_')}' has no loop over elements")
        elif node.op in REDUCE:
            found.append(reduced(node, found[node.args[0]]))
        else:
            found.append(broadcast([found[arg] for arg in node.args]))
    return tuple(found)


def reduced(node: Node, shape: Dims, keep: bool = False) -> Dims:
    """The shape of a reduction's value. `keep`: with its dimensions as 1 in any case."""
    if isinstance(node.axes, str):
        raise ShapeError(f"the param '{node.axes}' says which dimensions are reduced")
    axes = range(len(shape)) if node.axes is None else node.axes
    if any(not -len(shape) <= axis < len(shape) for axis in axes):
        raise ShapeError(f"{node.op} over {node.axes} of {text_of(shape)}")
    gone = {axis % len(shape) for axis in axes}
    if keep or node.keepdims:
        return tuple(1 if place in gone else dim for place, dim in enumerate(shape))
    return tuple(dim for place, dim in enumerate(shape) if place not in gone)
