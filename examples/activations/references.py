"""What the activations mean, in numpy, on real values."""

from __future__ import annotations

import numpy as np


def relu(x: np.ndarray) -> np.ndarray:
    """max(x, 0)."""
    return np.maximum(x, 0.0)


def relu_min_max(x: np.ndarray, min_value: float, max_value: float) -> np.ndarray:
    """x clipped to [min_value, max_value]."""
    return np.clip(x, min_value, max_value)


def prelu(x: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """x where positive, alpha * x elsewhere; alpha belongs to the last dimension."""
    return np.where(x > 0, x, alpha * x)


def hard_swish(x: np.ndarray) -> np.ndarray:
    """x * clip(x + 3, 0, 6) / 6."""
    return x * np.clip(x + 3.0, 0.0, 6.0) / 6.0
