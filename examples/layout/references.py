"""What the layout ops mean, in numpy."""

from __future__ import annotations

import numpy as np


def space_to_depth(x: np.ndarray, block: np.ndarray) -> np.ndarray:
    """[N, H, W, C] to [N, H/bh, W/bw, bh*bw*C]; a block's elements follow each other row by row."""
    n, h, w, c = x.shape
    bh, bw = (int(b) for b in block)
    cells = x.reshape(n, h // bh, bh, w // bw, bw, c).transpose(0, 1, 3, 2, 4, 5)
    return cells.reshape(n, h // bh, w // bw, bh * bw * c)


def channel_shuffle(x: np.ndarray, num_groups: int) -> np.ndarray:
    """Channel g * (C / groups) + i goes to i * groups + g."""
    grouped = x.reshape(*x.shape[:-1], num_groups, x.shape[-1] // num_groups)
    return grouped.swapaxes(-1, -2).reshape(x.shape)


def split(x: np.ndarray, split_at: int) -> tuple[np.ndarray, np.ndarray]:
    """The last dimension, cut before element `split_at`."""
    return x[..., :split_at], x[..., split_at:]
