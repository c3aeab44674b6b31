"""Whether the elements of a reduced row lie one after another: vector code takes such rows, portable code all others.

`reduce.h` asks the same of each row when it runs. What is never so is known here, before any vector code is made.
"""

from __future__ import annotations

from opkg.kernels.graphs.graph import Graph
from opkg.kernels.portable.axes import Frame, Refused, axes_of
from opkg.spec.compute.extents import Dim, is_rest, of_tensor
from opkg.spec.model import Op


def scattered(op: Op, graph: Graph) -> str:
    """Why no row of a graph's reductions can be taken by vector code; empty where one can, or nothing is reduced."""
    bits = _bits(op, graph)
    between = [place for place in range(bits.bit_length()) if not bits >> place & 1 and not _is_one(op, graph, place)]
    if not between:
        return ""
    reduced = _listed([place for place in range(bits.bit_length()) if bits >> place & 1])
    return f"the elements of a row do not lie one after another: {reduced} reduced, {_listed(between)} not"


def along_rows(op: Op, graph: Graph) -> frozenset[str]:
    """The inputs and outputs that are known to have elements along a reduced dimension."""
    bits = _bits(op, graph)
    if not bits:
        return frozenset()
    frames = axes_of(op, graph).frames
    nodes = {node.name: at for at, node in enumerate(graph.nodes) if node.op == "input"}
    nodes |= {result.name: result.node for result in graph.results}
    dims = {tensor.name: of_tensor(tensor, op).dims for tensor in op.tensors if tensor.name in nodes}
    places = [place for place in range(bits.bit_length()) if bits >> place & 1]
    whole = {name: found for name, found in dims.items() if found and frames[nodes[name]] is not Frame.DROPPED}
    return frozenset(name for name, found in whole.items() if any(_has(found, place) for place in places))


def across_rows(op: Op, graph: Graph) -> frozenset[str]:
    """The inputs and outputs that are known to have one element for each row."""
    bits = _bits(op, graph)
    places = [place for place in range(bits.bit_length()) if bits >> place & 1]
    frames = axes_of(op, graph).frames if bits else ()
    nodes = {node.name: at for at, node in enumerate(graph.nodes) if node.op == "input"}
    nodes |= {result.name: result.node for result in graph.results}
    found = set()
    for name, at in nodes.items():
        dims = next(of_tensor(tensor, op).dims for tensor in op.tensors if tensor.name == name)
        one = dims is not None and all(dim == 1 for dim in dims)
        if places:
            lacks = dims is not None and all(_lacks(dims, place) for place in places)
            one = one or lacks or frames[at] is Frame.DROPPED
        if one:
            found.add(name)
    return frozenset(found)


def _lacks(dims: tuple[Dim, ...], place: int) -> bool:
    known = not any(is_rest(dim) for dim in dims[max(len(dims) - 1 - place, 0) :])
    return known and (len(dims) <= place or dims[-1 - place] == 1)


def _has(dims: tuple[Dim, ...], place: int) -> bool:
    known = len(dims) > place and not any(is_rest(dim) for dim in dims[len(dims) - 1 - place :])
    return known and dims[-1 - place] != 1


def _listed(places: list[int]) -> str:
    """`dimensions -3 and -2 are`"""
    names = [str(-1 - place) for place in reversed(places)]
    return f"dimension {names[0]} is" if len(names) == 1 else f"dimensions {' and '.join(names)} are"


def condition(op: Op, graph: Graph) -> str:
    """When rows that may lie together do; empty where they always do."""
    text = _text(op, graph)
    if text.startswith("opkg::axis_bit"):
        return "where the reduced dimension is the last one"
    if text.startswith("opkg::axes_bits"):
        return "where the reduced dimensions are the last ones"
    return ""


def _text(op: Op, graph: Graph) -> str:
    if not graph.reductions:
        return ""
    try:
        return axes_of(op, graph).bits
    except Refused:
        return ""  # a finding of its own (OPK600)


def _bits(op: Op, graph: Graph) -> int:
    """The set of reduced dimensions, where the spec fixes it; else none."""
    text = _text(op, graph)
    return int(text, 16) if text.startswith("0x") else 0


def _is_one(op: Op, graph: Graph, place: int) -> bool:
    """Whether the dimension at a place, counted from the last one, is 1 in every input that the graph reads."""
    shapes = [of_tensor(tensor, op).dims for tensor in op.inputs if tensor.name in graph.inputs]
    return all(dims is not None and len(dims) > place and dims[-1 - place] == 1 for dims in shapes)
