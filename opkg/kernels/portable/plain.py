"""A computation as plain C++ functions on views of memory: no header but their own, no runtime handle.

A function's arguments are `params` (where the op has some), its inputs and its outputs, all by the spec's names: a
`Tensor<const T>` or `Tensor<T>` has data, dims, rank, scale and zero_point. Combinations whose code is the same share it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from opkg.kernels.emit.parts import Source, asked, parts, reduces
from opkg.kernels.graphs.graph import Node
from opkg.kernels.portable.axes import axes_of
from opkg.kernels.portable.expressions import CPP, Writer
from opkg.kernels.portable.reduce import Rows, axes_arguments
from opkg.kernels.portable.rows import Shared
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.spec.compute.types import Type, value_type
from opkg.spec.dtypes import Kind
from opkg.spec.model import Combination, Kernel, Op

# Functions and types that a kernel file may define: no variable has these names.
_HELPERS = """
Tensor Params Frame Loop saturate minimum maximum sign sigmoid wrap_add wrap_sub wrap_mul wrap_neg wrap_abs wrap_pow quotient
modulo shift_left shift_right round_to_half axis_bit axes_bits Leader kAllAxes kMaxRank params load store run Shape
"""
_TAKEN = ("at", "row", "frame", "axes", "i", "n", "std", "params")  # what the function has of its own
_CALLED = re.compile(r"opkg::(\w+)")
_FUNCTION = re.compile(r"opkg::")


@dataclass(frozen=True, slots=True)
class Code:
    """The body of a function and what it stands for. `combinations`: those that have it; `uses`: helpers it calls."""

    combinations: tuple[Combination, ...]
    lines: tuple[str, ...]
    uses: frozenset[str]


def variable(name: str) -> str:
    """The C++ name of a tensor's argument."""
    return f"{name}_" if name in (*_TAKEN, *_HELPERS.split()) else name


def plain_code(op: Op, combinations: Iterable[Combination]) -> list[Code]:
    """The code of every combination of an op that has a `compute:`, each text once. Raises Refused and AbsentInput."""
    found: dict[tuple[str, ...], Code] = {}
    for combination in combinations:
        lines = tuple(_function(op, source_of(op, combination)))
        uses = frozenset(word for line in lines for word in _CALLED.findall(line))
        lines = tuple(_FUNCTION.sub("", line) for line in lines)
        before = found.get(lines, Code((), lines, frozenset()))
        found[lines] = Code((*before.combinations, combination), lines, before.uses | uses)
    return list(found.values())


def source_of(op: Op, combination: Combination) -> Source:
    """The kernel of one combination."""
    elements = {t.name: t.dtype.of(combination).cpp for t in op.tensors}
    elements |= {p.name: "float" if p.dtype.kind is Kind.FLOAT else p.dtype.cpp for p in op.params}
    return Source(Kernel(combination, "compute", ""), "", elements)


def _function(op: Op, source: Source) -> Iterator[str]:
    """The statements of one function: a block for each set of optional inputs that may be there."""
    optional = asked(op)
    sets = list(parts(op, source, False))
    for number, snippets in enumerate(sets):
        lines = [line for snippet in snippets for line in _block(op, snippet, len(snippets) > 1)]
        if not optional:
            yield from lines
            continue
        tests = (f"{variable(n)}.data {'!=' if n in snippets[0].present else '=='} nullptr" for n in optional)
        last = number == len(sets) - 1
        head = f"if ({' && '.join(tests)})"
        yield "else" if last else f"else {head}" if number else head
        yield from ("{", *(f"  {line}" for line in lines), "}")


def _block(op: Op, snippet: Snippet, several: bool) -> list[str]:
    lines = _reduction(op, snippet) if reduces(snippet) else _elementwise(snippet)
    return ["{", *(f"  {line}" for line in lines), "}"] if several else lines


class _Writer(Writer):
    """Decisions are those of double precision."""

    longest = 36
    hides = False

    def _decisions(self) -> frozenset[int]:
        return frozenset()


class _Shared(Shared):
    """Views know their scales."""

    args = "params"
    taken = (*_TAKEN, *_HELPERS.split())
    writing = _Writer

    def stepped(self, tensors: Iterable[Operand]) -> list[Operand]:
        return []

    def lines(self) -> list[str]:
        """The shared values as constants of the function."""
        types = {member.name: member.type for member in self.members}
        found = []
        for line in self.prepare:
            name = line.partition(" = ")[0]
            found.append(f"const {types[name]} {line}" if name in types else line)
        return found


