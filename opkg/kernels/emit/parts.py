"""The parts of one kernel function: a snippet per set of optional inputs that may be given, and per shape of outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.graph import PLACES
from opkg.kernels.graphs.nodes import needed
from opkg.kernels.portable.seen import seen
from opkg.kernels.snippet import Snippet
from opkg.kernels.snippets import make_snippet, names_of_params
from opkg.spec.compute.extents import Extent, of_param, of_tensor
from opkg.spec.compute.tree import Input, Node, Present
from opkg.spec.compute.walk import walk
from opkg.spec.model import Kernel, Op


@dataclass(frozen=True, slots=True)
class Source:
    """A kernel as a target knows it: the argument struct and the C++ element type of every tensor and tensor param.
    `alike`: kernels of signed integers whose calls it takes, too (`opkg.spec.arriving`)."""

    kernel: Kernel
    args: str
    elements: Mapping[str, str]
    alike: tuple[Kernel, ...] = ()


def parts(op: Op, source: Source, signed_as_unsigned: bool) -> Iterator[tuple[Snippet, ...]]:
    """For each set of optional inputs, the snippets that together compute all outputs; all inputs given comes first.

    Raises AbsentInput (`opkg.kernels.graphs.build`).
    """
    optional = asked(op)
    for count in range(len(optional), -1, -1):
        for present in combinations(optional, count):
            snippet = make_snippet(op, source.kernel, source.args, source.elements, signed_as_unsigned, present)
            yield split(op, snippet)


def asked(op: Op) -> tuple[str, ...]:
    """The optional inputs on which the computation hangs."""
    assert op.compute is not None
    names = {name for statement in op.compute.statements for name in _names(statement.expr)}
    return tuple([tensor.name for tensor in op.inputs if tensor.optional and tensor.name in names])


def reduces(snippet: Snippet) -> bool:
    """Whether a kernel reduces dimensions of tensors."""
    return any(not snippet.graph[index].uniform for index in snippet.graph.reductions)


def split(op: Op, snippet: Snippet) -> tuple[Snippet, ...]:
    """A snippet as it is, or one per shape of outputs where elementwise ones may have different shapes, or per place."""
    groups: dict[object, list[str]] = {}
    for tensor in op.outputs:
        groups.setdefault(_shape(of_tensor(tensor, op), tensor.name), []).append(tensor.name)
    if reduces(snippet):
        return _seen(op, _places_apart(op, snippet))
    if len(groups) == 1:
        return _seen(op, (snippet,))
    return _seen(op, tuple([_only(op, snippet, names) for names in groups.values()]))


def _places_apart(op: Op, snippet: Snippet) -> tuple[Snippet, ...]:
    """Places of extremes (`argmax`) by themselves, where there are other results: rows have vector code for one of them."""
    graph = snippet.graph
    places = [result.name for result in graph.results if graph[result.node].op in PLACES]
    others = [result.name for result in graph.results if result.name not in places]
    listed = [*([others] if others else []), *([place] for place in places)]
    passes = len({graph[at].axes for at in graph.reductions}) > 1 or graph.moves  # opkg/kernels/emit/passes.py
    if len(listed) < 2 or not places or passes:
        return (snippet,)
    return tuple([_only(op, snippet, names, apart=False) for names in listed])


def _seen(op: Op, snippets: tuple[Snippet, ...]) -> tuple[Snippet, ...]:
    """Snippets that move elements, as those of parts of tensors where they can be; others as they are."""
    if not any(snippet.graph.moves for snippet in snippets):
        return snippets
    taken = (*(t.name for t in op.tensors), *(p.name for p in op.params))
    found: list[Snippet] = []
    for snippet in snippets:
        parts = seen(snippet, taken) if snippet.graph.moves else (snippet,)
        if parts is None:
            return snippets
        found += parts
    return tuple(found)


def _shape(extent: Extent, name: str) -> object:
    """What equal shapes have in common."""
    return name if extent.dims is None else (extent.dims, extent.low, extent.high)


def _only(op: Op, snippet: Snippet, names: list[str], apart: bool = True) -> Snippet:
    """The part of a snippet that computes some of its outputs. `apart`: elementwise ones, with shapes of their own."""
    results = [result for result in snippet.graph.results if result.name in names]
    graph = canonical(needed(snippet.graph.nodes, results), snippet.finite)
    read = set(graph.inputs) | names_of_params(graph)
    output = _shape(next(of_tensor(t, op) for t in op.outputs if t.name == names[0]), names[0])
    shapes = {t.name: _shape(of_tensor(t, op), t.name) for t in op.inputs}
    shapes |= {p.name: _shape(of_param(p, op), p.name) for p in op.params}
    inputs = [replace(o, may_broadcast=shapes[o.name] != output) if apart else o for o in snippet.inputs]
    return replace(
        snippet,
        function="_".join((snippet.function, *names)),
        graph=graph,
        inputs=tuple([o for o in inputs if o.name in read or o.name in snippet.missing]),
        outputs=tuple([o for o in snippet.outputs if o.name in names]),
        params=tuple([p for p in snippet.params if p.name in read]),
    )


def _names(node: Node) -> Iterator[str]:
    """Inputs that a tree names."""
    for at in walk([node]):
        if isinstance(at, Input | Present):
            yield at.name
