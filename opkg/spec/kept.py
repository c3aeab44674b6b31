"""Which kernels a prepared graph keeps numbers, tables and rows of, and which run in slices (docs/design/calls.md)."""

from __future__ import annotations

from opkg.spec.model import Kernel, Op

KEPT = "opkg_kept"  # the C++ namespace of the functions that write what is kept


def keeps(op: Op, kernel: Kernel) -> bool:
    """Whether QHPI's precomputation makes all that a kernel needs but its memory: of generated kernels whose tensors are all
    there by name, and whose params are scalars.

    Such params have to be in DDR. Where an optional input may stand in a param's place the backend puts it elsewhere, and no
    record fits (docs/measured-qhpi.md): ops with both keep nothing.
    """
    if kernel.body or op.compute is None or (op.params and any(tensor.optional for tensor in op.inputs)):
        return False
    return all(tensor.variadic is None for tensor in op.tensors) and all(param.shape is None for param in op.params)


def in_slices(op: Op, kernel: Kernel) -> bool:
    """Whether a kernel's QHPI record is `multithreaded`: where the spec says so, and where it says nothing of one that keeps
    all it needs: such a kernel leaves calls that are small in one slice (opkg/kept.h)."""
    return keeps(op, kernel) if kernel.multithreaded is None else kernel.multithreaded
