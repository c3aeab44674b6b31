"""Softmax of up to 32 rows at a time in fixed point, beside its loops over one row in single precision: of 16-bit elements, of
what a mask chooses of them, and of the sum of two tensors (opkg/hvx_soft_rows.h)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from opkg.kernels.emit.rows import LANES
from opkg.kernels.graphs.graph import Graph
from opkg.kernels.lowered import Member
from opkg.kernels.portable.expressions import Writer
from opkg.kernels.portable.rows import Shared
from opkg.kernels.sequence import Slots
from opkg.kernels.snippet import Operand, Snippet
from opkg.kernels.snippets import read_inputs
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.masks import chosen_value, or_zero
from opkg.kernels.strategies.rows.references import Reference
from opkg.kernels.strategies.rows.whole_steps import of_distance
from opkg.spec.compute.types import Type

HEADERS = ("opkg/hvx_soft_rows.h",)
TITLE = "3 passes over up to 32 rows in fixed point, or over one in single precision"
_OF = "opkg::hvx::"
_MOST = 4096  # elements of a row: sums of more are not exact enough, and there is no room for their exponentials
_ROOM = 64  # vectors of halves


@dataclass(frozen=True, slots=True)
class Soft:
    """How several rows are computed at a time; what that adds to the struct."""

    slots: Slots
    member: Member
    prepare: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """`argument`: the node that exp() is of; `condition`: what chooses elements, or -1; `mask`: the bool input that it is, or
    that it is not (`turned`)."""

    argument: int
    condition: int = -1
    mask: str = ""
    turned: bool = False


def soft_of(snippet: Snippet, shared: Shared, references: Mapping[int, Reference], or_one: bool) -> Soft | None:
    """None where the only result is no softmax of such elements. `or_one`: of nothing that is chosen, results are alike."""
    found = _softmax(snippet.graph)
    inputs = read_inputs(snippet)
    operands = [*inputs, *snippet.outputs]
    if found is None or snippet.missing or any(o.storage.bits > 16 or o.is_float for o in operands):
        return None
    step = 1024 // min(o.storage.bits for o in operands)
    name = shared.names.take(f"{snippet.outputs[0].name}_soft")
    reference = references.get(found.argument)
    made = (
        _of_sum(snippet, shared, reference, found, name, step)
        if reference is not None
        else _of_one(snippet, shared, found, name, step, or_one)
    )
    if made is None:
        return None
    slots, lines = made
    steps = shared.steps[snippet.outputs[0].name]
    lines.append(f"{name}.set_result(1.0 / {steps}.scale, {steps}.zero);")
    return Soft(slots, Member(f"{_OF}SoftNumbers", name, "for several rows at a time"), tuple(lines))


def _softmax(graph: Graph) -> _Found | None:
    """What exponentials are of, if the only result is one over the sum of all."""
    if len(graph.results) != 1:
        return None
    result = graph[graph.results[0].node]
    if result.op != "div":
        return None
    value, total = result.args
    if graph[total].op != "reduce_sum" or graph[total].args != (value,):
        return None
    if graph[value].op == "exp":
        return _Found(graph[value].args[0])
    if or_zero(graph, value) and graph[graph[value].args[1]].op == "exp":
        condition, inner, _ = graph[value].args
        turned = graph[condition].op == "not"
        mask = graph[graph[condition].args[0] if turned else condition]
        return _Found(graph[inner].args[0], condition, mask.name, turned) if mask.op == "input" else None
    return None


def _of_one(
    snippet: Snippet, shared: Shared, found: _Found, name: str, step: int, or_one: bool
) -> tuple[Slots, list[str]] | None:
    graph = snippet.graph
    chain = _down(graph, snippet, found.argument)
    if chain is None:
        return None
    distance, element, extreme = chain
    operand, (first, *masks) = snippet.operand(graph[element].name), read_inputs(snippet)
    chosen = chosen_value(graph, graph[extreme].args[0]) is not None
    if (
        operand.storage.bits != 16
        or operand != first
        or [mask.name for mask in masks] != [found.mask] * bool(found.mask)
    ):
        return None
    if chosen != or_one or (chosen and graph[graph[extreme].args[0]].args[0] != found.condition):
        return None
    halves = step // 64
    choice = f"{_OF}AllOf<kOne, {halves}>"
    if found.mask:
        choice = f"{_OF}ChosenOf<kOne, {halves}, 1, {_cpp(found.turned)}, {_cpp(not chosen)}>"
    scale, smallest = f"{shared.steps[operand.name]}.scale", graph[extreme].op == "reduce_min"
    away = f"-{scale}" if (graph[distance].args[0] == element) != smallest else scale
    step_away = shared.names.take("away")
    writer = Writer(graph, {**shared.given, distance: step_away}, shared.names, shared.bounds())
    writer.write([found.argument])
    lines = [
        "{",
        f"  const double {step_away} = {away};  // of one step",
        *(f"  {line}" for line in writer.lines),
        f"  {name}.set(-({writer.value(found.argument, Type.REAL)}), {_cpp(smallest)});",
        "}",
    ]
    types = ["kOne", LANES[operand.storage], LANES[snippet.outputs[0].storage], str(halves), choice]
    return _slots("soft_rows", types, name, halves, masks), lines


def _cpp(value: bool) -> str:
    return str(value).lower()


def _slots(function: str, types: list[str], name: str, halves: int, slow: Iterable[Operand]) -> Slots:
    text = f"return {_OF}{function}<{', '.join(types)}>({name}, slots, in, out[0], n);"
    may_wait = frozenset([operand.name for operand in slow])
    return Slots((), frozenset(), _MOST, text=(text,), kept=_ROOM // halves, slow=may_wait)


def _down(graph: Graph, snippet: Snippet, at: int) -> tuple[int, int, int] | None:
    """The distance that a value is a multiple of, its element and its extreme."""
    while (found := of_distance(graph, snippet, at)) is None:
        node = graph[at]
        if node.op not in ("mul", "div", "neg"):
            return None
        inner = [arg for arg in node.args if not graph[arg].uniform]
        if len(inner) != 1 or (node.op == "div" and inner[0] != node.args[0]):
            return None
        at = inner[0]
    return at, *found


def _of_sum(
    snippet: Snippet, shared: Shared, reference: Reference, found: _Found, name: str, step: int
) -> tuple[Slots, list[str]] | None:
    graph, inputs = snippet.graph, read_inputs(snippet)
    names = [operand.name for operand in inputs]
    by_name = {graph[at].name: by for at, by in reference.inputs.items()}
    storages = {operand.storage for operand in inputs}
    if found.mask or len(inputs) != 2 or len(storages) != 1 or set(by_name) != set(names):
        return None
    (storage,), output = storages, snippet.outputs[0]
    if output.storage.bits != storage.bits:
        return None
    low, high = storage.limits
    factors = [f"{shared.steps[each]}.scale * ({poly.text(by_name[each], frozenset())})" for each in names]
    types = ["kOne", LANES[storage], LANES[output.storage], str(step // 64)]
    slow = [operand for operand in inputs if operand.may_broadcast]
    return _slots("soft_sum_rows", types, name, step // 64, slow), [
        f"{name}.set_sum({', '.join(factors)}, {high - low});"
    ]
