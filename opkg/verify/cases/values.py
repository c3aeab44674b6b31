"""Chooses the numbers of a case: quantisation of the inputs and outputs, and the elements of each input."""

from __future__ import annotations

import numpy as np

from opkg.spec.dtypes import DType, Kind
from opkg.spec.model import Quantization
from opkg.verify.cases.rng import Rng
from opkg.verify.meaning.numbers import Array, Quant, encode, float32, storage

# Real ranges that a quantised input may stand for: around zero, one-sided, lopsided, narrow, wide.
RANGES = ((-1.0, 1.0), (-4.0, 4.0), (0.0, 6.0), (-3.0, 5.0), (-0.5, 7.5), (-0.02, 0.03), (-30.0, 10.0), (0.0, 1.0))
# How the elements of one input are drawn; cases take them in turn. "mixed" comes first: it finds most.
STYLES = ("mixed", "uniform", "edges", "wide", "small", "uniform", "constant", "halves", "mixed", "ramp")
FLOAT_EDGES = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 3.0, -3.0, 6.0, 1e-3, -1e-3, 2.0**-14, 100.0, -100.0)
FLOAT32_EDGES = (1e-40, -1e-40, 2.0**-126, 1e-30, 1e4, -1e4)
SPECIAL = (float("nan"), float("inf"), float("-inf"), -0.0, 0.0)
FLOAT16_EDGES = (2.0**-24, -(2.0**-20), 60.0, -60.0)
INT_EDGES = (0, 1, -1, 2, -2, 3, 7, 8, -8, 127, -128, 255, 1000, -1000)


def fitted(low: float, high: float, dtype: DType, symmetric: bool) -> tuple[float, int]:
    """Scale and offset with which the element type covers [low, high] and zero."""
    bottom, top = dtype.limits
    low, high = min(low, 0.0), max(high, 0.0)
    middle = 0 if dtype.kind is Kind.SFIXED else 1 << (dtype.bits - 1)
    if symmetric:
        reach = max(-low, high)
        scale = reach / (top - middle) if reach > 0 else 1.0 / (top - middle)
        return _scale(scale), -middle
    scale = _scale((high - low) / (top - bottom) if high > low else 1.0 / (top - bottom))
    zero = min(max(round(bottom - low / scale), bottom), top)
    return scale, -zero


def _scale(value: float) -> float:
    """A float32 scale that is no subnormal."""
    return float32(min(max(value, 1e-30), 1e30))


def _pair(
    rng: Rng, dtype: DType, wanted: Quantization | None, ranges: tuple[tuple[float, float], ...]
) -> tuple[float, int]:
    """Scale and offset of an input (or of one of its channels); `ranges` to take as they are, when there are some."""
    symmetric = bool(wanted and wanted.symmetric) or dtype.bits == 32
    if dtype.bits == 32:
        scale, offset = float32(rng.log(1e-6, 1e-3)), fitted(-1.0, 1.0, dtype, True)[1]
    else:
        low, high = rng.choice(ranges or RANGES)
        stretch = 1.0 if ranges else rng.choice((1.0, 1.0, 0.37, 1.9))
        scale, offset = fitted(low * stretch, high * stretch, dtype, symmetric)
    if wanted is not None and wanted.scale is not None:
        scale = float32(wanted.scale)
    if wanted is not None and wanted.offset is not None:
        offset = wanted.offset
    return scale, offset


def input_quant(
    rng: Rng, dtype: DType, wanted: Quantization | None, shape: tuple[int, ...],
    ranges: tuple[tuple[float, float], ...] = (),
) -> Quant | None:  # fmt: skip
    """A quantisation that the spec allows for an input, for one of the real `ranges`; None for types that have none."""
    if not dtype.quantized:
        return None
    if wanted is None or wanted.axis is None or not shape:
        scale, offset = _pair(rng, dtype, wanted, ranges)
        return Quant((scale,), (offset,))
    axis = wanted.axis % len(shape)
    first = _pair(rng, dtype, wanted, ranges)
    fixed = wanted.scale is not None
    scales = [first[0] if fixed else float32(first[0] * rng.real(0.5, 1.5)) for _ in range(shape[axis])]
    return Quant(tuple(scales), (first[1],) * shape[axis], axis)


