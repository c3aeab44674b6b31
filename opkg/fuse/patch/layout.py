"""Ops that mean NHWC in models that are NCHW: how the tensors of a place reach the op.

A tensor of rank 4 is transposed; a constant per channel, [C, 1, 1] in NCHW, becomes [C].
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from opkg.models.model import Tensor
from opkg.spec.model import Op, TensorSpec

TO_NHWC, TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)
NHWC_IN_NCHW = TO_NHWC  # the dimension that a pattern counts in NHWC -> that of the model
SAME = (0, 1, 2, 3)
MIXING = frozenset(("MatMul",))  # ops that mean the last two dimensions: a pattern with them holds in one layout


class Step(StrEnum):
    """What is between a tensor of the model and the op."""

    NONE = ""
    TRANSPOSE = "transposed"
    FLATTEN = "flattened"


def bound(op: Op) -> bool:
    """Whether an op says that its tensors are NHWC."""
    return any(tensor.layout == "NHWC" for tensor in op.tensors)


def step(spec: TensorSpec, tensor: Tensor, constant: bool) -> Step:
    """How a tensor of a model in NCHW reaches an op in NHWC."""
    shape = tensor.fixed or ()
    if len(shape) == 4 and 4 in spec.ranks:
        return Step.TRANSPOSE
    per_channel = len(shape) in (3, 4) and all(size == 1 for at, size in enumerate(shape) if at != len(shape) - 3)
    if constant and spec.ranks.high == 1 and per_channel:
        return Step.FLATTEN
    return Step.NONE


def seen(tensor: Tensor, how: Step) -> Tensor:
    """The tensor as the op gets it."""
    shape = tensor.fixed or ()
    if how is Step.TRANSPOSE:
        return replace(tensor, shape=tuple(shape[at] for at in TO_NHWC))
    return replace(tensor, shape=(shape[-3],)) if how is Step.FLATTEN else tensor
