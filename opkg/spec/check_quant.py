"""Quantization parameters of a call's tensors against what the spec demands of them."""

from __future__ import annotations

import math

from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.spec.evaluate import Env, TensorInfo
from opkg.spec.model import Op, Quantization, TensorSpec
from opkg.spec.values import stored

_FLOAT32 = DTYPES["float32"]


def symmetric_offset(dtype: DType) -> int:
    """QNN's offset of a symmetric quantization: 0 for signed, minus half of the range for unsigned types."""
    return 0 if dtype.kind is Kind.SFIXED else -(1 << (dtype.bits - 1))


def check_quantization(op: Op, env: Env, violations: list[str]) -> None:
    """Check every quantized tensor of the call; inferred outputs without parameters are not checked."""
    for spec in op.tensors:
        for info in env.tensors[spec.name]:
            if info.dtype.quantized:
                _check(spec, info, spec in op.inputs, env, violations)


def _check(spec: TensorSpec, info: TensorInfo, is_input: bool, env: Env, violations: list[str]) -> None:
    wanted = spec.quantization or Quantization()
    if wanted.any:
        return
    if info.axis is not None:
        _check_axis(spec.name, wanted, info, violations)
        return
    if info.scale is None:
        if is_input:
            violations.append(f"'{spec.name}' has no scale and offset")
        return
    if wanted.axis is not None:
        violations.append(f"'{spec.name}' must be quantized per channel of dimension {wanted.axis}")
        return
    if not (math.isfinite(info.scale) and info.scale > 0):
        violations.append(f"'{spec.name}' has scale {info.scale:g}; it must be positive")
    _compare(spec.name, info, wanted.scale, wanted.offset, "", violations)
    if wanted.symmetric:
        _compare(spec.name, info, None, symmetric_offset(info.dtype), " to be symmetric", violations)
    if wanted.same_as is not None:
        others = env.tensors.get(wanted.same_as, ())
        if others and others[0].dtype.quantized and others[0].scale is not None:
            other = others[0]
            _compare(spec.name, info, other.scale, other.offset, f", as '{wanted.same_as}' has it", violations)


def _compare(
    name: str, info: TensorInfo, scale: float | None, offset: int | None, why: str, violations: list[str]
) -> None:
    if scale is not None and info.scale is not None and stored(scale, _FLOAT32) != stored(info.scale, _FLOAT32):
        violations.append(f"'{name}' has scale {info.scale:g}; it must be {scale:g}{why}")
    if offset is not None and (info.offset or 0) != offset:
        violations.append(f"'{name}' has offset {info.offset or 0}; it must be {offset}{why}")


def _check_axis(name: str, wanted: Quantization, info: TensorInfo, violations: list[str]) -> None:
    """A tensor quantized per channel: only where the spec says so, along that dimension, one scale per channel."""
    shape, axis = info.shape or (), info.axis
    assert axis is not None
    if wanted.axis is None:
        violations.append(f"'{name}' must be quantized per tensor, not per channel")
        return
    demanded = wanted.axis + len(shape) if wanted.axis < 0 else wanted.axis
    if axis != demanded:
        violations.append(f"'{name}' is quantized per channel of dimension {axis}, not {demanded}")
        return
    if shape and len(info.scales) != shape[axis]:
        violations.append(f"'{name}' has {len(info.scales)} scales for {shape[axis]} channels")
    offset = symmetric_offset(info.dtype)
    if wanted.symmetric and any(given != offset for given in info.offsets):
        violations.append(f"'{name}' must have offset {offset} in every channel to be symmetric")
