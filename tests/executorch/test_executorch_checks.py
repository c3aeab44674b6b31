"""The generated checks say what `opkg.spec.infer` says, on random calls: what is allowed, params and shapes."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from executorch_lib import SPECS, load

from opkg.spec.dtypes import DType, Kind
from opkg.spec.evaluate import TensorInfo
from opkg.spec.infer import check_call
from opkg.spec.model import Combination, Op, OpPackage, ParamSpec, TensorSpec
from opkg.spec.names import snake
from opkg.targets.executorch_builder.names import local
from opkg.targets.executorch_builder.profiles import DEFAULT

CALLS = 1500  # per op
Infos = dict[str, tuple[TensorInfo, ...]]


def shape(spec: TensorSpec, rng: random.Random, known: list[tuple[int, ...]]) -> tuple[int, ...]:
    """A small shape, often one like those before."""
    if known and rng.random() < 0.75:
        base = list(rng.choice(known))
        change = rng.random()
        if change < 0.25:
            base[rng.randrange(len(base))] = rng.choice((1, 2, 3))
        elif change < 0.45:
            base = base[-1:] if change < 0.35 else base[:1]
        if base and len(base) in spec.ranks:
            return tuple(base)
    rank = rng.randint(max(1, spec.ranks.low - (rng.random() < 0.02)), spec.ranks.high)
    return tuple(rng.choice((1, 2, 3, 3, 4, 6)) for _ in range(rank))


def info(dtype: DType, dims: tuple[int, ...], spec: TensorSpec, rng: random.Random) -> TensorInfo:
    """A tensor, quantized mostly as the spec asks."""
    if not dtype.quantized:
        return TensorInfo(dims, dtype)
    wanted, middle = spec.quantization, 0 if dtype.kind is Kind.SFIXED else -(1 << (dtype.bits - 1))
    if wanted is not None and wanted.axis is not None and rng.random() < 0.9:
        axis = wanted.axis % len(dims)
        return TensorInfo(dims, dtype, None, None, axis, (0.5,) * dims[axis], (middle,) * dims[axis])
    scale = 0.25 if wanted is None or wanted.scale is None else wanted.scale
    offset = rng.choice((-128, middle, middle)) if wanted is None or wanted.offset is None else wanted.offset
    return TensorInfo(dims, dtype, scale, -128 if rng.random() < 0.1 else offset)


def tensors(op: Op, combination: Combination, rng: random.Random) -> Infos:
    known: list[tuple[int, ...]] = []
    found: Infos = {}
    for spec in op.inputs:
        if spec.optional and rng.random() < 0.5:
            continue
        count = rng.randint(*spec.variadic) if spec.variadic else 1
        dtype = spec.dtype.of(rng.choice(op.combinations) if rng.random() < 0.05 else combination)
        for _ in range(count):
            known.append(shape(spec, rng, known))
        found[spec.name] = tuple(info(dtype, dims, spec, rng) for dims in known[-count:])
    return found


def value(param: ParamSpec, rng: random.Random) -> Any:
    count = rng.choice((1, 2, 2, 3, 4, 6))
    kind = param.dtype.kind
    if kind is Kind.BOOL:
        values: list[Any] = [rng.random() < 0.5 for _ in range(count)]
    elif kind is Kind.FLOAT:
        values = [rng.choice((0.5, 1.0, 0.1, 2.0, -1.0, 1e-5, 1e5)) for _ in range(count)]
    else:
        low = -2 if param.dtype.signed else 0
        values = [rng.choice((rng.randint(low, 4), 1, 1, 300)) for _ in range(count)]
    return tuple(values) if param.shape is not None else values[0]


def params(op: Op, rng: random.Random) -> dict[str, Any]:
    odds = rng.random() / (1 + len(op.params) / 4)
    return {p.name: value(p, rng) for p in op.params if not p.optional or rng.random() < odds}


def view(module: ModuleType, infos: tuple[TensorInfo, ...], spec: TensorSpec) -> Any:
    made = [module.Tensor(i.shape, i.dtype.name, i.scale, i.offset, i.axis, i.scales, i.offsets) for i in infos]
    return made if spec.variadic else made[0]


def arguments(module: ModuleType, op: Op, found: Infos, given: dict[str, Any]) -> dict[str, Any]:
    views = {local(s.name): view(module, found[s.name], s) for s in op.tensors if s.name in found}
    return views | {local(name): value for name, value in given.items()}


def reachable(op: Op) -> list[Combination]:
    fits = [all(t.dtype.of(c).qnn in DEFAULT.tensors for t in op.tensors) for c in op.combinations]
    return [c for c, fit in zip(op.combinations, fits, strict=True) if fit]


def unusual(op: Op, given: dict[str, Any]) -> bool:
    """Calls that the builder treats otherwise on purpose: elements that make up no whole row of a tensor param."""
    return op.name == "AllParams" and len(given["pads"]) % 2 == 1


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_twins(path: Path, generated: Callable[[OpPackage], ModuleType]) -> None:
    package = load(path)
    name = generated(package).__name__
    shapes, rules, checks = (importlib.import_module(f"{name}.{each}") for each in ("shapes", "shape_rules", "checks"))
    total: Counter[str] = Counter()
    for op in package.ops:
        calls = CALLS if len(package.ops) < 60 else CALLS // 2
        counts = Counter(one(op, (shapes, rules, checks), random.Random(f"{op.name} {seed}")) for seed in range(calls))
        assert counts["allowed"] >= 1, (op.name, counts)
        total += counts
    assert total["rejected"] >= 50, total


def one(op: Op, modules: tuple[ModuleType, ModuleType, ModuleType], rng: random.Random) -> str:
    """One random call, judged by both; the rules that check nothing give the same shapes."""
    shapes, rules, checks = modules
    combinations = reachable(op)
    found = tensors(op, rng.choice(combinations), rng)
    given = params(op, rng)
    if unusual(op, given):
        return "skipped"
    judged = [check_call(op, c, found, given) for c in combinations]
    good = next((call for call in judged if call.ok), None)
    reason = ""
    try:
        result = getattr(shapes, f"check_{snake(op.name)}")(**arguments(checks, op, found, given))
    except checks.Rejected as failure:
        reason = str(failure)
    if reason:
        assert good is None, (op.name, found, given, reason)
        known = [v for call in judged for v in call.violations]
        same = any(reason.split(" (")[0].split(": ")[0] in v for v in known)
        assert same or "element type" in reason, (op.name, reason, known)
        return "rejected"
    assert good is not None, (op.name, found, given, judged[0].violations)
    assert {p.name: getattr(result, local(p.name)) for p in op.params} == good.params
    names = {local(s.name) for s in (*op.inputs, *op.params)}
    read = {name: value for name, value in arguments(checks, op, found, given).items() if name in names}
    told = getattr(rules, f"{snake(op.name)}_shapes")(**read)
    for spec, dims in zip(op.outputs, told, strict=True):
        assert getattr(result, local(spec.name)) == good.outputs[spec.name]
        if dims is not None and spec.variadic is None:
            assert tuple(dims) == good.outputs[spec.name], (op.name, found, given)
    return "allowed"
