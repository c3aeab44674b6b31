"""Chooses which generated cases of an op become models, in which mode of the quantizer, and what stands around the op."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from opkg.spec.dtypes import DType
from opkg.spec.model import Combination, Op
from opkg.verify.cases.case import Case
from opkg.verify.meaning.deciding import decides
from opkg.verify.options import DEFAULT_CASES

MODES = {"": "float", "ufixed8": "8a8w", "ufixed16": "16a8w"}  # element type of quantized activations: mode
PER_OP = 5  # cases of a combination when the other machines run DEFAULT_CASES
MOST_RANK = 5
MOST_ELEMENTS = 1 << 16  # of one tensor: the model is simulated
MOST_CHANNELS = 512  # of a layer that reverses them; with one channel the backend makes a Hadamard transform of it
MOST_FLOAT16 = 3e4  # layers around an op compute in float16
# What torch's export and ExecuTorch take as tensors, beside float32 (which stands for quantized ones, too).
TORCH_TYPES = frozenset({"float32", "bool8", "int8", "int16", "int32", "int64", "uint8"})
# What may stand around an op, by the rank of its first float input; cases take turns.
AROUND = {
    0: ("alone", "sigmoid"),
    1: ("alone", "sigmoid", "flat", "add"),
    2: ("alone", "linear", "transposed", "sigmoid", "add"),
    3: ("linear", "alone", "transposed", "add", "flat"),
    4: ("convolutions", "alone", "sigmoid", "transposed", "add"),
    5: ("alone", "flat"),
}
# The backend's layers of 16-bit activations are not exact (3 steps were seen): others that move elements stand in.
IN_16_BITS = {"convolutions": "pools", "linear": "transposed"}


@dataclass(frozen=True, slots=True)
class Planned:
    """A case with its mode and neighbours (models.Model)."""

    case: Case
    mode: str
    around: str


def mode_of(op: Op, combination: Combination) -> tuple[str, str]:
    """The mode in which a model's op has these element types, or empty and the reason why there is none."""
    moving = [tensor.dtype.of(combination) for tensor in op.inputs if not tensor.static]
    moving += [tensor.dtype.of(combination) for tensor in op.outputs]
    stored = {dtype.name for dtype in moving if dtype.quantized}
    others = [tensor.dtype.of(combination) for tensor in op.inputs if tensor.static] + moving
    for dtype in others:
        if not dtype.quantized and dtype.name not in TORCH_TYPES:
            return "", f"models for ExecuTorch have no {dtype.name} tensors"
    if len(stored) > 1 or (stored and not stored <= MODES.keys()):
        return "", f"the quantizer's modes make no {' and '.join(sorted(stored))} activations"
    if not stored and any(dtype.quantized for dtype in others):
        return "", "the quantizer stores constants only beside quantized activations"
    if stored and any(dtype.name == "float32" for dtype in moving):
        return "", "the quantizer's modes quantize all float activations"
    return MODES["".join(stored)], ""


def modes(op: Op) -> tuple[dict[Combination, str], dict[Combination, str]]:
    """Modes of the combinations that can be run, and reasons for the others.

    The quantizer's rule takes the first combination that fits a mode, so later ones of the same torch types never come up.
    """
    found: dict[Combination, str] = {}
    reasons: dict[Combination, str] = {}
    taken: dict[tuple[str, ...], Combination] = {}
    for combination in op.combinations:
        mode, reason = mode_of(op, combination)
        key = (mode, *(_torch_type(tensor.dtype.of(combination)) for tensor in op.tensors))
        if mode and key in taken:
            reason = f"in {mode} models {taken[key].suffix} is taken"
        if reason:
            reasons[combination] = reason
        else:
            found[combination] = mode
            taken[key] = combination
    return found, reasons


def _torch_type(dtype: DType) -> str:
    return "float32" if dtype.quantized else dtype.name


def select(cases: Iterable[Case], wanted: int, only: bool) -> list[Planned]:
    """The cases that are run, in their order. `wanted`: cases per combination on other machines; `only`: all that fit."""
    most = max(1, round(wanted * PER_OP / DEFAULT_CASES))
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        groups.setdefault((case.op.name, str(case.combination)), []).append(case)
    found: list[Planned] = []
    for group in groups.values():
        mode = modes(group[0].op)[0].get(group[0].combination, "")
        fitting = [Planned(c, mode, around(c, at)) for at, c in enumerate(group) if mode and fits(c, only)]
        found += fitting if only else _varied(fitting, most)
    return found


