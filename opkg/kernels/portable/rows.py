"""The portable part of a rows struct: members, how `prepare` sets them, and the code of one element.

Reals are computed in double, integers in 64 bits (opkg/scalar.h), as the op's reference does; the only roundings are
those of the last operation: to the output's element type, half to even.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from opkg.kernels.graphs.graph import Graph
from opkg.kernels.lowered import Member
from opkg.kernels.portable.expressions import CPP, Names, Writer
from opkg.kernels.snippet import Operand, Scalar, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.spec.compute.types import Type, value_type
from opkg.spec.dtypes import Kind

# Names that row functions use themselves.
TAKEN = ("in", "out", "step", "n", "i", "op", "opkg", "std", "element", "prepare", "portable", "vector", "row", "rows")


@dataclass(frozen=True, slots=True)
class Portable:
    """C++ of the portable part. `element`: lines of the member function `element`; empty for a graph with reductions."""

    members: tuple[Member, ...]
    prepare: tuple[str, ...]
    element: tuple[str, ...]


def has_steps(operand: Operand) -> bool:
    """Whether a tensor's stored numbers need its zero point: quantized ones, and integers that an interface may move."""
    return operand.quantized or moved(operand)


def moved(operand: Operand) -> bool:
    """Whether an interface may hand a plain integer over with a zero point of its own (opkg/kernel.h)."""
    plain = operand.dtype.kind in (Kind.INT, Kind.UINT)
    return plain and operand.storage.bits <= 16 and not operand.is_param


class Shared:
    """Names of what all elements share: members for scales, params and numbers computed from them. `args`: what params are
    members of; `writing`: the writer of expressions."""

    args = "op"
    taken: tuple[str, ...] = TAKEN
    writing: type[Writer] = Writer

    def __init__(self, snippet: Snippet) -> None:
        self.snippet = snippet
        self.graph: Graph = snippet.graph
        tensors = (*snippet.inputs, *snippet.outputs)
        self.names = Names((*self.taken, *(o.name for o in tensors), *(p.name for p in snippet.params)))
        self.steps = {o.name: self.names.take(f"{o.name}_steps") for o in self.stepped(tensors)}
        self.params = {p.name: self.names.take(f"{p.name}_value") for p in snippet.params}
        self.members: list[Member] = []
        self.prepare: list[str] = []
        self.given: dict[int, str] = {}
        self._scales()
        self._uniforms()

    def bounds(self) -> dict[str, tuple[int, int]]:
        """Intervals of integer inputs and params by name."""
        found: dict[str, tuple[int, int]] = {}
        for operand in self.snippet.inputs:
            if operand.dtype.integral and operand.storage.bits < 64:
                low, high = operand.storage.limits
                room = 1 << operand.storage.bits if moved(operand) else 0
                found[operand.name] = (low - room, high + room)
        for param in self.snippet.params:
            if param.dtype.integral and param.dtype.bits < 64:
                found[param.name] = param.dtype.limits
        return found

    def stepped(self, tensors: Iterable[Operand]) -> list[Operand]:
        """The tensors that need a member for their scale and zero point."""
        return [operand for operand in tensors if has_steps(operand)]

    def _scales(self) -> None:
        for name, member in self.steps.items():
            self.members.append(Member("opkg::Steps", member))
            self.prepare.append(f"{member} = opkg::Steps(op.{name});")

    def _uniforms(self) -> None:
        """Params, and what is computed of them alone: once per call."""
        graph = self.graph
        asked = {arg for node in graph.nodes if not node.uniform for arg in node.args}
        asked |= {result.node for result in graph.results}
        read = {node.name for node in graph.nodes if node.op == "param" and node.uniform}
        for param in self.snippet.params:
            if param.name in read:
                type_ = CPP[value_type(param.dtype)]
                self.members.append(Member(type_, self.params[param.name]))
                self.prepare.append(f"{self.params[param.name]} = {self._number(param)};")
        for index, node in enumerate(graph.nodes):
            if node.op == "param" and node.uniform:
                self.given[index] = self.params[node.name]
        wanted = [i for i, n in enumerate(graph.nodes) if i in asked and n.uniform and n.args]
        writer = self.writing(graph, dict(self.given), self.names, self.bounds())
        writer.write(wanted)
        self.prepare += writer.lines
        for index in wanted:
            member = self.names.take(f"{graph[index].origin or 'shared'}_value")
            self.members.append(Member(CPP[graph[index].type], member))
            self.prepare.append(f"{member} = {writer.value(index)};")
            self.given[index] = member

    def _number(self, param: Scalar) -> str:
        type_, value = value_type(param.dtype), f"{self.args}.{param.name}"
        return value if type_ is Type.BOOL else f"static_cast<{CPP[type_]}>({value})"


def load(operand: Operand, shared: Shared, stored: str) -> str:
    """The value of a stored element, as a C++ expression."""
    steps = shared.steps.get(operand.name)
    if operand.quantized:
        return f"{steps}.real({stored})"
    if operand.is_float:
        inner = f"static_cast<float>({stored})" if operand.storage.bits == 16 else stored
        return f"static_cast<double>({inner})"
    if operand.dtype.kind is Kind.BOOL:
        return f"{stored} != 0"
    return f"{steps}.integer({stored})" if steps else f"static_cast<int64_t>({stored})"


def store(operand: Operand, shared: Shared, value: str) -> str:
    """The stored number of a value of the operand's type, as a C++ expression."""
    steps = shared.steps.get(operand.name)
    element = operand.element
    if operand.quantized:
        return f"{steps}.nearest<{element}>({value})"
    if operand.is_float:
        if operand.storage.bits == 16:
            return f"{element}(static_cast<float>(opkg::round_to_half({value})))"
        return f"static_cast<float>({value})"
    if operand.dtype.kind is Kind.BOOL:
        return f"{value} ? 1 : 0" if " " not in value else f"({value}) ? 1 : 0"
    if steps:
        return f"{steps}.store<{element}>({value})"
    return value if operand.storage.bits == 64 else f"static_cast<{element}>(opkg::saturate<{element}>({value}))"


def portable(snippet: Snippet) -> Portable:
    """The portable part of an elementwise kernel."""
    shared = Shared(snippet)
    graph = snippet.graph
    inputs = read_inputs(snippet)
    names = shared.names
    stored = {o.name: names.take(f"{o.name}_in") for o in inputs}
    results = {o.name: names.take(f"{o.name}_out") for o in snippet.outputs}
    given = dict(shared.given)
    lines = []
    for index, node in enumerate(graph.nodes):
        if node.op in ("input", "param") and not node.uniform:
            operand = snippet.operand(node.name)
            kind = CPP[node.type]
            given[index] = names.take(f"{node.name}_real" if node.type is Type.REAL else f"{node.name}_value")
            lines.append(f"const {kind} {given[index]} = {load(operand, shared, stored[node.name])};")
    writer = Writer(graph, given, names, shared.bounds())
    writer.write([result.node for result in graph.results])
    lines += writer.lines
    for result in graph.results:
        operand = snippet.operand(result.name)
        lines.append(
            f"{results[result.name]} = {store(operand, shared, writer.value(result.node, value_type(operand.dtype)))};"
        )
    parameters = [f"{o.element} {stored[o.name]}" for o in inputs]
    parameters += [f"{o.element}& {results[o.name]}" for o in snippet.outputs]
    head = f"void element({', '.join(parameters)}) const {{"
    return Portable(tuple(shared.members), tuple(shared.prepare), (head, *(f"  {line}" for line in lines), "}"))
