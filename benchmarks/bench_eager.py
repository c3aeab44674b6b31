"""How long the torch ops of a generated package take in eager mode, against the same steps in torch: CPU time, one thread.

    python benchmarks/bench_eager.py            # each row is the least of many runs, in turns
    python benchmarks/bench_eager.py long       # 4 rows of 1,000,000 elements

It generates a package of these ops and starts itself again in the interpreter with torch (docs/executorch.md, Set up).
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SPEC = """
opkg: 1
package: {name: bench.eager, version: 1.0.0, targets: [executorch-builder]}
ops:
  Mish:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * tanh(log(1 + exp(x)))
  Silu:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * sigmoid(x)
  Norm:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}, gamma: {dtype: T, shape: "[C]"}, beta: {dtype: T, shape: "[C]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      d = x - mean(x, axis=-1, keepdims=True)
      y = d * rsqrt(mean(d * d, axis=-1, keepdims=True) + 1.0e-5) * gamma + beta
  Two:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}}
    outputs: {s: {dtype: T, shape: x.shape}, d: {dtype: T, shape: x.shape}}
    compute: s = tanh(x) * z; d = exp(x) - z
  Gate:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * sigmoid(z)
  Affine:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}, w: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * z + w
  GeluTanh:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
  QuickGelu:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * sigmoid(1.702 * x)
  Softmax:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      e = exp(x - max(x, axis=-1, keepdims=True))
      y = e / sum(e, axis=-1, keepdims=True)
  LogSoftmax:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      d = x - max(x, axis=-1, keepdims=True)
      y = d - log(sum(exp(d), axis=-1, keepdims=True))
  RmsNorm:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}, gamma: {dtype: T, shape: "[C]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * rsqrt(mean(x * x, axis=-1, keepdims=True) + 1.0e-6) * gamma
  Elu:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = where(x > 0, x, exp(x) - 1)
  Relu:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = max(x, 0)
  HardSwish:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * clip(x + 3, 0, 6) / 6
  Softplus:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = log(1 + exp(x))
  GeluErf:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = 0.5 * x * (1 + erf(x * 0.7071067811865476))
  Gelu:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = gelu(x)
  SoftmaxFirst:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, C]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      e = exp(x - max(x, axis=0, keepdims=True))
      y = e / sum(e, axis=0, keepdims=True)
  L2Norm:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x / max(sqrt(sum(x * x, axis=-1, keepdims=True)), 1.0e-12)
  GroupNorm:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, G, C, L]"}, gamma: {dtype: T, shape: "[G, C, 1]"}, beta: {dtype: T, shape: "[G, C, 1]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      d = x - mean(x, axis=[2, 3], keepdims=True)
      y = d * rsqrt(mean(d * d, axis=[2, 3], keepdims=True) + 1.0e-5) * gamma + beta
  Swiglu:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * sigmoid(x) * z
  Rope:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[N, 100]"}, c: {dtype: T, shape: "[N, 50]"}, s: {dtype: T, shape: "[N, 50]"}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: |
      a = x[..., :50]
      b = x[..., 50:]
      y = concat([a * c - b * s, b * c + a * s], axis=-1)
  Cancelling:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * z - x
  Lerp:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}, w: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x + w * (z - x)
  Product:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}, w: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = x * z * w
  Highway:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}, z: {dtype: T, shape: x.shape}, w: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = z + sigmoid(w) * (x - z)
  FakeQuantized:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    params: {s: {dtype: float32, default: 0.0123}, zero: {dtype: int32, default: 3}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = (clip(round(x / s) + zero, -128, 127) - zero) * s
  Logit:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = log(x / (1 - x))
  Expm1:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = exp(x) - 1
  TanhSlope:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T}}
    outputs: {y: {dtype: T, shape: x.shape}}
    compute: y = 1 - tanh(x) ** 2
  Dots:
    types: {T: [float32, float16]}
    inputs: {x: {dtype: T, shape: "[batch..., C]"}, z: {dtype: T, shape: x.shape}}
    outputs: {y: {dtype: T, shape: "[batch..., 1]"}}
    compute: y = sum(x * z, axis=-1, keepdims=True)
  Whole:
    inputs: {i: {dtype: int32}, j: {dtype: int32, shape: i.shape}, k: {dtype: int32, shape: i.shape}}
    outputs: {y: {dtype: int32, shape: i.shape}}
    compute: y = i * j - k
  Bits:
    inputs: {i: {dtype: int32}, j: {dtype: int32, shape: i.shape}}
    outputs: {y: {dtype: int32, shape: i.shape}}
    compute: y = (i & j) + ((i ^ j) >> 1)
  Chosen:
    inputs: {i: {dtype: int32}, j: {dtype: int32, shape: i.shape}}
    outputs: {y: {dtype: int32, shape: i.shape}}
    compute: y = where(i > j, clip(i, -100, 100), j)
