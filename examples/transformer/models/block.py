"""A block of a transformer: RMSNorm, causal attention with rotary embedding, RMSNorm, SwiGLU. Random weights.

Plain torch: nothing here knows the package of this project.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

DIM, HEADS, HIDDEN, LENGTH = 64, 4, 128, 16


def rotary(length: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosines and sines of the positions, [length, size]."""
    frequencies = 10000.0 ** (-torch.arange(0, size, 2) / size)
    angles = torch.outer(torch.arange(length), frequencies).repeat(1, 2)
    return angles.cos(), angles.sin()


def rotated(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """The second half of the last dimension is the imaginary part of the first."""
    real, imaginary = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-imaginary, real), dim=-1) * sin


class Attention(nn.Module):
    """Causal attention with several heads, [batch, length, dim] -> the same."""

    def __init__(self, dim: int, heads: int, length: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(dim, dim, bias=False)
        self.key = nn.Linear(dim, dim, bias=False)
        self.value = nn.Linear(dim, dim, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)
        cos, sin = rotary(length, dim // heads)
        self.register_buffer("cos", cos)
        self.register_buffer("sin", sin)
        self.register_buffer("mask", torch.full((length, length), -100.0).triu(1))

    def split(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, dim = x.shape
        return x.view(batch, length, self.heads, dim // self.heads).transpose(1, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        query = rotated(self.split(self.query(x)), self.cos, self.sin)
        key = rotated(self.split(self.key(x)), self.cos, self.sin)
        scores = query @ key.transpose(2, 3) * query.shape[-1] ** -0.5 + self.mask
        mixed = torch.softmax(scores, dim=-1) @ self.split(self.value(x))
        return self.out(mixed.transpose(1, 2).reshape(x.shape))


class Mlp(nn.Module):
    """SwiGLU between two linear layers."""

    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        self.gate = nn.Linear(dim, hidden, bias=False)
        self.up = nn.Linear(dim, hidden, bias=False)
        self.down = nn.Linear(hidden, dim, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    """The block, with its residual connections."""

    def __init__(self, dim: int = DIM, heads: int = HEADS, hidden: int = HIDDEN, length: int = LENGTH) -> None:
        super().__init__()
        self.before_attention = nn.RMSNorm(dim, eps=1e-5)
        self.attention = Attention(dim, heads, length)
        self.before_mlp = nn.RMSNorm(dim, eps=1e-5)
        self.mlp = Mlp(dim, hidden)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.before_attention(x))
        return x + self.mlp(self.before_mlp(x))


def model() -> nn.Module:
    """The model that is compared."""
    torch.manual_seed(20)
    block = Block()
    for norm in (block.before_attention, block.before_mlp):
        nn.init.uniform_(norm.weight, 0.5, 1.5)
    return block.eval()


def samples(count: int, seed: int) -> list[tuple[torch.Tensor, ...]]:
    """Random inputs."""
    generator = torch.Generator().manual_seed(seed)
    return [(torch.randn(1, LENGTH, DIM, generator=generator),) for _ in range(count)]


def inputs() -> tuple[torch.Tensor, ...]:
    """What it is exported and run with."""
    return samples(1, 21)[0]


def calibration() -> list[tuple[torch.Tensor, ...]]:
    """What quantization sees besides."""
    return samples(16, 22)


def evaluation() -> list[tuple[torch.Tensor, ...]]:
    """What the programs are measured on besides."""
    return samples(15, 23)
