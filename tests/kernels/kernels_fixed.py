"""Ops on quantized tensors for tests of fixed-point kernels: their specs, random quantizations, correctly rounded results."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from kernels_kit import NUMPY, Call, Unit, op_of, snippets_of

from opkg.kernels.lowered import Lowered
from opkg.kernels.snippet import Operand
from opkg.kernels.strategies.fixed import strategy as fixed
from opkg.spec.reader import read
from opkg.verify.meaning.compute import evaluate

Array = np.ndarray
DTYPES = {"u8": "ufixed8", "s8": "sfixed8", "u16": "ufixed16", "s16": "sfixed16", "s32": "sfixed32", "f32": "float32",
          "i32": "int32"}  # fmt: skip


def spec_of(compute: str, tensors: str, outputs: str = "y:u8", params: str = "") -> str:
    """Spec of an op. `tensors`: "x:u8 s:u8[C]", where [C] is one number per channel. `params`: "s n>0", n positive."""
    lines = ["  Op:", "    inputs:"]
    for text in tensors.split():
        name, _, dtype = text.partition(":")
        shape = "[C]" if dtype.endswith("[C]") else "[N..., C]"
        lines.append(f"      {name}: {{dtype: {DTYPES[dtype.removesuffix('[C]')]}, shape: {shape}}}")
    lines += ["    params:"] * bool(params)
    for text in params.split():
        name, positive, _ = text.partition(">0")
        lines.append(f"      {name}: {{dtype: float32{', range: 1.0e-30 .. 1.0e30' if positive else ''}}}")
    lines.append("    outputs:")
    for text in outputs.split():
        name, _, dtype = text.partition(":")
        lines.append(f"      {name}: {{dtype: {DTYPES[dtype]}, shape: [N..., C]}}")
    return "\n".join([*lines, "    compute: |", *(f"      {line}" for line in compute.split("; "))]) + "\n"


@dataclass(frozen=True)
class Case:
    """An op, its kernel, and its spec text."""

    unit: Unit
    spec: str


def case_of(compute: str, tensors: str, outputs: str = "y:u8", params: str = "", unsigned: bool = False) -> Case:
    """Lowers an op; fails the test when fixed point cannot do it. `unsigned`: signed elements lie as unsigned ones."""
    spec = spec_of(compute, tensors, outputs, params)
    snippet = snippets_of(spec, unsigned)[0]
    lowered = fixed.lower(snippet)
    assert isinstance(lowered, Lowered), lowered
    return Case(Unit(snippet, lowered), spec)


def refusal_of(compute: str, tensors: str, outputs: str = "y:u8", params: str = "") -> str:
    """Why fixed point cannot do an op."""
    why = fixed.lower(snippets_of(spec_of(compute, tensors, outputs, params))[0])
    assert isinstance(why, str)
    return why


def real(stored: Array, quantization: tuple[float, int]) -> Array:
    scale, zero = quantization
    return (stored.astype(np.float64) - zero) * np.float64(np.float32(scale))


def exact(case: Case, call: Call) -> dict[str, Array]:
    """The results on real numbers, in float64."""
    compute = op_of(case.spec).compute
    assert compute is not None
    n = call.n if call.n >= 0 else max(len(a) for name, a in call.inputs.items() if name not in call.fixed)
    values: dict[str, Array | None] = {name: np.float64(np.float32(v)) for name, v in call.params.items()}
    for name, array in call.inputs.items():
        values[name] = real(np.resize(array, n) if name in call.fixed else array, call.scales[name])
    found = evaluate(compute, values)
    return {o.name: np.broadcast_to(found[o.name], n) for o in case.unit.snippet.outputs}


def rounded(value: Array, operand: Operand, quantization: tuple[float, int]) -> Array:
    """The correctly rounded stored numbers of real values."""
    scale, zero = quantization
    low, high = operand.storage.limits
    return np.clip(np.rint(value / np.float64(np.float32(scale))) + zero, low, high)


def operands_for(case: Case, rng: np.random.Generator, n: int = 4096) -> dict[str, Array]:
    """All pairs of two bytes, all values of one; random elements otherwise, a tenth of them extreme."""
    inputs = case.unit.snippet.inputs
    if all(o.storage.bits == 8 and not o.may_broadcast for o in inputs) and len(inputs) <= 2:
        grid = np.meshgrid(*[np.arange(256)] * len(inputs))
        return {
            o.name: (g.ravel() + o.storage.limits[0]).astype(NUMPY[o.storage])
            for o, g in zip(inputs, grid, strict=True)
        }
    found = {}
    for o in inputs:
        low, high = o.storage.limits
        array = rng.integers(low, high + 1, n)
        extreme = rng.random(n) < 0.1
        array[extreme] = rng.choice([low, low + 1, high - 1, high], int(extreme.sum()))
        found[o.name] = array.astype(NUMPY[o.storage])
        if o.may_broadcast:
            found[o.name] = found[o.name][:32]
    return found


def quantization_of(operand: Operand, rng: np.random.Generator, scale: float, extreme: bool) -> tuple[float, int]:
    low, high = operand.storage.limits
    middle = (low + high + 1) // 2
    zero = int(
        rng.choice([low, high if extreme else middle, middle, rng.integers(low, (high if extreme else middle) + 1)])
    )
    return float(np.float32(scale)), zero


def typical(
    case: Case, unit: int, rng: np.random.Generator, spread: float = 1.0, n: int = 4096, **more: object
) -> Call:
    """A call whose output scale fits the range of the result. `spread`: how different the input scales are."""
    snippet = case.unit.snippet
    lowered = case.unit.lowered
    assert lowered is not None
    inputs = operands_for(case, rng, n)
    scales = {
        o.name: quantization_of(o, rng, 0.05 * float(np.exp(rng.normal(0, spread))), False) for o in snippet.inputs
    }
    params = {p.name: float(np.float32(rng.uniform(0.3, 1.5))) for p in snippet.params}
    fixed_names = frozenset(o.name for o in snippet.inputs if o.may_broadcast)
    for name in fixed_names:
        inputs[name] = np.resize(inputs[name], lowered.step)
    call = Call(unit, inputs, -1, scales, params, fixed_names, **more)  # type: ignore[arg-type]
    for o in snippet.outputs:
        values = exact(case, call)[o.name]
        low, high = o.storage.limits
        least, most = min(float(values.min()), 0.0), max(float(values.max()), 1e-30)
        scale = float(np.float32((most - least) / (high - low) * rng.choice([1.0, 1.01, 0.6, 1.7])))
        zero = int(np.clip(round(low - least / scale), low, high))
        scales[o.name] = (scale, zero)
    return call


def wild(case: Case, unit: int, rng: np.random.Generator, **more: object) -> Call:
    """A call with scales over many orders of magnitude and zero points at the ends."""
    snippet = case.unit.snippet
    call = typical(case, unit, rng, **more)  # type: ignore[arg-type]
    scales = dict(call.scales)
    for o in (*snippet.inputs, *snippet.outputs):
        factor = float(np.exp(rng.uniform(-14, 14))) if rng.random() < 0.5 else 1.0
        scales[o.name] = quantization_of(o, rng, scales[o.name][0] * factor, True)
    return Call(unit, call.inputs, -1, scales, call.params, call.fixed)


def distances(case: Case, call: Call, got: Mapping[str, Array]) -> dict[str, Array]:
    """How many steps each result is away from the correctly rounded one."""
    wanted = exact(case, call)
    return {
        o.name: np.abs(got[o.name].astype(np.int64) - rounded(wanted[o.name], o, call.scales[o.name]).astype(np.int64))
        for o in case.unit.snippet.outputs
    }


# Random expressions --------------------------------------------------------------------------------------------------


def random_expression(rng: random.Random, names: list[str], depth: int) -> str:
    """An expression that fixed point can do, on some of these inputs."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(names)
    a, b = (random_expression(rng, names, depth - 1) for _ in range(2))
    number = f"{rng.uniform(-2, 2):.3f}"
    forms = [f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} * ({number}))", f"({a} + ({number}))"]
    forms += [f"max({a}, {b})", f"min({a}, {b})", f"abs({a})", f"max({a}, 0)", f"({a} / p)", f"min({a}, p)", f"(-{a})"]
    return rng.choice(forms)


def random_case(seed: int) -> Case:
    """A case with a random expression on inputs of random types."""
    rng = random.Random(seed)
    while True:
        kinds = [rng.choice(["u8", "u8", "s8", "u16", "s16"]) for _ in range(rng.randint(1, 3))]
        kinds[1:] = [kind + rng.choice(["", "", "[C]"]) for kind in kinds[1:]]
        names = ["a", "b", "c"][: len(kinds)]
        text = random_expression(rng, names, rng.randint(2, 3))
        used = [
            f"{n}:{k}" for n, k in zip(names, kinds, strict=True) if n in text.replace("abs", "").replace("max", "")
        ]
        spec = spec_of(f"y = {text}", " ".join(used), rng.choice(["y:u8", "y:s8", "y:u16"]), "p")
        if not used or not _readable(spec):
            continue
        snippet = snippets_of(spec)[0]
        lowered = fixed.lower(snippet)
        if isinstance(lowered, Lowered):
            return Case(Unit(snippet, lowered), spec)


def _readable(spec: str) -> bool:
    text = f"opkg: 1\npackage: {{name: t.kit, version: 1.0.0}}\nops:\n{spec}"
    return read(text.encode(), "f.yaml")[0] is not None
