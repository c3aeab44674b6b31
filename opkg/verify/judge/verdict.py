"""Turns a runner's record of a case into an outcome: compares its outputs with the expectation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from opkg.verify.cases.case import Case, CaseTensor
from opkg.verify.judge.outcome import CaseOutcome
from opkg.verify.judge.results import LogLine, RawOutput, RawResult
from opkg.verify.judge.tolerance import OutputStats, output_stats, tolerance_for
from opkg.verify.meaning.numbers import Array, decode

AGAIN = "the same call gives another result after other calls in between: the kernel keeps something from call to call"


def judge(case: Case, result: RawResult) -> CaseOutcome:
    """The outcome of a case."""
    kernels = tuple(dict.fromkeys(kernel for _, kernel in result.kernels if kernel))

    def outcome(status: str, message: str, **more: object) -> CaseOutcome:
        return CaseOutcome(
            case.id, status, case.describe(), message, result.stage, result.code, kernels,
            log=result.log, trace=result.trace, microseconds=result.microseconds, paths=result.paths,
            faults=result.faults, **more,  # type: ignore[arg-type]
        )  # fmt: skip

    if result.status != "ok":
        return outcome(result.status, result.message)
    stats = _compared(case, kernels, result.outputs)
    if isinstance(stats, str):
        return outcome("error", stats)
    again = _compared(case, kernels, result.again) if result.again and all(s.ok for s in stats) else ()
    if isinstance(again, str) or any(not s.ok for s in again):
        return outcome("failed", AGAIN, outputs=stats if isinstance(again, str) else again)
    good = all(s.ok for s in stats)
    if not good and result.after:
        result = replace(
            result, log=(*result.log, LogLine("info", f"{result.after} was called in this process before"))
        )
    return outcome("passed" if good else "failed", result.message, outputs=stats)


def _compared(case: Case, kernels: Sequence[str], outputs: Sequence[RawOutput]) -> tuple[OutputStats, ...] | str:
    """The comparison of every output, or what is wrong with one."""
    stats = []
    given = {output.name: output for output in outputs}
    for place, tensor in enumerate(case.outputs):
        output = given.get(tensor.name)
        array = f"no output '{tensor.name}'" if output is None else output.array(tensor)
        if isinstance(array, str):
            return array
        expected = nearest(case.expected[place], [other[place] for other in case.others], array, tensor)
        tolerance = tolerance_for(case.op, tensor.dtype)
        bound = case.bounds[place] if generated(case, kernels) and case.bounds else None
        stats.append(output_stats(tensor.name, expected, array, tensor.dtype, tensor.quant, tolerance, bound))
    return tuple(stats)


def generated(case: Case, kernels: Sequence[str]) -> bool:
    """Whether all kernels that ran are generated; of those that may have run, where a machine does not say."""
    of_case = [k for k in case.op.kernels if k.combination == case.combination]
    ran = [kernel for kernel in of_case if kernel.function in kernels] or of_case
    return bool(ran) and all(not kernel.body for kernel in ran)


def nearest(expected: Array, others: Sequence[Array], got: Array, tensor: CaseTensor) -> Array:
    """The expectation, with other right values in places where the result is nearer to these."""
    if not others or got.shape != expected.shape:
        return expected
    real = decode(got, tensor.dtype, tensor.quant).astype(np.float64)
    with np.errstate(all="ignore"):
        for other in others:
            nearer = np.abs(real - _held(other, tensor)) < np.abs(real - _held(expected, tensor))
            same = (real == other) | (np.isnan(real) & np.isnan(other.astype(np.float64)))
            expected = np.where(nearer | same, other, expected)
    return expected


def _held(real: Array, tensor: CaseTensor) -> Array:
    """Real values as far as a quantized tensor holds them: what lies beyond its ends is at its ends."""
    values = real.astype(np.float64)
    if not tensor.dtype.quantized or tensor.quant is None:
        return values
    low, high = (decode(np.full(real.shape, end), tensor.dtype, tensor.quant) for end in tensor.dtype.limits)
    return np.asarray(np.clip(values, low, high))
