"""Findings that only onert has: what it cannot hold, and what it wants in another way."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.kernels.emit.parts import parts
from opkg.kernels.portable.check import check_plain as kernel_check
from opkg.kernels.portable.plain import source_of
from opkg.spec.diagnostics import Diagnostic, Severity, error
from opkg.spec.model import Op
from opkg.targets.onert.operation import Operation, refusal
from opkg.targets.onert.shape_checks import ShapeChecks
from opkg.targets.onert.types import DATA_TYPES, data_type, held, usable


def lint(op: Op) -> list[Diagnostic]:
    """All findings of one op."""
    return [*_types(op), *_operation(op), *_elementwise(op), *_by_hand(op)]


def in_tree(op: Op) -> bool:
    """Whether the op's files and entries for a tree are generated."""
    return bool(usable(op)) and not refusal(op)


def _types(op: Op) -> Iterator[Diagnostic]:
    possible = held(op)
    lost = [c for c in op.combinations if c not in possible]
    if not lost:
        return
    names = dict.fromkeys(t.dtype.of(c).name for c in lost for t in op.tensors if not data_type(t.dtype.of(c)))
    message = f"onert's cpu backend computes with no {' or '.join(names)}"
    hint = f"it has {', '.join(DATA_TYPES)}"
    if not possible:
        yield error("OPK281", f"{message}, and {op.name} has nothing else", op.span, hint)
        return
    yield Diagnostic("OPK281", f"{message}: {op.name} does without", op.span, hint, Severity.INFO)


def _operation(op: Op) -> Iterator[Diagnostic]:
    why = refusal(op)
    if why:
        yield error(
            "OPK280",
            f"{op.name} is no operation of onert: {why}",
            op.span,
            "write it another way, or leave the target out",
        )
        return
    if not usable(op):
        return
    checks = ShapeChecks(Operation(op))
    checks.lines()
    for left in checks.left:
        yield Diagnostic("OPK283", f"ShapeValidator of {op.name} does not ask: {left}", op.span, "", Severity.INFO)


def _elementwise(op: Op) -> Iterator[Diagnostic]:
    """An elementwise function of one tensor is a Type value of an operation that is there."""
    if op.compute is None or len(op.inputs) != 1 or len(op.outputs) != 1 or kernel_check(op) or not usable(op):
        return
    if Operation(op).same is None:
        return
    snippets = next(parts(op, source_of(op, usable(op)[0]), False))
    if any(snippet.graph.reductions for snippet in snippets):
        return
    message = (
        f"{op.name} is elementwise: onert has such functions as Types of ElementwiseActivation and ElementwiseUnary"
    )
    yield Diagnostic("OPK282", message, op.span, "a new value there touches fewer files", Severity.INFO)


def _by_hand(op: Op) -> Iterator[Diagnostic]:
    left = [c for c in held(op) if c not in usable(op)]
    if left and not refusal(op):
        message = (
            f"{op.name} has no kernel for plain tensors of {' or '.join(map(str, left))}: a tree of onert does without"
        )
        yield Diagnostic("OPK284", message, op.span, "add one with layout: flat", Severity.INFO)
