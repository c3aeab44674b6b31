"""What inputs and params are to float32 steps: floats, and integers of which nothing but reals is made."""

from __future__ import annotations

from dataclasses import replace

from opkg.spec.dtypes import DType
from opkg.spec.expr import Expression, Num
from opkg.spec.model import Combination, Op, ParamSpec
from opkg.targets.executorch_builder.torch_bounds import Bounds
from opkg.targets.executorch_builder.torch_casts import DOUBLED, are_reals

FLOOR = 2.0**-60  # of params
INPUTS = {
    "float32": Bounds(),
    "float16": Bounds(bits=11, low=-65504.0, high=65504.0, least=2.0**-24),
}
_BITS = 24  # of integers that float32 has all of


def has_floats(op: Op, combination: Combination) -> bool:
    """Whether all inputs are of element types that float32 holds."""
    return all(tensor.dtype.of(combination).name in INPUTS for tensor in op.inputs)


def are_floats(op: Op, combination: Combination) -> bool:
    """Whether all inputs are float32 from the start: also integers of which nothing but reals is made, rounded."""
    others = {tensor.dtype.of(combination).name for tensor in op.inputs} - set(INPUTS)
    return not others or (others <= DOUBLED and are_reals(op, combination))


def are_exact(op: Op, combination: Combination) -> bool:
    """Whether inputs are as float32 what they are, so that float64 steps may take them beside float32 ones."""
    return all(is_exact(tensor.dtype.of(combination)) for tensor in op.inputs)


def is_exact(dtype: DType) -> bool:
    """Whether float32 has all numbers of an element type."""
    return dtype.name in INPUTS or dtype.bits <= _BITS


def of_integer(dtype: DType, cast: bool) -> Bounds:
    """An integer as float32; `cast`: it is rounded by the text."""
    low, high = map(float, dtype.limits)
    error = 0.0 if cast or is_exact(dtype) else 1.0
    return Bounds(error=error, bits=min(dtype.bits, _BITS), low=low, high=high, least=1.0)


def of_param(param: ParamSpec) -> Bounds:
    """A param that is one number; calls in which one is not as it is taken to be are float64."""
    known = INPUTS[param.dtype.name]
    return replace(known, low=FLOOR, least=FLOOR, high=1 / FLOOR) if is_floor(param) else known


def is_floor(param: ParamSpec) -> bool:
    """Whether a param is taken to be from FLOOR to 1 / FLOOR, as what is added to a sum: its range or default says so."""
    if param.shape is not None or param.dtype.name not in INPUTS:
        return False
    low = param.range.low if param.range is not None else None
    above = isinstance(low, Expression) and isinstance(low.tree, Num) and low.tree.value >= 0
    return above or (isinstance(param.default, float) and param.default >= FLOOR)
