"""A snippet whose reductions go over different dimensions, as several that run one after another (opkg/between.h)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from opkg.kernels.emit.between import free_name, tensor_of
from opkg.kernels.emit.moved import fit, moved_front, moved_result
from opkg.kernels.emit.moved_back import moved_back
from opkg.kernels.emit.parts import Source, parts
from opkg.kernels.emit.values import shape_text
from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.graph import COMPARE, LEAVES, PLACES, Graph, Result
from opkg.kernels.graphs.nodes import with_inputs
from opkg.kernels.graphs.regrouped import arithmetic_first
from opkg.kernels.portable.axes import Refused
from opkg.kernels.portable.levels import HINT, Levels, Pass, levels_of
from opkg.kernels.portable.moves import only_moves
from opkg.kernels.portable.pieces import across_rows, along_rows, condition, scattered
from opkg.kernels.snippet import Number, Operand, Passing, Snippet
from opkg.kernels.snippets import broadcastable, names_of_params, operand
from opkg.spec.compute.directions import in_passes
from opkg.spec.compute.moves import moves
from opkg.spec.compute.printing import text_of
from opkg.spec.compute.tree import Compute
from opkg.spec.dtypes import DTYPES
from opkg.spec.kept import keeps
from opkg.spec.model import Kernel, Op
from opkg.spec.model_types import TypeRef

_ELEMENT = "float"
_FLOAT = TypeRef(None, DTYPES["float32"])
_DECIDING = COMPARE | PLACES | {"floor", "ceil", "round", "trunc", "sign", "floor_div", "mod", "cast", "not"}


def kernel_parts(
    op: Op, source: Source, signed_as_unsigned: bool, strict: bool = False
) -> Iterator[tuple[Snippet, ...]]:
    """The snippets of a kernel as they run: those of `parts`, in passes where reductions go over different dimensions, or what is
    moved in front of arithmetic is no view. `strict`: raises Refused where there are no such passes, else these stay whole.

    Raises AbsentInput (`opkg.kernels.graphs.build`).
    """
    several = in_passes(op) or (moves(op.compute) and not keeps(op, source.kernel))
    for group in parts(op, source, signed_as_unsigned):
        try:
            yield passes(op, source.kernel, group[0]) if several and len(group) == 1 else group
        except Refused:
            if strict:
                raise
            yield group


def op_of(op: Op, snippet: Snippet) -> Op:
    """The op whose tensors a snippet has: numbers between passes are tensors, too."""
    return op if snippet.passing is None else snippet.passing.op


def passes(op: Op, kernel: Kernel, snippet: Snippet) -> tuple[Snippet, ...]:
    """A snippet, or its passes in order."""
    if snippet.views:
        return (snippet,)
    if snippet.graph.moves and only_moves(snippet):
        return moved_result(op, snippet) or (snippet,)
    args = f"{snippet.struct.removesuffix('Rows')}Passes"
    snippet = replace(snippet, graph=arithmetic_first(op, snippet.graph))
    back = moved_back(op, snippet, args) if snippet.graph.moves else None
    own, rest = (back.op, back.rest) if back is not None else (op, snippet)
    front = moved_front(own, rest, args) if rest.graph.moves else None
    if front is not None:
        own, rest = front.op, front.rest
    if rest.graph.moves or rest is snippet:
        return _reducing(op, kernel, snippet, args)
    first, given = (front.passes, front.numbers) if front is not None else ((), ())
    moved = frozenset(number.name for number in given)
    computing = _reducing(own, kernel, rest, args, not fit(own, rest.graph), moved)
    between = [number for each in computing if each.passing is not None for number in each.passing.numbers]
    last, values = (back.passes, back.numbers(own, rest, moved)) if back is not None else ((), ())
    numbers = tuple(dict.fromkeys((*given, *between, *values)))
    return tuple(
        replace(each, passing=Passing(each.passing.op, snippet.args, numbers))
        for each in (*first, *computing, *last)
        if each.passing is not None
    )


def _reducing(
    op: Op, kernel: Kernel, snippet: Snippet, args: str, apart: bool = False, moved: frozenset[str] = frozenset()
) -> tuple[Snippet, ...]:
    """A snippet that moves nothing, in passes. `args`: the struct of the numbers between them; `apart`: rows of what is reduced
    may have different lengths; `moved`: tensors of passes before."""
    graph = snippet.graph
    if len({graph[i].axes for i in graph.reductions}) < 2 and not apart:
        return (snippet,)
    if any(operand.dtype.integral for operand in (*snippet.inputs, *snippet.outputs)):
        what = "reductions over different dimensions" if not apart else "reductions of parts of tensors beside others"
        raise Refused(f"{what} of integers", graph[max(graph.reductions)], HINT)
    levels = levels_of(op, graph, any(operand.quantized for operand in snippet.inputs), apart)
    if not levels.between and len({levels.passes[result.node] for result in graph.results}) == 1:
        return (snippet,)
    return _Passes(op, kernel, snippet, levels, args, moved).snippets()


class _Passes:
    def __init__(
        self, op: Op, kernel: Kernel, snippet: Snippet, levels: Levels, args: str, moved: frozenset[str]
    ) -> None:
        self.moved = moved  # tensors of the passes before
        self.op, self.kernel, self.snippet, self.levels, self.args = op, kernel, snippet, levels, args
        self.graph = snippet.graph
        self.names = _names(op, self.graph, levels.between)
        self.stored = {i: found for i in self.names if (found := self._stored(i)) is not None}
        types = {i: TypeRef(None, found.dtype) for i, found in self.stored.items()}
        self.specs = {i: tensor_of(name, types.get(i, _FLOAT), levels.extents[i]) for i, name in self.names.items()}

    def _stored(self, at: int) -> Operand | None:
        """The quantized input that a number between passes is an element of: it stays as it is stored there."""
        node = self.graph[at]
        if node.op not in ("reduce_max", "reduce_min") or self.graph[node.args[0]].op != "input":
            return None
        found = [o for o in self.snippet.inputs if o.name == self.graph[node.args[0]].name and o.quantized]
        return found[0] if found else None

    def _operand(self, at: int, may_broadcast: bool = False) -> Operand:
        """A number between passes, as a kernel sees it."""
        name, stored = self.names[at], self.stored.get(at)
        if stored is not None:
            return replace(stored, name=name, may_broadcast=may_broadcast, optional=False)
        return operand(self.specs[at], self.kernel.combination, {name: _ELEMENT}, False, may_broadcast)

    def _number(self, at: int, shape: str) -> Number:
        stored = self.stored.get(at)
        return (
            Number(self.names[at], _ELEMENT, shape)
            if stored is None
            else Number(self.names[at], stored.element, shape, stored.name)
        )

    def snippets(self) -> tuple[Snippet, ...]:
        results = {result.name: result.node for result in self.graph.results}
        whole = {name: self.levels.passes[node] for name, node in results.items()}
        order = sorted({*whole.values(), *(self.levels.passes[i] for i in self.names)})
        found: list[Snippet] = []
        for at in order:
            made = [i for i in self.names if self.levels.passes[i] == at]
            outputs = [name for name in results if whole[name] == at]
            # Results of elements may have different shapes.
            groups = [outputs] if at.bits else [[name] for name in outputs]
            found += [self._snippet(at, made, group, results) for group in groups]
        shapes = {i: shape_text(self.op, self.graph, i, self.moved, self.names) for i in self.names}
        numbers = tuple([self._number(i, shapes[i]) for i in self.names])
        return tuple(
            replace(each, passing=replace(each.passing, numbers=numbers)) for each in found if each.passing is not None
        )

    def _snippet(self, at: Pass, made: Sequence[int], outputs: Sequence[str], results: dict[str, int]) -> Snippet:
        roots = [Result(self.names[i], i) for i in made] + [Result(name, results[name]) for name in outputs]
        others = {index: name for index, name in self.names.items() if self.levels.passes[index] != at}
        graph = canonical(with_inputs(self.graph, others, roots), self.snippet.finite)
        self._check(graph)
        read = {*graph.inputs, *names_of_params(graph)}
        read_at = [i for i, name in self.names.items() if name in read]
        given = tuple([self.specs[i] for i in read_at])
        own = replace(
            self.op,
            inputs=(*self.op.inputs, *given),
            outputs=(*(self.specs[i] for i in made), *(t for t in self.op.outputs if t.name in outputs)),
        )
        broadcasts = broadcastable(own, graph)
        inputs = [replace(o, may_broadcast=o.name in broadcasts) for o in self.snippet.inputs if o.name in read]
        inputs += [self._operand(i, self.names[i] in broadcasts) for i in read_at]
        written = [self._operand(i) for i in made]
        named = "_".join([self.snippet.function, *(result.name for result in roots)])
        absent = [o for o in self.snippet.inputs if o.name in self.snippet.missing]
        return replace(
            self.snippet,
            function=named,
            args=self.args,
            graph=graph,
            inputs=(*(o for o in inputs if o.name not in self.snippet.missing), *absent),
            outputs=(*written, *(o for o in self.snippet.outputs if o.name in outputs)),
            params=tuple([p for p in self.snippet.params if p.name in read]),
            text=self._text(graph, [result.name for result in roots]),
            scattered=scattered(own, graph),
            condition=condition(own, graph),
            along=along_rows(own, graph),
            across=across_rows(own, graph),
            passing=Passing(own, self.snippet.args),
        )

    def _check(self, graph: Graph) -> None:
        """Numbers between passes are rounded, and so nothing but floats may hang on a decision on them."""
        if all(operand.is_float for operand in (*self.snippet.inputs, *self.snippet.outputs)):
            return
        rounded: set[int] = set()
        for index, node in enumerate(graph.nodes):
            if node.name in self.names.values() or any(arg in rounded for arg in node.args):
                rounded.add(index)
                if node.op in _DECIDING:
                    raise Refused("a decision on reductions over different dimensions", node, "make them two ops")

    def _text(self, graph: Graph, outputs: Collection[str]) -> str:
        """The statements of a pass, as far as they have names."""
        assert self.op.compute is not None
        names = {node.origin for node in graph.nodes if node.op not in LEAVES} | set(outputs)
        own = tuple([each for each in self.op.compute.statements if each.name in names])
        return text_of(Compute(own)) if own else self.snippet.text


def _names(op: Op, graph: Graph, between: Collection[int]) -> dict[int, str]:
    """A name for each number between passes: that of the text, where it has one. Structs are named after them, in camel case."""
    taken = [*(t.name for t in op.tensors), *(p.name for p in op.params)]
    found: dict[int, str] = {}
    for index in sorted(between):
        found[index] = free_name(graph[index].origin or graph[index].op.removeprefix("reduce_"), taken)
        taken.append(found[index])
    return found
