"""The params of a case as a caller of HTP gives them: axes count from the end where padding hides a tensor's rank."""

from __future__ import annotations

from dataclasses import replace

from opkg.spec.axis_params import counts_from_end, from_end
from opkg.spec.values import elements
from opkg.verify.cases.case import Case, CaseParam


def call_params(case: Case) -> tuple[CaseParam, ...]:
    """All params, those that are left out, too."""
    return tuple([_given(case, param) for param in case.params])


def _given(case: Case, param: CaseParam) -> CaseParam:
    if not counts_from_end(case.op, param.spec):
        return param
    rank = next(len(t.shape) for t in case.tensors if t.spec.name == param.spec.axis_of)
    numbers = tuple([from_end(int(number), rank) for number in elements(param.value)])
    return replace(param, value=numbers if param.shape is not None else numbers[0])
