"""Numbers that the functions of hvx_float.h are tried on, what they should give, and how far off that is."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

SMALLEST = 2.0**-126
_erf = np.vectorize(math.erf, otypes=[float])
REFERENCE: dict[str, Callable[..., np.ndarray]] = {
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "exp": np.exp, "log": np.log, "tanh": np.tanh, "erf": _erf,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "add": np.add, "sub": np.subtract, "mul": np.multiply,
    "div": np.divide, "min": np.minimum, "max": np.maximum, "trunc": np.trunc, "floor": np.floor, "ceil": np.ceil,
    "round": np.rint, "sign": np.sign, "abs": np.abs, "neg": np.negative,
}  # fmt: skip


def spread(rng: np.random.Generator, count: int, low: float = -126, high: float = 126) -> np.ndarray:
    """Numbers of both signs whose logarithms are uniform."""
    return (rng.choice([-1.0, 1.0], count) * np.exp2(rng.uniform(low, high, count))).astype(np.float32)


EDGES = np.array(
    [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.5, 4.0, 10.0, 88.0, 1e5, 2**22 + 0.5, 2**23 + 1.0, 2**24, 2**31, 1e30,
     SMALLEST, 2 * SMALLEST, 0.70710677, 0.70710683, 0.625, 0.62500006, 1.4142135, 1.9999999, 0.99999994, 1.0000001],
    np.float32,
)  # fmt: skip


def ulps(got: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Distance in units of the last place of the exact result; subnormal results count as 0."""
    with np.errstate(over="ignore"):
        unit = np.spacing(np.maximum(np.abs(wanted), SMALLEST).astype(np.float32)).astype(np.float64)
    error = np.abs(got.astype(np.float64) - wanted) / unit
    vanished = (np.abs(wanted) < SMALLEST) & (np.abs(got) <= SMALLEST)
    return np.where(vanished, 0.0, error)
