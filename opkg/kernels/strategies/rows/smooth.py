"""Sums of smooth functions of one 16-bit element (silu, gelu, tanh): cubics in 32 bits (opkg/hvx_columns_smooth.h)."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Graph, Result
from opkg.kernels.graphs.nodes import moved, reachable
from opkg.kernels.lowered import Member
from opkg.kernels.portable.expressions import Names, Writer
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.curves import smooth_argument
from opkg.kernels.strategies.rows.plan import Cannot, Plan, Smooth
from opkg.kernels.strategies.rows.poly import Poly
from opkg.spec.compute.types import Type

HEADERS = ("opkg/hvx_columns_smooth.h",)


def smooth_value(plan: Plan, at: int) -> Poly | None:
    """The polynomial of a smooth function of one quantized 16-bit element; None if a node is none."""
    known = reachable(plan.graph.nodes, [at])
    inputs = [plan.graph[node].name for node in known if plan.graph[node].op == "input"]
    if len(inputs) != 1 or any(plan.rank[node] == "row" for node in known):
        return None
    operand = plan.snippet.operand(inputs[0])
    place = {old: new for new, old in enumerate(known)}
    nodes = tuple(moved(plan.graph[old], place.__getitem__) for old in known)
    argument = smooth_argument(Graph(nodes, (Result("", place[at]),)))
    if not operand.quantized or operand.storage.bits != 16 or argument is None:
        return None
    name = plan.shared.names.take(f"{plan.graph[at].origin or plan.graph[at].op}_of_{operand.name}")
    function = Smooth(name, at, operand.name, known[argument])
    plan.functions[function.atom] = function
    plan.polys[at] = {(f"{name}.low",): 1, tuple(sorted((f"{name}.unit", function.atom))): 1}
    return plan.polys[at]


def smooth_of(plan: Plan) -> Smooth | None:
    """The function whose sum is all that is found. Raises Cannot where there is more."""
    found = [element for element in plan.functions.values() if isinstance(element, Smooth)]
    if not found:
        return None
    if len(found) > 1 or len(plan.totals) > 1 or plan.extremes or plan.products or len(plan.graph.results) > 1:
        raise Cannot("sums of a function of 16-bit elements and of something else")
    output = plan.snippet.operand(plan.graph.results[0].name)
    if not output.quantized or output.storage.bits > 16:
        raise Cannot(f"a function of 16-bit elements that is summed up to {output.dtype}")
    return found[0]


def smooth_type(operand: Operand) -> str:
    """The C++ type that makes its values of elements."""
    return f"opkg::hvx::Smooth<{operand.element}>"


def smooth_members(plan: Plan) -> tuple[list[Member], list[str]]:
    """The member with the pieces, and what sets it."""
    function = smooth_of(plan)
    if function is None:
        return [], []
    operand, graph = plan.snippet.operand(function.operand), plan.graph
    given = dict(plan.shared.given) | {i: "x" for i, n in enumerate(graph.nodes) if n.op == "input"}
    names, lines = ("function", "argument"), []
    for name, node in zip(names, (function.node, function.argument), strict=True):
        writer = Writer(graph, given, Names(("x", *names, *plan.shared.given.values())), {})
        writer.write([node])
        made = [*writer.lines, f"return {writer.value(node, Type.REAL)};"]
        lines += [f"const auto {name} = [&](double x) {{", *(f"  {line}" for line in made), "};"]
    steps = plan.shared.steps[operand.name]
    lines.append(f"if (!{function.name}.set(function, argument, {steps}.scale, {steps}.zero)) return false;")
    return [Member(smooth_type(operand), function.name, "the function in 128 pieces")], lines
