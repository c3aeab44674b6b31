"""Random computations of reals as a spec, of the steps that float32 may compute under conditions."""

from __future__ import annotations

import random
import re

_HEAD = "opkg: 1\npackage: {name: test.single, targets: [executorch-builder]}\nops:\n"
_OP = """  %s:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}, w: {dtype: T, shape: x.shape}}
    params: {p: {dtype: float32, default: 0.3}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = %s
"""
_MAX = "max(x, axis=-1, keepdims=True)"
_DEVIATION = "x - mean(x, axis=-1, keepdims=True)"
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
    "exp(x) - 1",
    "log(x / (1 - x))",
    "log(x / (1 - x)) * 0.5 + w",
    "1 - tanh(x) ** 2",
    "sign(x) * z + w",
    "log(1 + exp(x)) * z",
    "where(x > 0.5, w, x / 3)",
    "z - x * w",
    "x * clip(x + 3, 0, 6) / 6",
    "ceil(x) * 0.25 + round(z) * w",
    "floor(x) * trunc(z)",
    "gelu(x) * z",
    "0.5 * x * (1 + erf(x * 0.7071067811865476))",
    "0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))",
    "(1 + tanh(x * z)) * w",
    "exp(x * z - z)",
    "x % z",
    "x ** z * w",
    "x ** 0.5 + x ** 2.2 * z",
    "(x * z) ** -1.5",
    "2 ** x",
    "log(1 + x) * z",
    "log(1 - x * 0.5) + w",
    "log(1 + abs(x * z)) * w",
    "log(sigmoid(x)) * z",
    "(1 - cos(x)) * z",
    "w * (cos(3 * x) - 1)",
    # over dimensions
    f"exp(x - {_MAX}) / sum(exp(x - {_MAX}), axis=-1, keepdims=True)",
    f"x - {_MAX} - log(sum(exp(x - {_MAX}), axis=-1, keepdims=True)) + w",
    "x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 1.0e-6) * z",
    "x / max(sqrt(sum(x ** 2, axis=-1, keepdims=True)), 1.0e-12)",
    f"({_DEVIATION}) * rsqrt(mean(({_DEVIATION}) * ({_DEVIATION}), axis=-1, keepdims=True) + 1.0e-5) * z + w",
    "tanh(x + z - mean(x + z, axis=-1, keepdims=True)) * w",
    "sum(abs(x), axis=-1, keepdims=True) * z",
    "x / (1 + mean(sigmoid(z), axis=-1, keepdims=True))",
    "silu(concat([x[..., :30] * z[..., :30], x[..., 30:] * 0.5], axis=-1))",
)


def _real(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(("x", "z", "x", "p", "0.5", "3", "-1.25", "0.1", "1"))
    a, b = _real(rng, depth - 1), _real(rng, rng.randrange(depth))
    row = a if re.search(r"\b[xz]\b", a) else "x"
    unary = ("exp", "log", "sqrt", "rsqrt", "erf", "tanh", "sigmoid", "abs", "log1p", "softplus", "silu", "mish", "sin")
    unary += ("cos", "asin", "atan", "hardswish")
    return rng.choice((
        f"({a} + {b})", f"({a} - {b})", f"({a}) * ({b})", f"({a}) / ({b})", f"-({a})", f"({a}) ** {rng.choice((2, 3))}",
        f"{rng.choice(unary)}({a})", f"{rng.choice(unary)}({a})", f"min({a}, {b})", f"max({a}, {b}, 0.25)", f"clip({a}, -1, {b})",
        f"({a} if x > z else {b})", f"(({a}) * 0.5)", f"(1 + {rng.choice(('tanh', 'erf'))}({a}))", f"gelu({a})",
        f"{rng.choice(('sum', 'mean'))}(abs({row}), axis=-1, keepdims=True)", f"max({row}, axis=-1, keepdims=True)",
        f"({row} - max({row}, axis=-1, keepdims=True))", f"({row} - mean({row}, axis=-1, keepdims=True))",
        f"(({row}) * rsqrt(mean(({row}) ** 2, axis=-1, keepdims=True) + 0.25))",
    ))  # fmt: skip


def texts(count: int, seed: int) -> list[str]:
    """Computations: well-known ones, then random ones, half of them with an addend at last."""
    rng = random.Random(seed)
    found = list(KNOWN)
    while len(found) < count:
        text = _real(rng, rng.choice((1, 2, 2, 3)))
        if "axis" in text and "/" in text:
            continue  # which zero is the largest is torch's affair
        if "axis" in text:
            text = rng.choice((f"({text}) * z", f"min({text}, 0.5 * z)"))
        if "x" in text.replace("exp", "") and text not in found:
            found.append(f"{text} {rng.choice('+-')} w" if rng.random() < 0.5 else text)
    return found


def spec(computations: list[str]) -> str:
    """A package with an op for each."""
    return _HEAD + "".join(_OP % (f"Op{at}", text) for at, text in enumerate(computations))
