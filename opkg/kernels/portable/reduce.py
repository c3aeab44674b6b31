"""Portable code of a graph with reductions: the member `row`, which computes one row by loops over its elements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opkg.kernels.graphs.graph import LEAVES, PLACES, REDUCE, SCAN, Graph, Node
from opkg.kernels.portable.axes import Axes, Frame
from opkg.kernels.portable.expressions import CPP, Names, Writer
from opkg.kernels.portable.rows import Portable, Shared, load, store
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.spec.compute.types import Type, value_type

_REAL = "std::numeric_limits<double>::infinity()"
_INTEGER = "std::numeric_limits<int64_t>"
# Where a reduction starts, by operation and type.
_START = {
    ("sum", Type.REAL): "0.0", ("mean", Type.REAL): "0.0", ("prod", Type.REAL): "1.0", ("min", Type.REAL): _REAL,
    ("max", Type.REAL): f"-{_REAL}", ("sum", Type.INTEGER): "0", ("prod", Type.INTEGER): "1",
    ("min", Type.INTEGER): f"{_INTEGER}::max()", ("max", Type.INTEGER): f"{_INTEGER}::min()",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Loop:
    """Reductions of one pass over the elements that some inputs have together."""

    inputs: tuple[str, ...]
    nodes: tuple[int, ...]


def portable_rows(snippet: Snippet, axes: Axes) -> Portable:
    """The portable part of a kernel with reductions; `element` has the member function `row`."""
    return Rows(snippet, axes).portable()


def axes_arguments(snippet: Snippet, axes: Axes) -> tuple[str, str]:
    """C++ of the bits of the reduced dimensions, and of those of the operands that are without them."""
    inputs = read_inputs(snippet)
    frames = {snippet.graph[i].name: frame for i, frame in enumerate(axes.frames) if snippet.graph[i].op in LEAVES}
    frames |= {result.name: axes.frames[result.node] for result in snippet.graph.results}
    dropped, maybe = 0, 0
    for place, operand in enumerate((*inputs, *snippet.outputs)):
        dropped |= (frames[operand.name] is Frame.DROPPED) << place
        maybe |= (frames[operand.name] is Frame.MAYBE) << place
    bits = f"0x{dropped:x}" if not maybe else f"op.{axes.keep} ? 0x{dropped:x} : 0x{dropped | maybe:x}"
    return axes.bits, bits


class Rows:
    """Writes the code of one row. `shared`: names of what all rows share; the methods from `loaded` to `stored` say how
    elements are reached."""

    def __init__(self, snippet: Snippet, axes: Axes, shared: Shared | None = None) -> None:
        self.snippet = snippet
        self.graph: Graph = snippet.graph
        self.axes = axes
        self.shared = shared or Shared(snippet)
        self.inputs = read_inputs(snippet)
        self.places = {o.name: i for i, o in enumerate((*self.inputs, *snippet.outputs))}
        self.rows = _row_values(self.graph, axes)
        self.known: dict[int, str] = dict(self.shared.given)  # values of the row so far
        self.lines: list[str] = []
        self.shared.names.take("at")
        self.shared.names.take("run")

    def portable(self) -> Portable:
        """The member `row` with what it shares."""
        head = "void row(const opkg::Run<kInputs + kOutputs>& run) const {"
        lines = (head, *(f"  {line}" for line in self.body()), "}")
        return Portable(tuple(self.shared.members), tuple(self.shared.prepare), lines)

    def body(self) -> list[str]:
        """The statements of one row."""
        waves = self._waves()
        self._loads([n for n, node in enumerate(self.graph.nodes) if n in self.rows and _is_leaf(node)])
        for loops in waves:
            for loop in loops:
                self._reduce(loop)
        self._results()
        return self.lines

    def loaded(self, operand: Operand, row: bool = False) -> str:
        """The value of an input's element in a loop, or of the one that it has for the `row`."""
        place = self.places[operand.name]
        stored = f"at.get<const {operand.element}>({place})"
        if row:
            stored = f"*reinterpret_cast<const {operand.element}*>(run.start[{place}])"
        return load(operand, self.shared, stored)

    def stored(self, operand: Operand, value: str) -> str:
        """The statement that stores an element of an output in a loop."""
        return f"at.get<{operand.element}>({self.places[operand.name]}) = {store(operand, self.shared, value)};"

    def walk(self, bits: int) -> list[str]:
        """The head of a loop over the elements that some operands (bits) have in the row."""
        return [f"for (opkg::Walk at(run, 0x{bits:x}); at; ++at) {{"]

    def count(self, bits: int) -> str:
        """How many elements that loop has."""
        return f"run.count(0x{bits:x})"

    def writer(self, given: dict[int, str], names: Names) -> Writer:
        """What writes expressions."""
        return self.shared.writing(self.graph, given, names, self.shared.bounds())

    def _waves(self) -> list[list[_Loop]]:
        """The reductions in passes: those of a wave need only values of earlier ones; one pass serves the same inputs."""
        depth: list[int] = []
        for node in self.graph.nodes:
            depth.append(max([depth[a] for a in node.args], default=0) + (node.op in REDUCE))
        waves: list[list[_Loop]] = []
        for level in range(1, max(depth, default=0) + 1):
            found: dict[tuple[str, ...], list[int]] = {}
            for index in self.graph.reductions:
                if self.graph[index].op in REDUCE and depth[index] == level and not self.graph[index].uniform:
                    found.setdefault(self._cone([self.graph[index].args[0]]), []).append(index)
            waves.append([_Loop(names, tuple(nodes)) for names, nodes in found.items()])
        return waves

    def _cone(self, wanted: Iterable[int]) -> tuple[str, ...]:
        """Names of the tensors whose elements nodes need, reductions and values of the row being known."""
        names: set[str] = set()
        todo, seen = list(wanted), set()
        while todo:
            index = todo.pop()
            node = self.graph[index]
            if index in seen or index in self.rows or node.uniform or node.op in REDUCE:
                continue
            seen.add(index)
            if _is_leaf(node):
                names.add(node.name)
            todo += node.args
        return tuple(sorted(names, key=self.places.__getitem__))

    def _loads(self, leaves: Iterable[int]) -> None:
        """Inputs that have one element per row."""
        for index in leaves:
            node, operand = self.graph[index], self.snippet.operand(self.graph[index].name)
            name = self.shared.names.take(f"{node.name}_value")
            self.lines.append(f"const {CPP[node.type]} {name} = {self.loaded(operand, True)};")
            self.known[index] = name

    def _bits(self, names: Iterable[str]) -> int:
        return sum(1 << self.places[name] for name in names)

    def _loop(self, bits: int, lines: Iterable[str]) -> list[str]:
        return [*self.walk(bits), *(f"  {line}" for line in lines), "}"]

    def _body(self, names: tuple[str, ...], wanted: Iterable[int]) -> tuple[Writer, list[str]]:
        """A writer inside a loop, with the loads of the loop's inputs."""
        given, lines, local = dict(self.known), [], self.shared.names.inside()
        for index, node in enumerate(self.graph.nodes):
            if _is_leaf(node) and node.name in names:
                operand = self.snippet.operand(node.name)
                name = local.take(f"{node.name}_{'real' if node.type is Type.REAL else 'value'}")
                lines.append(f"const {CPP[node.type]} {name} = {self.loaded(operand)};")
                given[index] = name
        writer = self.writer(given, local)
        self._scans(writer, wanted)
        writer.write(wanted)
        return writer, lines + writer.lines

    def _scans(self, writer: Writer, wanted: Iterable[int]) -> None:
        """Running sums of a loop: a variable in front of it takes each element."""
        for index in _below(writer.needs, wanted, self.known):
            node = self.graph[index]
            if node.op in SCAN:
                name = self.shared.names.take(f"{node.origin or 'sum'}_so_far")
                self.lines.append(f"{CPP[node.type]} {name} = {_START['sum', node.type]};")
                writer.write(node.args)
                writer.lines.append(_step(node, name, writer.value(node.args[0], node.type)))
                writer.give(index, name)

    def _known_rows(self, wanted: Sequence[int]) -> None:
        """Values of the row that `wanted` need, written outside of loops."""
        writer = self.writer(dict(self.known), self.shared.names)
        needed = [i for i in _below(writer.needs, wanted, self.known) if i in self.rows and self.graph[i].args]
        outside = {arg for i, args in enumerate(writer.needs) if i not in self.rows for arg in args}
        last = [i for i in needed if i in set(wanted) or i in outside]
        last = [i for i in last if self.graph[i].op not in REDUCE]
        writer.write(last, local=set(last).__contains__)
        self.lines += writer.lines
        self.known |= {index: writer.value(index) for index in last}

    def _reduce(self, loop: _Loop) -> None:
        operands = [self.graph[index].args[0] for index in loop.nodes]
        self._known_rows(operands)
        names = {}
        for index in loop.nodes:
            node = self.graph[index]
            names[index] = self.shared.names.take(node.origin or f"{_kind(node)}_of_row")
            if node.op in PLACES:
                self.lines.append(f"opkg::Leader<{CPP[self.graph[node.args[0]].type]}> {names[index]};")
                continue
            start = _START[_kind(node), node.type]
            self.lines.append(f"{CPP[node.type]} {names[index]} = {start};")
        writer, lines = self._body(loop.inputs, operands)
        for index, operand in zip(loop.nodes, operands, strict=True):
            node = self.graph[index]
            type_ = self.graph[operand].type if node.op in PLACES else node.type
            lines.append(_step(node, names[index], writer.value(operand, type_)))
        bits = self._bits(loop.inputs)
        self.lines += self._loop(bits, lines)
        for index in loop.nodes:
            self.known[index] = f"{names[index]}.place" if self.graph[index].op in PLACES else names[index]
            if self.graph[index].op == "reduce_mean":
                self.lines.append(f"{names[index]} /= static_cast<double>({self.count(bits)});")

    def _results(self) -> None:
        """Outputs with the same inputs, in one loop each; of the whole row in any case: its shape may be filled."""
        self._known_rows([result.node for result in self.graph.results])
        groups: dict[tuple[str, ...], list[int]] = {}
        for number, result in enumerate(self.graph.results):
            groups.setdefault(self._cone([result.node]), []).append(number)
        for names, numbers in groups.items():
            for number in numbers if not names else [-1]:
                chosen = [number] if number >= 0 else numbers
                self._store(names, [self.graph.results[n].name for n in chosen])

    def _store(self, names: tuple[str, ...], outputs: list[str]) -> None:
        nodes = {result.name: result.node for result in self.graph.results}
        writer, lines = self._body(names, [nodes[name] for name in outputs])
        for name in outputs:
            operand = self.snippet.operand(name)
            lines.append(self.stored(operand, writer.value(nodes[name], value_type(operand.dtype))))
        self.lines += self._loop(self._bits((*names, *outputs)), lines)