def output_quant(
    rng: Rng, dtype: DType, wanted: Quantization | None, expected: Array, saturate: bool, stretch: float = 0.0
) -> Quant | None:
    """A quantisation of an output under which its expected values use the type's range, or leave it (`saturate`).

    `stretch`: the multiple of the range of the expected values that is covered; 0 leaves it to chance.
    """
    if not dtype.quantized:
        return None
    wanted = wanted or Quantization()
    channels = [expected]
    axis = None
    if wanted.axis is not None and expected.ndim:
        axis = wanted.axis % expected.ndim
        channels = [expected.take(i, axis) for i in range(expected.shape[axis])]
    shrink = rng.real(0.4, 0.8) if saturate else rng.choice((1.0, 1.0, 1.05, 1.6))
    shrink = stretch or shrink
    pairs = []
    for values in channels:
        finite = values[np.isfinite(values)].astype(np.float64)
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        scale, offset = fitted(low * shrink, high * shrink, dtype, wanted.symmetric or dtype.bits == 32)
        scale = scale if wanted.scale is None else float32(wanted.scale)
        pairs.append((scale, offset if wanted.offset is None else wanted.offset))
    return Quant(tuple(s for s, _ in pairs), tuple(o for _, o in pairs), axis)


def elements(rng: Rng, dtype: DType, quant: Quant | None, shape: tuple[int, ...], style: str) -> Array:
    """The stored numbers of an input."""
    if dtype.kind is Kind.BOOL:
        odds = {"edges": 0.95, "small": 0.05, "constant": rng.choice((0.0, 1.0))}.get(style, 0.5)
        return (rng.array(shape) < odds).astype(storage(dtype))
    if dtype.kind is Kind.FLOAT:
        return encode(_floats(rng, dtype, shape, style), dtype, None)
    return _whole(rng, dtype, quant, shape, style)


def _sprinkled(rng: Rng, base: Array, edges: tuple[float, ...], odds: float) -> Array:
    """`base` with some of its elements replaced by edge values; each edge is there when there is room."""
    which = rng.array(base.shape)
    picked = np.asarray(edges, dtype=np.float64)[(rng.array(base.shape) * len(edges)).astype(np.int64)]
    mixed = np.where(which < odds, picked, base)
    if base.size >= 2 * len(edges):
        flat = mixed.reshape(-1)
        start = rng.below(base.size - len(edges))
        flat[start : start + len(edges)] = edges
    return mixed


def _floats(rng: Rng, dtype: DType, shape: tuple[int, ...], style: str) -> Array:
    unit = rng.array(shape) * 2.0 - 1.0
    edges = FLOAT_EDGES + (FLOAT32_EDGES if dtype.bits == 32 else FLOAT16_EDGES)
    if style == "special":
        return _sprinkled(rng, unit * 4.0, SPECIAL, 0.1)
    if style == "edges":
        return _sprinkled(rng, unit * 4.0, edges, 0.5)
    if style == "mixed":
        return _sprinkled(rng, unit * 4.0, FLOAT_EDGES, 0.1)
    if style == "wide":
        return unit * (40.0 if dtype.bits == 16 else 100.0)
    if style == "small":
        return unit * 1e-3
    if style == "constant":
        return np.full(shape, rng.choice((0.0, 1.0, -2.5, float(unit.flat[0]) if unit.size else 0.0)))
    if style == "halves":
        return np.rint(unit * 16.0) / 2.0
    if style == "ramp":
        return np.linspace(-6.0, 6.0, max(unit.size, 1))[: unit.size].reshape(shape)
    return unit * 3.0


def _whole(rng: Rng, dtype: DType, quant: Quant | None, shape: tuple[int, ...], style: str) -> Array:
    """Stored numbers of integers and quantised types."""
    bottom, top = dtype.limits
    zero = -quant.offset if quant is not None else 0
    if quant is None:
        whole = style == "wide" and dtype.bits <= 32  # sums that wrap, and signs that are none
        low, high = (bottom, top) if whole else (max(bottom, -1000), min(top, 1000))
        edges = tuple(float(e) for e in INT_EDGES if bottom <= e <= top)
        if dtype.bits <= 16 or (style == "edges" and dtype.bits <= 32):
            edges += (float(bottom), float(top))
    else:
        low, high = (max(bottom, -(1 << 20)), min(top, 1 << 20)) if dtype.bits == 32 else (bottom, top)
        near = (zero, zero + 1, zero - 1, low, low + 1, high, high - 1)
        edges = tuple(float(e) for e in near if bottom <= e <= top)
    if style == "small":
        low, high = max(low, min(zero, high) - 3), min(high, max(zero, low) + 3)
    if style == "constant":
        number: float = rng.choice((low, high, min(max(zero, low), high), rng.between(low, high)))
        return np.full(shape, number, dtype=storage(dtype))
    base = np.floor(low + rng.array(shape) * (high - low + 1))
    if style == "ramp":
        base = low + np.arange(base.size, dtype=np.float64).reshape(shape) % (high - low + 1)
    if style in ("edges", "mixed"):
        base = _sprinkled(rng, base, edges, 0.5 if style == "edges" else 0.05)
    return np.asarray(np.clip(base, bottom, top).astype(storage(dtype)))
