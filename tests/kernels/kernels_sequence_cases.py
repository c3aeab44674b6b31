"""Ops with reductions, what numpy says of them, and rows of data with scales that suit their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from kernels_kit import snippets_of
from kernels_sequence_kit import Row, RowKit

from opkg.kernels.sequence import Sequence as Loops
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.rows.strategy import lower

Reference = Callable[..., np.ndarray]
LENGTHS = (1, 31, 127, 128, 129, 1000, 4096 + 37)
STORED = {
    "ufixed8": np.uint8, "sfixed8": np.int8, "ufixed16": np.uint16, "sfixed16": np.int16, "uint8": np.uint8,
    "int8": np.int8, "uint16": np.uint16, "int16": np.int16, "int32": np.int32, "uint32": np.uint32,
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One computation. `others`: inputs beside x, with x's last dimension. `full`: the result has x's shape."""

    compute: str
    reference: Reference
    full: bool = False
    others: tuple[str, ...] = ()


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max())
    return e / e.sum()


def _log_softmax(x: np.ndarray) -> np.ndarray:
    d = x - x.max()
    return d - np.log(np.exp(d).sum())


def _normal(x: np.ndarray) -> np.ndarray:
    return (x - x.mean()) / np.sqrt(x.var() + 1e-5)


def _silu(x: np.ndarray) -> np.ndarray:
    return x / (1.0 + np.exp(-x))


def _normal_silu(x: np.ndarray, g: np.ndarray, b: np.ndarray) -> np.ndarray:
    return _silu(_normal(x) * g + b)


def _score(x: np.ndarray) -> np.ndarray:
    return (x - x.mean()) / (x.std() + 0.001)


