"""Computations on parts of tensors: those that people write, and random ones."""

from __future__ import annotations

import math
import random

Shape = tuple[int, ...]

OPS = """\
  Geglu:
    types: {T: [TYPES]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}}
    outputs: {y: {dtype: T, shape: "[batch..., C // 2]"}}
    constraints: [C % 2 == 0]
    compute: y = gelu(x[..., :C // 2]) * x[..., -(C // 2):]
  Even:
    types: {T: [TYPES, int32]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}}
    outputs: {y: {dtype: T, shape: "[batch..., ceil_div(C, 2)]"}}
    compute: y = x[..., ::2] + 1
  Whole:
    types: {T: [uint8, int16]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x + x[..., ::-1]
  Back:
    types: {T: [TYPES, int32]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = max(x[..., ::-1] - x, 0)
  Rope:
    types: {T: [TYPES]}
    inputs:
      x: {dtype: T, shape: "[batch..., L, D]", rank: 3..5}
      cos: {dtype: T, shape: "[L, H]"}
      sin: {dtype: T, shape: "[L, H]"}
    outputs: {y: {dtype: T, shape: x.shape}}
    constraints: [D == 2 * H]
    compute: |
      x1 = x[..., :x.shape[-1] // 2]
      x2 = x[..., D // 2:]
      y = concat(x1 * cos - x2 * sin, x2 * cos + x1 * sin, axis=-1)
  Rotate:
    types: {T: [TYPES]}
    inputs:
      x: {dtype: T, shape: "[batch..., L, D]", rank: 3..4}
      cos: {dtype: T, shape: "[L, D]"}
      sin: {dtype: T, shape: "[L, D]"}
    params: {h: {dtype: int32, range: "1 .. 128"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    constraints: [h < D]
    compute: y = x * cos + concat(-x[..., h:], x[..., :h], axis=-1) * sin
  Steps:
    types: {T: [TYPES, int32]}
    inputs: {x: {dtype: T, shape: "[B, N, C]"}}
    outputs: {y: {dtype: T, shape: "[B, N - 1, C]"}}
    constraints: [N > 1]
    compute: y = x[:, 1:] - x[:, :-1]
  Beside:
    types: {T: [TYPES, int32]}
    inputs:
      a: {dtype: T, shape: "[batch..., M]"}
      b: {dtype: T, shape: "[batch..., N]"}
    outputs: {y: {dtype: T, shape: "[batch..., M + N]"}}
    compute: y = concat(a * 2, max(b, 0), axis=-1)
  Crop:
    types: {T: [TYPES]}
    inputs:
      x: {dtype: T, shape: "[B, H, W, C]"}
      b: {dtype: T, shape: "[C]"}
    outputs: {y: {dtype: T, shape: "[B, H - 2, W - 2, C]"}}
    constraints: [H > 2, W > 2]
    compute: y = max(x[:, 1:-1, 1:-1] + b, 0)
  Late:
    types: {T: [TYPES]}
    inputs:
      x: {dtype: T, shape: "[B, M, N]"}
      s: {dtype: T, shape: "[N]"}
    outputs: {y: {dtype: T, shape: "[B, N, M]"}}
    compute: y = transpose(x * s, (0, 2, 1))
  Gate:
    types: {T: [TYPES]}
    inputs:
      x: {dtype: T, shape: "[batch..., 64]"}
      bias: {dtype: T, shape: "[32]", optional: true}
    outputs: {y: {dtype: T, shape: "[batch..., 32]"}}
    compute: |
      g = x[..., 32:]
      y = x[..., :32] * (sigmoid(g + bias) if present(bias) else sigmoid(g))
  Both:
    types: {T: [TYPES]}
    inputs: {x: {dtype: T, shape: "[batch..., 2 * 17]"}}
    outputs:
      y: {dtype: T, shape: "[batch..., 17]"}
      z: {dtype: T, shape: "[batch..., 17]"}
      w: {dtype: T, shape: "[batch..., 34]"}
    compute: |
      y = x[..., :17] + x[..., 17:]
      z = x[..., 3:20]
      w = abs(x)
  Outer:
    types: {T: [TYPES]}
    inputs:
      a: {dtype: T, shape: "[M]"}
      b: {dtype: T, shape: "[N]"}
    outputs: {y: {dtype: T, shape: "[M, N]"}}
    compute: y = a[:, None] * b[None, :]
  Flat:
    types: {T: [TYPES]}
    inputs: {x: {dtype: T, shape: "[B, M, N]"}}
    outputs: {y: {dtype: T, shape: "[B, M * N]"}}
    compute: y = reshape(abs(x), (x.shape[-3], -1)) * 2
  Deeper:
    types: {T: [TYPES]}
    inputs: {x: {dtype: T, shape: "[B, H, W, 4 * 17]"}}
    params: {w: {dtype: int32}}
    outputs: {y: {dtype: T, shape: "[B, 2 * H, 2 * W, 17]"}}
    constraints: [w == 2 * W]
    compute: |
      a = transpose(reshape(x, (x.shape[0], x.shape[1], x.shape[2], 2, 2, 17)), (0, 1, 3, 2, 4, 5))
      y = max(reshape(a, (x.shape[0], -1, w, 17)), 0)
  Nearest:
    types: {T: [TYPES, int16]}
    inputs: {x: {dtype: T, shape: "[B, H, W, C]"}}
    params: {w: {dtype: int32}}
    outputs: {y: {dtype: T, shape: "[B, 3 * H, 2 * W, C]"}}
    constraints: [w == 2 * W]
    compute: |
      a = reshape(x, (x.shape[0], x.shape[1], 1, x.shape[2], 1, x.shape[3]))
      y = reshape(tile(a, (1, 1, 3, 1, 2, 1)), (x.shape[0], -1, w, x.shape[3]))
  Amid:
    types: {T: [TYPES, int8]}
    inputs: {x: {dtype: T, shape: "[B, H, W, C]"}}
    params:
      left: {dtype: int32, range: 0..3}
      value: {dtype: int32, range: -2..2}
    outputs: {y: {dtype: T, shape: "[B, H + 2, left + ceil_div(W, 2), C]"}}
    compute: y = pad(x[:, :, ::2], ((0, 0), (2, 0), (left, 0), (0, 0)), value * 2)
  Taken:
    types: {T: [TYPES]}
    inputs:
      x: {dtype: T, shape: "[A, B]"}
      i: {dtype: int32, shape: "[K]"}
    outputs: {y: {dtype: T, shape: "[B, K]"}}
    compute: y = take(transpose(x, (1, 0)), i, axis=1)
  AroundBeside:
    types: {T: [TYPES]}
    inputs: {x: {dtype: T, shape: [1, B]}, z: {dtype: T, shape: [2, B]}}
    outputs:
      again: {dtype: T, shape: "[2, 2 * B]"}
      amid: {dtype: T, shape: [3, B]}
      both: {dtype: T, shape: [3, B]}
    compute: |
      again = tile(x, (2, 2))
      amid = pad(x, ((1, 1), (0, 0)), 0)
      both = concat(x, z, axis=0)
"""
TYPES = "float32, float16, ufixed8, sfixed8, ufixed16, sfixed16"


