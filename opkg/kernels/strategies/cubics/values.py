"""A function of one half, as its graph says: its values in double precision, and the halves nearest to them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from opkg.kernels.graphs.graph import Graph
from opkg.spec.compute.types import Type

Array = NDArray[Any]
SLOW = frozenset(("exp", "log", "sigmoid", "tanh", "erf"))  # functions of many instructions
NEAR_ZERO = 2.0**-20  # nothing bends below it
HALVES = np.arange(1 << 16, dtype=np.uint16)
X = HALVES.view(np.float16).astype(np.float64)
FINITE = np.isfinite(X)

_erf = np.vectorize(math.erf, otypes=[np.float64])
_OPERATIONS: dict[str, Callable[..., Array]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative, "abs": np.abs,
    "min": np.minimum, "max": np.maximum, "exp": np.exp, "log": np.log, "tanh": np.tanh, "erf": _erf,
    "sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)), "sqrt": np.sqrt, "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "select": np.where, "gt": np.greater, "ge": np.greater_equal, "lt": np.less, "le": np.less_equal,
}  # fmt: skip


def known(graph: Graph) -> bool:
    """Whether all of a graph can be evaluated: a function of one input, of real numbers, with a slow function in it."""
    nodes = graph.nodes
    leaves = all(node.op in _OPERATIONS or node.op in ("input", "const") for node in nodes)
    real = all(node.type is not Type.INTEGER or node.op == "const" for node in nodes)
    return leaves and real and any(node.op in SLOW for node in nodes) and len(graph.inputs) == len(graph.results) == 1


@dataclass(frozen=True)
class Values:
    """A function. `wanted`: the exact results of all halves; `bits`: as halves."""

    graph: Graph

    def at(self, x: Array) -> Array:
        """Values in double precision."""
        found: list[Array] = []
        with np.errstate(all="ignore"):
            for node in self.graph.nodes:
                if node.op in ("input", "const"):
                    found.append(x if node.op == "input" else np.asarray(node.value))
                else:
                    found.append(_OPERATIONS[node.op](*(found[arg] for arg in node.args)))
        return np.broadcast_to(found[self.graph.results[0].node], x.shape)

    def factor(self, x: Array) -> Array:
        """f(x) / x."""
        near = np.where(np.abs(x) < NEAR_ZERO, np.where(x < 0, -NEAR_ZERO, NEAR_ZERO), x)
        with np.errstate(all="ignore"):
            return np.asarray(self.at(near) / near)

    @cached_property
    def wanted(self) -> Array:
        return self.at(X)

    @cached_property
    def bits(self) -> Array:
        with np.errstate(all="ignore"):
            return self.wanted.astype(np.float16).view(np.uint16)

    def error(self, found: Array) -> float:
        """The largest error of results for all halves, in units of the last place of a half. Infinite where a result is none
        of the right kind: NaN, an infinity, the sign of what is not 0."""
        got = found.view(np.float16).astype(np.float64)
        wanted = self.wanted
        with np.errstate(all="ignore"):
            size = np.abs(wanted)
            exponent = np.maximum(np.frexp(size)[1] - 1, -14)
            off = np.abs(got - wanted) / np.ldexp(1.0, np.where(np.isfinite(wanted), exponent, 0) - 10)
            near_end = np.isinf(got) & (got == self.bits.view(np.float16).astype(np.float64))
            alike = (np.isnan(got) & np.isnan(wanted)) | near_end
            off = np.where(alike, 0.0, off)
            off = np.where(
                np.signbit(got) == np.signbit(wanted), off, np.where(alike, 0.0, np.where(size < 2.0**-25, 0, np.inf))
            )
        return float(np.nan_to_num(off, nan=np.inf).max())
