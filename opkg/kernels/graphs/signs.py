"""What is known of real values without their elements: signs, and whether they can be infinite or NaN."""

from __future__ import annotations

import math
from collections.abc import Sequence

from opkg.kernels.graphs.graph import Node
from opkg.spec.compute.types import Type

_POSITIVE = frozenset(("abs", "exp", "sigmoid"))
_KEEP = frozenset(
    ("add", "mul", "div", "min", "max", "floor", "ceil", "round", "trunc", "sqrt", "pow", "reduce_sum", "reduce_mean",
     "reduce_prod", "reduce_min", "reduce_max")
)  # fmt: skip


_SAME_SIZE = frozenset(("neg", "abs", "floor", "ceil", "round", "trunc", "reduce_min", "reduce_max", "reduce_mean"))
_SMALL = frozenset(("sigmoid", "tanh", "erf", "sign", "sin", "cos"))
_UNBOUNDED = math.inf
# Powers of ten: a quantized element is below 2**32 times the largest float32; float64 ends at 308.
_LARGEST_QUANTIZED = 49.0
_LARGEST_INTEGER = 19.0
_LARGEST_FINITE = 300.0


class Signs:
    """Facts of the nodes of a growing list, each found once. `finite`: inputs without infinities, NaN and -0.0."""

    def __init__(self, nodes: Sequence[Node], finite: frozenset[str]) -> None:
        self._nodes = nodes
        self._finite = finite
        self._positive: dict[int, bool] = {}
        self._sizes: dict[int, float] = {}

    def positive(self, at: int) -> bool:
        """Whether a real value is never below zero and never -0.0; it may be NaN."""
        for index in range(len(self._positive), at + 1):  # in order: operands come first
            self._positive[index] = self._is_positive(index)
        return self._positive[at]

    def plain(self, at: int) -> bool:
        """Whether a real value is never -0.0 and never minus infinity."""
        node = self._nodes[at]
        if node.op == "const" or node.type is Type.INTEGER:
            return not _minus_zero(node.value)
        return self.positive(at) or (node.op == "input" and node.name in self._finite)

    def never_minus_zero(self, at: int) -> bool:
        """Whether a real value is never -0.0."""
        node = self._nodes[at]
        return self.plain(at) or (node.op == "add" and any(self.plain(arg) for arg in node.args))

    def finite(self, at: int) -> bool:
        """Whether a value is never infinite or NaN."""
        for index in range(len(self._sizes), at + 1):
            self._sizes[index] = self._size(index)
        return self._sizes[at] < _LARGEST_FINITE

    def _size(self, at: int) -> float:
        """A power of ten that the value stays below."""
        node = self._nodes[at]
        if node.type is not Type.REAL:
            return _LARGEST_INTEGER
        if node.op == "const":
            return math.log10(abs(node.value)) if node.value else -400.0
        if node.op == "input":
            return _LARGEST_QUANTIZED if node.name in self._finite else _UNBOUNDED
        sizes = [self._sizes[arg] for arg in node.args]
        if node.op in _SAME_SIZE:
            return sizes[0]
        if node.op in _SMALL:
            return max(0.0, sizes[0]) if sizes[0] < _LARGEST_FINITE else _UNBOUNDED  # NaN stays NaN
        if node.op in ("add", "sub"):
            return max(sizes) + 0.5
        if node.op in ("min", "max"):
            return max(sizes)
        if node.op == "select":
            return max(sizes[1:])
        return sum(sizes) if node.op == "mul" else _UNBOUNDED

    def _is_positive(self, at: int) -> bool:
        node = self._nodes[at]
        if node.type is not Type.REAL:
            return False
        if node.op == "const":
            return isinstance(node.value, float) and math.copysign(1.0, node.value) > 0
        known = [self._positive[arg] for arg in node.args]
        if node.op in _POSITIVE:
            return True
        if node.op == "mul" and node.args[0] == node.args[1]:
            return self._nodes[node.args[0]].type is Type.REAL
        if node.op == "max" and any(self._above_zero(arg) for arg in node.args):
            return True  # a limit of 0.0 is not enough: which zero is the larger one is not said
        if node.op == "select":
            return all(known[1:])
        if node.op == "pow":
            return known[0]
        return node.op in _KEEP and all(known)

    def _above_zero(self, at: int) -> bool:
        value = self._nodes[at].value
        return isinstance(value, float) and value > 0


def _minus_zero(value: object) -> bool:
    return isinstance(value, float) and value == 0 and math.copysign(1.0, value) < 0
