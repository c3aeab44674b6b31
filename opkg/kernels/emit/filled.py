"""Absent optional inputs that a number may stand for: the kernel with all inputs then serves calls without some of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from opkg.kernels.choose import choose
from opkg.kernels.emit.parts import reduces
from opkg.kernels.emit.struct import NO_NUMBERS, may_fill
from opkg.kernels.graphs.canonical import canonical
from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.snippet import Operand, Snippet

HEADER = "opkg/filled.h"
FILL = {1.0: "fill_ones", -0.0: "fill_zeros"}  # functions of the header by number: x + -0.0 is x, signs included
_ELEMENTS = frozenset(("uint8_t", "uint16_t", "float", "opkg::Float16"))


def served(groups: list[tuple[Snippet, ...]]) -> tuple[list[tuple[Snippet, ...]], Mapping[str, float]]:
    """The parts of a function (`opkg.kernels.emit.parts`) that get code of their own, and the numbers that stand for absent
    inputs in the last one: calls with some or no optional inputs are served by the code for all of them, where that computes
    the same."""
    whole = groups[0][0]
    if len(groups) < 4 or any(len(several) > 1 or several[0].passing is not None for several in groups):
        return groups, NO_NUMBERS
    found = [numbers_for(whole, part) for (part,) in groups[1:]]
    numbers = {name: number for some in found if some is not None for name, number in some.items()}
    chosen = choose(whole)
    if any(some is None for some in found) or not may_fill(chosen.lowered if chosen is not None else None):
        return groups, NO_NUMBERS
    return groups[:1], {name: numbers[name] for name in sorted(numbers)}


def numbers_for(whole: Snippet, part: Snippet) -> dict[str, float] | None:
    """Numbers with which the kernel of all inputs computes what the one without some computes, by the names of these; None
    where there are none, or the kernel does not read rows. Both snippets are of one function."""
    missing = sorted(whole.present - part.present)
    if not reduces(whole) or not missing or not all(_fillable(whole.operand(name)) for name in missing):
        return None
    for numbers in product(FILL, repeat=len(missing)):
        found = dict(zip(missing, numbers, strict=True))
        if _alike(_with_numbers(whole, found), part.graph):
            return found
    return None


def _fillable(operand: Operand) -> bool:
    return operand.element in _ELEMENTS and (operand.quantized or operand.is_float)


def _with_numbers(snippet: Snippet, numbers: Mapping[str, float]) -> Graph:
    """The graph with numbers in the place of inputs."""

    def number(node: Node) -> Node:
        if node.op != "input" or node.name not in numbers:
            return node
        return replace(node, op="const", name="", value=numbers[node.name], uniform=True)

    return canonical(replace(snippet.graph, nodes=tuple(map(number, snippet.graph.nodes))), snippet.finite)


def _alike(one: Graph, other: Graph) -> bool:
    """Whether graphs are the same but for the names of values."""
    nodes = [tuple(replace(node, origin="") for node in graph.nodes) for graph in (one, other)]
    return nodes[0] == nodes[1] and one.results == other.results
