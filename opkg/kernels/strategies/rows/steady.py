"""Quantized results of rows that single precision is enough for: softmax and its logarithm, of distances from an extreme."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.rows.masks import chosen_value, is_mask, or_zero
from opkg.kernels.strategies.rows.references import references
from opkg.kernels.strategies.rows.whole_steps import in_steps, of_distance

# y = d - log(sum): the sum is within 2^-18.5 of itself, d and y within 2^-23 of |d| <= |y| + |log(sum)|. So y is 6.5e-6 off,
# and 2^-6 steps, as results have 16 bits; others are saturated.
LEAST_SCALE = "1e-5"  # of a result with a logarithm
MOST_LOGARITHM = "32.0"
WITHIN = "within 1 step of the correctly rounded result"


@dataclass(slots=True)
class _Found:
    """Nodes: multiples of distances; what is positive and keeps its relative error; logarithms of that; results less those;
    multiples of extremes; sums of these and of logarithms."""

    arguments: set[int] = field(default_factory=set)
    positive: set[int] = field(default_factory=set)
    logarithms: set[int] = field(default_factory=set)
    differences: set[int] = field(default_factory=set)
    extremes: set[int] = field(default_factory=set)
    together: set[int] = field(default_factory=set)


def steady(snippet: Snippet) -> bool:
    """Whether all values keep their relative error: exp() of multiples of distances, sums and quotients of those. Results may
    also be such multiples less the logarithm of a number of the row."""
    return _found(snippet) is not None


def subtracted(snippet: Snippet) -> frozenset[int]:
    """The logarithms that quantized results are less by."""
    found = None if any(output.is_float for output in snippet.outputs) else _found(snippet)
    return frozenset(found.logarithms) if found is not None else frozenset()


def _found(snippet: Snippet) -> _Found | None:
    graph, found, row = snippet.graph, _Found(), set[int]()
    users = graph.users()
    sums = references(snippet, {})
    known = {at for each in sums.values() for at in (each.extreme, *each.inside)}
    for at, node in enumerate(graph.nodes):
        if node.uniform or node.op in ("const", "input") or at in known or is_mask(graph, at):
            continue
        if chosen_value(graph, at) is not None and all(in_steps(graph, snippet, graph[user]) for user in users[at]):
            continue
        if node.op.startswith("reduce_") or (node.args and all(arg in row or graph[arg].uniform for arg in node.args)):
            row.add(at)
        scaled = all(arg in found.arguments or graph[arg].uniform for arg in node.args) and (
            node.op in ("mul", "neg", "min", "max") or (node.op == "div" and graph[node.args[1]].uniform)
        )
        scaled = scaled or (
            node.op == "mul" and any(_by_input(snippet, found, *args) for args in (node.args, node.args[::-1]))
        )
        multiple = node.op in ("mul", "div") and all(arg in found.extremes or graph[arg].uniform for arg in node.args)
        joined = node.op in ("reduce_sum", "reduce_mean", "mul", "div") and found.positive.issuperset(node.args)
        chosen = or_zero(graph, at) and node.args[1] in found.positive  # floating.py looks at how little is chosen
        if scaled or at in sums or of_distance(graph, snippet, at) is not None:
            found.arguments.add(at)
        elif joined or chosen or (node.op == "exp" and node.args[0] in found.arguments):
            found.positive.add(at)
        elif node.op == "log" and node.args[0] in found.positive & row:
            found.logarithms.add(at)
        elif node.op == "sub" and node.args[0] in found.arguments and node.args[1] in found.logarithms:
            found.differences.add(at)
        elif node.op == "add" and _one_of_each(node.args, found.extremes, found.logarithms):
            found.together.add(at)
        elif in_steps(graph, snippet, node) or (multiple and at in row):
            found.extremes.add(at)
        else:
            return None
    results = {result.node for result in graph.results}
    if results <= found.positive and not found.logarithms:
        return found
    return found if results <= found.differences | found.together else None


def _by_input(snippet: Snippet, found: _Found, at: int, factor: int) -> bool:
    """Whether a multiple of a distance is multiplied with a quantized number of its row."""
    node = snippet.graph[factor]
    return (
        at in found.arguments
        and node.op == "input"
        and node.name in snippet.across
        and snippet.operand(node.name).quantized
    )


def _one_of_each(args: tuple[int, ...], some: set[int], others: set[int]) -> bool:
    return (args[0] in some and args[1] in others) or (args[1] in some and args[0] in others)
