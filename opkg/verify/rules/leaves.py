"""Leaves of a rule's graph: element types, quantizations and numbers of the operands that its tags bind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from opkg.rules.core import HtpType
from opkg.rules.sim.model import Output
from opkg.verify.cases import values
from opkg.verify.cases.rng import Rng
from opkg.verify.meaning.numbers import Array
from opkg.verify.rules.goals import Goal, Key
from opkg.verify.rules.meaning import Shape
from opkg.verify.rules.tensors import FLOATS, WHOLE, dtype_of, real_of, rounded

THEMES = (
    HtpType.QUInt8, HtpType.Float32, HtpType.Float16, HtpType.QUInt16, HtpType.Float32, HtpType.QUInt8, HtpType.Int32,
    HtpType.QInt8, HtpType.QInt16,
)  # fmt: skip
QUANTIZED = (HtpType.QUInt8, HtpType.QUInt16, HtpType.QInt8, HtpType.QInt16)
# QInt32 holds sums: a small step.
SUM_STEPS = (1e-4, 1e-3)


@dataclass(frozen=True, slots=True)
class Leaf:
    """An operand: description, real values, whether it is a constant (or, `shape`, a `$Shape`)."""

    output: Output
    value: Array
    const: bool = False
    shape: bool = False


def goal_type(goals: Mapping[Key, Goal], tag: str) -> HtpType | None:
    """The element type that is asked for of an operand."""
    found = goals.get((tag, "dtype"))
    return None if found is None else HtpType(int(found))


def goal_quant(goals: Mapping[Key, Goal], tag: str, output: Output) -> Output:
    """The description with the zero offset and step size that are asked for."""
    if not output.quantized:
        return output
    zero, step = goals.get((tag, "zero")), goals.get((tag, "step"))
    dtype = dtype_of(output)
    assert dtype is not None
    low, high = dtype.limits
    zero_offset = output.zero_offset if zero is None else min(max(int(zero), low), high)
    return Output(output.dtype, output.shape, zero_offset, output.step_size if step is None else float(step))


def quantized(rng: Rng, dtype: HtpType, shape: Shape) -> Output:
    """A description of an operand; quantized types get one of many quantizations."""
    plain = Output(dtype, shape)
    found = dtype_of(plain)
    if not plain.quantized or found is None:
        return plain
    if dtype is HtpType.QInt32:
        return Output(dtype, shape, 0, float(np.float32(rng.log(*SUM_STEPS))))
    quant = values.input_quant(rng, found, None, shape)
    assert quant is not None
    return Output(dtype, shape, -quant.offset, quant.scale)


def result_output(rng: Rng, dtype: HtpType, value: Array) -> Output:
    """A description of an op's result under which its values use the type's range."""
    plain = Output(dtype, value.shape)
    found = dtype_of(plain)
    if not plain.quantized or found is None:
        return plain
    quant = values.output_quant(rng, found, None, value.astype(np.float64), rng.chance(0.15))
    assert quant is not None
    return Output(dtype, value.shape, -quant.offset, quant.scale)


def numbers(rng: Rng, output: Output, style: str) -> Array:
    """Real values of an operand, as its type can hold them."""
    dtype = dtype_of(output)
    assert dtype is not None
    if output.dtype is HtpType.QInt32:
        return np.asarray(np.rint((rng.array(output.shape) * 2 - 1) / output.step_size) * output.step_size)
    if output.dtype in WHOLE:
        style = "small" if style in ("wide", "edges") and rng.chance(0.5) else style
        found = values.elements(rng, dtype, None, output.shape, style).astype(np.int64)
        return np.asarray(found % 64 - 32)  # sums and products of some of them stay far from the ends of int32
    if output.dtype in FLOATS:
        return rounded(values.elements(rng, dtype, None, output.shape, style).astype(np.float64), output)
    from opkg.verify.rules.tensors import quant_of

    return real_of(values.elements(rng, dtype, quant_of(output), output.shape, style), output)


def with_values(goals: Mapping[Key, Goal], tag: str, leaf: Leaf) -> Leaf:
    """The leaf with the elements that are asked for; as a constant if that is asked for."""
    const = bool(goals.get((tag, "const"), leaf.const))
    changed = leaf.value.copy()
    flat = changed.reshape(-1)
    for (name, key), wanted in goals.items():
        if name != tag or not key.startswith("value"):
            continue
        *row, place = (int(part) for part in key[5:].split(","))
        index = place + sum(row) * (leaf.value.shape[-1] if leaf.value.ndim else 1)
        if index < flat.size:
            flat[index] = float(wanted)
    return Leaf(leaf.output, rounded(changed, leaf.output), const, leaf.shape)
