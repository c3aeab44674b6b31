"""Masked softmax: exponentials of `where(m, x, -10000.0)` less its maximum, as those of the elements that are chosen.

exp() of what lies that far below every element is nothing beside a sum of one or more: the maximum is then that of the chosen
elements, and exponentials of all others are 0. `prepare` sees whether the number lies far enough below. Where nothing is chosen
all elements are that number: their exponentials are 1 (`Table.or_one`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from opkg.kernels.graphs.graph import Graph, Node, Result
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.portable.expressions import Writer
from opkg.kernels.portable.rows import Shared
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.distances import factors_down_to
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Table
from opkg.kernels.strategies.rows.poly import Poly
from opkg.spec.compute.types import Type

# exp() of a distance like this, summed up over a row of any length, is less than 1e-9.
_FAR = "45.0"
_JOINED = frozenset(("and", "or", "not"))


def is_mask(graph: Graph, at: int) -> bool:
    """Whether a node is a bool tensor, or made of such by `and`, `or` and `not`."""
    node = graph[at]
    if node.type is not Type.BOOL or node.uniform:
        return False
    return node.op == "input" or (node.op in _JOINED and all(is_mask(graph, arg) for arg in node.args))


def chosen_value(graph: Graph, at: int) -> int | None:
    """The value that a mask chooses, in `select(mask, value, -infinity)`."""
    node = graph[at]
    if node.op != "select" or node.type is not Type.REAL or not is_mask(graph, node.args[0]):
        return None
    other = graph[node.args[2]]
    return node.args[1] if other.op == "const" and other.value == -math.inf else None


def or_zero(graph: Graph, at: int) -> bool:
    """Whether a node is `select(mask, value, 0)`."""
    node = graph[at]
    if node.op != "select" or node.type is not Type.REAL or not is_mask(graph, node.args[0]):
        return False
    other = graph[node.args[2]]
    return other.op == "const" and not isinstance(other.value, bool) and other.value == 0


def table_value(plan: Plan, table: Table) -> Poly:
    """A new table; its values as a polynomial."""
    plan.tables[table.name] = table
    plan.elements[table.atom] = table
    unit = poly.mul(poly.atom(f"{table.name}_spread.unit"), poly.atom(table.atom))
    assert unit is not None
    return poly.add(poly.atom(table.low), unit)


def masked_values(plan: Plan, node: Node) -> Poly:
    """A table's values where a mask holds, 0 elsewhere."""
    mask, inner, _ = node.args
    for table in plan.tables.values():
        if table.node == inner and table.where < 0:
            name = plan.shared.names.take(node.origin or "masked")
            return table_value(plan, replace(table, name=name, where=mask, or_one=plan.or_one))
    raise Cannot(plan.why.get(inner, "a choice of what is no function of one 8-bit element"))


def chosen_extremes(plan: Plan, lines: list[str]) -> bool:
    """Whether numbers of the row hang on an extreme of chosen elements, which a row may not have."""
    text = "\n".join(lines)
    return any(e.where >= 0 and re.search(rf"\b{e.stored}\b", text) for e in plan.extremes.values())


@dataclass(frozen=True, slots=True)
class _Masked:
    """`choice`: the node `where(m, x, far)`, or `where(m, far, x)`. `value`, `far`: nodes of these. `largest`, `distance`,
    `exp`: of its maximum, of what is less by that, of the exponentials."""

    choice: int
    value: int
    far: int
    swapped: bool
    largest: int
    distance: int
    exp: int


def by_masks(snippet: Snippet) -> tuple[Snippet, tuple[str, ...]]:
    """The snippet with masked softmax made of chosen elements, and statements of `prepare` that see whether that may be; the
    same one and none where there is no such."""
    graph = snippet.graph
    found = {}
    if any(or_zero(graph, at) for at in range(len(graph))):  # which is 0 where nothing is chosen
        return snippet, ()
    if not any(operand.is_float for operand in (*snippet.inputs, *snippet.outputs)):
        for at in range(len(graph)):
            masked = _masked(snippet, at)
            if masked is not None:
                found[at] = masked
    if not found:
        return snippet, ()
    lines = [line for masked in found.values() for line in _far_enough(snippet, masked)]
    return replace(snippet, graph=_rewritten(snippet, found)), tuple(lines)