def random_op(rng: random.Random, number: int) -> str:
    """An op with tensors of fixed shapes, among them one that is broadcast, and one output."""
    dtype = rng.choice(("float32", "ufixed8", "sfixed8", "sfixed16", "int32"))
    rank = rng.randint(1, 4)
    shape = tuple(rng.choice((1, 2, 3, 5, 8, 17, 40, 130) if k == rank - 1 else (1, 2, 3, 5)) for k in range(rank))
    inputs: dict[str, Shape] = {}
    text = _value(rng, shape, inputs, 3)
    if any(math.prod(dims) > 8192 for dims in inputs.values()):
        return random_op(rng, number)
    if not inputs:
        text = f"{text} + {_leaf(rng, shape, inputs)}"
    made = ", ".join(f"{name}: {{dtype: {dtype}, shape: {list(dims)}}}" for name, dims in inputs.items())
    return (
        f"  Op{number}:\n    inputs: {{{made}}}\n    outputs: {{y: {{dtype: {dtype}, shape: {list(shape)}}}}}\n"
        f"    compute: y = max({text}, -3)\n"
    )


def random_last(rng: random.Random, number: int) -> str:
    """An op whose result is tiled, padded or reshaped behind other movement."""
    rank = rng.randint(1, 5)
    shape = tuple(rng.choice((1, 3, 17, 100) if k == rank - 1 else (1, 2, 3, 5)) for k in range(rank))
    dtype = rng.choice(("ufixed8", "sfixed8", "ufixed16", "int32"))
    inputs: dict[str, Shape] = {}
    leaf = _leaf(rng, shape, inputs)
    form = rng.choice(("tile", "tile", "pad", "pad", "reshape"))
    if form == "tile":
        times = [rng.choice((1, 1, 2, 3)) for _ in shape]
        text, shape = f"tile({leaf}, {tuple(times)})", tuple(n * k for n, k in zip(shape, times, strict=True))
    elif form == "pad":
        ends = [(rng.choice((0, 0, 1, 9)), rng.choice((0, 0, 1, 2))) for _ in shape]
        text = f"pad({leaf}, {tuple(ends)}, {rng.choice((0, -2, 7))})"
        shape = tuple(n + low + high for n, (low, high) in zip(shape, ends, strict=True))
    else:
        text, shape = f"reshape({leaf}, (-1,))", (math.prod(shape),)
    if form != "pad" and rng.random() < 0.3:
        text = f"max({text}, 0)"
    ((name, dims),) = inputs.items()
    same = rng.choice(("", f", quantization: same as {name}")) if "fixed" in dtype else ""
    return (
        f"  Op{number}:\n    inputs: {{{name}: {{dtype: {dtype}, shape: {list(dims)}}}}}\n"
        f"    outputs: {{y: {{dtype: {dtype}, shape: {list(shape)}{same}}}}}\n    compute: y = {text}\n"
    )


