"""Statements that find out before a call how far quantized results in single precision may be off (opkg/spans.h).

Where rounded numbers cancel, errors are in proportion to what was added, not to what is left: whether that is less than a
step hangs on all scales. A call whose results may be further off is left to the portable code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from opkg.kernels.graphs.graph import REDUCE, Graph, Node, Result
from opkg.kernels.portable.expressions import ATOM, CPP, SELECT, Names, Writer, scalar_params
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.floating.errors import cancels
from opkg.kernels.strategies.floating.norms import Steps
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES

HEADER = "opkg/spans.h"
COUNT = "elements"  # C++ of the number of elements of a row, in statements about reductions
_CALLS = (
    "abs", "exp", "log", "sqrt", "rsqrt", "erf", "tanh", "sigmoid", "pow", "floor", "ceil", "round", "trunc",
    "log1p", "sin", "cos", "atan",
)  # fmt: skip
_FUNCTIONS = {op: f"opkg::{op}" for op in _CALLS} | {"min": "opkg::minimum", "max": "opkg::maximum"}
Limit = tuple[str, int]  # min or max, and the number of the node that it is with
_REDUCED = {"reduce_sum": "total", "reduce_mean": "mean"}
_KNOWN = frozenset((*_FUNCTIONS, "add", "sub", "mul", "div", "neg", "select"))
_KNOWN_OF_ROWS = frozenset((*_REDUCED, "reduce_max", "reduce_min"))


def guard(snippet: Snippet) -> tuple[str, ...]:
    """Statements of `prepare`; none where the error of every quantized result is in proportion to it, or where nothing is
    known of an operand (floats may be any numbers)."""
    graph = snippet.graph
    wanted = [r for r in graph.results if snippet.operand(r.name).quantized and cancels(snippet, r.node)]
    needed = _needed(graph, [result.node for result in wanted])
    if not needed or not all(_known(snippet, at) for at in needed):
        return ()
    lines = _tests(snippet, wanted)
    return ("{", *(f"  {line}" for line in lines), "}")


def guard_of_rows(snippet: Snippet) -> tuple[str, ...]:
    """The same of results that hang on reductions, all of which are quantized: `COUNT` is the number of elements of a row. None
    where nothing is known of some value."""
    results = snippet.graph.results
    if not all(_known(snippet, at, _KNOWN_OF_ROWS) for at in _needed(snippet.graph, [r.node for r in results])):
        return ()
    return tuple(_tests(snippet, results))


def _tests(snippet: Snippet, wanted: Sequence[Result]) -> list[str]:
    """Statements that return false where one of the results may be a step off."""
    graph, nodes = _Narrowed(snippet.graph).copied([result.node for result in wanted])
    writer = _Spans(graph, _between(snippet), Steps(snippet, graph))
    writer.write(nodes, local=lambda index: index in nodes)
    tests = [f"{writer.value(at)}.within_a_step(op.{r.name})" for at, r in zip(nodes, wanted, strict=True)]
    return [*writer.lines, *(f"if (!{test}) return false;" for test in tests)]


def _args(node: Node) -> tuple[int, ...]:
    """The operands that a span is made of: not what a choice hangs on."""
    return node.args[1:] if node.op == "select" else node.args


def _needed(graph: Graph, results: list[int]) -> frozenset[int]:
    """The nodes whose spans are asked for."""
    todo, seen = list(results), set[int]()
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo += [] if graph[at].uniform else _args(graph[at])
    return frozenset(seen)


def _known(snippet: Snippet, at: int, more: frozenset[str] = frozenset()) -> bool:
    """Whether opkg/spans.h can say where a value lies. `more`: operations that it knows beside those of elements."""
    node = snippet.graph[at]
    if node.uniform:
        return True
    if node.op == "input":
        operand = snippet.operand(node.name)
        integers = operand.dtype.integral and not operand.bias and not more
        return operand.quantized or node.name in _between(snippet) or integers
    if node.op == "cast":
        return (
            node.type is Type.REAL and DTYPES[node.dtype].bits == 32 and snippet.graph[node.args[0]].type is Type.REAL
        )
    return node.type is Type.REAL and (node.op in _KNOWN or node.op in more)


def _between(snippet: Snippet) -> frozenset[str]:
    """The inputs that are numbers between passes: where they lie is known when their pass has run."""
    numbers = snippet.passing.numbers if snippet.passing is not None else ()
    return frozenset(number.name for number in numbers if not number.source)


class _Narrowed:
    """Copies what spans are made of. In the branches of a choice like `x > 0`, x has the limit that the choice sets."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes: list[Node] = []
        self._made: dict[Node, int] = {}

    def copied(self, results: Sequence[int]) -> tuple[Graph, list[int]]:
        nodes = [self._copy(at, {}) for at in results]
        return Graph(tuple(self.nodes), tuple(Result(f"{at}", at) for at in nodes)), nodes

    def _copy(self, at: int, limits: Mapping[int, Limit]) -> int:
        node = self.graph[at]
        if node.type is Type.BOOL and not node.uniform:
            return self._add(Node("const", type=Type.BOOL, value=True))
        if node.op == "select":
            test, *branches = node.args
            sides = [{**limits, **side} for side in self._sides(test)]
            args = [self._copy(test, {}), *(self._copy(arg, side) for arg, side in zip(branches, sides, strict=True))]
        else:  # a reduction is of all elements, not of those that a choice takes
            args = [self._copy(arg, {} if node.op in REDUCE else limits) for arg in node.args]
        made = self._add(replace(node, args=tuple(args), type=Type.REAL if node.op == "input" else node.type))
        if at not in limits:
            return made
        op, bound = limits[at]
        return self._add(Node(op, (made, self._copy(bound, {})), node.type))

    def _sides(self, test: int) -> tuple[Mapping[int, Limit], Mapping[int, Limit]]:
        """The limits in the branch that a test takes, and in the other one."""
        node = self.graph[test]
        if node.op not in ("gt", "ge", "lt", "le"):
            return {}, {}
        value, bound = node.args
        above = node.op in ("gt", "ge")
        if not self.graph[bound].uniform:
            value, bound, above = bound, value, not above
        if not self.graph[bound].uniform or self.graph[value].uniform or self.graph[value].type is not Type.REAL:
            return {}, {}
        taken, other = ("max", "min") if above else ("min", "max")
        return {value: (taken, bound)}, {value: (other, bound)}

    def _add(self, node: Node) -> int:
        if node not in self._made:
            self._made[node] = len(self.nodes)
            self.nodes.append(node)
        return self._made[node]


