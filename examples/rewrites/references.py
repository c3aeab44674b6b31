"""What the ops mean, in numpy, on real values."""

from __future__ import annotations

import numpy as np


def add_relu(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """max(a + b, 0)."""
    return np.maximum(a + b, 0.0)


def gate(x: np.ndarray) -> np.ndarray:
    """x * sigmoid(x)."""
    return x / (1.0 + np.exp(-x))


def bell(x: np.ndarray) -> np.ndarray:
    """exp(-x * x)."""
    return np.exp(-x * x)


def rotate(x: np.ndarray, steps: int) -> np.ndarray:
    """Channel c of the result is channel c - steps of x."""
    return np.roll(x, steps, axis=-1)


def scale(x: np.ndarray, factor: float) -> np.ndarray:
    """x * factor."""
    return x * factor
