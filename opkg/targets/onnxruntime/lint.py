"""What ONNX Runtime and its QNN provider cannot carry, found before anything is generated (from OPK720 on)."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.models.onnx_params import as_inputs, deciding_dimensions
from opkg.spec.diagnostics import Diagnostic, Severity, error, place
from opkg.spec.dtypes import Kind
from opkg.spec.expr import Expression
from opkg.spec.model import Op, OpPackage
from opkg.targets.onnxruntime.stock import STOCK
from opkg.targets.onnxruntime.table import onnx_type, why_no_function


def lint(package: OpPackage) -> list[Diagnostic]:
    """All findings of a package."""
    return [finding for op in package.ops for finding in (*_name(op), *_tensors(op), *_params(op), *_body(op, package))]


def _name(op: Op) -> Iterator[Diagnostic]:
    if op.name in STOCK:
        message = f"'{op.name}' is an op of ONNX's own, and packages are looked up by the op's name alone"
        hint = "without the package the model computes ONNX's op instead, silently; give the op another name"
        yield error("OPK720", message, op.span, hint)


def _tensors(op: Op) -> Iterator[Diagnostic]:
    for tensor in op.tensors:
        blocked = dict.fromkeys(d for c in op.combinations if not onnx_type(d := tensor.dtype.of(c)))
        if blocked:
            message = f"ONNX has no tensors of element type {', '.join(map(str, blocked))} ('{tensor.name}')"
            span = place(tensor.spans, "dtype", op.span)
            every = len(blocked) == len({tensor.dtype.of(c) for c in op.combinations})
            yield Diagnostic("OPK721", message, span, "", Severity.ERROR if every else Severity.INFO)


def _params(op: Op) -> Iterator[Diagnostic]:
    for param in op.params:
        span = place(param.spans, "dtype", op.span)
        if param.dtype.kind is not Kind.BOOL and param.dtype.bits != 32:
            message = f"a param of element type '{param.dtype}' cannot be passed: kernels see float32 and int32"
            yield error("OPK722", message, span, "use float32, int32, uint32 or bool8")
        if isinstance(param.default, Expression):
            message = f"the default of param '{param.name}' is an expression; in ONNX every call must give it"
            yield Diagnostic("OPK723", message, place(param.spans, "default", op.span), "", Severity.INFO)


def _body(op: Op, package: OpPackage) -> Iterator[Diagnostic]:
    why = why_no_function(op, package)
    if not why:
        return
    decided = deciding_dimensions(op) if as_inputs(op) else ()
    message = f"{op.name} has no ONNX function: {why}"
    hint = "a session then needs onnxruntime-qnn 2.7.0 and the package: there is nothing to fall back to"
    hint = f"write the dimensions of the result without '{decided[0]}'" if decided else hint
    yield Diagnostic("OPK724", message, op.span, hint, Severity.INFO)
