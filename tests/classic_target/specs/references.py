"""What the ops of odd.yaml mean."""

from __future__ import annotations

from typing import Any

import numpy as np


def blocks(x: Any, twice: Any) -> Any:
    return -x * (2 if twice else 1)


def in_tcm(x: Any) -> Any:
    return x + 1


def join(x: Any) -> Any:
    return np.concatenate(x, axis=-1)


def scale(x: Any, factor: Any, shift: Any, mode: Any) -> Any:
    y = x * (1 if factor is None else factor) + (0 if shift is None else shift)
    return -y if mode == 1 else y


def turn(x: Any, axis: Any, weights: Any, places: Any) -> Any:
    return np.roll(x, int(places) * int(np.sum(weights[:1])), axis=int(axis))


def fold(x: Any) -> Any:
    return x.sum(axis=-1), x.max(axis=-1, keepdims=True)
