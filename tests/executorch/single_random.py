"""Random computations of reals as a spec, of the steps that float32 may compute under conditions."""

from __future__ import annotations

import random

_HEAD = "opkg: 1\npackage: {name: test.single, targets: [executorch-builder]}\nops:\n"
_OP = """  %s:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}, w: {dtype: T, shape: x.shape}}
    params: {p: {dtype: float32, default: 0.3}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = %s
"""
KNOWN = (
    "x * sigmoid(x) + 0 * z * w",
    "x * sigmoid(z) + w",
    "x / (1 + exp(-z)) + w",
    "x * z + w",
    "exp(x) - z",
    "tanh(x) * z + w",
    "silu(x) * z - w",
    "where(x > z, x * z, w)",
    "clip(x * z, -3, 3) + w",
    "x * x + p * w",
    "(x + z) * 0.5 + w",
    "max(x, z) / 3 + w",
    "log1p(exp(-abs(x))) + w * 0.5",
    "softplus(x) * z + w",
    "x * tanh(log(1 + exp(x)))",
    "tanh(x % z) * w + z",
    "where(x + z > 0, tanh(x), atan(w))",
    "erf(exp(x) * z - x) * w",
    "x * sigmoid(1.702 * z)",
    "log(1 + exp(x)) * z",
    "where(x > 0.5, w, x / 3)",
    "z - x * w",
)


def _real(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(("x", "z", "x", "p", "0.5", "3", "-1.25", "0.1", "1"))
    a, b = _real(rng, depth - 1), _real(rng, rng.randrange(depth))
    unary = ("exp", "log", "sqrt", "rsqrt", "erf", "tanh", "sigmoid", "abs", "log1p", "softplus", "silu", "mish", "sin")
    unary += ("cos", "asin", "atan", "hardswish")
    return rng.choice((
        f"({a} + {b})", f"({a} - {b})", f"({a}) * ({b})", f"({a}) / ({b})", f"-({a})", f"({a}) ** {rng.choice((2, 3))}",
        f"{rng.choice(unary)}({a})", f"{rng.choice(unary)}({a})", f"min({a}, {b})", f"max({a}, {b}, 0.25)", f"clip({a}, -1, {b})",
        f"({a} if x > z else {b})", f"(({a}) * 0.5)",
    ))  # fmt: skip


def texts(count: int, seed: int) -> list[str]:
    """Computations: well-known ones, then random ones, half of them with an addend at last."""
    rng = random.Random(seed)
    found = list(KNOWN)
    while len(found) < count:
        text = _real(rng, rng.choice((1, 2, 2, 3)))
        if "x" in text.replace("exp", "") and text not in found:
            found.append(f"{text} {rng.choice('+-')} w" if rng.random() < 0.5 else text)
    return found


def spec(computations: list[str]) -> str:
    """A package with an op for each."""
    return _HEAD + "".join(_OP % (f"Op{at}", text) for at, text in enumerate(computations))
