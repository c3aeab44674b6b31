"""Numbers that the functions of hvx_math.h are tried on, what they should give, and how far off that is."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

SMALLEST = 2.0**-126
LARGEST = float(np.finfo(np.float32).max)
_erf = np.vectorize(math.erf, otypes=[float])


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))


REFERENCE: dict[str, Callable[..., np.ndarray]] = {
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "exp": np.exp, "log": np.log, "tanh": np.tanh, "erf": _erf,
    "sigmoid": _sigmoid, "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "atan": np.arctan,
    "add": np.add, "sub": np.subtract, "mul": np.multiply,
    "div": np.divide, "quotient": np.divide, "pow": np.power, "min": np.minimum, "max": np.maximum, "trunc": np.trunc,
    "floor": np.floor, "ceil": np.ceil, "round": np.rint, "sign": np.sign, "abs": np.abs, "neg": np.negative,
    "gt": np.greater, "ge": np.greater_equal, "eq": np.equal,
}  # fmt: skip
# Where a function of one operand does something, or two operands do.
DENSE = {
    "exp": (-104.5, 89.5), "sigmoid": (-104.5, 40.0), "tanh": (-10.0, 10.0), "erf": (-4.5, 4.5), "log": (0.3, 3.0),
    "sqrt": (1.0, 4.0), "rsqrt": (1.0, 4.0), "log1p": (-0.9, 2.0), "sin": (-1700.0, 1700.0), "cos": (-12.0, 12.0),
    "atan": (-4.0, 4.0),
}  # fmt: skip


def spread(rng: np.random.Generator, count: int, low: float = -126, high: float = 126) -> np.ndarray:
    """Numbers of both signs whose logarithms are uniform."""
    return (rng.choice([-1.0, 1.0], count) * np.exp2(rng.uniform(low, high, count))).astype(np.float32)


def patterns(rng: np.random.Generator, count: int) -> np.ndarray:
    """Any 32 bits: subnormal numbers, infinities and NaN among them."""
    return rng.integers(0, 2**32, count).astype(np.uint32).view(np.float32)


EDGES = np.array(
    [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.5, 4.0, 10.0, 88.0, 1e5, 2**22 + 0.5, 2**23 + 1.0, 2**24, 2**31, 1e30,
     SMALLEST, 2 * SMALLEST, 0.70710677, 0.70710683, 0.625, 0.62500006, 1.4142135, 1.9999999, 0.99999994, 1.0000001,
     88.72283, 88.72284, 87.33654, 87.33655, 103.97207, 103.9721, 104.5, 2.0**127, LARGEST, math.inf, math.nan,
     2.0**-149, 2.0**-127, 3e-39, 2.0**-66, 2.0**64, 3.0, 9.0, 16777215.0, 8388607.5],
    np.float32,
)  # fmt: skip
EDGES = np.concatenate([EDGES, -EDGES])


def samples(name: str, rng: np.random.Generator, count: int) -> np.ndarray:
    """Operands of a function of one: dense where it does something, of all bits, and edges."""
    dense = rng.uniform(*DENSE.get(name, (-70.0, 70.0)), count).astype(np.float32)
    return np.concatenate([dense, patterns(rng, count), spread(rng, count), EDGES])


def pairs(name: str, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Operands of a function of two; all pairs of edges among them."""
    a, b = np.repeat(EDGES, len(EDGES)), np.tile(EDGES, len(EDGES))
    if name == "pow":
        x = np.abs(spread(rng, count, -4, 4))
        with np.errstate(all="ignore"):
            y = (rng.uniform(-104, 89, count) / np.log(x)).astype(
                np.float32
            )  # results from the smallest to the largest
        near = (1 + rng.uniform(-0.3, 0.42, count)).astype(np.float32)
        steep = (rng.uniform(-104, 89, count) / np.log(near.astype(np.float64))).astype(np.float32)
        return np.concatenate([a, x, near]), np.concatenate([b, y, steep])
    x, y = patterns(rng, count), patterns(rng, count)
    u, v = spread(rng, count, -60, 60), spread(rng, count, -60, 60)
    v[: count // 8] = u[: count // 8] * rng.choice([1, 1.0000001, 3, 7, 0.1], count // 8).astype(np.float32)
    return np.concatenate([a, x, u]), np.concatenate([b, y, v])


def ulps(got: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Distance in units of the last place of the exact result, 2^-149 of subnormal ones; infinite where one is NaN and
    the other is not, or one is infinite and the other is not nearly."""
    size = np.abs(wanted)
    with np.errstate(all="ignore"):
        unit = np.spacing(np.clip(size, SMALLEST, 2.0**127).astype(np.float32)).astype(np.float64)
        ends = np.isinf(got) | (size > LARGEST)
        end = np.clip(wanted, -(2.0**128), 2.0**128)
        error = np.abs(np.clip(got.astype(np.float64), -(2.0**128), 2.0**128) - end) / unit
    error = np.where(ends & (error <= 1), 0.0, error)
    return np.where(np.isnan(wanted) | np.isnan(got), np.where(np.isnan(wanted) & np.isnan(got), 0.0, np.inf), error)
