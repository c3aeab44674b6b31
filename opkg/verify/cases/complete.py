"""Quantisation of a case's tensors: of the inputs beforehand, of the outputs from what the reference expects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from opkg.spec.evaluate import TensorInfo
from opkg.spec.infer import check_call
from opkg.spec.model import Op, TensorSpec, Value
from opkg.verify.cases import values
from opkg.verify.cases.bounded import of_case
from opkg.verify.cases.cancels import cancels
from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.cases.demands import FREE, Demand
from opkg.verify.cases.draft import Draft
from opkg.verify.cases.own_cases import Fixed
from opkg.verify.cases.reference import Meaning
from opkg.verify.cases.rng import Rng
from opkg.verify.meaning.numbers import Array, Quant, decode

ROUNDING = 2.0**-40  # of the largest input


def with_quants(infos: tuple[TensorInfo, ...], quants: tuple[Quant | None, ...]) -> tuple[TensorInfo, ...]:
    found = []
    for info, quant in zip(infos, quants, strict=True):
        if quant is None:
            found.append(info)
        elif quant.axis is None:
            found.append(replace(info, scale=quant.scale, offset=quant.offset))
        else:
            found.append(replace(info, axis=quant.axis, scales=quant.scales, offsets=quant.offsets))
    return tuple(found)


def input_quants(
    draft: Draft, tensors: Mapping[str, tuple[TensorInfo, ...]], rng: Rng, fixed: Fixed, demand: Demand = FREE
) -> dict[str, tuple[Quant | None, ...]]:
    """Quantisation of every input tensor; "same as" another input after that one."""
    found: dict[str, tuple[Quant | None, ...]] = {}
    turn = 0
    for spec in sorted(draft.op.inputs, key=lambda s: _follows(s, draft.op) is not None):
        leader = found.get(_follows(spec, draft.op) or "", ())
        quants = []
        for place, info in enumerate(tensors.get(spec.name, ())):
            quant = leader[0] if leader else None
            if quant is None:
                ranges = demand.ranges and (demand.ranges[turn % len(demand.ranges)],)
                quant = values.input_quant(rng, info.dtype, spec.quantization, info.shape or (), ranges)
                turn += 1
            quants.append(fixed.quant(spec.name, place, quant))
        found[spec.name] = tuple(quants)
    return found


def _follows(spec: TensorSpec, op: Op) -> str | None:
    """The input that this input's quantisation must equal, directly or over an output that both equal."""
    other = spec.quantization.same_as if spec.quantization else None
    for output in op.outputs:
        if other == output.name:
            other = output.quantization.same_as if output.quantization else None
    return other if other != spec.name else None


def finish(case: Case, reference: Meaning, rng: Rng, number: int, fixed: Fixed, demand: Demand = FREE) -> Case | str:
    """Computes the expectation and chooses the outputs' quantisation from it; the reason when the spec forbids that."""
    expected = reference(case)
    chosen: dict[str, Quant | None] = {t.spec.name: t.quant for t in case.inputs}
    outputs: list[CaseTensor] = []
    for tensor, real in zip(case.outputs, expected, strict=True):
        wanted = tensor.spec.quantization
        quant = chosen.get(wanted.same_as or "") if wanted else None
        if quant is None or not tensor.dtype.quantized:
            follower = [t.quant for t in case.inputs if _same(t.spec, tensor.spec) and tensor.dtype.quantized]
            saturate = number % 6 == 5
            quant = (
                follower[0]
                if follower
                else values.output_quant(
                    rng, tensor.dtype, wanted, _without_noise(real, case, tensor.name), saturate, demand.stretch
                )
            )
        place = sum(t.spec is tensor.spec for t in outputs)
        quant = fixed.quant(tensor.spec.name, place, quant)
        chosen.setdefault(tensor.spec.name, quant)
        outputs.append(replace(tensor, quant=quant))
    done = replace(case, outputs=tuple(outputs), expected=expected, others=reference.others(case))
    done = replace(done, bounds=of_case(done))
    violations = check_call(case.op, case.combination, _given(done), _given_params(done)).violations
    return violations[0] if violations else done


def _without_noise(real: Array, case: Case, output: str) -> Array:
    """What an output's scale is chosen for: zeros where all values are so small beside the inputs that they may be the rounding
    errors of sums that cancel, of which a kernel has others."""
    if case.op.compute is None or not cancels(case.op.compute, output):
        return real
    most = max((float(np.abs(of[np.isfinite(of)]).max(initial=0.0)) for of in map(_real, case.inputs)), default=0.0)
    known = np.abs(real[np.isfinite(real)])
    return real if known.max(initial=0.0) > most * ROUNDING else np.zeros_like(real)


def _real(tensor: CaseTensor) -> Array:
    """The real values of an input; none of one that is absent or whole numbers."""
    if tensor.stored is None or tensor.dtype.integral:
        return np.zeros(0)
    return decode(tensor.stored, tensor.dtype, tensor.quant)


def _same(spec: TensorSpec, output: TensorSpec) -> bool:
    return spec.quantization is not None and spec.quantization.same_as == output.name


def _given_params(case: Case) -> dict[str, Value]:
    return {p.spec.name: p.value for p in case.params if p.given}


def _given(case: Case) -> dict[str, tuple[TensorInfo, ...]]:
    found: dict[str, tuple[TensorInfo, ...]] = {spec.name: () for spec in case.op.tensors}
    for tensor in case.tensors:
        if not tensor.absent:
            found[tensor.spec.name] += with_quants((TensorInfo(tensor.shape, tensor.dtype),), (tensor.quant,))
    return found