_NORM = "m = mean(x, axis=-1, keepdims=True)\nv = mean((x - m) ** 2, axis=-1, keepdims=True)\n"
_ADD_NORM = "s = x + r\nt = s - mean(s, axis=-1, keepdims=True)\nv = mean(t * t, axis=-1, keepdims=True)\n"
_MASKED = "z = x * 0.125 + r\nt = z - max(z, axis=-1, keepdims=True)\n"
_MAX = "m = max(x, axis=-1, keepdims=True)\n"
_OF_ALL = "axis=-1, keepdims=True)"
CASES = {
    "max": Case(f"y = max(x, {_OF_ALL}", np.max),
    "min": Case(f"y = min(x, {_OF_ALL}", np.min),
    "sum": Case(f"y = sum(x, {_OF_ALL}", np.sum),
    "mean": Case(f"y = mean(x, {_OF_ALL}", np.mean),
    "range": Case(f"y = max(x, {_OF_ALL} - min(x, {_OF_ALL}", np.ptp),
    "variance": Case(_NORM + "y = v", np.var),
    "dot": Case(f"y = sum(x * g, {_OF_ALL}", lambda x, g: (x * g).sum(), others=("g",)),
    "mean_abs": Case(f"y = mean(abs(x), {_OF_ALL}", lambda x: np.abs(x).mean()),
    "softmax": Case(_MAX + f"e = exp(x - m)\ny = e / sum(e, {_OF_ALL}", _softmax, full=True),
    "scaled_softmax": Case(
        f"z = x * 0.125\ne = exp(z - max(z, {_OF_ALL})\ny = e / sum(e, {_OF_ALL}", lambda x: _softmax(x / 8), full=True
    ),
    "log_softmax_of_quotients": Case(
        f"z = x / 8\nt = z - max(z, {_OF_ALL}\ny = t - log(sum(exp(t), {_OF_ALL})",
        lambda x: _log_softmax(x / 8),
        full=True,
    ),
    "masked_softmax": Case(
        _MASKED + f"e = exp(t)\ny = e / sum(e, {_OF_ALL}", lambda x, r: _softmax(x * 0.125 + r), True, ("r",)
    ),
    "masked_log_softmax": Case(
        _MASKED + f"y = t - log(sum(exp(t), {_OF_ALL})", lambda x, r: _log_softmax(x * 0.125 + r), True, ("r",)
    ),
    "softmax_of_three": Case(
        f"z = x - r * 2 + b\ne = exp(z - max(z, {_OF_ALL})\ny = e / sum(e, {_OF_ALL}",
        lambda x, r, b: _softmax(x - r * 2 + b),
        True,
        ("r", "b"),
    ),
    "softmin": Case(f"e = exp(min(x, {_OF_ALL} - x)\ny = e / sum(e, {_OF_ALL}", lambda x: _softmax(-x), full=True),
    "log_sum_exp": Case(
        _MAX + f"y = m + log(sum(exp(x - m), {_OF_ALL})", lambda x: x.max() + np.log(np.exp(x - x.max()).sum())
    ),
    "log_softmax": Case(_MAX + f"y = x - (m + log(sum(exp(x - m), {_OF_ALL}))", _log_softmax, full=True),
    "center": Case(f"y = x - mean(x, {_OF_ALL}", lambda x: x - x.mean(), full=True),
    "norm": Case(_NORM + "y = (x - m) / sqrt(v + 0.00001)", _normal, full=True),
    "norm_relu": Case(
        _NORM + "y = max((x - m) / sqrt(v + 0.00001), 0.25)", lambda x: np.maximum(_normal(x), 0.25), full=True
    ),
    "layer_norm": Case(
        _NORM + "y = (x - m) / sqrt(v + 0.00001) * g + b", lambda x, g, b: _normal(x) * g + b, True, ("g", "b")
    ),
    "rms_norm": Case(
        f"y = x * rsqrt(mean(x * x, {_OF_ALL} + 0.00001) * g",
        lambda x, g: x / np.sqrt((x * x).mean() + 1e-5) * g,
        True,
        ("g",),
    ),
    "add_rms_norm": Case(
        f"s = x + r\ny = s * rsqrt(mean(s * s, {_OF_ALL} + 0.00001) * g",
        lambda x, r, g: (x + r) / np.sqrt(((x + r) ** 2).mean() + 1e-5) * g,
        True,
        ("r", "g"),
    ),
    "add_layer_norm": Case(
        _ADD_NORM + "y = t * rsqrt(v + 0.00001) * g + b",
        lambda x, r, g, b: _normal(x + r) * g + b,
        True,
        ("r", "g", "b"),
    ),
    "add_norm": Case(_ADD_NORM + "y = t / sqrt(v + 0.00001)", lambda x, r: _normal(x + r), True, ("r",)),
    "distance": Case(
        f"y = sqrt(sum((x - r) * (x - r), {_OF_ALL})", lambda x, r: np.sqrt(((x - r) ** 2).sum()), others=("r",)
    ),
    "add_max": Case(f"y = x + g - max(x, {_OF_ALL}", lambda x, g: x + g - x.max(), True, ("g",)),
    "score": Case(_NORM + "y = (x - m) / (sqrt(v) + 0.001)", _score, full=True),
}
# Functions of rows that are normed, in single precision.
NORMED = {
    "norm_silu": Case(
        _NORM + "t = (x - m) * rsqrt(v + 0.00001) * g + b\ny = t * sigmoid(t)", _normal_silu, True, ("g", "b")
    ),
    "norm_gate": Case(
        _NORM + "y = g * tanh((x - m) / sqrt(v + 0.00001) + b)",
        lambda x, g, b: g * np.tanh(_normal(x) + b),
        True,
        ("g", "b"),
    ),
    "rms_silu": Case(
        f"t = x * rsqrt(mean(x * x, {_OF_ALL} + 0.00001)\ny = t * g * sigmoid(t * g)",
        lambda x, g: _silu(x / np.sqrt((x * x).mean() + 1e-5) * g),
        True,
        ("g",),
    ),
    "unit_silu": Case(
        f"t = x / sqrt(sum(x * x, {_OF_ALL} + 0.001)\ny = t * sigmoid(t)",
        lambda x: _silu(x / np.sqrt((x * x).sum() + 0.001)),
        True,
    ),
}

# What happens far from 0 between places that are far apart.
BUMP = {
    "bump": Case(
        _NORM + "s = sigmoid((x - m) - 116.0)\ny = (x - m) - s * (1.0 - s) * 1000.0",
        lambda x: (
            (x - x.mean())
            - _silu(x - x.mean() - 116.0) / (x - x.mean() - 116.0) * 1000.0 / (1.0 + np.exp(x - x.mean() - 116.0))
        ),
        full=True,
    )
}
_ALL = CASES | NORMED | BUMP


