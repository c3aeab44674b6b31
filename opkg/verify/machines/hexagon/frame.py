"""What names mean in the frame that a kernel sees."""

from __future__ import annotations

from opkg.spec.evaluate import Env, TensorInfo
from opkg.verify.cases.case import Case
from opkg.verify.machines.hexagon.layout import view_shape


def frame(case: Case) -> Env:
    """What names mean inside a kernel: tensors have the shapes of their views."""
    infos: dict[str, tuple[TensorInfo, ...]] = {spec.name: () for spec in case.op.tensors}
    for tensor in case.tensors:
        if not tensor.absent:
            infos[tensor.spec.name] += (TensorInfo(view_shape(tensor), tensor.dtype),)
    return Env(tensors=infos)
