"""Random calls of ops: sizes around vectors, scales from 1e-6 to 10, zero points at the ends of types, hard elements."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from kernels_own_reference import Value, meaning

from opkg.spec.dtypes import DType, Kind
from opkg.spec.evaluate import TensorInfo
from opkg.spec.infer import check_call
from opkg.spec.model import Combination, Op
from opkg.verify.cases.bounded import of_case
from opkg.verify.cases.case import Case, CaseParam, CaseTensor
from opkg.verify.cases.computed import Computed
from opkg.verify.meaning.numbers import Array, Quant, decode, storage

Text = Mapping[str, Any]  # an op of a spec, as YAML reads it

SIZES = (1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33)
LENGTHS = (1, 3, 17, 31, 32, 64, 100, 127, 128, 129, 255, 256, 384, 1000)
MOST = 20000  # elements of a tensor
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e-7, 1e-40, 1e4, -1e4, 3e38, -3e38)
SPECIAL = (np.inf, -np.inf, np.nan, 0.0)


def random_case(op: Op, text: Text, seed: str) -> Case | None:
    """A call of an op of this text, and what is expected of it; None where sizes do not fit, or a quantized result is NaN."""
    rng = random.Random(f"{op.name} {seed}")
    combination = rng.choice(op.combinations)
    shapes = _shapes(rng, text)
    if shapes is None:
        return None
    inputs = tuple(_input(rng, op, combination, name, shape) for name, shape in shapes.items())
    params = tuple(CaseParam(p, _param(rng, p.dtype), None, True) for p in op.params)
    case = Case(op, combination, f"{combination.suffix or 'any'}-r{seed}", op.span, inputs, params, ())
    values = own_values(case, text, np.longdouble)
    outputs: list[CaseTensor] = []
    for spec in op.outputs:
        dtype, value = spec.dtype.of(combination), np.atleast_1d(values[spec.name])
        if dtype.quantized and np.isnan(value).any():
            return None
        outputs.append(CaseTensor(spec.name, spec, dtype, value.shape, _output_quant(rng, dtype, value)))
    case = replace(case, outputs=tuple(outputs))
    if check_call(op, combination, _infos(case), {p.spec.name: p.value for p in params}).violations:
        return None
    assert op.compute is not None
    computed = Computed(op, op.compute)
    case = replace(case, expected=computed(case), others=computed.others(case))
    return replace(case, bounds=of_case(case))


def own_values(case: Case, text: Text, real: type) -> Mapping[str, Value]:
    """What the op of a case computes, by the tests' own reference."""
    values: dict[str, Value] = {}
    for tensor in case.inputs:
        assert tensor.stored is not None
        value = decode(tensor.stored, tensor.dtype, None)
        if tensor.quant is not None:
            value = (tensor.stored.astype(real) + tensor.quant.offset) * real(tensor.quant.scale)
        values[tensor.spec.name] = value.astype(real) if value.dtype.kind == "f" else value
    for param in case.params:
        values[param.spec.name] = np.asarray(param.value, real if isinstance(param.value, float) else np.int64)
    return meaning(text["compute"], values, {name: str(dtype) for name, dtype in case.combination.types}, real)


def _infos(case: Case) -> dict[str, tuple[TensorInfo, ...]]:
    found = {}
    for tensor in case.tensors:
        scale, offset = (tensor.quant.scale, tensor.quant.offset) if tensor.quant else (None, None)
        found[tensor.spec.name] = (TensorInfo(tensor.shape, tensor.dtype, scale, offset),)
    return found


def _shapes(rng: random.Random, text: Text) -> dict[str, tuple[int, ...]] | None:
    for _ in range(50):
        dims: dict[str, tuple[int, ...]] = {
            "batch...": tuple(rng.choice(SIZES) for _ in range(rng.choice((0, 1, 2, 3))))
        }
        found: dict[str, tuple[int, ...]] = {}
        for name, tensor in text["inputs"].items():
            shape: tuple[int, ...] = ()
            for dim in tensor["shape"].strip("[]").split(", "):
                size = (1,) if dim == "1" else (rng.choice(LENGTHS if dim == "C" else SIZES),)
                shape += size if dim == "1" else dims.setdefault(dim, size)
            found[name] = shape
        if all(np.prod(shape) <= MOST and 0 < len(shape) < 5 for shape in found.values()):
            return found
    return None


def _param(rng: random.Random, dtype: DType) -> int | float:
    if dtype.kind is Kind.FLOAT:
        return float(np.float32(rng.choice((0, 1, -1, 0.75, 8, -8, rng.uniform(-8, 8)))))
    return rng.randint(-8, 8)


def _input(rng: random.Random, op: Op, combination: Combination, name: str, shape: tuple[int, ...]) -> CaseTensor:
    spec = next(each for each in op.inputs if each.name == name)
    dtype = spec.dtype.of(combination)
    quant = _quant(rng, dtype) if dtype.quantized else None
    return CaseTensor(name, spec, dtype, shape, quant, _elements(rng, dtype, quant, shape))


def _quant(rng: random.Random, dtype: DType) -> Quant:
    low, high = dtype.limits
    scale = 10 ** (rng.uniform(-6, 1) if rng.random() < 0.3 else rng.uniform(-3, 0)) / (1 if dtype.bits == 8 else 64)
    scale = 2.0 ** rng.randint(-12, 0) if rng.random() < 0.15 else scale
    return Quant(
        (float(np.float32(scale)),), (-rng.choice((low, high, (low + high + 1) // 2, rng.randint(low, high))),)
    )


def _output_quant(rng: random.Random, dtype: DType, value: Value) -> Quant | None:
    """Of what covers the values, a part of them or far more; or any."""
    if not dtype.quantized:
        return None
    if rng.random() < 0.2:
        return _quant(rng, dtype)
    bottom, top = dtype.limits
    known = np.append(np.clip(value[np.isfinite(value)].astype(np.float64), -1e30, 1e30), 0.0)
    scale = max(float(np.ptp(known)) * rng.choice((1, 1, 1.3, 0.5, 3, 0.05)) / (top - bottom), 1e-6)
    zero = min(max(round(bottom - float(known.min()) / scale), bottom), top)
    return Quant((float(np.float32(scale)),), (-zero,))


def _elements(rng: random.Random, dtype: DType, quant: Quant | None, shape: tuple[int, ...]) -> Array:
    numbers = np.random.default_rng(rng.getrandbits(60))
    style = rng.choice(("any", "any", "ends", "constant", "near", "special"))
    if dtype.kind is Kind.FLOAT:
        values = numbers.normal(size=shape) * rng.choice((1.0, 1.0, 3.0, 30.0, 1e-3, 1e-38))
        if style == "ends":
            values = numbers.choice(FLOATS, shape)
        elif style in ("constant", "near"):
            values = rng.choice((0.0, 1.0, 0.1, -7.7, 100.0)) + values * (1e-3 if style == "near" else 0)
        elif style == "special":
            values = np.where(numbers.random(shape) < 0.1, numbers.choice(SPECIAL, shape), values)
        with np.errstate(over="ignore"):
            return values.astype(storage(dtype))
    low, high = dtype.limits
    middle = -quant.offset if quant is not None and style == "special" else rng.randint(low, high)
    if style == "any":
        return numbers.integers(low, high + 1, shape).astype(storage(dtype))
    if style == "ends":
        return numbers.choice((low, low + 1, high - 1, high), shape).astype(storage(dtype))
    spread = 0 if style == "constant" else 2
    return np.clip(middle + numbers.integers(-spread, spread + 1, shape), low, high).astype(storage(dtype))