def _masked(snippet: Snippet, at: int) -> _Masked | None:
    graph, node, users = snippet.graph, snippet.graph[at], snippet.graph.users()
    if node.op != "select" or node.type is not Type.REAL or not is_mask(graph, node.args[0]):
        return None
    value, far = node.args[1:]
    swapped = graph[value].op == "const"
    if swapped:
        value, far = far, value
    if graph[far].op != "const" or isinstance(graph[far].value, bool) or factors_down_to(snippet, value) is None:
        return None
    results = {result.node for result in graph.results}
    largest = [user for user in users[at] if graph[user].op == "reduce_max"]
    distances = [user for user in users[at] if graph[user].op == "sub" and graph[user].args == (at, *largest)]
    if len(largest) != 1 or len(distances) != 1 or len(users[at]) != 2 or users[largest[0]] != tuple(distances):
        return None
    exps = users[distances[0]]
    if len(exps) != 1 or graph[exps[0]].op != "exp" or results & {at, *largest, *distances}:
        return None
    asked = users[exps[0]]
    if not all(_normalizes(graph, exps[0], user, users) for user in asked):
        return None
    if not any(graph[user].op == "div" for user in asked):  # a sum that divides is looked at
        return None
    return _Masked(at, value, far, swapped, largest[0], distances[0], exps[0])


def _normalizes(graph: Graph, exp: int, user: int, users: tuple[tuple[int, ...], ...]) -> bool:
    """Whether exponentials are summed up, or divided by their sum, which is a result."""
    node = graph[user]
    if node.op == "reduce_sum":
        return True
    total = graph[node.args[1]] if node.op == "div" and node.args[0] == exp else node
    return total.op == "reduce_sum" and total.args == (exp,) and not users[user]


def _far_enough(snippet: Snippet, masked: _Masked) -> list[str]:
    """Statements of `prepare`: whether what is masked lies far below the least element."""
    graph, shared = snippet.graph, Shared(snippet)
    (*_, bottom) = factors_down_to(snippet, masked.value) or (masked.value,)
    operand = snippet.operand(graph[bottom].name)
    steps, least = shared.steps[operand.name], shared.names.take(f"least_{operand.name}")
    writer = Writer(graph, {**shared.given, bottom: least}, shared.names, shared.bounds())
    writer.write([masked.value])
    far = float(graph[masked.far].value or 0)
    text = "-std::numeric_limits<double>::infinity()" if math.isinf(far) and far < 0 else repr(far)
    distance = shared.names.take("below")
    lines = [
        f"const double {least} = {steps}.scale * ({operand.storage.limits[0]} - {steps}.zero);",
        *writer.lines,
        f"const double {distance} = {writer.value(masked.value)} - {text};  // how far what is masked lies, at least",
        f"if (!({distance} >= {_FAR})) return false;",
    ]
    for output in snippet.outputs:
        scale = f"{shared.steps[output.name]}.scale"
        lines.append(f"if (!(std::exp(-{distance}) <= 0.001 * {scale})) return false;")
    return ["{", *(f"  {line}" for line in lines), "}"]


def _rewritten(snippet: Snippet, found: Mapping[int, _Masked]) -> Graph:
    graph, nodes = snippet.graph, Nodes(share=True)
    largest = {masked.largest: masked for masked in found.values()}
    distances = {masked.distance: masked for masked in found.values()}
    exps = {masked.exp: masked for masked in found.values()}
    places: list[int] = []

    def mask_of(masked: _Masked) -> int:
        test = places[graph[masked.choice].args[0]]
        return nodes.add(Node("not", (test,), Type.BOOL)) if masked.swapped else test

    def const(value: float) -> int:
        return nodes.add(Node("const", (), Type.REAL, value=value, uniform=True))

    for at, node in enumerate(graph.nodes):
        moved = replace(node, args=tuple([places[arg] for arg in node.args]))
        if at in found:
            places.append(-1)  # asked for by the maximum and by distances only
        elif at in largest:
            chain = factors_down_to(snippet, largest[at].value) or ()
            chosen = Node("select", (mask_of(largest[at]), places[chain[-1]], const(-math.inf)), Type.REAL)
            places.append(nodes.add(replace(node, args=(nodes.add(chosen),), origin="")))
        elif at in distances:
            masked = distances[at]
            (*scaled, bottom) = factors_down_to(snippet, masked.value) or (masked.value,)
            made = nodes.add(Node("sub", (places[bottom], places[masked.largest]), Type.REAL))
            inner = bottom
            for outer in reversed(scaled):  # the same factors, of the distance
                args = tuple([made if arg == inner else places[arg] for arg in graph[outer].args])
                made, inner = nodes.add(replace(graph[outer], args=args, origin="")), outer
            places.append(made)
        elif at in exps:
            chosen = Node("select", (mask_of(exps[at]), nodes.add(replace(moved, origin="")), const(0.0)), Type.REAL)
            places.append(nodes.add(replace(chosen, origin=node.origin)))
        else:
            places.append(nodes.add(moved))
    return nodes.graph([Result(result.name, places[result.node]) for result in graph.results])