def _value(rng: random.Random, shape: Shape, inputs: dict[str, Shape], depth: int) -> str:
    if depth == 0:
        return _leaf(rng, shape, inputs)
    form = rng.choice(("leaf", "sum", "sum", "unary", "joined", "cut", "turned", "few"))
    if form == "sum":
        a, b = (_value(rng, shape, inputs, depth - 1) for _ in range(2))
        return f"({a} {rng.choice('+-')} {b})"
    if form == "unary":
        return rng.choice(("abs({})", "(-{})", "max({}, 1)")).format(_value(rng, shape, inputs, depth - 1))
    if form == "joined" and max(shape) > 1:
        axis = rng.choice([k for k, n in enumerate(shape) if n > 1])
        first = rng.randint(1, shape[axis] - 1)
        sizes = (first, shape[axis] - first)
        parts = [_value(rng, (*shape[:axis], n, *shape[axis + 1 :]), inputs, depth - 1) for n in sizes]
        return f"concat({', '.join(parts)}, axis={axis - len(shape)})"
    if form == "cut":
        more, text = _cut(rng, shape)
        return f"{_value(rng, more, inputs, depth - 1)}{text}"
    if form == "turned" and len(shape) > 1:
        order = rng.sample(range(len(shape)), len(shape))
        before = [0] * len(shape)
        for to, place in enumerate(order):
            before[place] = shape[to]
        return f"transpose({_value(rng, tuple(before), inputs, depth - 1)}, {tuple(order)})"
    if form == "few":
        few = tuple(rng.choice((1, n)) for n in shape)
        return f"({_value(rng, shape, inputs, depth - 1)} + {_leaf(rng, few, inputs)})"
    return _leaf(rng, shape, inputs)


def _cut(rng: random.Random, shape: Shape) -> tuple[Shape, str]:
    """A shape of which a slice has the other one, and the slice."""
    more, parts = [], []
    for n in shape:
        step, low, high = rng.choice((1, 1, 2, 3, -1, -2)), rng.randint(0, 2), rng.randint(0, 2)
        reach = (n - 1) * abs(step)
        more.append(low + reach + 1 + high)
        first = low if step > 0 else low + reach
        last = first + (reach + 1) * (1 if step > 0 else -1)
        parts.append(f"{first}:{last if last >= 0 else ''}:{step}" if (step != 1 or low or high) else ":")
    return tuple(more), f"[{', '.join(parts)}]"


def _leaf(rng: random.Random, shape: Shape, inputs: dict[str, Shape]) -> str:
    """An input as it is, or a part of one."""
    more, text = _cut(rng, shape) if rng.random() < 0.6 else (shape, "")
    there = [name for name, dims in inputs.items() if dims == more]
    name = rng.choice(there) if there else f"x{len(inputs)}"
    inputs[name] = more
    return f"{name}{text}"
