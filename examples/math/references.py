"""What the ops of opkg.math mean, in numpy, on real values."""

from __future__ import annotations

import numpy as np


def add(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a + b."""
    return a + b


def softmax(x: np.ndarray, axis: int, beta: float) -> np.ndarray:
    """exp(beta * x) / sum(exp(beta * x)) along an axis."""
    e = np.exp(beta * (x - x.max(axis=axis, keepdims=True)))
    return e / e.sum(axis=axis, keepdims=True)


def layer_norm(x: np.ndarray, gamma: np.ndarray | None, beta: np.ndarray | None, epsilon: float) -> np.ndarray:
    """Normalised over the last dimension, then scaled and shifted where gamma and beta are given."""
    centred = x - x.mean(axis=-1, keepdims=True)
    y = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + epsilon)
    y = y if gamma is None else y * gamma
    return y if beta is None else y + beta


def arg_max(x: np.ndarray, axis: int, keep_dims: bool) -> np.ndarray:
    """Index of the first largest element along an axis."""
    return np.argmax(x, axis=axis, keepdims=keep_dims)


def greater(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a > b."""
    return a > b
