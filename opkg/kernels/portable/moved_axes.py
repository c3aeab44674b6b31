"""Dimensions that movements count from the front: kernels see ranks below 4 padded in front, so of open ranks none is told."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.portable.axes import FROM_FRONT, Refused
from opkg.spec.axis_params import PADDED_TO, counts_from_end, fixed_rank
from opkg.spec.compute.extents import of_param
from opkg.spec.compute.whole import REST, Range
from opkg.spec.model import Op, TensorSpec

_HINT = "count from the end (axis=-1, x[..., 1:]), or give the tensor one rank"


def check_moved_axes(op: Op, graph: Graph) -> None:
    """Raises Refused where a movement counts dimensions of a tensor whose rank is open from the front."""
    for index in graph.moves:
        node = graph[index]
        match node.op:
            case "move_concat":
                told = not _from_front(op, node) or all(_is_told(op, graph, arg) for arg in node.args)
            case "move_take":
                told = _is_taken(op, graph, node)
            case "move_slice":
                told = not _cuts_front(node) or _is_told(op, graph, node.args[0])
            case "move_transpose":
                told = _is_told(op, graph, node.args[0])
            case _:
                told = True
        if not told:
            raise Refused(FROM_FRONT, node, _HINT)


def _is_taken(op: Op, graph: Graph, node: Node) -> bool:
    """What `take` gives has the table's dimensions but one, and those of the places."""
    table, places = node.args
    if not _is_told(op, graph, table):
        return not _from_front(op, node) and _rank(op, graph, places) == 1
    return _is_told(op, graph, places) or _rank(op, graph, table) == 1


def _from_front(op: Op, node: Node) -> bool:
    if isinstance(node.axes, str):
        return not counts_from_end(op, next(param for param in op.params if param.name == node.axes))
    return any(axis >= 0 for axis in node.axes or (0,))


def _cuts_front(node: Node) -> bool:
    """Whether something stands in front of `...`, or all of it where there is none."""
    front = node.parts[: node.parts.index(REST)] if REST in node.parts else node.parts
    return any(part != Range() for part in front)


def _is_told(op: Op, graph: Graph, index: int) -> bool:
    """Whether a kernel sees a value with its own rank."""
    tensor = _leaf(op, graph, index)
    return tensor is None or fixed_rank(tensor) > 0 or tensor.ranks.low >= PADDED_TO


def _rank(op: Op, graph: Graph, index: int) -> int | None:
    """The rank of a tensor as it is stored, where it is one number."""
    node = graph[index]
    if node.op == "param":
        extent = of_param(next(param for param in op.params if param.name == node.name), op)
        return extent.low if extent.low == extent.high else None
    tensor = _leaf(op, graph, index) if node.op == "input" else None
    return fixed_rank(tensor) or None if tensor is not None else None


def _leaf(op: Op, graph: Graph, index: int) -> TensorSpec | None:
    """The input that a value is a view of; None for one that is reshaped, whose rank is said, and for params."""
    node = graph[index]
    if node.op == "input":
        return next(tensor for tensor in op.inputs if tensor.name == node.name)
    return None if node.op in ("move_reshape", "param") or not node.args else _leaf(op, graph, node.args[0])
