"""Kernels that move elements, in portable C++ over views of tensors (opkg/move.h): which ones there are, and their statements.

An output is an input seen otherwise (`transpose`, slices), or several of these side by side (`concat`), or parts of one in an
order that another tensor says (`take`), or one again and again (`tile`) or amid a number (`pad`). Nothing
is computed on the way; elements are converted where types or scales differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.portable.axes import Refused
from opkg.kernels.portable.expressions import CPP, Writer, literal
from opkg.kernels.portable.rows import Shared, has_steps, load, store
from opkg.kernels.snippet import Operand, Snippet
from opkg.spec.compute.types import Type, value_type
from opkg.spec.compute.whole import REST, Calculated, Part, Range, Size, Whole, wholes

_SEEN = frozenset(("move_transpose", "move_slice", "move_reshape"))
_TENSORS = frozenset(("input", "param"))
_OWN = "give it an op of its own"
_LOCAL = ("from", "same", "converted", "counts", "filling")  # what statements of a movement name


def plan_moves(snippet: Snippet) -> None:
    """Raises Refused where the kernel of a graph that moves elements cannot be generated."""
    if snippet.passing is None and (snippet.missing or any(operand.optional for operand in snippet.inputs)):
        raise Refused("elements of optional inputs are moved", snippet.graph[snippet.graph.moves[0]], _OWN)
    for result in snippet.graph.results:
        _check(snippet.graph, result.node)


def only_moves(snippet: Snippet) -> bool:
    """Whether the outputs of a graph are elements of inputs elsewhere, and such a kernel can be generated."""
    if not snippet.graph.moves:
        return all(snippet.graph[result.node].op == "input" for result in snippet.graph.results)
    try:
        plan_moves(snippet)
    except Refused:
        return False
    return True


def _check(graph: Graph, index: int) -> None:
    node = graph[index]
    match node.op:
        case "move_concat":
            for arg in node.args:
                _seen(graph, arg, "concat of")
        case "move_take":
            _seen(graph, node.args[0], "take of")
            _seen(graph, node.args[1], "take by")
        case "move_transpose":
            _check(graph, node.args[0])
        case "move_reshape":
            _seen(graph, node.args[0], "reshape of")
        case "move_tile" | "move_pad":
            _seen(graph, node.args[0], f"{node.op.removeprefix('move_')} of")
            if node.op == "move_pad" and not graph[node.args[1]].uniform:
                raise Refused("pad with what is no number", node, _OWN)
        case _:
            _seen(graph, index, "movement and")


def _seen(graph: Graph, index: int, what: str) -> None:
    """A view of one tensor."""
    node = graph[index]
    if node.op == "move_reshape" and graph[node.args[0]].op not in (*_TENSORS, "move_reshape"):
        raise Refused("reshape of what lies otherwise, and more", node, _OWN)
    if node.op in _SEEN:
        return _seen(
            graph, node.args[0], "a part of" if node.op == "move_slice" else f"{node.op.removeprefix('move_')} of"
        )
    if node.op not in _TENSORS or node.uniform:
        raise Refused(f"{what} what is computed in the same op", graph[graph.moves[0]], _OWN)
    return None


class Moves:
    """Writes the statements of one kernel function."""

    def __init__(self, snippet: Snippet) -> None:
        self.snippet, self.graph = snippet, snippet.graph
        self.shared = Shared(snippet)

    def lines(self) -> list[str]:
        """Statements that compute all outputs and return a status."""
        body = [line for result in self.graph.results for line in self._output(result.name, result.node)]
        steps = [f"const opkg::Steps {line}" for line in self.shared.prepare if " = opkg::Steps(" in line]
        first = [f"if (op.{self.snippet.slice_field}.index != 0) return opkg::Status::ok;"] * bool(
            self.snippet.slice_field
        )
        used = [line for line in steps if any(line.split()[2] in text for text in body)]
        return [*first, *used, *body, "return opkg::Status::ok;"]

    def _output(self, name: str, index: int) -> Iterator[str]:
        operand = self.snippet.operand(name)
        to = f"opkg::view(op.{name})"
        while self.graph[index].op == "move_transpose" and self.view_text(index) == "":
            to += f".back({_order(self.graph[index])})"
            index = self.graph[index].args[0]
        node = self.graph[index]
        if node.op == "move_reshape":  # the elements in their order, whatever the shape of the result
            yield "{"
            yield from self._from(node.args[0], operand)
            yield f"  {_try(f'opkg::move({to}.shaped(from), from, same, converted)')}"
            yield "}"
        elif node.op in ("move_tile", "move_pad"):
            yield from self._around(operand, to, node)
        elif node.op == "move_concat":
            yield from self._joined(operand, to, node)
        elif node.op == "move_take":
            yield from self._taken(operand, to, node)
        else:
            yield "{"
            yield from self._from(index, operand)
            yield f"  {_try(f'opkg::move({to}, from, same, converted)')}"
            yield "}"

    def _joined(self, operand: Operand, to: str, node: Node) -> Iterator[str]:
        yield "{"
        yield f"  opkg::Join join({to}, {axis_text(node)});"
        for arg in node.args:
            yield "  {"
            yield from (f"  {line}" for line in self._from(arg, operand))
            yield f"    {_try('join.add(from, same, converted)')}"
            yield "  }"
        yield "  if (!join.full()) return opkg::Status::unsupported;"
        yield "}"

    def filling(self, name: str, output: str, index: int) -> tuple[str, ...]:
        """Statements that set a member to what lies around a part of an output."""
        operand = self.snippet.operand(output)
        lines, value = self._number(index, value_type(operand.dtype))
        made = f"{name} = opkg::Filling(op.{output}, {operand.element}{{{store(operand, self.shared, value)}}});"
        steps = [f"const opkg::Steps {line}" for line in self.shared.prepare if " = opkg::Steps(" in line]
        used = [line for line in steps if any(line.split()[2] in text for text in (*lines, made))]
        return (*used, *lines, made)

    def _around(self, operand: Operand, to: str, node: Node) -> Iterator[str]:
        """`tile` and `pad`."""
        yield "{"
        yield from self._from(node.args[0], operand)
        yield f"  const opkg::Counts counts({numbers_text(node)});"
        more = ""
        if node.op == "move_pad":
            lines, value = self._number(node.args[1], value_type(operand.dtype))
            yield from (f"  {line}" for line in lines)
            yield f"  const {operand.element} filling = {store(operand, self.shared, value)};"
            more = ", filling"
        call = node.op.removeprefix("move_")
        yield f"  {_try(f'opkg::{call}({to}, from, counts{more}, same, converted)')}"
        yield "}"

    def _number(self, index: int, type_: Type) -> tuple[list[str], str]:
        """One number, of constants and scalar params: statements, and its text."""
        node = self.graph[index]
        if node.op == "const" and type_ is Type.INTEGER:
            return [], f"int64_t{{{literal(node.value, type_)}}}"
        names = self.shared.names.inside()
        for taken in _LOCAL:
            names.take(taken)
        given = {
            k: f"op.{leaf.name}" if leaf.type is Type.BOOL else f"static_cast<{CPP[leaf.type]}>(op.{leaf.name})"
            for k, leaf in enumerate(self.graph.nodes)
            if leaf.op == "param" and leaf.uniform
        }
        writer = Writer(self.graph, given, names, self.shared.bounds())
        writer.write([index])
        return writer.lines, writer.value(index, type_)

    def _taken(self, operand: Operand, to: str, node: Node) -> Iterator[str]:
        table, places = node.args
        stored = self._leaf(places)
        yield "{"
        yield from self._from(table, operand)
        yield f"  const auto places = {self.view_text(places)};"
        yield f"  const auto number = [&]({stored.element} i) {{ return {load(stored, self.shared, 'i')}; }};"
        yield f"  {_try(f'opkg::take({to}, from, places, {axis_text(node)}, number, same, converted)')}"
        yield "}"

    def view_text(self, index: int) -> str:
        """A view of a tensor; empty for what is none."""
        node = self.graph[index]
        if node.op in _TENSORS:
            return f"opkg::view(op.{node.name})"
        inner = self.view_text(node.args[0]) if node.op in _SEEN else ""
        if not inner:
            return ""
        return inner + chain(node)

    def _leaf(self, index: int) -> Operand:
        node = self.graph[index]
        return self.snippet.operand(node.name) if node.op in _TENSORS else self._leaf(node.args[0])

    def _stays(self, to: Operand) -> bool:
        """Whether elements are moved as they are stored to a result that takes its own scale later."""
        passing = self.snippet.passing
        return passing is not None and any(number.name == to.name and number.result for number in passing.numbers)

    def _from(self, index: int, to: Operand) -> Iterator[str]:
        """What is read, whether elements stay as they are stored, and what converts them where they do not."""
        source, node = self._leaf(index), self.graph[index]
        same = "true" if (source.element, source.dtype) == (to.element, to.dtype) else "false"
        if self._stays(to):
            yield f"  const auto from = {self.view_text(index)};"
            yield "  const bool same = true;"
            yield f"  const auto converted = []({source.element} v) {{ return v; }};"
            return
        if same == "true" and has_steps(source):
            same = f"op.{source.name}.scale == op.{to.name}.scale && op.{source.name}.zero == op.{to.name}.zero"
        value = load(source, self.shared, "v")
        if (to.quantized or to.is_float) and node.type is not Type.REAL:
            value = f"static_cast<double>({value})"
        yield f"  const auto from = {self.view_text(index)};"
        yield f"  const bool same = {same};"
        result = store(to, self.shared, value)
        yield f"  const auto converted = [&]({source.element} v) -> {to.element} {{ return {result}; }};"


def axis_text(node: Node) -> str:
    """C++ of the dimension of a movement."""
    axis = node.axes
    return f"static_cast<int64_t>(op.{axis})" if isinstance(axis, str) else str((axis or (0,))[0])


def chain(node: Node) -> str:
    """What is called of a view: `.range(-1, 0, 8, 1)`."""
    if node.op == "move_reshape":
        return f".reshaped(opkg::Counts({numbers_text(node)}))"
    return f".transposed({_order(node)})" if node.op == "move_transpose" else _parts(node.parts)


def _order(node: Node) -> str:
    if isinstance(node.axes, str):
        return f"op.{node.axes}"
    return f"{{{', '.join(map(str, node.axes))}}}" if node.axes is not None else ""


def _try(call: str) -> str:
    return f"if (!{call}) return opkg::Status::unsupported;"


def _parts(parts: tuple[Part, ...]) -> str:
    """Calls that cut a view: parts in front of `...` by their places, those behind it from the end."""
    rest = parts.index(REST) if REST in parts else len(parts)
    text, at = "", 0
    for part in parts[:rest]:
        text += _part(part, at)
        at += part is None or isinstance(part, Range)
    at = -1
    for part in reversed(parts[rest + 1 :]):
        text += _part(part, at)
        at -= part is None or isinstance(part, Range)
    return text


def _part(part: Part, at: int) -> str:
    if part is None:
        return f".added({at})"
    if isinstance(part, Range):
        open_ends = ("opkg::kOpen", "opkg::kOpen", "1")
        ends = [count_text(e) if e is not None else o for e, o in zip(part.ends, open_ends, strict=True)]
        return "" if part == Range() else f".range({at}, {', '.join(ends)})"
    return f".place({at}, {count_text(part)})"


def count_text(whole: Whole) -> str:
    """C++ of a number of a slice, reshape, tile or pad."""
    match whole:
        case Size():
            return f"op.{whole.name}.dim({whole.axis})"
        case Calculated():
            return _calculated(whole)
    return f"static_cast<int64_t>(op.{whole})" if isinstance(whole, str) else str(whole)


def _calculated(whole: Calculated) -> str:
    """Signed, in 64 bits. What is of sizes and positive numbers only is divided as C++ does."""
    left, right = (f"int64_t{{{count_text(w)}}}" if isinstance(w, Size) else count_text(w) for w in whole.sides)
    if _divides_plainly(whole):
        return f"{left} {whole.op[0]} {right}"
    if whole.op in ("//", "%"):
        return f"opkg::floor_{'div' if whole.op == '//' else 'mod'}({left}, {right})"
    left, right = (_inside(w, text) for w, text in zip(whole.sides, (left, right), strict=True))
    return f"-{right}" if whole.op == "-" and whole.left == 0 else f"{left} {whole.op} {right}"


def _divides_plainly(whole: Calculated) -> bool:
    """Whether it is a quotient, or a rest, that C++'s operator gives, too."""
    by = whole.right
    return whole.op in ("//", "%") and isinstance(whole.left, Size) and isinstance(by, int) and by > 0


def _inside(whole: Whole, text: str) -> str:
    """An operand, in brackets where it is no size, param, call or number from 0 on."""
    if isinstance(whole, Calculated):
        bare = whole.op in ("//", "%") and not _divides_plainly(whole)
    else:
        bare = not isinstance(whole, int) or whole >= 0
    return text if bare else f"({text})"


def numbers_text(node: Node) -> str:
    """C++ of the numbers of a reshape, tile or pad: a tensor param, or a list."""
    texts = map(count_text, wholes(node.parts))
    return f"op.{node.axes}" if isinstance(node.axes, str) else f"{{{', '.join(texts)}}}"
