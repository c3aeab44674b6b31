"""Kernels in blocks ("croutons") beside flat ones: convolutions keep tensors in blocks, and a flat kernel among them costs two
conversions (docs/measured-qhpi.md, "Context binaries")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opkg.spec.diagnostics import Diagnostic, Severity, place
from opkg.spec.model import Kernel, Layout, Op, OpPackage, Placement, Storage, TensorSpec
from opkg.targets.qnn_htp_qhpi.facts import BYTES

_BY_ELEMENT = frozenset((1, 2))  # bytes of the elements that stock ops have in blocks; those of 4 bytes are flat there


def with_blocks(package: OpPackage) -> OpPackage:
    """The package with a kernel in blocks in front of every generated one that is wanted in blocks, too, and can be."""
    if not any(kernel.also_blocks for op in package.ops for kernel in op.kernels) or rewrites_late(package):
        return package
    return replace(package, ops=tuple(_op(op) for op in package.ops))


def twin_of(op: Op, kernel: Kernel) -> Kernel | None:
    """The flat kernel that computes what one in blocks does, for which it was made."""
    if kernel.layout is not Layout.CROUTON or kernel.body:
        return None
    pairs = (k for k in op.kernels if k.also_blocks and k.layout is Layout.FLAT and k.combination == kernel.combination)
    return next((k for k in pairs if kernel.function == _name(k)), None)


def lint_blocks(package: OpPackage) -> Iterator[Diagnostic]:
    """Kernels that are wanted in blocks, too, and stay flat."""
    for op in package.ops:
        for kernel in op.kernels:
            why = _why_flat(op, kernel) if kernel.also_blocks else ""
            if kernel.also_blocks and not why and rewrites_late(package):
                why = "a rule of the package looks for ops after tiling, when some stand there in another's place"
            if why:
                span = place(kernel.spans, "layout", op.span)
                yield Diagnostic("OPK278", f"{kernel.function} stays flat: {why}", span, "", Severity.INFO)


def rewrites_late(package: OpPackage) -> bool:
    """Whether a rule looks for ops after tiling."""
    if not any(op.rules for op in package.ops):
        return False
    from opkg.rules.check import check_package
    from opkg.targets.qnn_htp_qhpi.rewrite_limits import is_early

    return any(not is_early(rule) for rule in check_package(package).rules)


def _name(flat: Kernel) -> str:
    return f"{flat.function}_crouton"


def _op(op: Op) -> Op:
    kernels: list[Kernel] = []
    for kernel in op.kernels:
        if kernel.also_blocks and not _why_flat(op, kernel):
            made = replace(kernel, function=_name(kernel), layout=Layout.CROUTON, storage=Storage.INDIRECT)
            kernels.append(replace(made, also_blocks=False))
        kernels.append(kernel)
    return replace(op, kernels=tuple(kernels))


def _why_flat(op: Op, kernel: Kernel) -> str:
    """Why the tensors of a flat kernel cannot lie in blocks as well; empty where they can."""
    if kernel.body:
        return "a kernel that is written by hand takes one layout"
    if kernel.placement is Placement.DDR:
        return "blocks live in TCM"
    if any(k.layout is Layout.CROUTON and k.combination == kernel.combination for k in op.kernels):
        return "there is a kernel in blocks for these element types"
    if any(t.optional or t.variadic is not None for t in op.tensors):
        return "the number of its tensors varies"
    sizes = {BYTES.get(tensor.dtype.of(kernel.combination).qhpi, 0) for tensor in op.tensors}
    if not sizes <= _BY_ELEMENT:
        return "elements of more than 2 bytes are flat in HTP's own ops, too"
    if len(sizes) > 1:
        return "elements of different sizes lie differently in blocks"
    if not all(map(_moves, op.outputs)) or not any(map(_moves, op.inputs)):
        return "no tensor of rank 4 goes in and out"
    return _why_not_elementwise(op, kernel)


def _moves(tensor: TensorSpec) -> bool:
    return not tensor.static and 4 in tensor.ranks


def _why_not_elementwise(op: Op, kernel: Kernel) -> str:
    from opkg.kernels.snippets import graph_of
    from opkg.spec.compute.extents import of_tensor

    graph = graph_of(op, kernel.combination, {t.name for t in op.inputs})
    shapes = {of_tensor(tensor, op).dims for tensor in op.outputs}
    if graph.reductions:
        return "it reduces dimensions"
    return "" if len(op.outputs) == 1 or (len(shapes) == 1 and None not in shapes) else "its outputs differ in shape"
