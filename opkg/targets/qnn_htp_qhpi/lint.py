"""Specs that would hit a trap of QHPI, found before anything is generated (facts/qhpi.md, docs/measured-qhpi.md)."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.spec.diagnostics import Diagnostic, Span, error, warning
from opkg.spec.expr import Expression
from opkg.spec.model import Kernel, Layout, Op, Placement, Resource, Storage
from opkg.targets.qnn_common.kernel_frame import KernelFrame, axis_is_ambiguous, pinned
from opkg.targets.qnn_common.printer import Unprintable, show
from opkg.targets.qnn_common.validation import MAX_RANK
from opkg.targets.qnn_htp_qhpi.facts import BYTES, param_arrives_as


def lint(op: Op) -> list[Diagnostic]:
    """All findings of one op."""
    return [*_types(op), *_ranks(op), *_params(op), *(d for kernel in op.kernels for d in _kernel(op, kernel))]


def _types(op: Op) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for tensor in op.tensors:
        for combination in op.combinations:
            dtype = tensor.dtype.of(combination)
            if not dtype.qhpi and dtype.name not in seen:
                seen.add(dtype.name)
                var = next((v for v in op.type_vars if v.name == tensor.dtype.var), None)
                span = var.span if var is not None else _at(tensor.spans, "dtype", op.span)
                message = f"HTP cannot hand a tensor of element type '{dtype}' to a kernel"
                yield error("OPK201", message, span, "use a quantized type, float32, float16 or int32")
    for param in op.params:
        if not param_arrives_as(param.dtype):
            message = f"HTP cannot hand a param of element type '{param.dtype}' to a kernel"
            hint = "use float32, int32, uint32 or bool8"
            yield error("OPK202", message, _at(param.spans, "dtype", op.span), hint)


def _ranks(op: Op) -> Iterator[Diagnostic]:
    for tensor in op.tensors:
        if tensor.ranks.low > MAX_RANK:
            message = f"'{tensor.name}' has rank {tensor.ranks.low}; HTP kernels take ranks up to {MAX_RANK}"
            yield error("OPK203", message, _at(tensor.spans, "rank", op.span))
    for tensor in op.outputs:
        if tensor.optional:
            yield error(
                "OPK204",
                f"output '{tensor.name}' is optional, which QHPI cannot express",
                _at(tensor.spans, "", op.span),
            )
    several = [t for t in op.inputs if t.variadic or t.optional]
    if len([t for t in several if t.variadic]) > 1 or (len(several) > 1 and any(t.variadic for t in several)):
        message = (
            "more than one of the inputs varies in number: a kernel, which sees positions only, cannot tell them apart"
        )
        yield error(
            "OPK205",
            message,
            _at(several[-1].spans, "", op.span),
            "keep one variadic input, or optional ones at the end",
        )
    late = False
    for tensor in reversed(op.inputs):
        if tensor.optional and late:
            message = f"optional input '{tensor.name}' stands before a mandatory one"
            yield error("OPK205", message, _at(tensor.spans, "", op.span), "optional inputs come last")
        late = late or not tensor.optional


def _params(op: Op) -> Iterator[Diagnostic]:
    frame = KernelFrame(op)
    for param in op.params:
        if param.axis_of is not None and axis_is_ambiguous(op, param):
            message = (
                f"'{param.name}' numbers a dimension of '{param.axis_of}', whose rank varies below 4: "
                "kernels see such ranks padded to 4 and cannot know which dimension is meant"
            )
            pin = f"{param.name} == rank({param.axis_of}) - 1"
            hint = f"give '{param.axis_of}' one rank, or pin the param: constraints: [{pin}]"
            yield error("OPK206", message, _at(param.spans, "axis_of", op.span), hint)
        if isinstance(param.default, Expression) and pinned(op, param) is None:
            try:
                show(param.default.tree, frame)
            except Unprintable as reason:
                message = f"default of '{param.name}' cannot be computed in a kernel: {reason}"
                yield error("OPK207", message, param.default.span, "use ranks, fixed-rank dimensions and numbers")


def _kernel(op: Op, kernel: Kernel) -> Iterator[Diagnostic]:
    flat = kernel.layout is Layout.FLAT
    if flat and kernel.storage is Storage.INDIRECT:
        message = "a flat layout with indirect storage aborts the registration of the package"
        yield error("OPK210", message, _at(kernel.spans, "storage", op.span), "use storage: direct")
    if not flat and kernel.storage is Storage.DIRECT:
        message = "a crouton layout with direct storage fails when the graph is finalized"
        yield error("OPK211", message, _at(kernel.spans, "storage", op.span), "use storage: indirect")
    if not flat:
        yield from _crouton(op, kernel)
    if Resource.HVX in kernel.resources and Resource.HMX in kernel.resources:
        message = "HVX and HMX together are an invalid resource flag to the runtime"
        yield error("OPK213", message, _at(kernel.spans, "resources", op.span), "name the one the kernel runs on")
    if not kernel.resources:
        message = "a kernel without resources is an invalid resource flag to the runtime"
        yield error("OPK213", message, _at(kernel.spans, "resources", op.span), "use resources: [hvx]")
    if kernel.flags:
        message = "flags are for the classic interface; QHPI has none"
        yield warning("OPK214", message, _at(kernel.spans, "flags", op.span))
    yield from _tiling(op, kernel)
    if isinstance(kernel.cost, Expression):
        try:
            show(kernel.cost.tree, KernelFrame(op))
        except Unprintable as reason:
            yield error("OPK207", f"cost cannot be computed in a kernel: {reason}", kernel.cost.span)


def _crouton(op: Op, kernel: Kernel) -> Iterator[Diagnostic]:
    span = _at(kernel.spans, "layout", op.span)
    for tensor in op.tensors:
        if tensor.static or 4 not in tensor.ranks:
            continue
        if tensor.ranks.high > 4:
            message = f"crouton tensors have rank 4; '{tensor.name}' may have rank {tensor.ranks.high}"
            yield error("OPK212", message, span, "limit its rank to 1..4, or add a flat kernel for an op of its own")
        dtype = tensor.dtype.of(kernel.combination)
        if BYTES.get(dtype.qhpi) == 4:
            message = f"'{tensor.name}' is {dtype}: crouton kernels of 32-bit elements fail when the graph is finalized"
            yield error("OPK212", message, span, "use layout: flat")
    if kernel.placement is Placement.DDR:
        message = "crouton tensors live in TCM; placement ddr was never seen to work"
        yield warning("OPK215", message, _at(kernel.spans, "placement", op.span), "use placement: either")


def _tiling(op: Op, kernel: Kernel) -> Iterator[Diagnostic]:
    if kernel.tiling is None:
        return
    span = _at(kernel.spans, "tiling", op.span)
    if len(op.outputs) != 1:
        yield error("OPK216", "a tiled op has one output", span, "leave tiling out")
    if any(param.shape is not None for param in op.params):
        message = "a tensor param cannot be told from an input when tiles are built"
        yield error("OPK216", message, span, "leave tiling out, or make the param scalar")


def _at(spans: dict[str, Span], key: str, fallback: Span) -> Span:
    return spans.get(key) or spans.get("") or fallback
