"""Inputs and outputs with one element for each row, beside rows of many: which loops take them, and which do not."""

from __future__ import annotations

from opkg.kernels.sequence import Sequence
from opkg.kernels.snippet import Operand, Snippet


def of_row(snippet: Snippet, sequence: Sequence) -> tuple[str, ...]:
    """Inputs with one element for each row that loops in single precision read as such."""
    several = sequence.folds is not None or sequence.slots is not None
    if several or not sequence.float_unit:
        return ()
    graph = snippet.graph
    if any(graph.operands_of(at) <= snippet.across for at in graph.reductions):  # a sum would count its element often
        return ()
    return tuple([o.name for o in snippet.inputs if o.name in snippet.across and (o.is_float or _narrow(o))])


def _narrow(operand: Operand) -> bool:
    return operand.quantized and operand.storage.bits <= 16


def lost(snippet: Snippet, sequence: Sequence) -> str:
    """Why no row comes to the loops of a sequence; empty where some may. They read and write whole rows, but for `of_row`, and
    where rows are brought into panels."""
    if snippet.brought:
        return ""
    taken = {inst.args[0] for loop in sequence.loops for inst in loop.body if inst.op in ("load", "store")}
    names = sorted((taken & snippet.across).difference(of_row(snippet, sequence)))
    if not names:
        return ""
    return f"{' and '.join(map(repr, names))} {'has' if len(names) == 1 else 'have'} one element for each row"
