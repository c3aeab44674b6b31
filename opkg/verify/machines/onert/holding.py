"""What onert's custom kernels can be given, and why a case is not run there.

Measured with PyPI's onert 0.1.0: the structure that a kernel gets knows four element types (others end the run with
`Unsupported tensor datatype` or do not get through the API) and six dimensions. The loader refuses operators of CUSTOM that
list an input as left out: such inputs are not listed, and custom_options say which they are (options.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op
from opkg.verify.cases.case import Case
from opkg.verify.machines.notes import left_out

# Element type -> NNFW_TYPE. Whole numbers of 8 bits arrive as quantized ones do.
TYPES = {"float32": 0, "int32": 1, "ufixed8": 2, "uint8": 2, "bool8": 3}
MOST_RANK = 6
RANK = f"tensors of more than {MOST_RANK} dimensions"
VARIADIC = "variadic tensors have no place in the generated entry"
PER_AXIS = "scales per channel have no place in what a kernel gets"


def reason(case: Case) -> str:
    """Why a case cannot be run; empty when it can."""
    if any(tensor.variadic for tensor in case.op.tensors):
        return VARIADIC
    for tensor in case.tensors:
        if not tensor.absent and tensor.dtype.name not in TYPES:
            return f"the runtime gives custom kernels no {tensor.dtype.name}"
        if len(tensor.shape) > MOST_RANK:
            return RANK
        if tensor.quant is not None and tensor.quant.axis is not None:
            return PER_AXIS
    return ""


def finding(op: Op, cases: Sequence[Case]) -> Diagnostic | None:
    """A note about the cases of an op that are not run, by element types and reason; None when all are."""
    return left_out("OPK460", "onert", op, cases, reason)
