"""Random computations as a spec: every operator and function, over reals, integers, bools, params and optional inputs."""

from __future__ import annotations

import random

from opkg.spec.reader import read

_HEAD = """opkg: 1
package: {name: test.random, targets: [executorch-builder]}
ops:
"""
_OP = """  Op%d:
    inputs:
      x: {dtype: float32, rank: 1..3}
      z: {dtype: float32, shape: x.shape}
      i: {dtype: int32, shape: x.shape}
      j: {dtype: int8, shape: x.shape}
      b: {dtype: bool8, shape: x.shape}
      g: {dtype: float32, shape: x.shape, optional: true}
    params:
      p: {dtype: float32, default: -0.75}
      n: {dtype: int32, default: 2}
      flag: {dtype: bool8, default: true}
    outputs:
      r: {dtype: float32, shape: x.shape}
      k: {dtype: int32, shape: x.shape}
      t: {dtype: bool8, shape: x.shape}
    compute: |
      r = where(x == x, %s, x)
      k = where(x == x, %s, 0)
      t = where(x == x, %s, False)
"""


_CURVES = ("sin", "cos", "asin", "atan", "log1p", "softplus", "silu", "gelu", "mish", "hardswish",
           "cumsum(x, axis=-1)", "argmax(x, axis=-1, keepdims=True)", "argmin(x)", "x[..., ::-1]",
           "transpose(transpose(x) * 1.5)",
           "concat(x, z, axis=-1)[..., :1]", "take(x, n, axis=-1)[..., None]", "x[None, ..., -1:][0]")  # fmt: skip


def real(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(("x", "z", "p", "0.5", "3", "-1.25", "i", "n", "x"))
    a, b = real(rng, depth - 1), real(rng, rng.randrange(depth))
    unary = ("exp", "log", "sqrt", "rsqrt", "erf", "tanh", "sigmoid", "abs", "sign", "floor", "ceil", "round", "trunc")
    return rng.choice((
        f"({a} + {b})", f"({a} - {b})", f"{a} * {b}", f"({a}) / ({b})", f"({a}) // {b}", f"({a}) % ({b})", f"-({a})",
        f"({a}) ** 2", f"({a}) ** {b}", f"{rng.choice(unary)}({a})", f"min({a}, {b})", f"max({a}, {b}, 0.25)",
        f"clip({a}, -1, {b})", f"({a} if {truth(rng, depth - 1)} else {b})", f"where({truth(rng, depth - 1)}, {a}, {b})",
        f"cast({a}, float16)", f"{rng.choice(('sum', 'mean', 'min', 'max'))}({a} + x, axis=-1, keepdims=True)",
        f"({a} + g if present(g) else {b})", f"({a} if present(g) and g > {b} else 0.5)",
    ))  # fmt: skip


def integer(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(("i", "j", "n", "3", "-2", "i"))
    a, b = integer(rng, depth - 1), integer(rng, rng.randrange(depth))
    return rng.choice((
        f"({a} & {b})", f"({a} | {b} ^ 5)", f"~({a})", f"({a} << 3)", f"({a} >> abs({b}))",
        f"({a} + {b})", f"({a} - {b})", f"{a} * {b}", f"({a}) // ({b})", f"({a}) % ({b})", f"-({a})", f"({a}) ** 2",
        f"abs({a})", f"sign({a})", f"min({a}, {b})", f"max({a}, {b})", f"clip({a}, -5, {b})", f"round({a})",
        f"cast({real(rng, depth - 1)}, {rng.choice(('int8', 'uint8', 'int16', 'int32'))})",
        f"cast({truth(rng, depth - 1)}, int32)",
        f"({a} if {truth(rng, depth - 1)} else {b})", f"({a} if not present(g) else {b})",
    ))  # fmt: skip


def truth(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(("b", "flag", "True", "x > z", "i != j", "n <= 2", "b"))
    a, b = truth(rng, depth - 1), truth(rng, rng.randrange(depth))
    op = rng.choice(("==", "!=", "<", "<=", ">", ">="))
    return rng.choice((
        f"({a} and {b})", f"({a} or {b})", f"(not {a})", f"(({a}) == ({b}))",
        f"({real(rng, depth - 1)} {op} {real(rng, 0)})", f"({integer(rng, depth - 1)} {op} {integer(rng, 0)})",
        f"cast({integer(rng, depth - 1)}, bool8)", f"(present(g) and g > 0 or {a})", f"(not present(g) or g < 0.5 and {a})",
    ))  # fmt: skip


def spec(count: int, seed: int) -> str:
    """A package of ops that validate; what is nonsense (a division by the number 0) is left out."""
    rng = random.Random(seed)
    texts: list[str] = []
    while len(texts) < count:
        parts = (real(rng, 4), integer(rng, 4), truth(rng, 4))
        if len(texts) < len(_CURVES):
            more = _CURVES[len(texts)]
            parts = (f"{more if '(' in more or '[' in more else f'{more}({parts[0]})'} + x", *parts[1:])
        text = _OP % (len(texts), *parts)
        if read((_HEAD + text).encode(), "random.yaml")[0] is not None:
            texts.append(text)
    return _HEAD + "".join(texts)
