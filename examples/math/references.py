"""What the ops of opkg.math mean, in numpy, on real values."""

from __future__ import annotations

import numpy as np


def arg_max(x: np.ndarray, axis: int, keep_dims: bool) -> np.ndarray:
    """Index of the first largest element along an axis."""
    return np.argmax(x, axis=axis, keepdims=keep_dims)
