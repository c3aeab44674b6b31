"""What an ONNX model around a call can hold, and why a case is not run there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from opkg.spec.diagnostics import Diagnostic, Severity, error
from opkg.spec.model import Op
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.options import DEFAULT_CASES

# Element types of graph inputs and outputs, and of what stands behind QuantizeLinear.
PLAIN = frozenset({"float32", "float16", "int32", "uint8", "bool8"})
QUANTIZED = frozenset({"ufixed8", "sfixed8", "ufixed16", "sfixed16"})
MOST_RANK = 5
MOST_ELEMENTS = 1 << 16  # of one tensor: the HTP is simulated
PER_COMBINATION = 6  # cases when the other machines run DEFAULT_CASES


def reason(case: Case, any_size: bool = False) -> str:
    """Why a case cannot be run; empty when it can. `any_size`: large tensors, too."""
    present = [not tensor.absent for tensor in case.inputs]
    if present != sorted(present, reverse=True):
        return "inputs can be left out at the end only: an empty name ends the provider's process"
    tensors = [tensor for tensor in case.tensors if not tensor.absent]
    for tensor in tensors:
        why = _tensor_reason(tensor)
        if why:
            return why
    if not any_size and any(tensor.elements > MOST_ELEMENTS for tensor in tensors):
        return f"tensors of more than {MOST_ELEMENTS:,} elements run with --case only"
    kinds = {tensor.dtype.quantized for tensor in tensors if _is_real(tensor)}
    if len(kinds) > 1:
        return "the provider hands over tensors that are quantized in part only, and packages refuse these"
    return ""


def _is_real(tensor: CaseTensor) -> bool:
    return not tensor.dtype.integral


def _tensor_reason(tensor: CaseTensor) -> str:
    if tensor.dtype.name not in PLAIN | QUANTIZED:
        return f"models have no {tensor.dtype.name} tensors here"
    if len(tensor.shape) > MOST_RANK:
        return f"tensors of rank {len(tensor.shape)}"
    if tensor.quant is not None:
        if tensor.quant.axis is not None:
            return "the provider fails with per-channel tensors of custom nodes"
        low, high = tensor.dtype.limits
        if not low <= -tensor.quant.offset <= high:
            return "a zero point outside of the element type"
    return ""


def select(cases: Sequence[Case], wanted: int, only: bool) -> list[Case]:
    """The cases that are run: of each combination some, ranks in turn. `only`: all that can be."""
    most = max(1, round(wanted * PER_COMBINATION / DEFAULT_CASES))
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        if not reason(case, only):
            groups.setdefault((case.op.name, str(case.combination)), []).append(case)
    found: list[Case] = []
    for group in groups.values():
        found += group if only else _varied(group, most)
    return found


def _varied(cases: Sequence[Case], most: int) -> list[Case]:
    """At most so many, those first whose ranks and absent inputs did not come up before."""
    kinds: dict[object, list[int]] = {}
    for at, case in enumerate(cases):
        rank = max(len(tensor.shape) for tensor in case.tensors)
        kinds.setdefault((rank, tuple(t.absent for t in case.inputs)), []).append(at)
    turns = sorted((turn, at) for places in kinds.values() for turn, at in enumerate(places))
    return [cases[at] for at in sorted(at for _, at in turns[:most])]


def findings(ops: Sequence[Op], cases: Sequence[Case]) -> list[Diagnostic]:
    """One note per op about the combinations of which no case can be run."""
    found = []
    for op in ops:
        own = [case for case in cases if case.op.name == op.name]
        reasons: dict[str, dict[str, None]] = {}
        for combination in dict.fromkeys(case.combination for case in own):
            why = [reason(case) for case in own if case.combination == combination]
            if all(why):
                reasons.setdefault(why[0], {})[combination.suffix or "any"] = None
        if reasons:
            text = "; ".join(f"{', '.join(names)}: {why}" for why, names in reasons.items())
            note = error("OPK730", f"{op.name} is not run in ONNX models in all element types ({text})", op.span)
            found.append(replace(note, severity=Severity.INFO))
    return found
