"""The proof of fused ops: their kernels get what the model's own tensors hold, and must give what the runtime computed.

Two things are held: what an op's `compute:` says is what the runtime computed, at every place (here, in numbers of double
precision); and what the kernels compute is what `compute:` says, within the bounds and tolerances of every verification: for the
values of each place whose shapes, numbers or quantization differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from opkg.fuse.canonical import Occurrence
from opkg.fuse.fused import FusedOp, Writer, number
from opkg.fuse.spec_text import read_back
from opkg.fuse.values import Values
from opkg.models.model import Model
from opkg.spec.diagnostics import Diagnostic, OpkgError, Severity, Span, error
from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Op, TensorCase, TestCase
from opkg.verify.cases.bounded import of_case
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.cases.computed import Computed
from opkg.verify.cases.generate import make_case
from opkg.verify.meaning.numbers import Array, Quant, float32, storage

# How far a runtime's own rounding in single (half) precision may take a result from the exact one: of the tensor's largest value.
ROUNDING = {"float32": 2e-5, "float16": 1e-2}
NEARLY_ALL = (
    0.999  # of quantized results: one in between that lies near the middle of two steps may be rounded either way
)
MOST_ELEMENTS = 1 << 22  # of a tensor in a case


@dataclass(frozen=True, slots=True)
class Against:
    """How far the runtime's values of one place are from what `compute:` says: in steps of a quantized result, else of the
    largest value. `allowed`: how far they may be."""

    op: str
    place: str
    output: str
    error: float
    allowed: float
    unit: str
    apart: float = 0.0  # steps from the runtime without what it rounds in between

    @property
    def ok(self) -> bool:
        return self.error <= self.allowed


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A place that is not proved, and why."""

    op: str
    place: str
    why: str


@dataclass(frozen=True, slots=True)
class Held:
    """The cases of an op with the model's own values, how near its computation is to the runtime, and the places left out."""

    cases: tuple[Case, ...]
    against: tuple[Against, ...]
    left: tuple[LeftOut, ...]


def distinct(model: Model, op: FusedOp) -> tuple[Occurrence, ...]:
    """The places that differ in more than names."""
    seen: dict[object, Occurrence] = {}
    for place in op.places:
        tensors = [model.tensor(name) for name in (*place.inputs, *place.outputs)]
        seen.setdefault((tuple((t.fixed, t.dtype, t.quantization) for t in tensors), place.numbers), place)
    return tuple(seen.values())


def cases(model: Model, fused: FusedOp, op: Op, values: Values) -> Held:
    """What is held of an op: at every place, except where a tensor is too large or has no value."""
    found: list[Case] = []
    against: list[Against] = []
    left: list[LeftOut] = []
    different = distinct(model, fused)
    for at, place in enumerate(fused.places):
        if why := _not_held((*place.inputs, *place.outputs), values):
            left.append(LeftOut(fused.name, model.nodes[place.nodes[-1]].name, why))
            continue
        case = _case(model, fused, op, place, values, f"model{at}")
        if place in different:
            found.append(case)
        against += _against(model, fused, place, case, values)
    return Held(tuple(found), tuple(against), tuple(left))


def _not_held(names: Sequence[str], values: Values) -> str:
    """Why a place with these tensors is not proved; "" when it is."""
    for name in names:
        if name not in values:
            return f"{name} has no value"
        if values[name].size > MOST_ELEMENTS:
            return f"{name} has {values[name].size:,} elements, more than {MOST_ELEMENTS:,}"
    return ""


def _case(model: Model, fused: FusedOp, op: Op, place: Occurrence, values: Values, label: str) -> Case:
    """A case whose inputs are the values of a place's tensors; expected is what the computation says."""
    names = dict(zip(fused.inputs, place.inputs, strict=True)) | dict(zip(fused.outputs, place.outputs, strict=True))
    tensors = []
    for name, tensor in names.items():
        quantization = model.tensor(tensor).quantization
        scale = float32(quantization.scales[0]) if quantization else None
        offset = -quantization.zeros[0] if quantization else None
        shape = tuple(values[tensor].shape) if name in fused.inputs else None
        tensors.append((name, (TensorCase(shape=shape, values=None, scale=scale, offset=offset, absent=False),)))
    params = tuple((name, number(place.numbers[at])) for name, at in fused.params)
    own = TestCase(name=label, when=(), tensors=tuple(tensors), params=params, span=op.span)
    meaning = Computed(op, op.compute) if op.compute is not None else None
    assert meaning is not None
    drafted = make_case(op, op.combinations[0], meaning, 0, label, 0, own)
    inputs = tuple(_filled(tensor, values[names[tensor.name]]) for tensor in drafted.inputs)
    case = replace(drafted, inputs=inputs, others=(), bounds=())
    case = replace(case, expected=meaning(case))
    case = replace(case, others=meaning.others(case))
    return replace(case, bounds=of_case(case))


def _filled(tensor: CaseTensor, value: Any) -> CaseTensor:
    return replace(tensor, stored=np.ascontiguousarray(value).astype(storage(tensor.dtype)).reshape(tensor.shape))


