"""Single precision, 32 lanes of 32 bits at a time: whatever is elementwise and has floats in it.

Halves widen in the load and are rounded in the store; quantized elements become real numbers and are rounded to the
nearest step. Every function takes NaN, infinities and subnormal numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from opkg.kernels.block import Block
from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.in_single import decides_in_single
from opkg.kernels.lowered import Inst, Lowered
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.floating.errors import cancels, is_power_of_two, is_word_sum, may_jump, statement
from opkg.kernels.strategies.floating.exactly import Exactly
from opkg.kernels.strategies.floating.halves import halves
from opkg.kernels.strategies.floating.io import Streams, obstacle
from opkg.kernels.strategies.floating.ops import (
    BOOLS,
    HEADER,
    LARGE,
    LOWERING,
    PREFIX,
    WORDS,
    Operation,
    label,
    limited,
    number,
    word,
)
from opkg.kernels.strategies.floating.small import SMALL, SUMS, sizes, sums_as_reals
from opkg.kernels.strategies.floating.spans import HEADER as SPANS
from opkg.kernels.strategies.floating.spans import guard
from opkg.kernels.strategies.floating.steps import halves_of_bytes
from opkg.kernels.strategies.floating.uniform import UnableError, Uniforms
from opkg.kernels.strategies.rows.meeting import without_choices
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind

LARGE_PARTS = frozenset(PREFIX + name for name in LARGE)
_TABLES = {Type.REAL: LOWERING, Type.INTEGER: WORDS, Type.BOOL: BOOLS}


def lower(snippet: Snippet) -> Lowered | str:
    """One loop on groups of 32 floats; a text says why that cannot be."""
    graph = snippet.graph
    if graph.reductions:
        return "it reduces dimensions"
    reals = any(node.type is Type.REAL for node in graph.nodes) or any(o.quantized for o in snippet.outputs)
    if not reals or not read_inputs(snippet):
        return "it has no real numbers"
    joined = without_choices(snippet) if decides_in_single(snippet, exactly=True) else snippet
    settled = joined is not snippet and not decides_in_single(joined, exactly=True)
    try:
        if settled:
            return replace(FloatMaker(joined).lowered(), settled=True)
        plain = None if decides_in_single(snippet) else halves(snippet)
        return plain or halves_of_bytes(snippet) or FloatMaker(snippet).lowered()
    except UnableError as reason:
        return _of_words(snippet) or str(reason)


def _of_words(snippet: Snippet) -> Lowered | None:
    """Of sums of 32-bit integers that become quantized results: in single precision, too, where scales leave it near enough."""
    wide = sums_as_reals(snippet)
    if wide is None or (any(cancels(wide, r.node) for r in wide.graph.results) and not guard(wide)):
        return None
    try:
        return FloatMaker(wide).lowered()
    except UnableError:
        return None


def _loses_words(snippet: Snippet) -> bool:
    """Whether float results hang on what cancels of 32-bit quantized numbers, which single precision has not all bits of."""
    words = any(operand.quantized and operand.storage.bits == 32 for operand in read_inputs(snippet))
    return words and any(snippet.operand(r.name).is_float and cancels(snippet, r.node) for r in snippet.graph.results)


class FloatMaker:
    decided: frozenset[int] = frozenset()  # what `exactly` decides, and what it makes for that alone
    inner: frozenset[int] = frozenset()
    small: Sequence[int] = ()

    def __init__(self, snippet: Snippet) -> None:
        self.snippet = snippet
        self.graph: Graph = snippet.graph
        self.inputs = read_inputs(snippet)
        if _loses_words(snippet):
            raise UnableError("sums of quantized numbers of 32 bits, as floats")
        operands = (*self.inputs, *snippet.outputs)
        for operand in operands:
            if why := obstacle(operand, operand in snippet.outputs):
                raise UnableError(why)
        self.setup = Block()
        self.body = Block(self.setup)
        self.streams = Streams(operands, self.setup, self.body)
        self.users = self.graph.users()
        self.values: dict[int, list[str]] = {}
        self.small = sizes(snippet)
        self.uniforms = Uniforms(snippet, self.setup)
        self.exactly = Exactly(snippet, self.body, self.uniforms, lambda at, group: self._value(at, group, Type.REAL))
        self.decided, self.inner = self.exactly.decided, self.exactly.inner

    def lowered(self) -> Lowered:
        fused = self._fused()
        for index, node in enumerate(self.graph.nodes):
            if not node.uniform and index not in fused.values() and index not in self.inner:
                self.values[index] = self._node(index, node, fused.get(index))
        for result in self.graph.results:
            operand = self.snippet.operand(result.name)
            self.streams.store(operand, self._outcome(operand, result.node))
        spans = guard(self.snippet)
        prepare = [*self.streams.prepare, *self.uniforms.prepare, *self.exactly.prepare, *spans]
        scalar = any("opkg::" in line for line in self.uniforms.prepare)
        added = [*self.exactly.headers, *(["opkg/scalar.h"] if scalar else ()), *([SPANS] if spans else ())]
        return Lowered(
            strategy="floating",
            title=f"Single precision, 32 elements at a time{self._far()}",
            error=statement(self.snippet, steady=bool(spans)),
            step=self.streams.step,
            members=(*self.streams.members, *self.uniforms.members),
            prepare=tuple(prepare),
            setup=tuple(self.setup.insts),
            body=tuple(self._apart()),
            headers=(HEADER, *added),
            arch=68,
            unroll=self._turn(),
            float_unit=True,
            exactly=True,
        )

    def _far(self) -> str:
        """What is not computed in vectors: opkg/hvx_angles.h."""
        waves = any(node.op in ("sin", "cos") and not node.uniform for node in self.graph.nodes)
        return ", waves of numbers beyond 1600 one by one" if waves else ""

    def _turn(self) -> int:
        """Steps of a turn: most loops take least with four, as their chains are long; `opkg kernel tune` knows better. With as
        many operands as a rotation has, four steps keep too many vectors at a time; so do steps of several groups of two."""
        operands = {inst.args[0] for inst in self.body.insts if inst.op in ("load", "store")}
        if self.decided and self.streams.groups > 1:
            return 2 if self.streams.groups == 2 else 1
        short = not any(inst.op in LARGE_PARTS for inst in self.body.insts)
        rotates = len(operands) >= 6 and len(self.graph.results) >= 2
        return 2 if short and (rotates or (len(operands) > 2 and self.streams.groups > 1)) else 4

    def _apart(self) -> list[Inst]:
        """The body; large functions of more than two groups are not made part of it, so that it stays small."""
        if self.streams.groups <= 2:
            return self.body.insts
        return [replace(i, op=f"{PREFIX}apart<{i.op}>") if i.op in LARGE_PARTS else i for i in self.body.insts]

    # Nodes ----------------------------------------------------------------------------------------------------------

    def _fused(self) -> dict[int, int]:
        """Sums and differences whose product is made with them: number of the sum -> number of the product."""
        found: dict[int, int] = {}
        results = {result.node for result in self.graph.results}
        for index, node in enumerate(self.graph.nodes):
            candidates = node.args if node.op == "add" else node.args[:1] if node.op == "sub" else ()
            candidates = () if index in self.inner else candidates
            for arg in candidates if node.type is Type.REAL and not node.uniform else ():
                product = self.graph[arg]
                alone = self.users[arg] == (index,) and node.args.count(arg) == 1 and arg not in results
                if product.op == "mul" and product.type is Type.REAL and not product.uniform and alone:
                    found[index] = arg
                    break
        return found

    def _node(self, index: int, node: Node, product: int | None) -> list[str]:
        if node.op in ("input", "param"):
            return self.streams.load(self.snippet.operand(node.name))
        if index in self.decided and node.op != "cast":
            return [self.exactly.make(index, group) for group in range(self.streams.groups)]
        if node.op == "cast":
            return [self._cast(index, node, group) for group in range(self.streams.groups)]
        op, type_ = node.op, node.type
        args = node.args
        if is_word_sum(self.graph, node):
            function = f"{PREFIX}sf_from_{'sum' if op == 'add' else 'difference'}_w"
            return [
                self.body.call(function, *(self.values[arg][g] for arg in args), to=label(node))
                for g in range(self.streams.groups)
            ]
        if product is not None:
            other = next(arg for arg in node.args if arg != product)
            op, args = ("mul_add" if op == "add" else "mul_sub"), (*self.graph[product].args, other)
        elif op in ("gt", "lt", "ge", "le", "eq", "ne"):
            type_ = self._common(args)
        elif op == "div" and (is_power_of_two(self.graph[node.args[1]]) or not may_jump(self.graph, index)):
            if self.graph[node.args[1]].uniform and self.uniforms.invertible(node.args[1]):
                return self._scaled(node)
            op = "quotient"
        operation = _TABLES[type_].get(op)
        if type_ is Type.INTEGER and op in SUMS and not (self.small and self.small[index]):
            raise UnableError(f"'{op}' may take more than {SMALL.bit_length()} bits")
        if operation is None:
            raise UnableError(f"it has no '{op}' of {type_} numbers")
        return [self._apply(operation, index, op, args, type_, group) for group in range(self.streams.groups)]

    def _apply(self, operation: Operation, index: int, op: str, args: tuple[int, ...], type_: Type, group: int) -> str:
        types = [type_] * len(args)
        if op == "select":
            types[0] = Type.BOOL
        operands = tuple([self._value(arg, group, wanted) for arg, wanted in zip(args, types, strict=True)])
        return operation.make(self.body, operands, label(self.graph[index]))

    def _common(self, args: tuple[int, ...]) -> Type:
        types = [self.graph[arg].type for arg in args]
        return Type.REAL if Type.REAL in types else types[0]

    def _scaled(self, node: Node) -> list[str]:
        """A quotient as the product with a reciprocal."""
        factor = self.uniforms.inverse(node.args[1])
        found = []
        for group in range(self.streams.groups):
            value = self._value(node.args[0], group, Type.REAL)
            found.append(self.body.call(PREFIX + "mul_sf", value, factor, to=label(node)))
        return found

    def _value(self, index: int, group: int, type_: Type) -> str:
        """The value of a node in one group, as another type."""
        node = self.graph[index]
        if node.uniform:
            return self.uniforms.value(index, type_)
        value = self.values[index][group]
        if node.type is type_:
            return value
        if type_ is Type.REAL and node.type is Type.INTEGER:
            if self.small and self.small[index]:
                return self.body.call(PREFIX + "sf_from_stored", value, word(self.setup, "0"), to="real")
            return self.body.call(PREFIX + "sf_from_w", value, to="real")
        if node.type is Type.BOOL and type_ is Type.REAL:
            one, zero = number(self.setup, "1.0f"), number(self.setup, "0.0f")
            return self.body.q6("Q6_V_vmux_QVV", value, one, zero, to="real")
        if node.type is Type.BOOL and type_ is Type.INTEGER:
            return self.body.q6("Q6_V_vmux_QVV", value, word(self.setup, "1"), word(self.setup, "0"), to="word")
        raise UnableError(f"it takes {type_} numbers from {node.type} ones")

    def _cast(self, index: int, node: Node, group: int) -> str:
        row, source = DTYPES[node.dtype], self.graph[node.args[0]].type
        if row.kind is Kind.FLOAT:
            value = self._value(node.args[0], group, Type.REAL)
            return self._rounded(value) if row.bits == 16 else value
        if row.kind is Kind.BOOL:
            if source is Type.BOOL:
                return self._value(node.args[0], group, Type.BOOL)
            real = source is Type.REAL
            value = self._value(node.args[0], group, source)
            none = number(self.setup, "0.0f") if real else word(self.setup, "0")
            return (LOWERING if real else WORDS)["ne"].make(self.body, (value, none), label(node))
        if row.bits > 32 or (row.bits == 32 and not row.signed):
            raise UnableError(f"it casts to {row}")
        if index in self.decided:
            value = self.exactly.make(index, group)
        else:
            value = self._value(node.args[0], group, source if source is Type.REAL else Type.INTEGER)
        if source is Type.REAL:
            value = self.body.call(PREFIX + "w_from_sf", value, to=label(node))
        if row.bits == 32 or source is Type.BOOL:
            return value
        return limited(self.body, self.setup, value, *map(int, row.limits))

    def _rounded(self, value: str) -> str:
        """To half precision and back."""
        half = self.body.call(PREFIX + "hf_from_sf", value, value, to="half")
        return self.body.lo(self.body.call(PREFIX + "sf_from_hf", half, kind="W", to="wide"))

    def _outcome(self, operand: Operand, index: int) -> list[str]:
        """What an output stores: reals, or words."""
        real = operand.is_float or operand.quantized
        wanted = Type.REAL if real else Type.INTEGER
        found = [self._value(index, group, wanted) for group in range(self.streams.groups)]
        if not real and operand.dtype.kind is not Kind.BOOL and operand.storage.bits < 32:
            low, high = map(int, operand.dtype.limits)
            return [limited(self.body, self.setup, value, low, high) for value in found]
        return found
