"""Which reductions over the height and the width of tensors have kernels that read them in blocks (opkg/columns_blocks.h)."""

from __future__ import annotations

from opkg.kernels.choose import choose
from opkg.kernels.coupling import Coupling
from opkg.kernels.emit.parts import Source, parts
from opkg.kernels.sequence import Columns
from opkg.spec.compute.extents import is_rest, of_tensor
from opkg.spec.model import Kernel, Op

_WIDTH, _HEIGHT = 1, 2  # places


def over_pixels(coupling: Coupling) -> bool:
    """Whether an op reduces the height, the width or both, whatever a call says."""
    return not coupling.axes and bool(coupling.coupled) and coupling.coupled <= {_HEIGHT, _WIDTH}


def why_not_columns(op: Op, kernel: Kernel, coupling: Coupling) -> str:
    """Why a kernel of an op with over_pixels() takes flat tensors only; empty where it takes blocks as well."""
    if coupling.keep:
        return "a param says whether its outputs have the dimensions that it reduces"
    if coupling.dropped and _WIDTH not in coupling.coupled:
        return "its outputs lack the height, and pixels of their width follow each other"
    elements = dict.fromkeys((*(t.name for t in op.tensors), *(p.name for p in op.params)), "")
    for snippet in (part for group in parts(op, Source(kernel, "", elements), True) for part in group):
        chosen = choose(snippet)
        if chosen is None or not isinstance(chosen.lowered, Columns):
            return "there is no vector code for its columns"
        if chosen.lowered.norm is not None and (chosen.lowered.norm.table or chosen.lowered.norm.exponential):
            return "functions of distances from a column's extreme are for flat tensors"
        if chosen.lowered.norm is not None:
            return _why_not_norm(op, coupling)
    return ""


def _why_not_norm(op: Op, coupling: Coupling) -> str:
    """Of results of all elements: inputs beside the first have a number for each channel."""
    if coupling.coupled != {_WIDTH, _HEIGHT}:
        return "results of all elements of its lines are flat"
    channels = (of_tensor(op.inputs[0], op).dims or ("",))[-1]
    for tensor in op.inputs[1:]:
        dims = of_tensor(tensor, op).dims
        if (
            dims is None
            or is_rest(dims[0] if dims else "")
            or dims[-1:] != (channels,)
            or any(d != 1 for d in dims[:-1])
        ):
            return f"'{tensor.name}' is not known to have a number for each channel"
    return ""