def _against(model: Model, fused: FusedOp, place: Occurrence, case: Case, values: Values) -> list[Against]:
    found = []
    rounded = _like_the_runtime(model, fused, place, case, values)
    for tensor, name, exact in zip(case.outputs, place.outputs, case.expected, strict=True):
        same = rounded[tensor.name]
        got = np.asarray(values[name]).astype(np.float64)
        label = model.nodes[place.nodes[-1]].name
        quantization = model.tensor(name).quantization
        if quantization is not None:
            quant = Quant((float32(quantization.scales[0]),), (-quantization.zeros[0],))
            low, high = DTYPES[tensor.dtype.name].limits
            apart = np.abs(np.rint(np.clip(exact / quant.scale - quant.offset, low, high)) - got)
            off = np.abs(np.rint(np.clip(same / quant.scale - quant.offset, low, high)) - got)
            worst = (float(np.quantile(off, NEARLY_ALL)), float(np.max(apart, initial=0.0)))
            found.append(Against(fused.name, label, tensor.name, worst[0], 1.0, "lsb", worst[1]))
        else:
            found.append(_in_floats(fused, place, name, label, tensor, same, got))
    return found


def _in_floats(
    fused: FusedOp, place: Occurrence, name: str, label: str, tensor: CaseTensor, same: Array, got: Array
) -> Against:
    """Floats beside the runtime's: in steps, where a FakeQuantize makes them."""
    nearly = NEARLY_ALL if any(step.op == "FakeQuantize" for step in fused.pattern.steps) else 1.0
    off = _share(same, got, nearly)
    at = fused.pattern.outputs[place.outputs.index(name)][0]
    step = _step_of(fused, place, at)
    if step:
        largest = float(np.max(np.abs(got[np.isfinite(got)]), initial=0.0))
        return Against(fused.name, label, tensor.name, off * (largest or 1.0) / step, 1.0 + ROUNDING["float32"], "lsb")
    return Against(fused.name, label, tensor.name, off, _room(tensor), "")


def _step_of(fused: FusedOp, place: Occurrence, at: int) -> float:
    """The distance of two results of a step that is a FakeQuantize; 0 for others."""
    step = fused.pattern.steps[at]
    if step.op != "FakeQuantize":
        return 0.0
    low, high, levels = (place.numbers[ref.at] for ref in (*step.args[3:], dict(step.numbers)["levels"]))
    return (high - low) / (levels - 1)


def _share(exact: Array, got: Array, nearly: float) -> float:
    """The largest difference (of nearly all elements), of the largest value; what is no number must be none on both sides."""
    exact = np.broadcast_to(np.asarray(exact, np.float64), got.shape)
    odd = ~np.isfinite(exact) | ~np.isfinite(got)
    same = (exact == got) | (np.isnan(exact) & np.isnan(got))
    if np.any(odd & ~same):
        return float("inf")
    largest = float(np.max(np.abs(exact[~odd]), initial=0.0))
    off = np.abs(exact[~odd] - got[~odd])
    return float(np.quantile(off, nearly) if off.size else 0.0) / (largest or 1.0)


def _room(tensor: CaseTensor) -> float:
    return ROUNDING.get(tensor.dtype.name, 0.0)


def _like_the_runtime(model: Model, fused: FusedOp, place: Occurrence, case: Case, values: Values) -> dict[str, Array]:
    """The results with quantized tensors in between rounded, as the runtime does; what is computed is the same otherwise."""
    scales = {}
    for at, (number_, step) in enumerate(zip(place.nodes, fused.pattern.steps, strict=True)):
        quantization = model.tensor(model.nodes[number_].outputs[0]).quantization
        if step.clips is not None and quantization is not None:
            scales[at] = float32(quantization.scales[0])
    if not scales:
        return {tensor.name: value for tensor, value in zip(case.outputs, case.expected, strict=True)}
    writer = Writer(model, fused.pattern, (place,), scales)
    alone = replace(fused, places=(place,), params=(), inputs=writer.inputs, outputs=writer.outputs)
    op = read_op(model, replace(alone, compute=writer.compute()), "the model")
    twin = _case(model, alone, op, place, values, "rounded")
    return dict(zip(fused.outputs, twin.expected, strict=True))


def read_op(model: Model, fused: FusedOp, source: str) -> Op:
    """The op as its spec says it. Raises OpkgError when that is not valid."""
    op, findings = read_back(model, fused, source)
    if op is None:
        raise OpkgError(findings)
    return op


def wrong(against: Sequence[Against], runtime: str, path: str) -> list[Diagnostic]:
    """Findings where a computation is not what the runtime computes."""
    found = []
    for each in against:
        if not each.ok:
            amount = f"{each.error:.3g} {each.unit or 'of the largest value'}"
            message = f"{each.op} is not what {runtime} computes at {each.place}: {each.output} is off by {amount}"
            found.append(error("OPK763", message, Span(path), f"at most {each.allowed:g} is allowed"))
    return found


def unproved(left: Sequence[LeftOut], runtime: str, path: str) -> list[Diagnostic]:
    """Warnings of the places that are not proved."""
    hint = "opkg verify tries the op on generated values; what the model itself has there is not tried"
    return [
        Diagnostic(
            "OPK765",
            f"{each.op} is not held against {runtime} at {each.place}: {each.why}",
            Span(path),
            hint,
            Severity.WARNING,
        )
        for each in left
    ]
