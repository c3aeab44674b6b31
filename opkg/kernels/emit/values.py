"""The shapes of the values of a graph: as far as a spec tells them, and as C++ that a call computes (opkg/between.h)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from opkg.kernels.graphs.graph import MOVES, REDUCE, Graph, Node
from opkg.kernels.graphs.nodes import reachable
from opkg.kernels.portable.axes import Refused, bits_of, ranks_of
from opkg.spec.compute.extents import SCALAR, Extent, broadcast, of_param, of_tensor, reduced
from opkg.spec.compute.moves import extent_of
from opkg.spec.compute.tree import Move, Movement
from opkg.spec.model import Op

NONE_GIVEN: Mapping[int, str] = MappingProxyType({})
_Terms = Mapping[
    str, frozenset[str]
]  # C++ of shapes, each with those which have all of its dimensions and make it superfluous


def value_extent(op: Op, graph: Graph, index: int) -> Extent:
    """The extent of a node. Raises Fault or Mismatch where shapes do not fit."""
    leaves = {tensor.name: of_tensor(tensor, op) for tensor in op.inputs}
    leaves |= {param.name: of_param(param, op) for param in op.params}
    found: dict[int, Extent] = {}
    for at in reachable(graph.nodes, [index]):
        node = graph[at]
        args = [SCALAR if graph[arg].op == "const" else found[arg] for arg in node.args]
        found[at] = leaves[node.name] if node.op in ("input", "param") else _made(node, args)
    return found[index]


def _made(node: Node, args: list[Extent]) -> Extent:
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
    ranks = ranks_of(op, graph)
    found: dict[int, _Terms] = {}
    for at in reachable(graph.nodes, [index]):
        node = graph[at]
        terms = {text: over for arg in node.args if not graph[arg].uniform for text, over in found[arg].items()}
        bits = bits_of(op, node, ranks[node.args[0]]) if node.op in REDUCE else ""
        if at in given and at != index:
            found[at] = {f"opkg::shape_of({given[at]})": frozenset()}
        elif node.op in ("input", "param"):
            found[at] = {f"opkg::shape_of({'' if node.name in own else 'op.'}{node.name})": frozenset()}
        else:
            found[at] = _reduced(node, terms, bits) if bits else _beside(terms)
    return _together(found[index])


def _reduced(node: Node, terms: _Terms, bits: str) -> _Terms:
    if isinstance(node.keepdims, str):
        raise Refused("movement behind reductions that keep their dimensions or do not", node)
    whole = f"{_together(terms)}.{'reduced' if node.keepdims else 'without'}({bits})"
    return {whole: frozenset(terms) if node.keepdims else frozenset()}


def _beside(terms: _Terms) -> _Terms:
    return {text: over for text, over in terms.items() if not over or not over <= terms.keys()}


def _together(shapes: Collection[str]) -> str:
    return next(iter(shapes)) if len(shapes) == 1 else f"opkg::together({{{', '.join(shapes)}}})"
