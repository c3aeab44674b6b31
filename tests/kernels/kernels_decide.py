"""Decisions of kernels against integer arithmetic: ops on two quantized inputs, scales of many kinds, all pairs of bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import numpy as np
from kernels_kit import NUMPY, Call, Unit, op_of, snippets_of

from opkg.kernels.emit.struct import rows_code
from opkg.kernels.lowered import Lowered
from opkg.kernels.strategies.fixed import strategy as fixed

Array = np.ndarray
TYPES = {"u8": "ufixed8", "s8": "sfixed8", "u16": "ufixed16", "s16": "sfixed16", "i32": "int32", "b": "bool8"}


@dataclass(frozen=True)
class Whole:
    """Real values as integers of a common step: (stored - zero) * scale = values * step."""

    a: Array
    b: Array
    one: int  # 1 in these steps


Exact = Callable[[Whole], Array]


def _round(top: Array, under: Array) -> Array:
    """Half to even, of fractions with positive denominators."""
    down = (2 * top + under) // (2 * under)
    return down - ((2 * top + under) % (2 * under) == 0) * (down % 2)


def _nonzero(w: Whole) -> Whole:
    """b, or 1 where it is 0; then both times the sign of b."""
    b = np.where(w.b == 0, w.one, w.b)
    sign = np.where(b < 0, -1, 1)
    return Whole(w.a * sign, b * sign, w.one)


def roundings(top: Callable[[Whole], Array], under: Callable[[Whole], Array]) -> dict[str, Exact]:
    """floor, ceil, round and trunc of a fraction."""
    return {
        "f": lambda w: top(w) // under(w),
        "c": lambda w: -(-top(w) // under(w)),
        "r": lambda w: _round(top(w), under(w)),
        "t": lambda w: np.where(top(w) < 0, -(-top(w) // under(w)), top(w) // under(w)),
    }


def _texts(value: str) -> str:
    names = {"f": "floor", "c": "ceil", "r": "round", "t": "trunc"}
    return "; ".join(f"{name} = cast({function}({value}), int32)" for name, function in names.items())


COMPARISONS: dict[str, Exact] = {
    "lt": lambda w: w.a < w.b, "le": lambda w: w.a <= w.b, "eq": lambda w: w.a == w.b, "ne": lambda w: w.a != w.b,
    "gt": lambda w: w.a > w.b, "ge": lambda w: w.a >= w.b,
}  # fmt: skip
_TEXT = "lt = a < b; le = a <= b; eq = a == b; ne = a != b; gt = a > b; ge = a >= b"
_SUM = Fraction(0.7)


@dataclass(frozen=True)
class Op:
    """`outputs`: element type, and the exact value, of each output of `compute`."""

    compute: str
    kind: str  # of the outputs
    exact: Mapping[str, Exact]


OPS = {
    "comparisons": Op(_TEXT, "b", COMPARISONS),
    "sums": Op(
        "x = a + b > 0.7; y = 2 * a - 3 * b >= 0; z = a - b / 3 < 0; v = not (a >= 0.3) or a == 0; w = b <= -1.5",
        "b",
        {
            "x": lambda w: (w.a + w.b) * _SUM.denominator > _SUM.numerator * w.one,
            "y": lambda w: 2 * w.a - 3 * w.b >= 0,
            "z": lambda w: 3 * w.a - w.b < 0,
            "v": lambda w: (w.a * Fraction(0.3).denominator < Fraction(0.3).numerator * w.one) | (w.a == 0),
            "w": lambda w: 2 * w.b <= -3 * w.one,
        },
    ),
    "sign": Op("y = sign(a - b); z = sign(a + b)", "s8", {"y": lambda w: _sign(w.a - w.b), "z": lambda w: _sign(w.a + w.b)}),
    "nested": Op(
        "y = 1 if a > b else (-1 if a + b < 0 else 0)",
        "s8",
        {"y": lambda w: np.where(w.a > w.b, 1, np.where(w.a + w.b < 0, -1, 0))},
    ),
    "products": Op(_texts("a * b"), "i32", roundings(lambda w: w.a * w.b, lambda w: w.one * w.one)),
    "quotients": Op(
        _texts("a / (b if b != 0 else 1)"), "i32", roundings(lambda w: _nonzero(w).a, lambda w: _nonzero(w).b)
    ),
    "totals": Op(_texts("a + b"), "i32", roundings(lambda w: w.a + w.b, lambda w: w.one)),
    "elements": Op(_texts("a") + "; n = cast(b != 0, int32)", "i32", {
        **roundings(lambda w: w.a, lambda w: w.one), "n": lambda w: w.b != 0,
    }),
    "divisions": Op(
        "y = cast(a // (b if b != 0 else 1), int32); z = cast(a * b % 1 == 0, int32)", "i32",
        {"y": lambda w: _nonzero(w).a // _nonzero(w).b, "z": lambda w: w.a * w.b % (w.one * w.one) == 0},
    ),
    "sizes": Op(
        _TEXT.replace("a ", "abs(a) ").replace(" b", " abs(b)"), "b",
        {name: (lambda w, of=of: of(Whole(abs(w.a), abs(w.b), w.one))) for name, of in COMPARISONS.items()},
    ),
}  # fmt: skip
VECTORS = ("comparisons", "sums", "sign", "nested", "sizes")  # by vector code


def _sign(x: Array) -> Array:
    return (x > 0).astype(int) - (x < 0).astype(int)


def units_of(name: str, a: str, b: str) -> list[Unit]:
    """The portable code of an op on elements of these types, and its vector code where it has some."""
    op = OPS[name]
    lines = ["  Op:", "    inputs:"]
    lines += [f"      {n}: {{dtype: {TYPES[t]}, shape: [N]}}" for n, t in (("a", a), ("b", b))]
    lines += ["    outputs:", *(f"      {n}: {{dtype: {TYPES[op.kind]}, shape: [N]}}" for n in op.exact)]
    text = "\n".join([*lines, "    compute: |", *(f"      {line}" for line in op.compute.split("; "))]) + "\n"
    (snippet,) = snippets_of(text)
    plain = rows_code(op_of(text), snippet, None)
    prepare = [f"bool prepare([[maybe_unused]] const {snippet.args}& op) {{", *plain.prepare, "}"]
    units = [Unit(snippet, None, "\n".join([*plain.members, *prepare, *plain.portable]))]
    if name in VECTORS:
        lowered = fixed.lower(snippet)
        assert isinstance(lowered, Lowered), lowered
        assert lowered.error == "exact"
        units.append(Unit(snippet, lowered))
    return units


# Scales --------------------------------------------------------------------------------------------------------------


def scale_pairs(count: int, seed: int) -> list[tuple[float, float]]:
    """Scales of a and b, five kinds in turn: random, k / 255, the same, multiples, ratios up to 2^60."""
    rng = np.random.default_rng(seed)
    pairs = []
    for number in range(count):
        first = float(np.exp(rng.uniform(-7, 3)))
        match number % 5:
            case 0:
                second = float(np.exp(rng.uniform(-7, 3)))
            case 1:
                first, second = int(rng.integers(1, 256)) / 255, int(rng.integers(1, 256)) / 255
            case 2:
                second = first
            case 3:
                second = float(np.float32(first)) * float(rng.choice([2, 3, 0.5, 0.25, 7, 1 / 3, 1 / 255, 255]))
            case _:
                second = first * 2.0 ** float(rng.uniform(-60, 60))
        pairs.append((float(np.float32(first)), float(np.float32(second))))
    return pairs


def calls_of(unit: Unit, number: int, scales: tuple[float, float], rng: np.random.Generator) -> Call:
    """All pairs of bytes; 65536 pairs of wider elements, most of them as near to each other as their steps allow."""
    a, b = unit.snippet.inputs
    zeros = [
        int(rng.choice([o.storage.limits[0], sum(o.storage.limits) // 2 + 1, rng.integers(*o.storage.limits)]))
        for o in (a, b)
    ]
    if a.storage.bits == b.storage.bits == 8:
        first, second = (
            g.ravel() for g in np.meshgrid(*[np.arange(o.storage.limits[0], o.storage.limits[1] + 1) for o in (a, b)])
        )
    else:
        first = rng.integers(a.storage.limits[0], a.storage.limits[1] + 1, 65536)
        nearest = np.rint((first - zeros[0]) * (scales[0] / scales[1]) * rng.choice([1, -1])) + zeros[1]
        second = np.clip(nearest + rng.integers(-1, 2, 65536), *b.storage.limits).astype(np.int64)
        some = rng.random(65536) < 0.2
        second = np.where(some, rng.integers(b.storage.limits[0], b.storage.limits[1] + 1, 65536), second)
    inputs = {o.name: v.astype(NUMPY[o.storage]) for o, v in ((a, first), (b, second))}
    quantized = {a.name: (scales[0], zeros[0]), b.name: (scales[1], zeros[1])}
    return Call(number, inputs, -1, quantized | {o.name: (1.0, 0) for o in unit.snippet.outputs})


def wrong(name: str, call: Call, got: Mapping[str, Array]) -> dict[str, int]:
    """How many elements of each output are not the exact ones."""
    (sa, za), (sb, zb) = call.scales["a"], call.scales["b"]
    one = lcm(Fraction(sa).denominator, Fraction(sb).denominator)
    steps = [(call.inputs[n].astype(object) - z) * int(Fraction(s) * one) for n, s, z in (("a", sa, za), ("b", sb, zb))]
    whole = Whole(steps[0], steps[1], one)
    found = {}
    for output, exact in OPS[name].exact.items():
        wanted = exact(whole).astype(object)
        if OPS[name].kind == "i32":
            wanted = np.clip(wanted, -(1 << 31), (1 << 31) - 1)
        found[output] = int(np.count_nonzero(got[output].astype(np.int64) != wanted.astype(np.int64)))
    return found


def renumbered(call: Call, number: int) -> Call:
    return replace(call, unit=number)
