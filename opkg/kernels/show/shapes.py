"""Shapes to show a kernel's loops for: those given, those that follow from them, and names for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from opkg.kernels.graphs.graph import Graph
from opkg.kernels.graphs.shapes import Dim, Dims, ShapeError, text_of
from opkg.kernels.linear.memory import Linear, linear
from opkg.kernels.portable.axes import Refused, axes_of
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import read_inputs
from opkg.spec.compute.extents import MOST_RANK, is_rest, of_param, of_tensor
from opkg.spec.model import Op

ALIKE = "all tensors alike"


def linear_of(op: Op, snippet: Snippet, given: Mapping[str, tuple[int, ...]]) -> tuple[Linear, dict[str, Dims], str]:
    """The linear code of a snippet, the shapes of its tensors, and what was assumed of them (may be empty).

    Where nothing is given and the spec leaves open how shapes fit (`broadcast(a, b)`), or where operands are parts of
    tensors, all have one shape.
    ShapeError when given shapes do not fit the spec or one another, and for dimensions that only a call names.
    """
    known = _shapes(op, snippet, given) if not snippet.views else None
    graph = pinned(op, snippet.graph)
    if known is not None:
        try:
            return linear(graph, known), known, ""
        except ShapeError:
            if given:
                raise
    shape: Dims = ("*batch", "row")
    alike = {operand.name: shape for operand in read_inputs(snippet)}
    if not graph.reductions:
        alike |= {operand.name: shape for operand in snippet.outputs}
    return linear(graph, alike), alike, ALIKE


def pinned(op: Op, graph: Graph) -> Graph:
    """The graph with numbers for the dimensions that a param names and a constraint of the op pins."""
    if not any(isinstance(node.axes, str) for node in graph.nodes):
        return graph
    try:
        bits = axes_of(op, graph).bits
    except Refused:
        return graph
    if not bits.startswith("0x"):  # only the call says it
        return graph
    axes = tuple(-1 - place for place in range(MOST_RANK) if int(bits, 16) >> place & 1)
    nodes = [replace(node, axes=axes) if isinstance(node.axes, str) else node for node in graph.nodes]
    return Graph(tuple(nodes), graph.results)


def _shapes(op: Op, snippet: Snippet, given: Mapping[str, tuple[int, ...]]) -> dict[str, Dims] | None:
    """Shapes by the dimensions that the spec names; None when those of an input have no names."""
    dims: dict[str, Dims | None] = {t.name: of_tensor(t, op).dims for t in op.tensors}
    dims |= {p.name: of_param(p, op).dims for p in op.params if p.shape is not None}
    bound: dict[str, Dims] = {}
    ranks = {tensor.name: tensor.ranks for tensor in op.tensors}
    for name, shape in given.items():
        if name in ranks and len(shape) not in ranks[name]:
            raise ShapeError(f"{name} has {ranks[name].low} to {ranks[name].high} dimensions, not {len(shape)}")
        _bind(name, dims[name], shape, bound)
    found: dict[str, Dims] = {}
    for operand in read_inputs(snippet):
        own = dims[operand.name]
        if operand.name in given:
            found[operand.name] = given[operand.name]
        elif own is None:
            return None
        else:
            found[operand.name] = _filled(own, bound)
    for operand in snippet.outputs:
        own = dims[operand.name]
        if own is not None and not any(isinstance(dim, str) and dim.startswith("?") for dim in own):
            found[operand.name] = _filled(own, bound)
    if snippet.graph.reductions:  # the last dimension of a run is one by itself
        return {name: (*shape, "last") if shape and is_rest(shape[-1]) else shape for name, shape in found.items()}
    return found


def _bind(name: str, dims: Dims | None, shape: tuple[int, ...], bound: dict[str, Dims]) -> None:
    """What a given shape says of the names of dimensions."""
    if dims is None:
        return
    rests = [place for place, dim in enumerate(dims) if is_rest(dim)]
    at = rests[0] if rests else len(dims)
    behind = len(dims) - at - 1 if rests else 0
    fixed = len(dims) - len(rests)
    if len(shape) < fixed or (not rests and len(shape) != fixed):
        raise ShapeError(f"{name} has the shape {text_of(_filled(dims, {}))}, not {text_of(shape)}")
    pairs: list[tuple[Dim, Dims]] = [(dim, (size,)) for dim, size in zip(dims[:at], shape[:at], strict=True)]
    if rests:
        pairs.append((dims[at], shape[at : len(shape) - behind]))
        pairs += [(dim, (size,)) for dim, size in zip(dims[at + 1 :], shape[len(shape) - behind :], strict=True)]
    for dim, value in pairs:
        known = (dim,) if isinstance(dim, int) else bound.setdefault(dim, value)
        if known != value:
            shown = text_of(known) if len(known) != 1 else str(known[0])
            raise ShapeError(f"the dimension {_shown(dim)} of {name} is {text_of(value)[1:-1]} and {shown}")


def _filled(dims: Dims, bound: Mapping[str, Dims]) -> Dims:
    found: list[Dim] = []
    for dim in dims:
        value = bound.get(dim) if isinstance(dim, str) else None
        found += value if value is not None else (_shown(dim),)
    return tuple(found)


def _shown(dim: Dim) -> Dim:
    """A name as people read it; a run without a name is called after its tensor (`*x.0.` is `*x`)."""
    return dim.partition(".")[0] if isinstance(dim, str) and is_rest(dim) and dim.endswith(".") else dim
