"""What bench_eager.py calls: ops of eager.yaml, and the same steps in torch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

Pair = tuple[Callable[[], Any], Callable[[], Any]]


@dataclass(frozen=True)
class Tensors:
    """What the ops of reals are called with: tensors of a shape, weights of its rows, and those of other shapes."""

    x: Any
    z: Any
    w: Any
    share: Any
    gamma: Any
    beta: Any
    cos: Any
    sin: Any
    grouped: Any
    scale: Any
    shift: Any

    def all(self) -> list[Any]:
        return [getattr(self, each.name) for each in fields(self)]


def tensors(torch: Any, dtype: Any, shape: tuple[int, ...], strided: bool = False) -> Tensors:
    """New ones; `strided`: those of the shape lie in memory with their last dimensions in turn."""

    def made() -> Any:
        if not strided:
            return torch.randn(shape, dtype=dtype)
        return torch.randn((*shape[:-2], shape[-1], shape[-2]), dtype=dtype).transpose(-1, -2)

    x, z, w = (made() for _ in range(3))
    return Tensors(
        *(x, z, w, torch.sigmoid(made().float()).clamp(0.001, 0.999).to(dtype)),
        *(torch.randn(shape[-1], dtype=dtype) for _ in range(2)),
        *(torch.randn(shape[0], 50, dtype=dtype) for _ in range(2)),
        torch.randn(1, 2, 5, -(-x.numel() // 10), dtype=dtype),
        *(torch.randn(2, 5, 1, dtype=dtype) for _ in range(2)),
    )


def cases(torch: Any, given: Tensors) -> dict[str, Pair]:
    """Calls of the ops of reals, and of the same steps in torch."""
    op = torch.ops.bench_eager
    x, z, w, share, gamma, beta = given.x, given.z, given.w, given.share, given.gamma, given.beta
    cos, sin, grouped, scale, shift = given.cos, given.sin, given.grouped, given.scale, given.shift

    softplus = torch.nn.functional.softplus

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

    def huber() -> Any:
        d = x - z
        return torch.where(d.abs() < 1, 0.5 * d * d, d.abs() - 0.5)

    def logit() -> Any:
        c = torch.clamp(share, 1e-6, 1 - 1e-6)
        return torch.log(c / (1 - c))

    def log_softmax() -> Any:
        d = x - x.amax(-1, keepdim=True)
        return d - torch.log(torch.exp(d).sum(-1, keepdim=True))

    def log_sum() -> Any:
        m = x.amax(-1, keepdim=True)
        return m + torch.log(torch.exp(x - m).sum(-1, keepdim=True))

    return {
        "Mish": (lambda: op.mish(x), lambda: x * torch.tanh(torch.log(1 + torch.exp(x)))),
        "MishOne": (lambda: op.mish(x), lambda: x * torch.tanh(torch.nn.functional.softplus(x))),
        "SiluOne": (lambda: op.silu(x), lambda: torch.nn.functional.silu(x)),
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
        "SoftmaxOne": (lambda: op.softmax(x), lambda: torch.softmax(x, -1)),
        "NormOne": (
            lambda: op.norm(x, gamma, beta),
            lambda: torch.nn.functional.layer_norm(x, x.shape[-1:], gamma, beta),
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
        "Selu": (
            lambda: op.selu(x),
            lambda: 1.0507009873554805 * torch.where(x > 0, x, 1.6732632423543772 * (torch.exp(x) - 1)),
        ),
        "Huber": (lambda: op.huber(x, z), huber),
        "SmoothClip": (lambda: op.smooth_clip(x), lambda: softplus(x + 1) - softplus(x - 1) - 1),
        "Power": (lambda: op.power(share, z), lambda: share**z),
        "Extremes": (lambda: op.extremes(x, z, w), lambda: torch.minimum(x, z) + torch.maximum(x, w)),
        "LogWhere": (lambda: op.log_where(share), lambda: torch.where(share > 0, torch.log(share), share)),
        "SoftplusBelow": (lambda: op.softplus_below(x), lambda: x + softplus(-2 * x)),
        "Sign": (lambda: op.sign(x), lambda: torch.sign(x)),
        "Rest": (lambda: op.rest(x, z), lambda: x % z),
        "LogitClipped": (lambda: op.logit_clipped(share), logit),
        "Root": (lambda: op.root(share), lambda: share**0.5),
        "Log1p": (lambda: op.log1p(share), lambda: torch.log(1 + share)),
        "LogSigmoid": (lambda: op.log_sigmoid(x), lambda: torch.log(torch.sigmoid(x))),
        "Versine": (lambda: op.versine(x), lambda: 1 - torch.cos(x)),
        "Gru": (lambda: op.gru(x, z, w), lambda: (1 - w) * torch.tanh(x + z) + w * z),
        "Residual": (lambda: op.residual(x, z, w), lambda: x + z + w),
        "Size": (lambda: op.size(x), lambda: torch.abs(x)),
        "LogSum": (lambda: op.log_sum(x), log_sum),
        "Joined": (lambda: op.joined(x, z), lambda: torch.cat([x, z], dim=-1)),
        "Added": (lambda: op.added(x), lambda: x.sum(-1, keepdim=True)),
    }


def whole_cases(torch: Any, shape: tuple[int, ...]) -> dict[str, Pair]:
    """The same of integers."""
    op = torch.ops.bench_eager
    i, j, k = (torch.randint(-(1 << 31), (1 << 31) - 1, shape, dtype=torch.int32) for _ in range(3))
    few = torch.randint(1, 20, shape, dtype=torch.int32)
    return {
        "Signs": (lambda: op.signs(i), lambda: torch.sign(i)),
        "Shifted": (lambda: op.shifted(i, few), lambda: i << few),
        "Divided": (lambda: op.divided(i, few), lambda: torch.div(i, few, rounding_mode="floor")),
        "Rests": (lambda: op.rests(i, few), lambda: i % few),
        "Apart": (lambda: op.apart(i, j), lambda: torch.abs(i - j)),
        "Halved": (lambda: op.halved(i), lambda: i // 8),
        "Whole": (lambda: op.whole(i, j, k), lambda: i * j - k),
        "Bits": (lambda: op.bits(i, j), lambda: (i & j) + ((i ^ j) >> 1)),
        "Clipped": (lambda: op.clipped(few, few), lambda: torch.clamp(few + few, -100, 100)),
        "Chosen": (lambda: op.chosen(i, j), lambda: torch.where(i > j, torch.clamp(i, -100, 100), j)),
    }


def byte_cases(torch: Any, shape: tuple[int, ...]) -> dict[str, Pair]:
    """The same of bytes."""
    op = torch.ops.bench_eager
    i, j = (torch.randint(0, 256, shape, dtype=torch.uint8) for _ in range(2))
    return {
        "Bytes": (lambda: op.bytes(i, j), lambda: i + j),
        "BytesApart": (lambda: op.bytes_apart(i, j), lambda: torch.abs(i - j)),
    }
