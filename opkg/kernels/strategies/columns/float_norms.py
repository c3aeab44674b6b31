"""Results of all elements of columns of floats, made of these and of numbers of their columns (instance norm)."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.block import Block
from opkg.kernels.emit.phrases import step_lines
from opkg.kernels.graphs.graph import Node
from opkg.kernels.portable.expressions import Writer
from opkg.kernels.sequence import Columns, Loop, Norm
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.columns.float_numbers import made_in_vectors
from opkg.kernels.strategies.columns.floats import ELEMENTS, FloatColumns, by_columns
from opkg.kernels.strategies.columns.norms import goes_along
from opkg.kernels.strategies.floating.errors import statement
from opkg.kernels.strategies.floating.io import Streams
from opkg.kernels.strategies.floating.ops import PREFIX, label
from opkg.kernels.strategies.floating.strategy import FloatMaker
from opkg.kernels.strategies.floating.uniform import UnableError
from opkg.kernels.strategies.rows.plan import Cannot, passes
from opkg.spec.compute.types import Type

_LARGEST = "1e30"  # numbers that divide, beyond this or its inverse, are for the portable code
_FLOAT = "3.4028234663852886e38"
_INPUT = "in"  # of `element`: the element, then numbers of its column, then those of the other inputs
_MOST = "SIZE_MAX"


def float_norm_columns(snippet: Snippet) -> Columns:
    """The columns of the first input, and a pass over its elements. Raises Cannot."""
    operand, *each = read_inputs(snippet)
    (output, *others) = snippet.outputs
    graph = snippet.graph
    if others:
        raise Cannot("results beside those of all elements")
    if operand.storage not in ELEMENTS or output.storage is not operand.storage or output.quantized:
        raise Cannot(f"results of {output.dtype} from {operand.dtype}")
    if any(other.storage not in ELEMENTS for other in each):
        raise Cannot("columns of floats, and numbers that are none")
    if len({graph[at].axes for at in graph.reductions}) > 1:
        raise Cannot("its reductions are over different dimensions")
    if any(_reads(snippet, at) != {operand.name} for at in graph.reductions) or goes_along(snippet, each):
        raise Cannot("columns of more than one tensor")
    try:
        return _Norm(snippet, operand, each).made()
    except UnableError as reason:
        raise Cannot(str(reason)) from None


def _reads(snippet: Snippet, at: int) -> set[str]:
    """The inputs that a node is made of."""
    node = snippet.graph[at]
    found = {node.name} if node.op in ("input", "param") and not node.uniform else set()
    return found.union(*(_reads(snippet, arg) for arg in node.args))


class _Norm(FloatColumns):
    """`numbers`: numbers of a column that elements ask for; with true, their inverses."""

    def __init__(self, snippet: Snippet, operand: Operand, each: list[Operand]) -> None:
        super().__init__(snippet, operand)
        self.each = each
        self.numbers: list[tuple[int, bool]] = []

    def made(self) -> Columns:
        (result,) = self.graph.results
        element = _Elements(self, grouped=False)
        (value,) = element.value(result.node)
        if not any(self.graph[at].name == self.operand.name for at in element.values):
            raise Cannot("results that do not depend on the elements themselves")
        setup, body = element.setup.insts, element.body.insts
        pass_ = _Elements(self, grouped=True)
        pass_.streams.store(self.snippet.outputs[0], pass_.value(result.node))
        apply = Loop(
            title=f"Down the columns: {result.name}.",
            setup=tuple(pass_.setup.insts),
            carried=(),
            body=tuple(pass_.body.insts),
        )
        column = self._numbers()
        made = made_in_vectors(self, self.numbers, self.uniforms)
        found = self.record(
            f"{passes(2 + self.again)} down the columns in single precision",
            statement(self.snippet),
            (*self.loops(), apply),
            column,
            made,
        )
        return replace(
            found,
            headers=("opkg/columns_float_norm.h",),
            norm=Norm(
                tuple(ELEMENTS[other.storage] for other in self.each),
                (*step_lines([*setup, *body], lambda inst: "", ()), f"return {value};"),
                _MOST,
                len(self.numbers),
            ),
        )

    def place_of(self, node: int, inverse: bool) -> int:
        """Which one of `numbers` is a node's value, or its inverse."""
        if (node, inverse) not in self.numbers:
            self.numbers.append((node, inverse))
        return self.numbers.index((node, inverse))

    def _numbers(self) -> list[str]:
        """C++ of the numbers of one column."""
        given, lines = self.found_numbers()
        writer = Writer(self.graph, given, self.shared.names, self.shared.bounds())
        asked = dict.fromkeys(index for index, _ in self.numbers)
        writer.write([index for index in asked if index not in given])
        lines += writer.lines
        named: dict[int, str] = {}
        for place, (index, inverse) in enumerate(self.numbers):
            if index not in named:
                named[index] = value = writer.value(index, Type.REAL)
                if not value.isidentifier():
                    named[index] = self.shared.names.take(f"{self.graph[index].origin or 'number'}_of_column")
                    lines.append(f"const double {named[index]} = {value};")
            value = named[index]
            if inverse:
                test = f"std::fabs({value}) > 1.0 / {_LARGEST} && std::fabs({value}) < {_LARGEST}"
                lines.append(f"if (!({test})) return false;")
                value = f"1.0 / {value}"
            elif index not in self.kinds:
                lines.append(f"if (!(std::fabs({value}) <= {_FLOAT})) return false;")
            lines.append(f"reinterpret_cast<float*>(out[{place}])[at] = static_cast<float>({value});")
        return [*lines, "return true;"]


