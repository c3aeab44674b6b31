"""Random computations with reductions in vectors, against their reference: what can be lowered is right."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from kernels_kit import op_of, snippets_of
from kernels_sequence_cases import STORED, elements
from kernels_sequence_kit import Row, RowKit

from opkg.kernels.sequence import Sequence
from opkg.kernels.snippet import Snippet
from opkg.kernels.strategies.rows.strategy import lower
from opkg.spec.model import Op
from opkg.verify.meaning.compute import evaluate

TYPES = ("ufixed8", "ufixed8", "sfixed8", "ufixed16", "float32", "int8", "uint8", "int32")
FUNCTIONS = ("abs", "exp", "tanh", "sqrt", "-", "sigmoid", "floor", "sign", "log")
SPEC = """  Op:
    inputs:
      x: {{dtype: {dtype}, shape: [n, h, w, d]}}
      g: {{dtype: {dtype}, shape: [d]}}
    outputs:
      y: {{dtype: {out}, shape: {shape}}}
    compute: y = {text}
"""


@dataclass(frozen=True)
class Made:
    """A computation that the strategy took."""

    text: str
    dtype: str
    out: str
    op: Op
    snippet: Snippet
    loops: Sequence


def expression(rng: random.Random, depth: int, whole: bool) -> str:
    """A random expression of x and g with reductions of the last dimension."""
    if depth == 0:
        return rng.choice(["x", "g", "x", "2", "5" if whole else "3.0"])
    kind, first = rng.random(), expression(rng, depth - 1, whole)
    if kind < 0.3:
        return f"{rng.choice(['sum', 'max', 'min'] if whole else ['sum', 'mean', 'max', 'min'])}({first}, axis=-1, keepdims=True)"
    if kind < 0.5:
        return f"{rng.choice(['abs', '-', 'sign'] if whole else FUNCTIONS)}({first})"
    second = expression(rng, depth - 1, whole)
    if kind < 0.85:
        return f"({first} {rng.choice('+-*' if whole else '+-*/')} {second})"
    if kind < 0.93:
        return f"{rng.choice(['min', 'max'])}({first}, {second})"
    return f"({first} if {second} > {expression(rng, 0, whole)} else {expression(rng, depth - 1, whole)})"


def random_ops(rng: random.Random, count: int) -> list[Made]:
    """Computations that are valid and that the strategy lowers."""
    found: list[Made] = []
    while len(found) < count:
        dtype, full = rng.choice(TYPES), rng.random() < 0.6
        whole = "int" in dtype
        text = expression(rng, rng.choice([2, 3]), whole)
        text = f"x + g - {text}" if "x" not in text or "g" not in text else text
        if not full:
            text = f"{rng.choice(['max', 'sum'])}({text}, axis=-1, keepdims=True)"
        text, out = (f"cast({text}, int32)", "int32") if whole else (text, dtype)
        spec = SPEC.format(dtype=dtype, out=out, shape="x.shape" if full else "[n, h, w, 1]", text=text)
        try:
            (snippet,) = snippets_of(spec)
        except AssertionError:
            continue  # not a spec: the shape of y is another one, an input is not used
        made = lower(snippet)
        if not isinstance(made, str) and not made.counted:  # whose bound a call asks for: test_kernels_panels.py
            found.append(Made(text, dtype, out, op_of(spec), snippet, made))
    return found


def row_of(rng: np.random.Generator, unit: int, made: Made, n: int) -> tuple[Row, np.ndarray, np.ndarray]:
    """A row of random data; its results as real values, and as y holds them."""
    inputs, scales, values = {}, {}, {}
    for name in ("x", "g"):
        if made.dtype == "float32":
            stored = (rng.normal(size=n) * 2).astype(np.float32)
            values[name] = stored.astype(np.float64)
        else:
            stored = elements(rng, STORED[made.dtype], n, int(rng.integers(4)))
            stored = (stored // 65536).astype(np.int32) if made.dtype == "int32" else stored
            limits = np.iinfo(STORED[made.dtype])
            values[name] = stored.astype(np.int64)
            if "fixed" in made.dtype:
                zero = int(rng.integers(limits.min, limits.max + 1))
                scale = float(np.float32(10 ** rng.uniform(-3, 0) / (1 if limits.max < 256 else 256)))
                scales[name] = (scale, zero)
                values[name] = (stored.astype(np.float64) - zero) * scale
        inputs[name] = stored
    real = np.atleast_1d(evaluate(made.op.compute, values)["y"])
    real = np.broadcast_to(real, (n if not made.loops.reduced else 1,))
    held = real
    if "fixed" in made.out:
        limits, known = np.iinfo(STORED[made.out]), real[np.isfinite(real)]
        low, high = min([0.0, *known]), max([0.0, *known])
        scale = float(np.float32(max(high - low, 1e-6) / (limits.max - limits.min) * rng.choice([1, 3])))
        scales["y"] = (scale, int(np.clip(np.rint(limits.min - low / scale), limits.min, limits.max)))
        held = np.clip(np.rint(real / scale) + scales["y"][1], limits.min, limits.max)
    used = {operand.name for operand in made.snippet.inputs}
    return Row(unit, {name: inputs[name] for name in inputs if name in used}, scales), real, held


def test_random_computations(tmp_path: Path) -> None:
    ops = random_ops(random.Random(11), 24)
    kit = RowKit(tmp_path, [(made.snippet, made.loops) for made in ops])
    rng = np.random.default_rng(12)
    rows = [row_of(rng, unit, made, n) for unit, made in enumerate(ops) for n in (1, 33, 200, 1000)]
    done = 0
    for (row, real, held), got in zip(rows, kit.run_rows([row for row, _, _ in rows]), strict=True):
        made = ops[row.unit]
        if got is None:
            continue
        done += 1
        if not np.isfinite(real).all():  # floats hold what is no number, too
            assert made.out == "float32", made.text
            assert (np.isnan(got["y"]) == np.isnan(real)).all(), made.text
            continue
        error = np.abs(got["y"].astype(np.float64) - held).max()
        if made.out == "float32":
            assert error <= 1e-4 * max(np.abs(held).max(), 1e-2), (made.text, row.n)
        else:
            assert error <= (1 if "fixed" in made.out else 0), (made.text, row)
    assert done >= 0.6 * len(rows)
