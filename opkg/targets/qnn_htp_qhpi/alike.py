"""Combinations of element types that reach a kernel alike, so that one kernel serves several: where that gives wrong numbers."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.spec.arriving import distinct_kernels, narrow, qhpi_types
from opkg.spec.compute.tree import (
    PLACES,
    Assigned,
    Call,
    Cast,
    Compare,
    Compute,
    Function,
    Input,
    Move,
    Node,
    Reduce,
    Reduction,
    Select,
    children,
)
from opkg.spec.diagnostics import Diagnostic, error, warning
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Combination, Kernel, Op
from opkg.targets.qnn_common.signs import lost_signs, same_bits

# What gives one of its operands.
_FUNCTIONS = (Function.MIN, Function.MAX)
_REDUCTIONS = (Reduction.MIN, Reduction.MAX)


def lint_alike(op: Op) -> Iterator[Diagnostic]:
    """Plain and quantized elements, and bools and numbers, that arrive alike share one kernel; so do signed and unsigned
    ones, which their zero tells apart but for those of 32 bits."""
    kept = distinct_kernels(op)
    for kernel in op.kernels:
        if kernel in kept:
            continue
        twin = next(k for k in kept if qhpi_types(op, k.combination) == qhpi_types(op, kernel.combination))
        mixed = _mixed(kernel.combination, twin.combination)
        lost = lost_signs(kernel.combination, twin.combination)
        if not mixed and not lost:
            continue
        if kernel.body or twin.body or op.compute is None:
            message = f"'{kernel.function}' is never called: HTP hands its tensors over as those of '{twin.function}'"
            hint = "drop one of the element types, or let both functions compute the same on real values"
            yield warning("OPK219", message, op.span, hint)
        elif not (_takes(twin, kernel) and _only_moves(op, op.compute, mixed) and same_bits(op, op.compute, lost)):
            yield _unlike(op, kernel, twin)


def _unlike(op: Op, lost: Kernel, kept: Kernel) -> Diagnostic:
    unlike = _mixed(lost.combination, kept.combination) | lost_signs(lost.combination, kept.combination)
    spans = [var.span for var in op.type_vars if var.name in unlike]
    message = (
        f"HTP hands {lost.combination} over as {kept.combination}: '{kept.function}' would be called for both, "
        f"and what it computes is right for {kept.combination} alone"
    )
    hint = "drop one of the element types, or give it an op of its own"
    return error("OPK461", message, spans[0] if spans else op.span, hint)


def _takes(kept: Kernel, lost: Kernel) -> bool:
    """Whether one kernel's numbers are among those of the other, for each type variable."""
    pairs = zip(kept.combination.types, lost.combination.types, strict=True)
    return all(narrow(a) <= narrow(b) for (_, a), (_, b) in pairs)


def _mixed(one: Combination, other: Combination) -> frozenset[str]:
    """The type variables whose values mean other numbers in the two combinations."""
    pairs = zip(one.types, other.types, strict=True)
    return frozenset(name for (name, a), (_, b) in pairs if narrow(a) != narrow(b))


def _only_moves(op: Op, compute: Compute, mixed: frozenset[str]) -> bool:
    """Whether elements of these type variables are moved, chosen, compared and cast only, which is the same for all."""
    inputs = {tensor.name for tensor in op.inputs if tensor.dtype.var in mixed}
    assigned: dict[str, bool | None] = {}
    for statement in compute.statements:
        assigned[statement.name] = _moved(statement.expr, inputs, assigned)
    return None not in assigned.values()


def _moved(node: Node, inputs: set[str], assigned: dict[str, bool | None]) -> bool | None:
    """Whether a value is one of those elements; None: something is computed from them."""
    if isinstance(node, Input | Assigned):
        return node.name in inputs or assigned.get(node.name, False)
    found = [_moved(child, inputs, assigned) for child in children(node)]
    if None in found:
        return None
    match node:
        case Compare():
            return False
        case Cast() if node.dtype in DTYPES:
            return False
        case Reduce() if node.op in PLACES:
            return False
        case Move() | Select():
            return any(found)
        case Call() if node.function in _FUNCTIONS:
            return any(found)
        case Reduce() if node.op in _REDUCTIONS:
            return any(found)
        case _:
            return None if any(found) else False
