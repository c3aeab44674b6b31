"""What the ops mean, in numpy, on real values."""

from __future__ import annotations

import numpy as np


def rotate(x: np.ndarray, steps: int) -> np.ndarray:
    """Channel c of the result is channel c - steps of x."""
    return np.roll(x, steps, axis=-1)
