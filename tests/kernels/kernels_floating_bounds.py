"""What a graph gives in float64, and how far single precision with the errors that the float strategy states may be off."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.strategies.floating.ops import LOWERING
from opkg.spec.compute.types import Type

ULP = 2.0**-23
LARGEST = float(np.finfo(np.float32).max)  # beyond it a value is infinite on the way
TINY = 2.0**-148  # units of subnormal numbers
Pair = tuple[np.ndarray, np.ndarray]

_erf = np.vectorize(math.erf, otypes=[float])
REAL = {
    "neg": np.negative, "abs": np.abs, "sign": np.sign, "floor": np.floor, "ceil": np.ceil, "round": np.rint,
    "trunc": np.trunc, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "erf": _erf,
    "tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "add": np.add, "sub": np.subtract,
    "mul": np.multiply, "div": np.divide, "min": np.minimum, "max": np.maximum, "pow": np.power,
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal,
    "and": np.logical_and, "or": np.logical_or, "not": np.logical_not, "select": np.where,
}  # fmt: skip
_JUMPS = frozenset(("sign", "floor", "ceil", "round", "trunc"))


def evaluate(graph: Graph, values: Mapping[str, np.ndarray]) -> dict[str, Pair]:
    """Every result with the largest error of each element: infinite where it jumps closer than its operands are known."""
    found: list[Pair] = []
    with np.errstate(all="ignore"):
        for node in graph.nodes:
            found.append(_node(node, [found[arg] for arg in node.args], values, graph))
    return {result.name: found[result.node] for result in graph.results}


def _node(node: Node, args: list[Pair], values: Mapping[str, np.ndarray], graph: Graph) -> Pair:
    if node.op in ("input", "param", "const"):
        value = np.asarray(node.value if node.op == "const" else values[node.name], np.float64)
        rounded = np.abs(value) * ULP / 2 if node.uniform else np.zeros_like(value)
        return value, rounded
    if node.op == "cast":
        return args[0]
    numbers, errors = [a[0] for a in args], [a[1] for a in args]
    value = np.asarray(REAL[node.op](*numbers))
    if node.type is Type.BOOL:
        return value, _unknown(node, numbers, errors)
    if node.op == "select":
        chosen = np.where(numbers[0], errors[1], errors[2])
        return value, np.where(errors[0] > 0, np.inf, chosen)
    passed = np.where(np.abs(value) > LARGEST, np.inf, _passed(node, numbers, errors, value))
    ulp = 2.0 if node.op == "div" else LOWERING[node.op].ulp
    return value, passed + (0 if node.uniform else 1) * ulp * ULP * np.abs(value) + (ulp > 0) * TINY


def _unknown(node: Node, numbers: list[np.ndarray], errors: list[np.ndarray]) -> np.ndarray:
    if node.op in ("and", "or", "not") or numbers[0].dtype == bool:
        return np.asarray(sum(errors))
    near = np.abs(numbers[0] - numbers[1]) <= errors[0] + errors[1]
    return np.where(near & (errors[0] + errors[1] > 0), np.inf, 0.0)


def _passed(node: Node, numbers: list[np.ndarray], errors: list[np.ndarray], value: np.ndarray) -> np.ndarray:
    """How far the operands' errors move the value: the larger change at either end of each operand."""
    if node.op in _JUMPS:
        ends = [np.asarray(REAL[node.op](numbers[0] + sign * errors[0])) for sign in (-1, 1)]
        return np.where((ends[0] == value) & (ends[1] == value), 0.0, np.inf)
    total = np.zeros_like(value)
    for place, error in enumerate(errors):
        most = np.zeros_like(value)
        for sign in (-1, 1):
            moved = [n + sign * error if i == place else n for i, n in enumerate(numbers)]
            change = np.abs(REAL[node.op](*moved) - value)
            most = np.maximum(most, np.where(error > 0, change, 0.0))
        total = total + most
    return total
