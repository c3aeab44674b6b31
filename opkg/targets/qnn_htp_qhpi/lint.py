"""Specs that would hit a trap of QHPI, found before anything is generated (facts/qhpi.md, docs/measured-qhpi.md)."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.spec.arriving import distinct_kernels
from opkg.spec.axis_params import pinned
from opkg.spec.diagnostics import Diagnostic, Severity, Span, error, place, warning
from opkg.spec.expr import Expression
from opkg.spec.model import Kernel, Layout, Op, OpPackage, ParamSpec, Placement, Resource, Storage
from opkg.targets.qnn_common.arrangements import clash
from opkg.targets.qnn_common.kernel_frame import KernelFrame, axis_fault
from opkg.targets.qnn_common.printer import Unprintable, show
from opkg.targets.qnn_common.validation import MAX_RANK
from opkg.targets.qnn_htp_qhpi.alike import lint_alike
from opkg.targets.qnn_htp_qhpi.facts import param_arrives_as, works_in_blocks
from opkg.targets.qnn_htp_qhpi.plan import arrangement_key
from opkg.targets.qnn_htp_qhpi.tiling_lint import lint_tiling
from opkg.targets.qnn_htp_qhpi.wrappers import default_dims, default_items

# Functions that <math.h>, <string.h> and <stdio.h> declare in the global namespace: no namespace can have such a name.
_C_FUNCTIONS = (
    "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh div drem erf erfc exp exp10 exp2 expm1 "
    "fabs fdim finite floor fma fmax fmin fmod free frexp gamma gets getw hypot ilogb index j0 j1 jn labs ldexp ldiv "
    "lgamma llabs lldiv log log10 log1p log2 logb lrint lround malloc memcpy memset modf nan nearbyint nextafter "
    "perror pow printf putc puts rand random read remainder remove remquo rename rewind rindex rint round scalb "
    "scalbn select sin sinh sqrt srand strlen strstr strtok system tan tanh tgamma time trunc write y0 y1 yn "
)
C_FUNCTIONS = frozenset(_C_FUNCTIONS.split())


def lint(op: Op) -> list[Diagnostic]:
    """All findings of one op, each once: a kernel of the spec stands for one of every combination it serves."""
    kernels = (found for kernel in op.kernels for found in _kernel(op, kernel))
    found = [*_types(op), *_ranks(op), *_params(op), *kernels, *lint_alike(op), *_ambiguous(op), *_classic_only(op)]
    found += lint_tiling(op)
    return list(dict.fromkeys(found))


def lint_package(package: OpPackage) -> list[Diagnostic]:
    """Findings of the package itself."""
    return [*_namespace(package), *_twins(package)]


def _twins(package: OpPackage) -> list[Diagnostic]:
    """Ops with the name of another's twin for flat tensors, or for those in blocks."""
    spans = {op.name: op.span for op in package.ops}
    where = {"flat": "its tensors are flat", "blocks": "it stands among convolutions"}
    return [
        error(
            "OPK152",
            f"'{op.name}.{twin}' is registered twice: HTP calls {op.name} so where {words}",
            spans[f"{op.name}.{twin}"],
            "rename it",
        )
        for op in package.ops
        for twin, words in where.items()
        if f"{op.name}.{twin}" in spans and any(kernel.also_blocks for kernel in op.kernels)
    ]


def _namespace(package: OpPackage) -> list[Diagnostic]:
    if package.cpp_namespace not in C_FUNCTIONS:
        return []
    message = f"the generated namespace '{package.cpp_namespace}' would collide with the C function of that name"
    hint = f"give the name a second part, '{package.name}.ops'"
    return [error("OPK209", message, place(package.spans, "name", Span(package.path)), hint)]


def _ambiguous(op: Op) -> Iterator[Diagnostic]:
    """Kernels see positions and element types: some calls look like others, and the validator refuses those."""
    for kernel in distinct_kernels(op):
        found = clash(op, arrangement_key(kernel))
        if found is not None:
            lost, kept = (", ".join([*(name for name, _ in a.inputs), *a.params]) for a in found)
            message = f"a call that gives only ({lost}) looks to '{kernel.function}' like ({kept}), and is refused"
            hint = "callers give the param that is left out; or make it mandatory (no default)"
            yield Diagnostic("OPK260", message, op.span, hint, Severity.INFO)
            return


def _classic_only(op: Op) -> Iterator[Diagnostic]:
    """What only the C++ interface has a place for."""
    for text in op.tensor_properties:
        message = f"this tensor property of {op.name} is not a part of the QHPI package; qnn-htp-classic emits it"
        yield Diagnostic("OPK261", message, text.span, "", Severity.INFO)


def _types(op: Op) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for tensor in op.tensors:
        for combination in op.combinations:
            dtype = tensor.dtype.of(combination)
            if dtype.name in seen or (dtype.qhpi and dtype.qhpi != "Int64"):
                continue
            seen.add(dtype.name)
            var = next((v for v in op.type_vars if v.name == tensor.dtype.var), None)
            span = var.span if var is not None else place(tensor.spans, "dtype", op.span)
            message = f"HTP cannot hand a tensor of element type '{dtype}' to a kernel"
            yield error(
                "OPK201",
                message,
                span,
                "use a quantized type of 8 or 16 bits, float32, float16, int32, or plain integers of 8 or 16 bits",
            )
        if tensor.quantization is not None and tensor.quantization.axis is not None:
            message = f"'{tensor.name}' is quantized per channel, which HTP refuses for the ops of a package"
            hint = "quantize per tensor, or hand the scales over as a second input"
            yield error("OPK208", message, place(tensor.spans, "quantization", op.span), hint)
    for param in op.params:
        if not param_arrives_as(param):
            message = f"HTP cannot hand a param of element type '{param.dtype}' to a kernel"
            hint = "use float32, int32, uint32 or bool8"
            yield error("OPK202", message, place(param.spans, "dtype", op.span), hint)


