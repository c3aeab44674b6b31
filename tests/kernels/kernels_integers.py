"""Integer ops for tests: their specs, calls with random and extreme numbers, and what numpy says of them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from kernels_kit import NUMPY, Call, Unit, op_of, snippets_of

from opkg.kernels.lowered import Lowered
from opkg.kernels.portable.rows import portable
from opkg.kernels.snippet import Operand, Snippet
from opkg.spec.dtypes import DTYPES, Kind
from opkg.spec.model import Op
from opkg.verify.meaning.compute import evaluate

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
        return _snippet(self.text, self.unsigned)

    def expected(
        self, values: Mapping[str, np.ndarray], params: Mapping[str, float], count: int
    ) -> dict[str, np.ndarray]:
        """Stored outputs for values (int64 or bool) of the inputs that are read."""
        op = _op(self.text)
        unread = {name: np.zeros(count, bool if dtype == "bool8" else int) for name, dtype in self.inputs.items()}
        unread |= {name: np.asarray(False if self._is_bool(name) else 0) for name in self.params}
        given = {**unread, **values}
        for name, number in params.items():
            given[name] = np.asarray(bool(number) if self._is_bool(name) else int(number))
        assert op.compute is not None
        found = evaluate(op.compute, given)
        return {o.name: stored(np.broadcast_to(found[o.name], (count,)), o) for o in self.snippet().outputs}

    def _is_bool(self, param: str) -> bool:
        return "bool8" in self.params[param]


@cache
def _op(text: str) -> Op:
    return op_of(text)


@cache
def _snippet(text: str, unsigned: bool) -> Snippet:
    return snippets_of(text, unsigned)[0]


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
    return op.expected(values, call.params, call.n)


# Random computations ---------------------------------------------------------------------------------------------------

TYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32", "bool8")
_NUMBERS = ("{a} & {b}", "{a} | {k}", "{a} ^ {b}", "~{a}", "{a} << 3", "{a} >> 2", "{a} // {k} + {a} % {b}",
            "{a} + {b}", "{a} - {b}", "min({a}, {b})", "max({a}, {b})", "abs({a} - {b})", "abs({a})", "-{a}", "{a} * {b}",
            "clip({a}, {k}, {m})", "({a} + {b}) // 2", "({a} + {b} + 1) // 2", "{a} // {w}", "{a} % {w}", "{a} * {k}",
            "{a} + {k}", "sign({a})", "cast({a}, {t})", "({a} if {p} else {b})", "cast({p}, int32)", "max({a}, 0)")  # fmt: skip
_TESTS = ("{a} > {b}", "{a} < {k}", "{a} <= {b}", "{a} >= {b}", "{a} == {b}", "{a} != {k}", "{p} and {q}", "{p} or {q}",
          "not {p}", "{p} == {q}", "cast({a}, bool8)")  # fmt: skip


def random_op(rng: random.Random, unsigned: bool) -> IntegerOp:
    """An op of up to eight statements on three inputs of any integer type and two params."""
    inputs = {name: rng.choice(TYPES) for name in "abc"}
    inputs["a"] = rng.choice(TYPES[:6])
    low = rng.choice([-5, 0, -70000, 100])
    params = {"k": f"dtype: int32, range: {low} .. {low + rng.choice([0, 9, 300, 80000])}", "f": "dtype: bool8"}
    values = [name for name, dtype in inputs.items() if dtype != "bool8"] + ["k", str(rng.randint(-300, 300))]
    tests = [name for name, dtype in inputs.items() if dtype == "bool8"] + ["f"]
    lines = []
    for number in range(rng.randint(1, 8)):
        name = f"t{number}"
        words = {
            "a": rng.choice([v for v in values if v not in ("k",) and not v.lstrip("-").isdigit()]),
            "b": rng.choice(values), "p": rng.choice(tests), "q": rng.choice(tests), "w": str(1 << rng.randint(1, 9)),
            "k": str(rng.randint(-200, 200)), "m": rng.choice(["k", "255", "127"]), "t": rng.choice(TYPES[:6]),
        }  # fmt: skip
        if rng.random() < 0.7:
            lines.append(f"{name} = {rng.choice(_NUMBERS).format(**words)}")
            values.append(name)
        else:
            lines.append(f"{name} = {rng.choice(_TESTS).format(**words)}")
            tests.append(name)
    lines.append(f"y = {values[-1] if values[-1].startswith('t') else 'a'}")
    outputs = {"y": rng.choice(TYPES[:6])}
    if tests[-1].startswith("t"):
        lines.append(f"z = {tests[-1]}")
        outputs["z"] = "bool8"
    used = "\n".join(lines)
    kept = {name: dtype for name, dtype in inputs.items() if re.search(rf"\b{name}\b", used)}
    return IntegerOp(used, kept or {"a": inputs["a"]}, outputs, params, unsigned)
