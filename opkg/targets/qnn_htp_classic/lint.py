"""Specs that the C++ interface cannot serve, found before anything is generated (facts/htp-op-package.md, rules.md)."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.spec.axis_params import pinned
from opkg.spec.diagnostics import Diagnostic, error, place, warning
from opkg.spec.expr import Expression
from opkg.spec.model import Kernel, Layout, Op, ParamSpec, Resource, TensorSpec
from opkg.targets.qnn_common.kernel_api import views_crouton
from opkg.targets.qnn_common.kernel_frame import KernelFrame, axis_fault
from opkg.targets.qnn_common.printer import Unprintable, show
from opkg.targets.qnn_common.signs import lost_signs, same_bits
from opkg.targets.qnn_htp_classic.classes import HIGHEST_RANK, arrival, base_class
from opkg.targets.qnn_htp_classic.costs import CostFrame
from opkg.targets.qnn_htp_classic.param_order import constant, default_dims
from opkg.targets.qnn_htp_classic.rules import findings
from opkg.targets.qnn_htp_classic.unpack import computed

PARAM_TYPES = ("float32", "int32", "uint32", "bool8")


def lint(op: Op) -> list[Diagnostic]:
    """All findings of one op."""
    return [
        *_types(op),
        *_ranks(op),
        *_order(op),
        *(found for param in op.params for found in _param(op, param)),
        *(found for kernel in op.kernels for found in _kernel(op, kernel)),
        *_twins(op),
        *findings(op),
    ]


def _types(op: Op) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for tensor in op.tensors:
        for combination in op.combinations:
            dtype = tensor.dtype.of(combination)
            if base_class(dtype, crouton=False) or dtype.name in seen:
                continue
            seen.add(dtype.name)
            var = next((v for v in op.type_vars if v.name == tensor.dtype.var), None)
            span = var.span if var is not None else place(tensor.spans, "dtype", op.span)
            message = f"the C++ interface has no tensor class for element type '{dtype}'"
            yield error("OPK221", message, span, "use a quantized type, float32, float16 or int32")


def _ranks(op: Op) -> Iterator[Diagnostic]:
    for tensor in op.tensors:
        if tensor.ranks.low > HIGHEST_RANK:
            message = f"'{tensor.name}' has rank {tensor.ranks.low}; tensors of the C++ interface have rank 4"
            hint = "leave this target out, or allow rank 4 too"
            yield error("OPK223", message, place(tensor.spans, "rank", op.span), hint)


def _order(op: Op) -> Iterator[Diagnostic]:
    """Kernels see positions only: what a call leaves out has to be at the end. (Lists the reader has checked.)"""
    for tensors in (op.inputs, op.outputs):
        late = False
        for tensor in reversed(tensors):
            if tensor.optional and late:
                message = f"optional tensor '{tensor.name}' stands before a mandatory one"
                yield error("OPK224", message, place(tensor.spans, "", op.span), "optional tensors come last")
            late = late or not tensor.optional


def _param(op: Op, param: ParamSpec) -> Iterator[Diagnostic]:
    if param.dtype.name not in PARAM_TYPES:
        message = f"the C++ interface cannot hand a param of element type '{param.dtype}' to a kernel"
        hint = f"use {', '.join(PARAM_TYPES[:-1])} or {PARAM_TYPES[-1]}"
        yield error("OPK222", message, place(param.spans, "dtype", op.span), hint)
    fault = axis_fault(op, param)
    if fault is not None:
        yield error("OPK225", fault[0], place(param.spans, "axis_of", op.span), fault[1])
    yield from _default(op, param)


def _default(op: Op, param: ParamSpec) -> Iterator[Diagnostic]:
    span = place(param.spans, "default", op.span)
    fixed = pinned(op, param)
    if fixed is not None and computed(op, param):
        try:
            show(fixed, KernelFrame(op, padded=True))
        except Unprintable as reason:
            yield error("OPK226", f"'{param.name}' cannot be computed in a kernel: {reason}", span)
    elif isinstance(param.default, Expression) and constant(op, param) is None:
        message = f"default of '{param.name}' is no constant: HTP fills in absent params from fixed values"
        pin = f"{param.name} == {param.default.text}"
        yield error("OPK226", message, param.default.span, f"make it mandatory, or pin it: constraints: [{pin}]")
    if param.shape is not None and param.default is not None and default_dims(param) is None:
        message = f"default of '{param.name}' has no fixed dimensions"
        yield error("OPK227", message, span, "write the shape as numbers, as many as the default has")


def _kernel(op: Op, kernel: Kernel) -> Iterator[Diagnostic]:
    if kernel.layout is Layout.CROUTON:
        yield from (found for tensor in op.tensors for found in _crouton(op, kernel, tensor))
    if Resource.HMX in kernel.resources:
        message = "op packages of the C++ interface cannot use HMX"
        yield error("OPK229", message, place(kernel.spans, "resources", op.span), "use resources: [hvx]")
    if isinstance(kernel.cost, Expression):
        try:
            show(kernel.cost.tree, CostFrame(op))
        except Unprintable as reason:
            hint = "use ranks and sizes of inputs, or one of free, fast, snail, glacial"
            yield error("OPK230", f"cost cannot be computed: {reason}", kernel.cost.span, hint)


def _crouton(op: Op, kernel: Kernel, tensor: TensorSpec) -> Iterator[Diagnostic]:
    dtype = tensor.dtype.of(kernel.combination)
    if views_crouton(kernel, tensor) and not base_class(dtype, crouton=True):
        message = f"'{tensor.name}' is {dtype}, which has no crouton class"
        yield error("OPK228", message, place(kernel.spans, "layout", op.span), "use layout: flat")


def _twins(op: Op) -> Iterator[Diagnostic]:
    """Kernels that HTP cannot tell apart, since int32 and uint32 arrive alike."""
    first: dict[tuple[object, ...], Kernel] = {}
    for kernel in op.kernels:
        other = first.setdefault(arrival(op, kernel), kernel)
        if other is kernel:
            continue
        message = f"'{kernel.function}' is never called: HTP hands its tensors over as those of '{other.function}'"
        span = place(kernel.spans, "when", place(kernel.spans, "", op.span))
        if kernel.body or other.body or op.compute is None:
            yield warning("OPK231", message, span, "drop one of the element types, or give both one kernel")
        elif not same_bits(op, op.compute, lost_signs(kernel.combination, other.combination)):
            message += f", and what that computes is right for {other.combination} alone"
            yield error("OPK231", message, span, "drop one of the element types, or give it an op of its own")