"""
SIZES = (1_000, 16_000, 100_000, 1_000_000)
ROWS = ((1, 17), (5_000, 20), (1, 128, 768), (24, 4096))  # nothing but the call, and about 100,000 elements
LONG = (4, 1_000_000)  # with `long` as argument: rows that go in no cache
FIXED = frozenset({"Rope", "SoftmaxFirst", "GroupNorm"})  # ops whose shapes are not free


def main() -> None:
    is_long = sys.argv[1:] == ["long"]
    if len(sys.argv) > 1 and not is_long:
        measure(sys.argv[1], sys.argv[2:] == ["long"])
        return
    root = Path(__file__).resolve().parents[1]
    python = os.environ.get("OPKG_EXECUTORCH_PYTHON") or str(root / ".venv-executorch/bin/python")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "specs").mkdir()
        (Path(folder) / "specs/eager.yaml").write_text(SPEC)
        words = [sys.executable, "-m", "opkg", "-q", "-C", folder, "generate"]
        subprocess.run(words, check=True, env={**os.environ, "PYTHONPATH": str(root)})
        generated = f"{folder}/generated/bench_eager/executorch"
        subprocess.run([python, __file__, generated, *sys.argv[1:]], check=True)


def measure(folder: str, is_long: bool) -> None:
    """The table, by ops, element types and sizes."""
    sys.path.insert(0, folder)
    import torch
    from bench_eager_executorch import ops

    torch.set_num_threads(1)
    ops.define()
    print("| op | type | elements | torch us | op us | times |\n| --- | --- | --- | --- | --- | --- |")
    for dtype in (torch.float32, torch.float16, torch.int32):
        for size in () if is_long else SIZES:
            for name, pair in cases(torch, dtype, (size // 100, 100)).items():
                show(name, dtype, str(size), pair, size)
        for shape in (LONG,) if is_long else ROWS:
            for name, pair in cases(torch, dtype, shape).items():
                if name not in FIXED or (is_long and name == "SoftmaxFirst"):
                    show(name, dtype, "x".join(map(str, shape)), pair, max(math.prod(shape), 1_000))


def show(name: str, dtype: Any, shape: str, pair: tuple[Callable[[], Any], Callable[[], Any]], size: int) -> None:
    """A row of the table."""
    ours, theirs = pair
    a, b = least(theirs, ours, max(3, 3_000_000 // size // 20))
    kind = str(dtype).removeprefix("torch.")
    print(f"| {name} | {kind} | {shape} | {a * 1e6:.1f} | {b * 1e6:.1f} | {b / a:.2f} |", flush=True)


def cases(torch: Any, dtype: Any, shape: tuple[int, ...]) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Calls of the ops, and of the same steps in torch."""
    op = torch.ops.bench_eager
    if dtype is torch.int32:
        return whole_cases(torch, shape)
    x, z, w = (torch.randn(shape, dtype=dtype) for _ in range(3))
    share = torch.rand(shape).clamp(0.001, 0.999).to(dtype)
    gamma, beta = (torch.randn(shape[-1], dtype=dtype) for _ in range(2))
    cos, sin = (torch.randn(shape[0], 50, dtype=dtype) for _ in range(2))
    grouped = torch.randn(1, 2, 5, -(-x.numel() // 10), dtype=dtype)
    scale, shift = (torch.randn(2, 5, 1, dtype=dtype) for _ in range(2))

    def norm() -> Any:
        d = x - x.mean(-1, keepdim=True)
        return d * torch.rsqrt((d * d).mean(-1, keepdim=True) + 1e-5) * gamma + beta

    def gelu() -> Any:
        return 0.5 * x * (1 + torch.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))

    def softmax(dim: int) -> Any:
        e = torch.exp(x - x.amax(dim, keepdim=True))
        return e / e.sum(dim, keepdim=True)

    def l2_norm() -> Any:
        return x / torch.clamp(torch.sqrt((x * x).sum(-1, keepdim=True)), min=1e-12)

    def group_norm() -> Any:
        d = grouped - grouped.mean((2, 3), keepdim=True)
        return d * torch.rsqrt((d * d).mean((2, 3), keepdim=True) + 1e-5) * scale + shift

    def rope() -> Any:
        a, b = x[..., :50], x[..., 50:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    def log_softmax() -> Any:
        d = x - x.amax(-1, keepdim=True)
        return d - torch.log(torch.exp(d).sum(-1, keepdim=True))

    return {
        "Mish": (lambda: op.mish(x), lambda: x * torch.tanh(torch.log(1 + torch.exp(x)))),
        "Silu": (lambda: op.silu(x), lambda: x * torch.sigmoid(x)),
        "Norm": (lambda: op.norm(x, gamma, beta), norm),
        "Two": (lambda: op.two(x, z), lambda: (torch.tanh(x) * z, torch.exp(x) - z)),
        "Gate": (lambda: op.gate(x, z), lambda: x * torch.sigmoid(z)),
        "Affine": (lambda: op.affine(x, z, w), lambda: x * z + w),
        "GeluTanh": (lambda: op.gelu_tanh(x), gelu),
        "QuickGelu": (lambda: op.quick_gelu(x), lambda: x * torch.sigmoid(1.702 * x)),
        "Softmax": (lambda: op.softmax(x), lambda: softmax(-1)),
        "LogSoftmax": (lambda: op.log_softmax(x), log_softmax),
        "RmsNorm": (
            lambda: op.rms_norm(x, gamma),
            lambda: x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * gamma,
        ),
        "Elu": (lambda: op.elu(x), lambda: torch.where(x > 0, x, torch.exp(x) - 1)),
        "Relu": (lambda: op.relu(x), lambda: torch.clamp(x, min=0)),
        "ReluOne": (lambda: op.relu(x), lambda: torch.relu(x)),
        "HardSwish": (lambda: op.hard_swish(x), lambda: x * torch.clip(x + 3, 0, 6) / 6),
        "Softplus": (lambda: op.softplus(x), lambda: torch.log(1 + torch.exp(x))),
        "GeluErf": (lambda: op.gelu_erf(x), lambda: 0.5 * x * (1 + torch.erf(x * 0.7071067811865476))),
        "Gelu": (lambda: op.gelu(x), lambda: 0.5 * x * (1 + torch.erf(x * 0.7071067811865476))),
        "GeluOne": (lambda: op.gelu(x), lambda: torch.nn.functional.gelu(x)),
        "SoftmaxFirst": (lambda: op.softmax_first(x), lambda: softmax(0)),
        "L2Norm": (lambda: op.l2_norm(x), l2_norm),
        "GroupNorm": (lambda: op.group_norm(grouped, scale, shift), group_norm),
        "Swiglu": (lambda: op.swiglu(x, z), lambda: x * torch.sigmoid(x) * z),
        "Rope": (lambda: op.rope(x, cos, sin), rope),
        "Cancelling": (lambda: op.cancelling(x, z), lambda: x * z - x),
        "Lerp": (lambda: op.lerp(x, z, w), lambda: x + w * (z - x)),
        "Product": (lambda: op.product(x, z, w), lambda: x * z * w),
        "Highway": (lambda: op.highway(x, z, w), lambda: z + torch.sigmoid(w) * (x - z)),
        "FakeQuantized": (
            lambda: op.fake_quantized(x, 0.0123, 3),
            lambda: (torch.clip(torch.round(x / 0.0123) + 3, -128, 127) - 3) * 0.0123,
        ),
        "Logit": (lambda: op.logit(share), lambda: torch.log(share / (1 - share))),
        "Expm1": (lambda: op.expm1(x), lambda: torch.exp(x) - 1),
        "TanhSlope": (lambda: op.tanh_slope(x), lambda: 1 - torch.tanh(x) ** 2),
        "Dots": (lambda: op.dots(x, z), lambda: (x * z).sum(-1, keepdim=True)),
    }


def whole_cases(torch: Any, shape: tuple[int, ...]) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """The same of integers."""
    op = torch.ops.bench_eager
    i, j, k = (torch.randint(-(1 << 31), (1 << 31) - 1, shape, dtype=torch.int32) for _ in range(3))
    return {
        "Whole": (lambda: op.whole(i, j, k), lambda: i * j - k),
        "Bits": (lambda: op.bits(i, j), lambda: (i & j) + ((i ^ j) >> 1)),
        "Chosen": (lambda: op.chosen(i, j), lambda: torch.where(i > j, torch.clamp(i, -100, 100), j)),
    }


def least(first: Callable[[], Any], second: Callable[[], Any], repeats: int) -> list[float]:
    """The least CPU time of a call of each; in turns, so that a slow moment meets both."""
    found = [float("inf")] * 2
    for _ in range(30):
        for at, call in enumerate((first, second)):
            call()
            begin = time.process_time_ns()
            for _ in range(repeats):
                call()
            found[at] = min(found[at], (time.process_time_ns() - begin) / repeats / 1e9)
    return found


if __name__ == "__main__":
    main()