def _softmax_of(graph: Graph, at: int) -> int | None:
    """v of e / sum(e), where e is exp(v - max(v)) or exp(min(v) - v)."""
    node = graph[at]
    if node.op != "div" or graph[node.args[0]].op != "exp" or graph[node.args[1]].op != "reduce_sum":
        return None
    distance = graph[graph[node.args[0]].args[0]]
    if graph[node.args[1]].args != node.args[:1] or distance.op != "sub":
        return None
    left, right = distance.args
    for op, value, extreme in (("reduce_max", left, right), ("reduce_min", right, left)):
        end = graph[extreme]
        if end.op == op and end.args == (value,) and end.axes == graph[node.args[1]].axes:
            return value
    return None


class _Spans(Writer):
    """The computation on spans."""

    calls = _FUNCTIONS
    types: Mapping[Type, str] = {**CPP, Type.REAL: "opkg::Span"}
    hides = False

    def __init__(self, graph: Graph, between: frozenset[str], steps: Steps) -> None:
        self._steps, self._rows = steps, bool(graph.reductions)
        given, names, lines = scalar_params(graph), Names(("op", COUNT)), []
        for at, node in enumerate(graph.nodes):
            if node.op == "input":
                given[at] = names.take(node.name)
                found = f" = opkg::span_of(op.{node.name})" if node.name in between else f"(op.{node.name})"
                lines.append(f"const opkg::Span {given[at]}{found};")
        super().__init__(graph, given, names, {})
        self.lines += lines
        self._numbers = Writer(graph, given, names, {})

    def _decisions(self) -> frozenset[int]:
        return frozenset()

    def _operands(self, index: int) -> Sequence[int]:
        if self.graph[index].uniform:
            return ()
        if self._rows and self._steps.norm(index) is not None:
            return ()
        if self._rows and (value := _softmax_of(self.graph, index)) is not None:
            return (value,)
        distance = self._steps.from_mean(index) if self._rows else None
        return distance[:1] if distance is not None else _args(self.graph[index])

    def _express(self, index: int, node: Node) -> tuple[str, int]:
        if node.op == "const":
            return super()._express(index, node)
        if node.uniform:
            return self._number(index)
        if node.op == "select":
            then, other = (self._as(arg, Type.REAL, SELECT) for arg in node.args[1:])
            return f"opkg::either({then}, {other})", ATOM
        if node.op == "cast" or node.op in ("reduce_max", "reduce_min"):
            return self._as(node.args[0], Type.REAL, ATOM), ATOM
        return (self._of_rows(index, node) if self._rows else None) or self._element(node)

    def _number(self, index: int) -> tuple[str, int]:
        """One number of a call, which is known."""
        self._numbers.write([index])
        self.lines += self._numbers.lines
        self._numbers.lines = []
        real = self.graph[index].type is Type.REAL
        return self._numbers._texts[index] if real else (self._numbers._as(index, Type.REAL, ATOM), ATOM)

    def _of_rows(self, index: int, node: Node) -> tuple[str, int] | None:
        """What is known of norms, and of a product of two like values."""
        norm, distance = self._steps.norm(index), self._steps.from_mean(index)
        if norm is not None:
            most = f"std::sqrt({COUNT})" if norm.mean else "1.0"
            return f"opkg::normed({COUNT}, {most}, {'true' if norm.about else 'false'})", ATOM
        if (value := _softmax_of(self.graph, index)) is not None:
            return f"opkg::softmax({self._as(value, Type.REAL, SELECT)}, {COUNT})", ATOM
        if distance is not None:
            element = self.graph[distance[0]].name
            return f"opkg::about_mean({self._as(distance[0], Type.REAL, SELECT)}, op.{element}.scale)", ATOM
        if node.op in _REDUCED:
            exact = "exact_" if self._steps.is_sum(node) else ""
            return f"opkg::{exact}{_REDUCED[node.op]}({self._as(node.args[0], Type.REAL, SELECT)}, {COUNT})", ATOM
        if node.op == "mul" and node.args[0] == node.args[1]:
            return f"opkg::square({self._as(node.args[0], Type.REAL, SELECT)})", ATOM
        return None

    def _element(self, node: Node) -> tuple[str, int]:
        for value, gate in (node.args, node.args[::-1]) if node.op == "mul" else ():
            if self.graph[gate].op == "sigmoid" and self.graph[gate].args == (value,):
                return f"opkg::silu({self._as(value, Type.REAL, SELECT)})", ATOM
        return self._call(self.calls[node.op], node, Type.REAL) if node.op == "rsqrt" else self._real(node)
