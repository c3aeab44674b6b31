"""Tensor classes: which C++ class of HTP's a kernel's tensor has, by element type, layout and placement."""

from __future__ import annotations

from opkg.spec.dtypes import DType
from opkg.spec.model import Kernel, Op, Placement, TensorSpec
from opkg.targets.qnn_common.kernel_api import views_crouton

GENERIC = "Tensor"  # any tensor; params have no class of their own
HIGHEST_RANK = 4  # every tensor of the C++ interface has rank 4: (batch, height, width, depth)

COSTS = {"free": "FREE", "fast": "FAST", "snail": "SNAIL", "glacial": "GLACIAL"}


def base_class(dtype: DType, crouton: bool) -> str:
    """The class of a tensor in main memory; empty when HTP has none."""
    return dtype.crouton_class if crouton else dtype.flat_class


def class_of(tensor: TensorSpec, kernel: Kernel, tcm: bool) -> str:
    """The class of a kernel's tensor. Static tensors stay in main memory unless the kernel works in TCM alone."""
    name = base_class(tensor.dtype.of(kernel.combination), views_crouton(kernel, tensor))
    moved = tcm and not (tensor.static and kernel.placement is Placement.EITHER)
    return f"{name}_TCM" if moved else name


def placements(kernel: Kernel, free: bool) -> tuple[bool, ...]:
    """The placements a kernel is registered for; True: TCM. `free`: tensor properties leave the choice to HTP."""
    if kernel.placement is Placement.TCM:
        return (True,)
    return (False, True) if kernel.placement is Placement.EITHER and free else (False,)


def arrival(op: Op, kernel: Kernel) -> tuple[object, ...]:
    """What tells a kernel from the others of its op: classes of all tensors, layout and placement."""
    types = tuple(base_class(t.dtype.of(kernel.combination), views_crouton(kernel, t)) for t in op.tensors)
    return (*types, kernel.layout, kernel.placement)


def distinct(op: Op) -> tuple[Kernel, ...]:
    """The kernels that can be told apart: int32 and uint32 arrive alike, the first of two such kernels serves both."""
    seen: dict[tuple[object, ...], Kernel] = {}
    for kernel in op.kernels:
        seen.setdefault(arrival(op, kernel), kernel)
    return tuple(seen.values())