def _ranks(op: Op) -> Iterator[Diagnostic]:
    for tensor in op.tensors:
        if tensor.ranks.low > MAX_RANK:
            message = f"'{tensor.name}' has rank {tensor.ranks.low}; HTP kernels take ranks up to {MAX_RANK}"
            yield error("OPK203", message, place(tensor.spans, "rank", op.span))
    for tensor in op.outputs:
        if tensor.optional:
            yield error(
                "OPK204",
                f"output '{tensor.name}' is optional, which QHPI cannot express",
                place(tensor.spans, "", op.span),
            )
    several = [t for t in op.inputs if t.variadic or t.optional]
    if len([t for t in several if t.variadic]) > 1 or (len(several) > 1 and any(t.variadic for t in several)):
        message = (
            "more than one of the inputs varies in number: a kernel, which sees positions only, cannot tell them apart"
        )
        yield error(
            "OPK205",
            message,
            place(several[-1].spans, "", op.span),
            "keep one variadic input, or optional ones at the end",
        )
    late = False
    for tensor in reversed(op.inputs):
        if tensor.optional and late:
            message = f"optional input '{tensor.name}' stands before a mandatory one"
            yield error("OPK205", message, place(tensor.spans, "", op.span), "optional inputs come last")
        late = late or not tensor.optional


def _params(op: Op) -> Iterator[Diagnostic]:
    for param in op.params:
        fault = axis_fault(op, param)
        if fault is not None:
            yield error("OPK206", fault[0], place(param.spans, "axis_of", op.span), fault[1])
        if isinstance(param.default, Expression) and not (param.axis_of is not None and pinned(op, param) is not None):
            reason = _default_fault(op, param)
            if reason:
                message = f"default of '{param.name}' cannot be computed in a kernel: {reason}"
                yield error("OPK207", message, param.default.span, "use ranks, fixed-rank dimensions and numbers")


def _default_fault(op: Op, param: ParamSpec) -> str:
    """Why the wrapper of a kernel cannot compute a default; empty when it can."""
    assert isinstance(param.default, Expression)
    frame = KernelFrame(op, padded=param.axis_of is not None)
    try:
        trees = default_items(param) if param.shape is not None else (param.default.tree,)
        for tree in trees:
            show(tree, frame)
        default_dims(param, frame)
    except Unprintable as reason:
        return str(reason)
    return ""


def _kernel(op: Op, kernel: Kernel) -> Iterator[Diagnostic]:
    flat = kernel.layout is Layout.FLAT
    if flat and kernel.storage is Storage.INDIRECT:
        message = "a flat layout with indirect storage aborts the registration of the package"
        yield error("OPK210", message, place(kernel.spans, "storage", op.span), "use storage: direct")
    if not flat and kernel.storage is Storage.DIRECT:
        message = "a crouton layout with direct storage fails when the graph is finalized"
        yield error("OPK211", message, place(kernel.spans, "storage", op.span), "use storage: indirect")
    if not flat:
        yield from _crouton(op, kernel)
    if Resource.HVX in kernel.resources and Resource.HMX in kernel.resources:
        message = "HVX and HMX together are an invalid resource flag to the runtime"
        yield error("OPK213", message, place(kernel.spans, "resources", op.span), "name the one the kernel runs on")
    if not kernel.resources:
        message = "a kernel without resources is an invalid resource flag to the runtime"
        yield error("OPK213", message, place(kernel.spans, "resources", op.span), "use resources: [hvx]")
    if kernel.flags:
        message = "flags are for the classic interface; QHPI has none"
        yield warning("OPK214", message, place(kernel.spans, "flags", op.span))
    if isinstance(kernel.cost, Expression):
        try:
            show(kernel.cost.tree, KernelFrame(op))
        except Unprintable as reason:
            yield error("OPK207", f"cost cannot be computed in a kernel: {reason}", kernel.cost.span)


def _crouton(op: Op, kernel: Kernel) -> Iterator[Diagnostic]:
    span = place(kernel.spans, "layout", op.span)
    for tensor in op.tensors:
        if tensor.static or 4 not in tensor.ranks:
            continue
        if tensor.ranks.high > 4:
            message = f"crouton tensors have rank 4; '{tensor.name}' may have rank {tensor.ranks.high}"
            yield error("OPK212", message, span, "limit its rank to 1..4, or add a flat kernel for an op of its own")
        dtype = tensor.dtype.of(kernel.combination)
        if not works_in_blocks(dtype.qhpi):
            message = f"'{tensor.name}' is {dtype}: its crouton kernels fail when the graph is finalized"
            yield error("OPK212", message, span, "use layout: flat")
    if kernel.placement is Placement.DDR:
        message = "crouton tensors live in TCM; placement ddr was never seen to work"
        yield warning("OPK215", message, place(kernel.spans, "placement", op.span), "use placement: either")
