"""Inputs and outputs with one element for each row, beside rows of many: which loops take them, and which do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from opkg.kernels.graphs.graph import REDUCE, Result
from opkg.kernels.portable.expressions import Writer
from opkg.kernels.portable.rows import Shared, load, store
from opkg.kernels.sequence import Sequence
from opkg.kernels.snippet import Operand, Snippet
from opkg.spec.compute.types import value_type


def of_row(snippet: Snippet, sequence: Sequence) -> tuple[str, ...]:
    """Inputs with one element for each row that loops in single precision read as such."""
    several = sequence.folds is not None or sequence.slots is not None
    if several or not sequence.float_unit:
        return ()
    if counted_often(snippet) is not None:
        return ()
    return tuple([o.name for o in snippet.inputs if o.name in snippet.across and _plain(o)])


def numbers_of(snippet: Snippet) -> frozenset[int]:
    """Nodes of the inputs with one element for each row that only numbers of the row are made of: no loop reads these."""
    graph = snippet.graph
    if snippet.brought or not all(operand.is_float for operand in snippet.outputs):
        return frozenset()
    found = {
        at
        for at, node in enumerate(graph.nodes)
        if node.op == "input" and node.name in snippet.across and _plain(snippet.operand(node.name))
    }
    found -= {result.node for result in graph.results}
    users = graph.users()
    while True:
        full: list[bool] = []  # whether a node has a value for each element
        for at, node in enumerate(graph.nodes):
            leaf = node.op in ("input", "param") and not node.uniform
            of_elements = any(full[arg] for arg in node.args) and node.op not in REDUCE
            full.append(at not in found and (leaf or of_elements))
        mixed = {at for at in found if any(full[user] or graph[user].op in REDUCE for user in users[at])}
        if not mixed:
            return frozenset(found)
        found -= mixed


def load_numbers(snippet: Snippet, shared: Shared, names: Mapping[int, str]) -> list[str]:
    """C++ that reads inputs of which there is one element for the row."""
    lines = []
    for at, name in names.items():
        operand = snippet.operand(snippet.graph[at].name)
        stored = f"*static_cast<const {operand.element}*>({operand.name}_row)"
        lines.append(f"const double {name} = {load(operand, shared, stored)};")
    return lines


def store_numbers(
    snippet: Snippet, shared: Shared, given: Mapping[int, str], results: Iterable[Result]
) -> Iterator[str]:
    """C++ that stores results of which there is one element for the row. `given`: C++ of numbers by node."""
    for result in results:
        operand = snippet.operand(result.name)
        writer = Writer(snippet.graph, dict(given), shared.names, shared.bounds())
        writer.write([result.node])
        value = store(operand, shared, writer.value(result.node, value_type(operand.dtype)))
        yield from writer.lines
        yield f"*static_cast<{operand.element}*>({operand.name}_row) = {value};"


def _plain(operand: Operand) -> bool:
    return operand.is_float or _narrow(operand)


def _narrow(operand: Operand) -> bool:
    return operand.quantized and operand.storage.bits <= 16


def counted_often(snippet: Snippet) -> frozenset[str] | None:
    """Inputs with one element for each row that a reduction takes without others: sums over longer rows count it often."""
    found = [snippet.graph.operands_of(at) for at in snippet.graph.reductions]
    return next((names for names in found if names <= snippet.across), None)


def lost(snippet: Snippet, sequence: Sequence) -> str:
    """Why no row comes to the loops of a sequence; empty where some may. They read and write whole rows, but for `of_row`, and
    where rows are brought into panels, which repeat what is one element."""
    if snippet.brought:
        longer = any(operand.name not in snippet.across for operand in snippet.inputs)
        names = sorted(counted_often(snippet) or ()) if longer else []
    else:
        taken = {inst.args[0] for loop in sequence.loops for inst in loop.body if inst.op in ("load", "store")}
        names = sorted((taken & snippet.across).difference(of_row(snippet, sequence)))
    if not names:
        return ""
    return f"{' and '.join(map(repr, names))} {'has' if len(names) == 1 else 'have'} one element for each row"
