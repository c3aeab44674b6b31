"""Softmax of a sum of quantized tensors (`x * s + mask`), whose distances are taken from one element of the row.

The largest sum in single precision says which element; its stored numbers are what those of all others are less by, which is
exact. Softmax does not change with that element, so it may be one next to the largest. A distance is a sum of parts, one
for each tensor: steps times a factor in two floats (opkg::hvx::furthest_sum says how far off it may be).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from opkg.kernels.graphs.graph import Graph
from opkg.kernels.lowered import Member
from opkg.kernels.portable.rows import Shared
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.poly import Poly
from opkg.spec.compute.types import Type

HEADERS = ("opkg/hvx_reference.h",)


@dataclass(frozen=True, slots=True)
class Reference:
    """`extreme`: the node max(z). `inside`: the nodes of z beside inputs. `inputs`: nodes of the tensors, by name, each
    with what it is multiplied with in terms of numbers of the call."""

    extreme: int
    inside: frozenset[int]
    inputs: Mapping[int, Poly]

    def names(self, graph: Graph) -> list[str]:
        return [graph[at].name for at in self.inputs]


def references(snippet: Snippet, given: Mapping[int, str]) -> dict[int, Reference]:
    """By the node of a difference `z - max(z)`, where z is a sum of two quantized tensors or more. Empty unless the only
    result is softmax of the only such difference, or its logarithm. `given`: C++ names of numbers of the call."""
    graph = snippet.graph
    found: dict[int, Reference] = {}
    for at, node in enumerate(graph.nodes):
        if node.op == "sub" and graph[node.args[1]].op == "reduce_max" and graph[node.args[1]].args == node.args[:1]:
            inputs = _linear(snippet, node.args[0], given)
            if inputs is not None and len(inputs) > 1:
                found[at] = Reference(node.args[1], _inside(graph, node.args[0]), inputs)
    alone = len(found) == 1 == len(graph.results) and all(_alone(graph, at, each) for at, each in found.items())
    return found if alone and _is_softmax(graph, graph.results[0].node, found) else {}


def _linear(snippet: Snippet, at: int, given: Mapping[int, str]) -> dict[int, Poly] | None:
    """What the tensors are multiplied with in a sum of them; None when it is none."""
    graph, node = snippet.graph, snippet.graph[at]
    if node.uniform:
        return None
    if node.op == "input":
        operand = snippet.operand(node.name)
        return {at: poly.number(1)} if operand.quantized and operand.storage.bits <= 16 else None
    if node.op in ("add", "sub"):
        left, right = [_linear(snippet, arg, given) for arg in node.args]
        if left is None or right is None:
            return None
        sign = -1 if node.op == "sub" else 1
        return {key: poly.add(left.get(key, {}), right.get(key, {}), sign) for key in {**left, **right}}
    by = poly.number(-1) if node.op == "neg" else None
    value = node.args[0] if node.args else at
    if node.op == "mul":
        value, factor = node.args[::-1] if graph[node.args[0]].uniform else node.args
        by = _number(graph, factor, given)
    elif node.op == "div" and graph[node.args[1]].op == "const":
        by = poly.number(1 / float(graph[node.args[1]].value or 1))
    inner = _linear(snippet, value, given) if by is not None else None
    if by is None or inner is None:
        return None
    return {key: poly.mul(factors, by) or {} for key, factors in inner.items()}


def _number(graph: Graph, at: int, given: Mapping[int, str]) -> Poly | None:
    node = graph[at]
    if node.op == "const" and not isinstance(node.value, bool):
        return poly.number(float(node.value or 0))
    return poly.atom(given.get(at, f"node{at}")) if node.uniform and node.type is Type.REAL else None


def _inside(graph: Graph, at: int) -> frozenset[int]:
    if graph[at].op == "input" or graph[at].uniform:
        return frozenset()
    return frozenset([at]).union(*[_inside(graph, arg) for arg in graph[at].args])


def _alone(graph: Graph, at: int, reference: Reference) -> bool:
    """Whether z and its extreme are asked for by the distance only."""
    users, results = graph.users(), {result.node for result in graph.results}
    allowed = reference.inside | {reference.extreme, at}
    inner = reference.inside | {reference.extreme}
    return not (inner & results) and all(user in allowed for node in inner for user in users[node])


def _is_softmax(graph: Graph, at: int, found: Mapping[int, Reference]) -> bool:
    node = graph[at]
    if node.op == "div":
        e, total = (graph[arg] for arg in node.args)
        return e.op == "exp" and e.args[0] in found and total.op == "reduce_sum" and total.args == node.args[:1]
    if node.op != "sub" or node.args[0] not in found or graph[node.args[1]].op != "log":
        return False
    total = graph[graph[node.args[1]].args[0]]
    return total.op == "reduce_sum" and graph[total.args[0]].op == "exp" and graph[total.args[0]].args == node.args[:1]


FURTHEST = "furthest_sum"  # member: sums beyond it are left to the portable code


def factor(graph: Graph, at: int) -> str:
    """The member with what a step of a tensor counts in a distance."""
    return f"{graph[at].name}_in_distance"


def members(graph: Graph, reference: Reference) -> list[Member]:
    """These, and how far sums may reach."""
    found = [
        Member("opkg::hvx::Factor", factor(graph, at), "what a step counts in a distance") for at in reference.inputs
    ]
    return [*found, Member("float", FURTHEST, "of which distances are exact enough")]


def prepared(snippet: Snippet, shared: Shared, reference: Reference) -> list[str]:
    """Statements that set them, and refuse tensors that reach too far."""
    graph, lines, reaches = snippet.graph, [], []
    for at, by in reference.inputs.items():
        name = factor(graph, at)
        text = poly.text(by, frozenset())
        lines.append(f"{name} = opkg::hvx::Factor({shared.steps[graph[at].name]}.scale * ({text}));")
        low, high = snippet.operand(graph[at].name).storage.limits
        reaches.append(f"{name}.high * {high - low}.0f")
    (result,) = graph.results
    # e^d / sum is half as much off as distances are at most, and by twice that part of itself; d - log(sum) as they are.
    within = f"static_cast<float>({shared.steps[result.name]}.scale)"
    if graph[result.node].op == "sub":
        within = f"0.25f * {within}"
    else:
        within = f"std::fmax(1.2f * {within}, {0.3 / (1 << snippet.operand(result.name).storage.bits)!r}f)"
    lines.append(f"{FURTHEST} = opkg::hvx::furthest_sum({{{', '.join(reaches)}}}, {within});")
    return [*lines, f"if (!({FURTHEST} > 0.0f)) return false;"]
