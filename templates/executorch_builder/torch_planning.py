"""How calls of a torch custom op are computed: the plans of calls, and whether they may be programs or parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch

from .torch_keys import is_plain
from .torch_op import CustomOp
from .torch_plan import LARGE, PART, WHOLE, Plan, parts_of
from .torch_record import Given
from .torch_values import FEW, HALVES

_FLOOR = 2.0**-60


def plan_of(op: CustomOp, given: Given) -> Plan:
    """The plan of a call of real tensors; Rejected when the spec does not allow it."""
    plan = planned(op, given)
    tensors = list(op.tensors(given))
    asks = torch.is_grad_enabled() and any(t.requires_grad for t in tensors)
    if asks and plan.compute is not None and all(map(is_plain, tensors)):
        plan = replace(plan, direct=True, rows=0)  # torch derives gradients of the steps
    plan.programs = [] if _is_straight(op, given, plan) else None
    return plan


def planned(op: CustomOp, given: Given) -> Plan:
    """The plan of a call, also of tensors that are traced."""
    call, types = op.checked(given)
    shapes = op.traced_shapes(given, call, types)
    params: list[torch.Tensor] = []
    row, compute = op.single_row(given, types), op.compute
    if not all(_FLOOR <= op.param(call, name) <= 1 / _FLOOR for name in op.floors):
        row = None
    mixed, kind = row in op.mixed, torch.float64
    if row is not None:
        compute = op.single[row]
        kind = torch.float16 if row in op.half else torch.float32
        kind = _integer(op, given) if row in op.narrow else torch.int32 if row in op.whole else kind
    dtypes = op.dtypes(given, types, shapes)
    brain = None if row is None else op.brain.get(row)
    if brain is not None and _are_brain((*(t.dtype for t in op.tensors(given)), *dtypes)):
        compute, kind = brain, torch.bfloat16
    single, rows, dim, flat = False, 0, 0, False
    if op.compute is not None:
        params = op.param_tensors(call)
        alike = all(t.dtype is kind for t in op.tensors(given))
        single = row is not None and alike
    own = row in op.plain or kind in HALVES
    added = bool(op.reduces) and not own  # in float64, best in parts
    size = _size(op, given)
    short = row is not None and not mixed and size <= WHOLE
    is_large = (added and size > LARGE) or (row in op.cut and size > 2 * PART)
    if op.compute is not None and (mixed or not (single or short) or is_large):
        rows, dim, flat = parts_of(op, given, call, op.shapes_of(call))
    all_real = any(op.types[each] is types for each in op.reals)
    kept = _is_small(op, given) and not rows and (mixed or not single)
    looks = row in op.looks and size > FEW
    kept = kept and not (row is not None and (looks or (all_real and not mixed)))
    direct = row is not None and not rows and not kept
    shapes = [None if shape is None else tuple(shape) for shape in shapes]
    return Plan(
        *(call, types, params, shapes, dtypes, compute, kind, direct, single, all_real),
        *(rows, dim, flat),
    )


def _integer(op: CustomOp, given: Given) -> torch.dtype:
    """The type of the integers of a call."""
    return next(t.dtype for t in op.tensors(given) if t.dtype is not torch.bool)


def _is_straight(op: CustomOp, given: Given, plan: Plan) -> bool:
    """Whether a program may be tried: of tensors small enough to be kept."""
    if op.compute is None or any(isinstance(given[n], list) for n in op.inputs):
        return False
    return _is_small(op, given) or plan.rows > 0


def _are_brain(dtypes: Sequence[torch.dtype]) -> bool:
    return all(dtype in (torch.bfloat16, torch.bool, torch.int32) for dtype in dtypes)


def _is_small(op: CustomOp, given: Given) -> bool:
    return 0 < _size(op, given) <= WHOLE


def _size(op: CustomOp, given: Given) -> int:
    return max((t.numel() for t in op.tensors(given)), default=0)