def snippet_of(
    compute: str, dtype: str, out: str, full: bool, others: Sequence[str] = (), unsigned: bool = False
) -> Snippet:
    """The snippet of an op that reduces the last dimension of x."""
    text = ["  Op:", "    inputs:", f"      x: {{dtype: {dtype}, shape: [n, h, w, d]}}"]
    text += [f"      {name}: {{dtype: {dtype}, shape: [d]}}" for name in others]
    text += ["    outputs:", f"      y: {{dtype: {out}, shape: {'x.shape' if full else '[n, h, w, 1]'}}}"]
    text += ["    compute: |", *(f"      {line}" for line in compute.split("\n"))]
    (snippet,) = snippets_of("\n".join(text) + "\n", unsigned)
    return snippet


def lowered(snippet: Snippet) -> Loops:
    """The loops of a snippet that has some."""
    made = lower(snippet)
    assert not isinstance(made, str), made
    return made


def of_case(name: str, dtype: str, out: str) -> tuple[Snippet, Loops]:
    """A case's snippet and loops."""
    case = _ALL[name]
    snippet = snippet_of(case.compute, dtype, out, case.full, case.others)
    return snippet, lowered(snippet)


def elements(rng: np.random.Generator, dtype: type, n: int, kind: int) -> np.ndarray:
    """Stored numbers: any, normal ones, nearly all alike, one in a hundred at the other end."""
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    span = high - low
    found = (
        rng.integers(low, high + 1, n),
        np.clip(np.rint(rng.normal(low + span / 2, span / 10, n)), low, high),
        rng.integers(low + span // 3, low + span // 3 + 4, n),
        np.where(rng.random(n) < 0.01, high, low),
    )[kind]
    return found.astype(dtype)


@dataclass(frozen=True)
class Expected:
    """A row and its correctly rounded results."""

    name: str
    row: Row
    stored: np.ndarray


def expected(rng: np.random.Generator, unit: int, name: str, dtype: str, out: str, n: int, shift: int) -> Expected:
    """A row of random data, scales and zero points; the output's scale fits the results, or is four times finer or coarser."""
    case, kind = _ALL[name], int(rng.integers(4))
    inputs, scales, reals = {}, {}, []
    for operand in ("x", *case.others):
        stored = elements(rng, STORED[dtype], n, kind if operand == "x" else int(rng.integers(2)))
        limits = np.iinfo(STORED[dtype])
        zero, scale = int(rng.integers(limits.min, limits.max + 1)), np.float32(10 ** rng.uniform(-4, 1))
        inputs[operand], scales[operand] = stored, (float(scale), zero)
        reals.append((stored.astype(np.float64) - zero) * float(scale))
    exact = np.atleast_1d(case.reference(*reals))
    limits = np.iinfo(STORED[out])
    room = limits.max - limits.min
    if case.full:
        span = max(exact.max(), 0) - min(exact.min(), 0)
        scale = np.float32(max(span, 1e-5) / room * rng.choice([1, 1, 4, 0.25]))
        zero = int(np.clip(np.rint(limits.min - min(exact.min(), 0) / scale), limits.min, limits.max))
    else:
        scale = np.float32(abs(exact[0]) / rng.uniform(10, room) + 1e-5)
        zero = limits.max if exact[0] < 0 else limits.min
    scales["y"] = (float(scale), int(zero))
    stored = np.clip(np.rint(exact / float(scale)) + zero, limits.min, limits.max)
    return Expected(name, Row(unit, inputs, scales, shift=shift), stored)


@dataclass
class Found:
    """Of one case: rows, those that the vector code left to the portable code, the largest difference in steps."""

    rows: int = 0
    refused: int = 0
    steps: float = 0.0


def compare(kit: RowKit, wanted: Iterable[Expected]) -> dict[str, Found]:
    """Runs all rows; what came out, by case."""
    rows = list(wanted)
    found: dict[str, Found] = {}
    for want, got in zip(rows, kit.run_rows([want.row for want in rows]), strict=True):
        entry = found.setdefault(want.name, Found())
        entry.rows += 1
        if got is None:
            entry.refused += 1
        else:
            entry.steps = max(entry.steps, float(np.abs(got["y"].astype(np.float64) - want.stored).max()))
    return found