def _view(snippet: Snippet) -> list[str]:
    """Views of tensor params."""
    lines = []
    for operand in read_inputs(snippet):
        if operand.is_param:
            name, values = variable(operand.name), f"params.{operand.name}"
            lines.append(f"const int32_t {name}_dims[] = {{static_cast<int32_t>({values}.size())}};")
            view = f"{values}.data(), {name}_dims, 1, 1.0f, 0"
            lines.append(f"const Tensor<const {operand.element}> {name}{{{view}}};")
    return lines


def _load(operand: Operand, place: str) -> str:
    type_ = value_type(operand.dtype)
    name = variable(operand.name)
    if type_ is Type.BOOL:
        return f"{name}.data[{place}] != 0"
    return f"{name}.{'real' if type_ is Type.REAL else 'integer'}({place})"


def _store(operand: Operand, place: str, value: str) -> str:
    name = variable(operand.name)
    if operand.dtype.kind is Kind.BOOL:
        return f"{name}.data[{place}] = {value};"
    kind = "real" if value_type(operand.dtype) is Type.REAL else "integer"
    return f"{name}.set_{kind}({place}, {value});"


def _tensors(snippet: Snippet) -> tuple[Operand, ...]:
    return (*read_inputs(snippet), *snippet.outputs)


def _frame(name: str, snippet: Snippet, more: str = "") -> str:
    operands = _tensors(snippet)
    shapes = ", ".join(f"{variable(o.name)}.shape()" for o in operands)
    return f"const Frame<{len(operands)}> {name}({{{shapes}}}{more});"


def _elementwise(snippet: Snippet) -> list[str]:
    shared = _Shared(snippet)
    graph, inputs = snippet.graph, read_inputs(snippet)
    alike = not any(o.may_broadcast or o.is_param for o in inputs)
    places = {o.name: "i" if alike else f"at[{k}]" for k, o in enumerate(_tensors(snippet))}
    given, body = dict(shared.given), []
    for index, node in enumerate(graph.nodes):
        if _is_leaf(node):
            operand = snippet.operand(node.name)
            given[index] = shared.names.take(f"{node.name}_{'real' if node.type is Type.REAL else 'value'}")
            body.append(f"const {CPP[node.type]} {given[index]} = {_load(operand, places[node.name])};")
    writer = _Writer(graph, given, shared.names, shared.bounds())
    writer.write([result.node for result in graph.results])
    body += writer.lines
    for result in graph.results:
        operand = snippet.operand(result.name)
        body.append(_store(operand, places[result.name], writer.value(result.node, value_type(operand.dtype))))
    head = f"for (size_t i = 0, n = {variable(snippet.outputs[0].name)}.size(); i < n; ++i)"
    before = []
    if not alike:
        before = [_frame("frame", snippet)]
        head = f"for (Loop<{len(places)}> at(frame); at; ++at)"
    return [*_view(snippet), *shared.lines(), *before, head, "{", *(f"  {line}" for line in body), "}"]


def _reduction(op: Op, snippet: Snippet) -> list[str]:
    axes = axes_of(op, snippet.graph)
    shared = _Shared(snippet)
    rows = _Rows(snippet, axes, shared)
    bits, dropped = axes_arguments(snippet, axes)
    body = rows.body()
    count = len(_tensors(snippet))
    return [
        *_view(snippet),
        *shared.lines(),
        f"const uint32_t axes = {_renamed(bits, snippet)};",
        _frame("frame", snippet, f", axes, {_renamed(dropped, snippet)}"),
        f"for (Loop<{count}> row(frame, ~axes); row; ++row)",
        "{",
        *(f"  {line}" for line in body),
        "}",
    ]


def _renamed(text: str, snippet: Snippet) -> str:
    """Axes with the function's arguments in place of `op`'s members."""
    tensors: Mapping[str, str] = {o.name: variable(o.name) for o in snippet.inputs if not o.is_param}
    return re.sub(r"\bop\.(\w+)", lambda m: tensors.get(m[1]) or f"params.{m[1]}", text)


class _Rows(Rows):
    """Elements of a row by the offsets that loops have."""

    def loaded(self, operand: Operand, row: bool = False) -> str:
        return _load(operand, f"{'row' if row else 'at'}[{self.places[operand.name]}]")

    def stored(self, operand: Operand, value: str) -> str:
        return _store(operand, f"at[{self.places[operand.name]}]", value)

    def walk(self, bits: int) -> list[str]:
        return [f"for (Loop<{len(self.places)}> at(frame, axes, 0x{bits:x}, row); at; ++at)", "{"]

    def count(self, bits: int) -> str:
        return f"frame.count(axes, 0x{bits:x})"


def _is_leaf(node: Node) -> bool:
    return node.op in ("input", "param") and not node.uniform
