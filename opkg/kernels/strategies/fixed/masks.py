"""Bools, and integers that choose only, as quantized elements of step 1: what chooses between quantized tensors."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.graphs.graph import COMPARE, Graph, Node
from opkg.kernels.snippet import Operand, Snippet
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, Kind


def with_masks(snippet: Snippet) -> tuple[Snippet, tuple[str, ...]]:
    """The snippet with such inputs as quantized ones, and C++ of what must hold of them in a call."""
    found = [operand for operand in map(snippet.operand, snippet.graph.inputs) if _is_mask(snippet.graph, operand)]
    if not found or snippet.graph.reductions:
        return snippet, ()
    bools = {operand.name for operand in found if operand.dtype.kind is Kind.BOOL}
    graph = _compared(snippet.graph, bools, {operand.name for operand in found})
    inputs = tuple(_quantized(operand) if operand in found else operand for operand in snippet.inputs)
    tests = [(f"op.{o.name}.zero != {o.bias}", f"op.{o.name}.scale != 1.0f") for o in found]
    held = tuple(f"if ({test}) return false;" for pair in tests for test in pair)
    return replace(snippet, graph=graph, inputs=inputs), held


def _is_mask(graph: Graph, operand: Operand) -> bool:
    """Whether an input chooses: a bool, or an integer that is compared or made a bool, and no more."""
    if operand.is_param or operand.storage.bits > 16 or not operand.dtype.integral:
        return False
    if operand.dtype.kind is Kind.BOOL:
        return True
    read = {index for index, node in enumerate(graph.nodes) if node.op == "input" and node.name == operand.name}
    stored = {result.node for result in graph.results}
    users = [node for node in graph.nodes if read & set(node.args)]
    return not read & stored and all(node.op in COMPARE or _asks(node) for node in users)


def _asks(node: Node) -> bool:
    """Whether it is the question whether a number is not 0."""
    return node.op == "cast" and node.dtype == "bool8"


def _quantized(operand: Operand) -> Operand:
    return replace(operand, dtype=DTYPES[f"{'s' if operand.storage.signed else 'u'}fixed{operand.storage.bits}"])


def _compared(graph: Graph, bools: set[str], masks: set[str]) -> Graph:
    """The graph with real inputs: a bool is whether its element is above 0."""
    nodes: list[Node] = []
    at: list[int] = []  # where each node stands now
    for node in graph.nodes:
        made = replace(node, args=tuple([at[arg] for arg in node.args]))
        if node.op == "input" and node.name in masks:
            made = replace(made, type=Type.REAL)
        if node.op == "input" and node.name in bools:
            nodes += [made, Node("const", value=0, uniform=True)]
            made = Node("gt", (len(nodes) - 2, len(nodes) - 1), Type.BOOL, origin=node.origin)
        elif _asks(made) and nodes[made.args[0]].op == "input" and nodes[made.args[0]].name in masks:
            nodes.append(Node("const", value=0, uniform=True))
            made = Node("ne", (made.args[0], len(nodes) - 1), Type.BOOL, origin=node.origin)
        nodes.append(made)
        at.append(len(nodes) - 1)
    return Graph(tuple(nodes), tuple(replace(result, node=at[result.node]) for result in graph.results))
