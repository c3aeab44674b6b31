"""An inverted residual block with squeeze and excite, as in MobileNetV3. Random weights.

Plain torch: nothing here knows the packages of this project.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

CHANNELS, EXPANDED, SQUEEZED, SIZE = 16, 64, 16, 14


class SqueezeExcite(nn.Module):
    """Scales channels by a function of their means."""

    def __init__(self, channels: int, squeezed: int) -> None:
        super().__init__()
        self.reduce = nn.Conv2d(channels, squeezed, 1)
        self.expand = nn.Conv2d(squeezed, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scale = self.expand(F.relu(self.reduce(F.adaptive_avg_pool2d(x, 1))))
        return x * F.hardsigmoid(scale)


class InvertedResidual(nn.Module):
    """Expand, filter each channel, scale channels, project; added to the input."""

    def __init__(self, channels: int = CHANNELS, expanded: int = EXPANDED, squeezed: int = SQUEEZED) -> None:
        super().__init__()
        self.expand = nn.Sequential(nn.Conv2d(channels, expanded, 1, bias=False), nn.BatchNorm2d(expanded))
        self.filter = nn.Sequential(
            nn.Conv2d(expanded, expanded, 3, padding=1, groups=expanded, bias=False), nn.BatchNorm2d(expanded)
        )
        self.scale = SqueezeExcite(expanded, squeezed)
        self.project = nn.Sequential(nn.Conv2d(expanded, channels, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.hardswish(self.expand(x))
        y = self.scale(F.hardswish(self.filter(y)))
        return x + self.project(y)


def model() -> nn.Module:
    """The model that is compared."""
    torch.manual_seed(30)
    block = InvertedResidual()
    for norm in (module for module in block.modules() if isinstance(module, nn.BatchNorm2d)):
        nn.init.uniform_(norm.running_var, 0.05, 0.2)
        nn.init.uniform_(norm.bias, -0.5, 0.5)
    return block.eval()


def samples(count: int, seed: int) -> list[tuple[torch.Tensor, ...]]:
    """Random inputs."""
    generator = torch.Generator().manual_seed(seed)
    return [(torch.randn(1, CHANNELS, SIZE, SIZE, generator=generator),) for _ in range(count)]


def inputs() -> tuple[torch.Tensor, ...]:
    """What it is exported and run with."""
    return samples(1, 31)[0]


def calibration() -> list[tuple[torch.Tensor, ...]]:
    """What quantization sees besides."""
    return samples(16, 32)


def evaluation() -> list[tuple[torch.Tensor, ...]]:
    """What the programs are measured on besides."""
    return samples(15, 33)
