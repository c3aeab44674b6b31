"""Which dimensions an op's computation couples, by its graph: for every set of optional inputs and every output."""

from __future__ import annotations

from opkg.kernels.coupling import EVERY, Coupling, Uncut
from opkg.kernels.emit.parts import Source, asked, parts
from opkg.kernels.graphs.build import AbsentInput
from opkg.kernels.graphs.graph import Graph
from opkg.kernels.portable.axes import Axes, Frame, Refused, axes_of
from opkg.spec.axis_params import counts_from_end
from opkg.spec.compute.moves import moves
from opkg.spec.model import Kernel, Op

MOST_OPTIONAL = 4  # optional inputs that a computation may ask for: each set of them is looked at


def coupling_of(op: Op) -> Coupling:
    """By the computation of an op, whatever kernel computes it. Raises Uncut; the op must have a `compute:`."""
    if moves(op.compute):
        raise Uncut("it moves elements")
    if len(asked(op)) > MOST_OPTIONAL:
        raise Uncut(f"it has more than {MOST_OPTIONAL} optional inputs")
    found: list[Coupling] = []
    for kernel in op.kernels:
        found += [c for c in _of_kernel(op, kernel) if c not in found]
    return _joined(found)


def _of_kernel(op: Op, kernel: Kernel) -> list[Coupling]:
    elements = dict.fromkeys((*(t.name for t in op.tensors), *(p.name for p in op.params)), "")
    found = []
    try:
        for group in parts(op, Source(kernel, "", elements), False):
            found += [_of_graph(op, snippet.graph, axes_of(op, snippet.graph)) for snippet in group]
    except AbsentInput as failed:
        raise Uncut(f"'{failed.name}' is read where it may be absent") from None
    except Refused as refused:
        raise Uncut(refused.message) from None
    return found


def _of_graph(op: Op, graph: Graph, axes: Axes) -> Coupling:
    frames = {axes.frames[result.node] for result in graph.results}
    if frames == {Frame.ANY}:
        raise Uncut(_all(op, graph) or "its output is one number")
    if len(frames) > 1:
        raise Uncut("its outputs have different dimensions")
    (frame,) = frames
    others = {Frame.ANY, Frame.FULL, frame}
    leaves = {n.name: f for n, f in zip(graph.nodes, axes.frames, strict=True) if n.op in ("input", "param")}
    if not set(leaves.values()) <= others:
        raise Uncut("some of its inputs lack the reduced dimensions, and its output has them")
    aligned = frozenset(name for name, f in leaves.items() if f is frame) if frame is not Frame.FULL else frozenset()
    dropped, keep = frame in (Frame.DROPPED, Frame.MAYBE), axes.keep if frame is Frame.MAYBE else ""
    if axes.bits.startswith("opkg::axis_bit(") or axes.bits.startswith("opkg::axes_bits("):
        name, rank = _param(op, graph)
        why = dict.fromkeys(EVERY, f"the param '{name}' says in each call which dimensions are reduced")
        return Coupling(frozenset(), name, rank, dropped, keep, aligned, why)
    if axes.bits == "opkg::kAllAxes":
        raise Uncut(_all(op, graph))
    bits = int(axes.bits, 16)
    coupled = frozenset(place for place in EVERY if bits >> place & 1)
    return Coupling(coupled, "", 0, dropped, keep, aligned, dict.fromkeys(coupled, "it is reduced"))


def _all(op: Op, graph: Graph) -> str:
    return "it reduces all elements" if graph.reductions else ""


def _param(op: Op, graph: Graph) -> tuple[str, int]:
    """The param that numbers the reduced dimensions, and the rank it speaks of."""
    names = {node.axes for node in graph.nodes if isinstance(node.axes, str)}
    ranks = {(t.ranks.low, t.ranks.high) for t in op.inputs if t.name in graph.inputs}
    low = min((low for low, _ in ranks), default=0)
    high = max((high for _, high in ranks), default=0)
    from_end = any(counts_from_end(op, param) for param in op.params if param.name in names)  # any rank will do
    if len(names) != 1 or (low != high and not from_end):
        raise Uncut("a param says which dimensions are reduced, and the rank of the inputs varies")
    return names.pop(), high


def _joined(found: list[Coupling]) -> Coupling:
    """What holds for all outputs and all sets of inputs: a place is coupled when it is in one of them."""
    first = found[0]
    if any((c.dropped, c.keep, c.axes, c.rank) != (first.dropped, first.keep, first.axes, first.rank) for c in found):
        raise Uncut("its outputs reduce different dimensions")
    if first.dropped and any(c.coupled != first.coupled for c in found):
        raise Uncut("its outputs lack different dimensions")
    why = {place: reason for c in found for place, reason in c.why.items()}
    coupled = frozenset[int]().union(*(c.coupled for c in found))
    return Coupling(
        coupled, first.axes, first.rank, first.dropped, first.keep,
        frozenset[str]().union(*(c.aligned for c in found)), why,
    )  # fmt: skip