def _is_leaf(node: Node) -> bool:
    return node.op in ("input", "param") and not node.uniform


def _kind(node: Node) -> str:
    return node.op.removeprefix("reduce_")


def _step(node: Node, name: str, value: str) -> str:
    """The statement that takes one more element into a reduction."""
    match _kind(node), node.type:
        case ("argmin" | "argmax") as kind, _:
            return f"{name}.{'smallest' if kind == 'argmin' else 'largest'}({value});"
        case ("min" | "max") as kind, _:
            return f"{name} = opkg::{kind}imum({name}, {value});"
        case "prod", Type.REAL:
            return f"{name} *= {value};"
        case "prod", _:
            return f"{name} = opkg::wrap_mul({name}, {value});"
        case _, Type.REAL:
            return f"{name} += {value};"
    return f"{name} = opkg::wrap_add({name}, {value});"


def _row_values(graph: Graph, axes: Axes) -> frozenset[int]:
    """Nodes with one value per row: reductions, what lacks the reduced dimensions, and what is computed of these."""
    found: set[int] = set()
    for index, node in enumerate(graph.nodes):
        if node.uniform:
            continue
        known = bool(node.args) and all(arg in found or graph[arg].uniform for arg in node.args)
        known = known and node.op not in SCAN
        if known or node.op in REDUCE or (_is_leaf(node) and axes.frames[index] is Frame.DROPPED):
            found.add(index)
    return frozenset(found)


def _below(needs: Sequence[Sequence[int]], wanted: Iterable[int], known: dict[int, str]) -> list[int]:
    """The nodes that `wanted` need and whose values are not known, in order."""
    found: set[int] = set()
    todo = list(wanted)
    while todo:
        index = todo.pop()
        if index in found or index in known:
            continue
        found.add(index)
        todo += needs[index]
    return sorted(found)
