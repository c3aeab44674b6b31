"""What extension ops of OpenVINO can be given, and why a case is not run there."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.spec.diagnostics import Diagnostic
from opkg.spec.model import Op
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.machines.notes import left_out

# Element type -> as models name it (precision of a port).
TYPES = {
    "float32": "FP32", "float16": "FP16", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "uint8": "U8",
    "uint16": "U16", "uint32": "U32", "uint64": "U64", "bool8": "BOOL", "sfixed8": "I8", "sfixed16": "I16",
    "sfixed32": "I32", "ufixed8": "U8", "ufixed16": "U16", "ufixed32": "U32",
}  # fmt: skip
MOST_RANK = 6


def reason(case: Case) -> str:
    """Why a case cannot be run; empty when it can."""
    if case.op.compute is None:
        return "kernels by hand have no extension op"
    if any(tensor.variadic for tensor in case.op.tensors):
        return "variadic tensors"
    behind = False
    for tensor in case.tensors:
        if tensor.absent:
            behind = True
            continue
        if behind and tensor.spec in case.op.inputs:
            return "an input is left out in front of others"
        if tensor.dtype.name not in TYPES:
            return f"OpenVINO's tensors have no {tensor.dtype.name}"
        if len(tensor.shape) > MOST_RANK:
            return f"tensors of more than {MOST_RANK} dimensions"
        if tensor.quant is not None and tensor.quant.axis is not None:
            return "scales per channel"
    if not _first(case):
        return "looks like another combination of element types"
    return "numbers beyond int32, with which the CPU device computes" if any(map(_beyond, case.inputs)) else ""


def _beyond(tensor: CaseTensor) -> bool:
    """Whether a tensor holds what the CPU device cannot: it computes with int32 in place of wider whole numbers."""
    if tensor.stored is None or tensor.dtype.name not in ("int64", "uint32", "uint64", "ufixed32"):
        return False
    return bool(tensor.stored.size) and not (int(tensor.stored.min()) >= -(2**31) and int(tensor.stored.max()) < 2**31)


def _first(case: Case) -> bool:
    """Whether no combination before this one has the same types there."""
    seen = [t.dtype.of(case.combination).openvino for t in case.op.tensors]
    for combination in case.op.combinations:
        if [t.dtype.of(combination).openvino for t in case.op.tensors] == seen:
            return combination == case.combination
    return True


def finding(op: Op, cases: Sequence[Case]) -> Diagnostic | None:
    """A note about the cases of an op that are not run, by element types and reason; None when all are."""
    return left_out("OPK743", "OpenVINO", op, cases, reason)
