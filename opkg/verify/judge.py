"""Turns a runner's record of a case into an outcome: compares its outputs with the expectation."""

from __future__ import annotations

from opkg.verify.case import Case
from opkg.verify.compare import compare, tolerance_for
from opkg.verify.outcome import CaseOutcome
from opkg.verify.results import RawResult


def judge(case: Case, result: RawResult) -> CaseOutcome:
    """The outcome of a case."""
    kernels = tuple(dict.fromkeys(kernel for _, kernel in result.kernels if kernel))

    def outcome(status: str, message: str, **more: object) -> CaseOutcome:
        return CaseOutcome(
            case.id, status, case.describe(), message, result.stage, result.code, kernels,
            log=result.log, trace=result.trace, microseconds=result.microseconds, **more,  # type: ignore[arg-type]
        )  # fmt: skip

    if result.status != "ok":
        return outcome(result.status, result.message)
    stats = []
    given = {output.name: output for output in result.outputs}
    for tensor, expected in zip(case.outputs, case.expected, strict=True):
        output = given.get(tensor.name)
        array = f"no output '{tensor.name}'" if output is None else output.array(tensor)
        if isinstance(array, str):
            return outcome("error", array)
        tolerance = tolerance_for(case.op, tensor.dtype)
        stats.append(compare(tensor.name, expected, array, tensor.dtype, tensor.quant, tolerance))
    good = all(s.ok for s in stats)
    return outcome("passed" if good else "failed", result.message, outputs=tuple(stats))
