"""Findings that only openvino-extension has: what an extension op cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.kernels.portable.check import check_plain as kernel_check
from opkg.spec.diagnostics import Diagnostic, Severity, error
from opkg.spec.dtypes import Kind
from opkg.spec.expr import Rest, ShapeList
from opkg.spec.model import Op
from opkg.targets.openvino_extension.patterns import Unknown, graph_pattern
from opkg.targets.openvino_extension.types import HELD, usable
from opkg.targets.openvino_extension.x64 import emitter_code, whole_codes
from opkg.targets.openvino_extension.x64_registers import NoEmitter

MOST_RANK = 6  # of the portable kernel


def lint(op: Op) -> Iterator[Diagnostic]:
    """All findings of one op."""
    why = refusal(op)
    if why:
        yield error(
            "OPK740", f"{op.name} is no extension op of OpenVINO: {why}", op.span, "leave the target out for it"
        )
        return
    if op.compute is None:
        message = f"{op.name} has kernels by hand: no extension op is generated, evaluate() would have nothing to call"
        yield Diagnostic("OPK742", message, op.span, "give it a compute:", Severity.INFO)
        return
    yield from _pattern(op)
    yield from _emitter(op)
    held = usable(op)
    lost = [c for c in op.combinations if c not in held]
    if lost:
        names = ", ".join(c.suffix or "any" for c in lost)
        message = f"OpenVINO has no such element types, or cannot tell them from others of {op.name}: {names}"
        finding = error(
            "OPK741", message, op.span, "it has whole numbers and floats of 8 bits and more; quantized ones are these"
        )
        yield finding if not held else Diagnostic("OPK741", message, op.span, finding.hint, Severity.INFO)


def _pattern(op: Op) -> Iterator[Diagnostic]:
    if op.pattern is None:
        return
    try:
        graph_pattern(op)
    except Unknown as part:
        message = f"models of OpenVINO are not searched for the pattern of {op.name}: {part}"
        yield Diagnostic("OPK744", message, op.pattern.span, "", Severity.INFO)


def _emitter(op: Op) -> Iterator[Diagnostic]:
    if kernel_check(op):
        return
    if any(all(t.dtype.of(c).name == "float32" for t in op.tensors) for c in usable(op)):
        try:
            emitter_code(op)
        except NoEmitter as why:
            message = f"{op.name} gets no emitter of x64 code: {why}"
            yield Diagnostic("OPK780", message, op.span, "", Severity.INFO)
    for reason in dict.fromkeys(code for code in whole_codes(op).values() if isinstance(code, str)):
        yield Diagnostic("OPK780", f"{op.name} gets no emitter of whole numbers: {reason}", op.span, "", Severity.INFO)


def fits(op: Op) -> bool:
    """Whether an extension op is generated."""
    return op.compute is not None and bool(usable(op)) and not refusal(op)


def refusal(op: Op) -> str:
    """Why OpenVINO cannot have the op; empty when it can."""
    given = True
    for tensor in op.inputs:
        if tensor.variadic is not None:
            return f"'{tensor.name}' stands for several tensors"
        if given < (not tensor.optional):
            return f"'{tensor.name}' comes after an input that may be absent"
        given = not tensor.optional
    for tensor in op.outputs:
        if tensor.optional or tensor.variadic is not None:
            return f"output '{tensor.name}' need not be one tensor"
        tree = tensor.shape.tree
        if isinstance(tree, ShapeList) and any(isinstance(item, Rest) and item.name is None for item in tree.items):
            return f"the shape of output '{tensor.name}' is left open (`...`), and models are told shapes before a call"
    for tensor in op.tensors:
        if tensor.quantization is not None and tensor.quantization.axis is not None:
            return f"'{tensor.name}' has scales per channel"
    for param in op.params:
        if param.shape is not None and param.dtype.kind is Kind.BOOL:
            return f"param '{param.name}' is a list of truth values, which attributes cannot be"
    return ""


__all__ = ["HELD", "fits", "lint", "refusal"]
