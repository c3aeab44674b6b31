"""Combinations of element types that reach a kernel alike, so that one kernel serves several: where that gives wrong numbers."""

from __future__ import annotations

from collections.abc import Iterator

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
from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.spec.model import Combination, Kernel, Op
from opkg.targets.qnn_common.once import once

# What gives one of its operands.
_FUNCTIONS = (Function.MIN, Function.MAX)
_REDUCTIONS = (Reduction.MIN, Reduction.MAX)


def qhpi_types(op: Op, combination: Combination) -> tuple[str, ...]:
    """Element types of all tensors as they reach a kernel: combinations that agree share one kernel."""
    return tuple(tensor.dtype.of(combination).qhpi for tensor in op.tensors)


@once
def distinct_kernels(op: Op) -> tuple[Kernel, ...]:
    """One kernel per signature: where combinations arrive alike, the generated one that takes most stands, and of these one
    for unsigned elements."""
    chosen: dict[tuple[object, ...], Kernel] = {}
    for kernel in sorted(op.kernels, key=lambda k: (_narrowness(k), _has_moved_elements(k))):
        key = (qhpi_types(op, kernel.combination), kernel.layout, kernel.storage, kernel.placement)
        chosen.setdefault(key, kernel)
    kept = set(map(id, chosen.values()))
    return tuple(kernel for kernel in op.kernels if id(kernel) in kept)


def _narrowness(kernel: Kernel) -> int:
    """Of a generated kernel: how much less than all numbers it takes."""
    return sum(_narrow(dtype) for _, dtype in kernel.combination.types) if not kernel.body else 0


def _narrow(dtype: DType) -> int:
    """Quantized elements are any numbers, integers are of one step, bools are 0 and 1."""
    return 2 if dtype.kind is Kind.BOOL else 0 if dtype.quantized else 1


def _has_moved_elements(kernel: Kernel) -> bool:
    """Whether signed elements reach the kernel as unsigned ones."""
    return any(
        dtype.signed and dtype.bits in (8, 16) and dtype.kind is not Kind.FLOAT for _, dtype in kernel.combination.types
    )


def lint_alike(op: Op) -> Iterator[Diagnostic]:
    """Plain and quantized elements, and bools and numbers, that arrive alike share one kernel; so do signed and unsigned
    ones, which their zero tells apart."""
    kept = distinct_kernels(op)
    for kernel in op.kernels:
        if kernel in kept:
            continue
        twin = next(k for k in kept if qhpi_types(op, k.combination) == qhpi_types(op, kernel.combination))
        mixed = _mixed(kernel.combination, twin.combination)
        if not mixed:
            continue
        if kernel.body or twin.body or op.compute is None:
            message = f"'{kernel.function}' is never called: HTP hands its tensors over as those of '{twin.function}'"
            hint = "drop one of the element types, or let both functions compute the same on real values"
            yield warning("OPK219", message, op.span, hint)
        elif not (_takes(twin, kernel) and _only_moves(op, op.compute, mixed)):
            yield _unlike(op, kernel, twin)


def _unlike(op: Op, lost: Kernel, kept: Kernel) -> Diagnostic:
    spans = [var.span for var in op.type_vars if var.name in _mixed(lost.combination, kept.combination)]
    message = (
        f"HTP hands {lost.combination} over as {kept.combination}: '{kept.function}' would be called for both, "
        f"and what it computes is right for {kept.combination} alone"
    )
    hint = "drop one of the element types, or give it an op of its own"
    return error("OPK461", message, spans[0] if spans else op.span, hint)


def _takes(kept: Kernel, lost: Kernel) -> bool:
    """Whether one kernel's numbers are among those of the other, for each type variable."""
    pairs = zip(kept.combination.types, lost.combination.types, strict=True)
    return all(_narrow(a) <= _narrow(b) for (_, a), (_, b) in pairs)


def _mixed(one: Combination, other: Combination) -> frozenset[str]:
    """The type variables whose values mean other numbers in the two combinations."""
    pairs = zip(one.types, other.types, strict=True)
    return frozenset(name for (name, a), (_, b) in pairs if _narrow(a) != _narrow(b))


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
