"""Integer ops for tests: their specs, calls with random and extreme numbers, and what numpy says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from kernels_kit import NUMPY, Call, Unit, op_of, snippets_of

from opkg.kernels.lowered import Lowered
from opkg.kernels.scalar import portable
from opkg.kernels.snippet import Operand, Snippet
from opkg.spec.dtypes import DTYPES, Kind
from opkg.verify.compute import evaluate

SIZES = (1, 127, 128, 129, 4096 + 37)
Lower = Callable[[Snippet], "Lowered | str"]


@dataclass(frozen=True)
class IntegerOp:
    """An elementwise op: element types of inputs and outputs, scalar params as spec texts, and its computation."""

    body: str
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    params: Mapping[str, str] = field(default_factory=dict)
    unsigned: bool = False

    @property
    def text(self) -> str:
        """The `ops:` part of a spec."""
        lines = ["  Op:", "    inputs:"]
        lines += [f"      {name}: {{dtype: {dtype}, shape: [N]}}" for name, dtype in self.inputs.items()]
        if self.params:
            lines += ["    params:", *(f"      {name}: {{{text}}}" for name, text in self.params.items())]
        lines.append("    outputs:")
        lines += [f"      {name}: {{dtype: {dtype}, shape: [N]}}" for name, dtype in self.outputs.items()]
        return "\n".join([*lines, "    compute: |", *(f"      {line}" for line in self.body.split("\n"))]) + "\n"

    def snippet(self) -> Snippet:
        return snippets_of(self.text, self.unsigned)[0]

    def expected(self, values: Mapping[str, np.ndarray], params: Mapping[str, float]) -> dict[str, np.ndarray]:
        """Stored outputs for values (int64 or bool) of the inputs."""
        op = op_of(self.text)
        given = dict(values)
        for name, number in params.items():
            given[name] = np.asarray(bool(number) if self._is_bool(name) else int(number))
        assert op.compute is not None
        found = evaluate(op.compute, given)
        count = len(next(iter(values.values())))
        return {o.name: stored(np.broadcast_to(found[o.name], (count,)), o) for o in self.snippet().outputs}

    def _is_bool(self, param: str) -> bool:
        return "bool8" in self.params[param]


def stored(values: np.ndarray, operand: Operand) -> np.ndarray:
    """Integers or bools as a tensor holds them: saturated, moved where the interface moves them."""
    low, high = operand.storage.limits
    moved = values.astype(object) + operand.bias if values.dtype.kind != "b" else values.astype(np.int64)
    return np.clip(moved, low, high).astype(NUMPY[operand.storage])


def value_of(numbers: np.ndarray, operand: Operand) -> np.ndarray:
    """The values that stored numbers stand for."""
    if operand.dtype.kind is Kind.BOOL:
        return numbers != 0
    return numbers.astype(np.int64) - operand.bias


def unit_of(snippet: Snippet, lowered: Lowered) -> Unit:
    """A kernel of the kit with the portable code of one element, which tables are filled by."""
    part = portable(snippet)
    whole = replace(
        lowered,
        members=(*part.members, *lowered.members),
        prepare=(*part.prepare, *lowered.prepare),
        headers=("opkg/scalar.h", *lowered.headers),
    )
    return Unit(snippet, whole, "\n".join(part.element))


def numbers(rng: np.random.Generator, dtype: str, count: int, bias: int, storage: type) -> np.ndarray:
    """Stored numbers: random ones, among them the ends of the type and what is around 0."""
    row = DTYPES[dtype]
    if row.kind is Kind.BOOL:
        return rng.integers(0, 2, count).astype(storage)
    low, high = row.limits
    spread = rng.integers(low, high, count, endpoint=True)
    small = rng.integers(max(low, -4), 5, count)
    ends = rng.choice([low, low + 1, high, high - 1, 0], count)
    chosen = np.choose(rng.integers(0, 4, count), [spread, spread, small, ends])
    return (chosen + bias).astype(storage)


def call_of(unit: int, op: IntegerOp, snippet: Snippet, n: int, seed: int, **options: object) -> Call:
    """A call with numbers of a seed."""
    rng = np.random.default_rng(seed)
    inputs = {o.name: numbers(rng, op.inputs[o.name], n, o.bias, NUMPY[o.storage]) for o in snippet.inputs}
    return Call(unit, inputs, n, params=params_of(rng, op, snippet), **options)  # type: ignore[arg-type]


def params_of(rng: np.random.Generator, op: IntegerOp, snippet: Snippet) -> dict[str, float]:
    found: dict[str, float] = {}
    for scalar in snippet.params:
        if scalar.dtype.kind is Kind.BOOL:
            found[scalar.name] = float(rng.integers(0, 2))
            continue
        low = scalar.dtype.limits[0] if scalar.low is None else int(scalar.low)
        high = scalar.dtype.limits[1] if scalar.high is None else int(scalar.high)
        near = int(np.clip(rng.integers(-300, 300), low, high))
        found[scalar.name] = float(rng.choice([near, near, near, low, high]))
    return found


def wanted(op: IntegerOp, snippet: Snippet, call: Call) -> dict[str, np.ndarray]:
    """What a call must give."""
    values = {o.name: value_of(call.inputs[o.name], o) for o in snippet.inputs}
    return op.expected(values, call.params)