class _Elements(FloatMaker):
    """The instructions of elements. `grouped`: of a whole step with its loads, else of 32 elements that are there."""

    def __init__(self, norm: _Norm, grouped: bool) -> None:
        self.snippet, self.graph, self.norm, self.grouped = norm.snippet, norm.graph, norm, grouped
        self.setup = Block()
        self.body = Block(self.setup)
        self.streams = Streams((norm.operand, *norm.snippet.outputs), self.setup, self.body)
        if not grouped:
            self.streams.groups = 1
        self.users = self.graph.users()
        self.values = {}
        self.uniforms = norm.uniforms.beside(self.setup)

    def value(self, wanted: int) -> list[str]:
        """The groups of a result."""
        needed: set[int] = set()
        todo = [wanted]
        while todo:
            at = todo.pop()
            if at not in needed and not by_columns(self.graph, at):
                needed.add(at)
                todo += self.graph[at].args
        fused = {total: product for total, product in self._fused().items() if total in needed and product in needed}
        for at in sorted(needed - set(fused.values())):
            self.values[at] = self._node(at, self.graph[at], fused.get(at))
        return self._outcome(self.snippet.outputs[0], wanted)

    def _node(self, index: int, node: Node, product: int | None) -> list[str]:
        if node.op in ("input", "param") and node.name == self.norm.operand.name:
            return super()._node(index, node, product) if self.grouped else [self._given("0")]
        if node.op in ("input", "param"):
            at = next(i for i, other in enumerate(self.norm.each) if other.name == node.name)
            return [self._given(f"kNumbers + {at + 1}")] * self.streams.groups
        by = node.args[1] if node.op == "div" and product is None else None
        if (
            by is not None
            and by_columns(self.graph, by)
            and not self.graph[by].uniform
            and self.graph[by].op != "const"
        ):
            inverse = self._given(str(self.norm.place_of(by, True) + 1))
            values = [self._value(node.args[0], group, Type.REAL) for group in range(self.streams.groups)]
            return [self.body.call(PREFIX + "mul_sf", value, inverse, to=label(node)) for value in values]
        return super()._node(index, node, product)

    def _value(self, index: int, group: int, type_: Type) -> str:
        node = self.graph[index]
        if not node.uniform and node.op != "const" and by_columns(self.graph, index):
            if node.type is not Type.REAL or type_ is not Type.REAL:
                raise UnableError("it computes with whole numbers of the column")
            return self._given(str(self.norm.place_of(index, False) + 1))
        return super()._value(index, group, type_)

    def _given(self, place: str) -> str:
        return self.body.given(f"{_INPUT}[{place}]")