def fits(case: Case, any_size: bool) -> bool:
    """Whether a case can be a model: ranks 1 to 5, numbers that are finite, of a size that is quick to simulate.

    The builders refuse an input after one that is left out, which this backend cannot carry.
    """
    present = [not tensor.absent for tensor in case.inputs]
    if present != sorted(present, reverse=True):
        return False
    tensors = [tensor for tensor in case.tensors if not tensor.absent]
    if any(len(tensor.shape) > MOST_RANK for tensor in tensors):
        return False
    if not any_size and any(tensor.elements > MOST_ELEMENTS for tensor in tensors):
        return False
    stored = [tensor.stored for tensor in tensors if tensor.stored is not None]
    return all(np.isfinite(array).all() for array in (*stored, *case.expected))


def around(case: Case, place: int) -> str:
    """The neighbours of a case. Its number decides, so that it has the same ones when it is repeated alone."""
    label = case.id.rpartition("-")[2]
    turn = int(label) if label.isdecimal() else sum(label.encode())
    moving = [t for t in case.inputs if not (t.absent or t.spec.static) and _torch_type(t.dtype) == "float32"]
    if not moving:
        return "alone"
    first = moving[0]
    results = [t for t in case.outputs if _torch_type(t.dtype) == "float32"]
    options = AROUND[len(first.shape)]
    chosen = options[(turn + turn // 2) % len(options)]
    axis = 1 if chosen == "convolutions" else -1
    if chosen in ("convolutions", "linear"):
        ends = [first.shape[axis], *(t.shape[axis] for t in results[:1] if len(t.shape) == len(first.shape))]
        chosen = chosen if 2 <= min(ends) <= max(ends) <= MOST_CHANNELS else "transposed"
    if chosen == "add" and (not results or results[0].shape != first.shape):
        chosen = "sigmoid"
    if chosen == "sigmoid" and not results:
        chosen = "flat"
    if any(t.dtype.name == "ufixed16" for t in moving + results):
        chosen = IN_16_BITS.get(chosen, chosen)
    return chosen if _in_float16(case) else "alone"


def _in_float16(case: Case) -> bool:
    """Whether the layers around a float op can hold its numbers; what they pass on is right to about 1e-7, which is
    not enough for comparisons, indexes and functions with jumps."""
    floats = [t for t in case.inputs if t.dtype.name == "float32" and not t.absent]
    if floats and any(_torch_type(t.dtype) != "float32" for t in case.outputs):
        return False
    if floats and case.op.compute is not None and any(map(decides, case.op.compute.statements)):
        return False
    arrays = [t.stored for t in case.inputs if t.stored is not None and t.dtype.name == "float32"]
    arrays += [each for each, t in zip(case.expected, case.outputs, strict=True) if t.dtype.name == "float32"]
    return all(np.abs(array).max(initial=0.0) < MOST_FLOAT16 for array in arrays)


def _varied(planned: Sequence[Planned], most: int) -> list[Planned]:
    """At most so many, those that differ most: ranks first, then neighbours, params and inputs that are left out."""
    chosen: list[int] = []
    seen: list[set[object]] = [set(), set(), set(), set()]
    traits = [_traits(each) for each in planned]
    while len(chosen) < min(most, len(planned)):
        left = [at for at in range(len(planned)) if at not in chosen]
        best = max(
            left,
            key=lambda at: (sum(w for w, s, t in zip((4, 3, 2, 2), seen, traits[at], strict=True) if t not in s), -at),
        )
        chosen.append(best)
        for known, trait in zip(seen, traits[best], strict=True):
            known.add(trait)
    return [planned[at] for at in sorted(chosen)]


def _traits(planned: Planned) -> tuple[object, ...]:
    case = planned.case
    rank = max(len(tensor.shape) for tensor in case.tensors)
    params = tuple((param.spec.name, param.value) for param in case.params)
    return rank, planned.around, params, tuple(tensor.absent for tensor in case.inputs)
