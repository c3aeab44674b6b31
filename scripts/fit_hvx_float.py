"""Fits the polynomials of templates/qnn/hvx_math.h, hvx_pow.h and hvx_angles.h, and prints their coefficients as float32.

    python scripts/fit_hvx_float.py

Each fit is minimax (Lawson's reweighted least squares on Chebyshev nodes) of a relative or absolute error. Coefficients
are rounded to float32 from the lowest power on, and what remains is fitted again after each, so that rounding one is
made up for by the others. `error` is the largest error of the rounded polynomial, evaluated in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
NODES, ROUNDS = 800, 400


@dataclass(frozen=True, slots=True)
class Fit:
    """`target(x)` is approximated by a polynomial of `degree` in `argument(x)`, with errors multiplied by `weight(x)`."""

    name: str
    low: float
    high: float
    degree: int
    target: Callable[[Array], Array]
    weight: Callable[[Array], Array]
    argument: Callable[[Array], Array] = lambda x: x


def erf(x: Array) -> Array:
    return np.array([math.erf(v) for v in x])


def log_erfc(x: Array) -> Array:
    return np.array([math.log(math.erfc(v)) for v in x])


def _exp_rest(r: Array) -> Array:
    """(exp(r) - 1 - r) / r^2 by its series, without cancellation."""
    return sum((r**k / math.factorial(k + 2) for k in range(16)), np.zeros_like(r))


def _log_rest(f: Array) -> Array:
    """(log(1 + f) - f + f^2 / 2) / f^3; by its series near 0."""
    series = sum(((-1) ** k * f**k / (k + 3) for k in range(24)), np.zeros_like(f))
    with np.errstate(divide="ignore", invalid="ignore"):
        closed = (np.log1p(f) - f + f * f / 2) / f**3
    return np.where(np.abs(f) < 0.05, series, closed)


def _tanh_rest(x: Array) -> Array:
    """(tanh(x) - x) / x^3; by its series near 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        closed = (np.tanh(x) - x) / x**3
    return np.where(np.abs(x) < 0.01, -1 / 3 + 2 * x**2 / 15 - 17 * x**4 / 315, closed)


def _erf_rest(x: Array) -> Array:
    """(erf(x) - x) / x."""
    return np.where(x == 0, 2 / math.sqrt(math.pi) - 1, (erf(x) - x) / np.where(x == 0, 1, x))


def _rsqrt_rest(e: Array) -> Array:
    """(1 / sqrt(1 - e) - 1) / e, without cancellation."""
    root = np.sqrt(1 - e)
    return 1 / (root * (1 + root))


def _series(x: Array, first: int, terms: int) -> Array:
    """1 / first! - x^2 / (first + 2)! and so on: what sine and cosine are made of."""
    return sum(((-1) ** k * x ** (2 * k) / math.factorial(first + 2 * k) for k in range(terms)), np.zeros_like(x))


def _atan_rest(x: Array) -> Array:
    """(atan(x) - x) / x^3; by its series near 0."""
    series = sum(((-1) ** (k + 1) * x ** (2 * k) / (2 * k + 3) for k in range(12)), np.zeros_like(x))
    with np.errstate(divide="ignore", invalid="ignore"):
        closed = (np.arctan(x) - x) / x**3
    return np.where(np.abs(x) < 0.1, series, closed)


LN2 = math.log(2)
SQUARE = np.square
FITS = (
    Fit("kReciprocal", 1.0, 2.0, 3, lambda m: 1 / m, lambda m: m),
    Fit("kRsqrt", -0.0702, 0.0677, 2, _rsqrt_rest, lambda e: np.abs(e) * np.sqrt(1 - e)),
    Fit("kExp", -0.516 * LN2, 0.516 * LN2, 4, _exp_rest, lambda r: r * r * np.exp(-r)),
    Fit("kLog", math.sqrt(0.5) - 1, math.sqrt(2) - 1, 6, _log_rest, lambda f: np.abs(f**3 / np.log1p(f + 1e-30))),
    Fit("kLogNear", -0.16, 0.19, 6, _log_rest, lambda f: np.abs(f**3 / np.log1p(f + 1e-30))),
    Fit("kTanh", 0.0, 0.625, 4, _tanh_rest, lambda x: x**3 / np.tanh(x + 1e-30), SQUARE),
    Fit("kErf", 0.0, 1.0, 6, _erf_rest, lambda x: x / np.array([math.erf(v + 1e-30) for v in x]), SQUARE),
    Fit(
        "kErfTail", 1.0, 4.0, 8, log_erfc, lambda x: np.array([math.erfc(v) / math.erf(v) for v in x]),
        lambda x: x - 1,
    ),
    Fit("kSin", 0.0, 0.7855, 2, lambda x: -_series(x, 3, 9), lambda x: x**3 / np.sin(x + 1e-30), SQUARE),
    Fit("kCos", 0.0, 0.7855, 2, lambda x: _series(x, 4, 9), lambda x: x**4 / np.cos(x), SQUARE),
    Fit("kAtan", 0.0, 0.6, 5, _atan_rest, lambda x: x**3 / np.arctan(x + 1e-30), SQUARE),
)  # fmt: skip


def minimax(matrix: Array, target: Array, weight: Array) -> Array:
    """Coefficients with the smallest largest weighted error (Lawson)."""
    share = np.full(len(target), 1.0 / len(target))
    best, least = np.zeros(matrix.shape[1]), math.inf
    for _ in range(ROUNDS):
        scale = np.sqrt(share) * weight
        found, *_rest = np.linalg.lstsq(matrix * scale[:, None], target * scale, rcond=None)
        error = np.abs(matrix @ found - target) * weight
        if error.max() < least:
            best, least = found, float(error.max())
        share *= error + 1e-300
        share /= share.sum()
    return best


def solve(fit: Fit) -> tuple[list[np.float32], float]:
    """Rounded coefficients from the lowest power on, and the largest weighted error."""
    nodes = (1 - np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)) / 2
    x = fit.low + (fit.high - fit.low) * nodes
    matrix = np.vander(fit.argument(x), fit.degree + 1, increasing=True)
    target, weight = fit.target(x), fit.weight(x)
    rounded: list[np.float32] = []
    for power in range(fit.degree + 1):
        free = minimax(matrix[:, power:], target, weight)
        rounded.append(np.float32(free[0]))
        target = target - matrix[:, power] * np.float64(rounded[-1])
    return rounded, float(np.max(np.abs(target) * weight))


def main() -> None:
    for fit in FITS:
        coefficients, error = solve(fit)
        numbers = ", ".join(f"{float(c):.9g}f" for c in coefficients)
        print(f"inline constexpr float {fit.name}[] = {{{numbers}}};  // error {error:.1e}")


if __name__ == "__main__":
    main()
