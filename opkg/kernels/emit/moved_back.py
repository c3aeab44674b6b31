"""What moves behind reductions: computed values are tensors of their own, which a last pass moves into the outputs; where no more
than dimensions differ, they are the outputs themselves in other dimensions (opkg/between.h)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from opkg.kernels.emit.between import free_name, tensor_of
from opkg.kernels.emit.moved import moving_pass
from opkg.kernels.emit.values import shape_text, value_extent
from opkg.kernels.graphs.graph import MOVES, Graph, Result
from opkg.kernels.graphs.nodes import needed, with_inputs
from opkg.kernels.portable.axes import Refused
from opkg.kernels.snippet import Number, Passing, Snippet
from opkg.spec.compute.extents import Mismatch
from opkg.spec.compute.text import Fault
from opkg.spec.model import Op


@dataclass(frozen=True, slots=True)
class Value:
    """A computed value that is moved into an output, and whether it is that output in other dimensions."""

    name: str
    node: int
    output: str
    alias: bool


@dataclass(frozen=True, slots=True)
class Back:
    """What computes values and the outputs that are not moved, the op whose outputs these are, and the passes that move."""

    rest: Snippet
    op: Op
    passes: tuple[Snippet, ...]
    values: tuple[Value, ...]

    def numbers(self, op: Op, rest: Snippet, moved: frozenset[str]) -> tuple[Number, ...]:
        """The values as tensors. `op`, `rest`: those of this object once nothing moves in front of them; `moved`: names of the
        tensors that were moved."""
        at = {result.name: result.node for result in rest.graph.results}
        return tuple(
            Number(
                value.name,
                rest.operand(value.name).element,
                shape_text(op, rest.graph, at[value.name], moved),
                value.output,
                value.alias,
            )
            for value in self.values
        )


def moved_back(op: Op, snippet: Snippet, args: str) -> Back | None:
    """A snippet that reduces, and moves what comes of it into outputs; None for any other one. `args`: the struct of the
    tensors between."""
    graph = snippet.graph
    try:
        values = list(_values(op, graph))
        if not values or not any(not graph[index].uniform for index in graph.reductions):
            return None
        return _cut(op, snippet, values, args)
    except (Refused, Fault, Mismatch):
        return None


def _values(op: Op, graph: Graph) -> Iterator[Value]:
    """The computed values under the movements that outputs are. Raises Refused where places are computed, too."""
    taken = [*(t.name for t in op.tensors), *(p.name for p in op.params)]
    for result in graph.results:
        if graph[result.node].op not in MOVES:
            continue
        found = list(dict.fromkeys(_moved(graph, result.node)))
        alias = len(found) == 1 and _only_reshaped(graph, result.node)
        for node in found:
            name = free_name(graph[node].origin or f"{result.name}_value", taken)
            taken.append(name)
            yield Value(name, node, result.name, alias)


def _moved(graph: Graph, index: int) -> Iterator[int]:
    node = graph[index]
    if node.op not in MOVES:
        if node.op not in ("input", "param", "const") and not node.uniform:
            yield index
        return
    if node.op == "move_take" and any(_moved(graph, node.args[1])):
        raise Refused("places that are computed in the same op", node)
    for arg in node.args:
        yield from _moved(graph, arg)


def _only_reshaped(graph: Graph, index: int) -> bool:
    node = graph[index]
    return node.op not in MOVES or (node.op == "move_reshape" and _only_reshaped(graph, node.args[0]))


def _cut(op: Op, snippet: Snippet, values: list[Value], args: str) -> Back:
    graph = snippet.graph
    dtypes = {tensor.name: tensor.dtype for tensor in op.outputs}
    moved = {value.output for value in values}
    specs = [tensor_of(value.name, dtypes[value.output], value_extent(op, graph, value.node)) for value in values]
    stored = [replace(snippet.operand(value.output), name=value.name, may_broadcast=False) for value in values]
    others = [result for result in graph.results if result.name not in moved]
    rest = replace(
        snippet,
        args=args,
        graph=needed(graph.nodes, [*(Result(value.name, value.node) for value in values), *others]),
        outputs=(*stored, *(o for o in snippet.outputs if o.name not in moved)),
    )
    own = replace(op, outputs=(*specs, *(t for t in op.outputs if t.name not in moved)))
    last = [result for result in graph.results if result.name in moved and not _is_alias(result.name, values)]
    passes = [_moving(op, own, snippet, rest, {v.node: v.name for v in values if v.output == r.name}, r) for r in last]
    return Back(replace(rest, passing=Passing(own, snippet.args)), own, tuple(passes), tuple(values))


def _is_alias(output: str, values: list[Value]) -> bool:
    return any(value.output == output and value.alias for value in values)


def _moving(op: Op, own: Op, snippet: Snippet, rest: Snippet, names: Mapping[int, str], result: Result) -> Snippet:
    """The pass that moves values into one output. Raises Refused where there is no such kernel."""
    given = [spec for spec in own.outputs if spec.name in names.values()]
    values = [operand for operand in rest.outputs if operand.name in names.values()]
    tensors = replace(op, inputs=(*op.inputs, *given), outputs=tuple([t for t in op.outputs if t.name == result.name]))
    moved = replace(snippet, graph=with_inputs(snippet.graph, names, [result]), inputs=(*snippet.inputs, *values))
    of = " and ".join(names.values())
    return moving_pass(tensors, moved, f"{result.name}_moved", rest.args, snippet.operand(result.name), of)
