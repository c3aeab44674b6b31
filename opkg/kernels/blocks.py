"""Which generated kernels take tensors in blocks ("croutons") as well as flat ones. Convolutions keep tensors in blocks, and a
kernel that is flat only costs two conversions among them (docs/measured-qhpi.md, "Context binaries")."""

from __future__ import annotations

from dataclasses import replace

from opkg.kernels.column_blocks import over_pixels, why_not_columns
from opkg.kernels.coupling import Coupling, Uncut
from opkg.kernels.snippets import graph_of
from opkg.kernels.tileable import find_coupling
from opkg.spec.compute.directions import in_passes
from opkg.spec.compute.extents import of_tensor
from opkg.spec.compute.moves import moves
from opkg.spec.compute.parts import parts, pixels, read_params
from opkg.spec.compute.seen import sees
from opkg.spec.kept import keeps
from opkg.spec.model import Kernel, Layout, Op, Placement, Ranks, Storage, TensorSpec

_BITS = frozenset((8, 16))  # of the elements that stock ops have in blocks; those of 32 bits are flat there


def settled(op: Op) -> Op:
    """The op with `also_blocks` at no kernel but those whose tensors can lie in blocks."""
    if not any(kernel.also_blocks for kernel in op.kernels):
        return op
    kernels = (replace(k, also_blocks=k.also_blocks and not why_flat(op, k)) for k in op.kernels)
    return replace(op, kernels=tuple(kernels))


def with_twins(op: Op) -> Op:
    """A settled op with a kernel in blocks in front of every flat one that has `also_blocks`: its function is the same."""
    kernels: list[Kernel] = []
    for kernel in op.kernels:
        if kernel.also_blocks:
            kernels.append(replace(kernel, layout=Layout.CROUTON, storage=Storage.INDIRECT))
        kernels.append(kernel)
    return replace(op, kernels=tuple(kernels))


def why_flat(op: Op, kernel: Kernel) -> str:
    """Why the tensors of a flat kernel cannot lie in blocks as well; empty where they can."""
    if kernel.body:
        return "a kernel that is written by hand takes one layout"
    if kernel.placement is Placement.DDR:
        return "blocks live in TCM"
    if any(k.layout is Layout.CROUTON and k.combination == kernel.combination for k in op.kernels):
        return "there is a kernel in blocks for these element types"
    if any(t.optional or t.variadic is not None for t in op.tensors):
        return "the number of its tensors varies"
    if moves(op.compute):
        return _why_not_parts(op, kernel)
    if in_passes(op):
        return "it reduces different dimensions, in passes"
    if not keeps(op, kernel):
        return "a param that is a tensor is read in each call"
    if why := _why_not_bytes(op, kernel):
        return why
    columns = _columns(op)
    if columns is not None and any(map(_moves, op.inputs)):
        return why_not_columns(op, kernel, columns)
    if not all(map(_moves, op.outputs)) or not any(map(_moves, op.inputs)):
        return "no tensor of rank 4 goes in and out"
    return _why_not_elementwise(op, kernel)


def _why_not_parts(op: Op, kernel: Kernel) -> str:
    """Of an op that moves elements: blocks move whole."""
    if op.compute is None or not (parts(op.compute) or (pixels(op.compute) and sees(op.compute))):
        return "it moves elements within blocks"
    if not keeps(op, kernel):
        return "a param that is a tensor is read in each call"
    if not all(tensor.ranks == Ranks(4, 4) and not tensor.static for tensor in op.tensors):
        return "it moves elements of tensors that are not of rank 4"
    if read_params(op.compute) and (len(op.params) > 1 or op.params[0].default is not None):
        return "where its parts begin is known in each call only"
    return _why_not_bytes(op, kernel)


def _why_not_bytes(op: Op, kernel: Kernel) -> str:
    bits = {max(8, tensor.dtype.of(kernel.combination).bits) for tensor in op.tensors}
    if not bits <= _BITS:
        return "elements of more than 2 bytes are flat in HTP's own ops, too"
    return "elements of different sizes lie differently in blocks" if len(bits) > 1 else ""


def _moves(tensor: TensorSpec) -> bool:
    return not tensor.static and 4 in tensor.ranks


def reduces(op: Op) -> bool:
    """Whether an op computes something along dimensions."""
    names = {tensor.name for tensor in op.inputs}
    return any(graph_of(op, kernel.combination, names).reductions for kernel in op.kernels)


def reduces_pixels(op: Op) -> bool:
    """Whether an op computes something along the height, the width or both, and along no other dimension."""
    return _columns(op) is not None


def _columns(op: Op) -> Coupling | None:
    try:
        coupling = find_coupling(op)
    except Uncut:
        return None
    return coupling if over_pixels(coupling) and reduces(op) else None


def _why_not_rows(op: Op) -> str:
    """Of an op that reduces: the pixels of tensors in blocks are rows, so that it must be the last dimension."""
    try:
        coupling = find_coupling(op)
    except Uncut as reason:
        return str(reason)
    if coupling.axes or coupling.keep:
        return "its params say which dimensions it reduces"
    if coupling.coupled != {0}:
        return "it reduces other dimensions than the last one"
    return "its outputs lack the dimension that it reduces" if coupling.dropped else ""


def _why_not_elementwise(op: Op, kernel: Kernel) -> str:
    graph = graph_of(op, kernel.combination, {t.name for t in op.inputs})
    shapes = {of_tensor(tensor, op).dims for tensor in op.outputs}
    if graph.reductions:
        return _why_not_rows(op)
    return "" if len(op.outputs) == 1 or (len(shapes) == 1 and None not in shapes) else "its outputs differ in shape"
