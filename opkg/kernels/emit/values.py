"""The shapes of the values of a graph: as far as a spec tells them, and as C++ that a call computes (opkg/between.h)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from opkg.kernels.graphs.graph import MOVES, REDUCE, Graph
from opkg.kernels.portable.axes import Refused, bits_of, ranks_of
from opkg.spec.compute.extents import SCALAR, Extent, broadcast, of_param, of_tensor, reduced
from opkg.spec.compute.moves import extent_of
from opkg.spec.compute.tree import Move, Movement
from opkg.spec.model import Op

NONE_GIVEN: Mapping[int, str] = MappingProxyType({})


def value_extent(op: Op, graph: Graph, index: int) -> Extent:
    """The extent of a node. Raises Fault or Mismatch where shapes do not fit."""
    node = graph[index]
    if node.op == "input":
        return of_tensor(next(t for t in op.inputs if t.name == node.name), op)
    if node.op == "param":
        return of_param(next(p for p in op.params if p.name == node.name), op)
    args = [value_extent(op, graph, arg) for arg in node.args if graph[arg].op != "const"]
    if node.op in MOVES:
        return extent_of(Move(Movement(node.op.removeprefix("move_")), (), node.axes, node.parts), args, None)
    if node.op in REDUCE:
        if isinstance(node.axes, str) or not isinstance(node.keepdims, bool):
            return Extent(None, 0 if node.keepdims is not True else args[0].low, args[0].high)
        return reduced(args[0], node.axes, node.keepdims)
    extent = SCALAR
    for arg in args:
        extent = broadcast(extent, arg)
    return extent


def shape_text(op: Op, graph: Graph, index: int, own: Collection[str], given: Mapping[int, str] = NONE_GIVEN) -> str:
    """C++ of the shape of a value of a graph that moves nothing. `own`: names of tensors between passes, which are no members
    of `op`; `given`: names of those that are values of the graph. Raises Refused where a param says whether dimensions stay."""
    return _together(_terms(op, graph, index, own, {at: name for at, name in given.items() if at != index}))


def _terms(
    op: Op, graph: Graph, index: int, own: Collection[str], given: Mapping[int, str]
) -> dict[str, frozenset[str]]:
    """C++ of shapes that a value's is broadcast of, each with those which have all of its dimensions and make it superfluous."""
    node = graph[index]
    if index in given:
        return {f"opkg::shape_of({given[index]})": frozenset()}
    if node.op in ("input", "param"):
        return {f"opkg::shape_of({'' if node.name in own else 'op.'}{node.name})": frozenset()}
    found: dict[str, frozenset[str]] = {}
    for arg in node.args:
        found |= {} if graph[arg].uniform else _terms(op, graph, arg, own, given)
    if node.op in REDUCE and (bits := bits_of(op, node, ranks_of(op, graph)[node.args[0]])):
        if isinstance(node.keepdims, str):
            raise Refused("movement behind reductions that keep their dimensions or do not", node)
        whole = f"{_together(found)}.{'reduced' if node.keepdims else 'without'}({bits})"
        return {whole: frozenset(found) if node.keepdims else frozenset()}
    return {text: over for text, over in found.items() if not over or not over <= found.keys()}


def _together(shapes: Collection[str]) -> str:
    return next(iter(shapes)) if len(shapes) == 1 else f"opkg::together({{{', '.join(shapes)}}})"
