"""Which kernels a prepared graph keeps numbers, tables and rows of, and which run in slices (docs/design/calls.md)."""

from __future__ import annotations

from opkg.spec.compute.moves import moves
from opkg.spec.compute.seen import sees
from opkg.spec.model import Kernel, Layout, Op, Placement, TensorSpec
from opkg.spec.names import snake

KEPT = "opkg_kept"  # the C++ namespace of the functions that write what is kept


def bytes_call(op: Op) -> str:
    """C++ that asks how much room an op's kernels need for what they keep."""
    return f"{KEPT}::opkg_bytes_of_{snake(op.name)}()"


def keeps(op: Op, kernel: Kernel) -> bool:
    """Whether QHPI's precomputation makes all that a kernel needs but its memory: of generated kernels whose tensors are all
    there by name, and whose params are scalars in DDR, as everything is that may stand in their places; not of those in
    passes, which have numbers of each call between them.
    """
    if kernel.body or op.compute is None or (moves(op.compute) and not sees(op.compute)):
        return False
    from opkg.spec.compute.directions import in_passes  # few specs have computations

    if any(tensor.variadic is not None for tensor in op.tensors) or in_passes(op):
        return False
    places = in_places_of_params(op)
    return all(param.shape is None for param in op.params) and not any(_in_tcm(places, k) for k in op.kernels)


def moves_blocks(op: Op, kernel: Kernel) -> bool:
    """Whether a settled kernel (opkg.kernels.blocks) moves elements of tensors that may lie in blocks: of some shapes only."""
    return kernel.also_blocks and moves(op.compute)


def in_places_of_params(op: Op) -> tuple[TensorSpec, ...]:
    """Inputs in whose places other calls of the op have params, which follow the inputs that are given: from the first
    optional one on. The backend puts a constant into TCM if any record has a tensor in its place that may be there, and then
    no record fits it (docs/measured-qhpi.md)."""
    first = next((at for at, tensor in enumerate(op.inputs) if tensor.optional), len(op.inputs))
    return op.inputs[first:] if op.params else ()


def _in_tcm(tensors: tuple[TensorSpec, ...], kernel: Kernel) -> bool:
    """Whether a kernel must have some of the tensors in TCM: where it says so, or takes blocks."""
    if kernel.placement is Placement.TCM:
        return bool(tensors)
    return kernel.layout is Layout.CROUTON and any(not tensor.static for tensor in tensors)


def in_slices(op: Op, kernel: Kernel) -> bool:
    """Whether a kernel's QHPI record is `multithreaded`: where the spec says so, and where it says nothing of one that keeps
    all it needs: such a kernel leaves calls that are small in one slice (opkg/kept.h)."""
    return keeps(op, kernel) if kernel.multithreaded is None else kernel.multithreaded
