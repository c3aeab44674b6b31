"""What quantized rows are made of that are normed: distances from a mean, and quotients by the root of a sum of squares.

Whole steps are summed up exactly, in lanes of single precision too (64 numbers of 16 bits have less than 24 bits), so that a
distance from a mean keeps its relative error, and a quotient is known to be no larger than the root of how many there are.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.snippet import Snippet
from opkg.spec.compute.types import Type

_MOST_BITS = 16
_SUMS = ("reduce_sum", "reduce_mean")


@dataclass(frozen=True, slots=True)
class Norm:
    """`mean`: of squares, else their sum. `about`: elements count from their mean."""

    mean: bool
    about: bool


class Steps:
    """Where a graph has such values. It may be another one than that of the snippet, with the same inputs and params."""

    def __init__(self, snippet: Snippet, graph: Graph) -> None:
        self.graph = graph
        few = [operand for operand in snippet.inputs if operand.quantized and operand.storage.bits <= _MOST_BITS]
        self.quantized = {operand.name for operand in few}
        self.not_negative = {param.name for param in snippet.params if param.low is not None and param.low >= 0}

    def is_sum(self, node: Node) -> bool:
        """Whether a reduction sums up quantized elements as they are: it is found in whole steps."""
        return node.op in _SUMS and self._is_element(node.args[0])

    def from_mean(self, index: int) -> tuple[int, int] | None:
        """Element and mean, where a node is the difference of them."""
        node = self.graph[index]
        if node.op != "sub" or node.type is not Type.REAL:
            return None
        for element, mean in (node.args, node.args[::-1]):
            if (
                self.graph[mean].op == "reduce_mean"
                and self.graph[mean].args == (element,)
                and self._is_element(element)
            ):
                return element, mean
        return None

    def norm(self, index: int) -> Norm | None:
        """A node that is an element, or its distance from the mean, over the root of the sum of their squares."""
        node = self.graph[index]
        both = [node.args, node.args[::-1]] if node.op == "mul" else [node.args] if node.op == "div" else []
        for value, root in both:
            about = self.from_mean(value) is not None
            if self.graph[root].op != ("rsqrt" if node.op == "mul" else "sqrt") or not (
                about or self._is_element(value)
            ):
                continue
            total = self.graph[self._squares(self.graph[root].args[0])]
            squares = self.graph[total.args[0]] if total.op in _SUMS else None
            if squares is not None and squares.op == "mul" and squares.args == (value, value):
                return Norm(total.op == "reduce_mean", about)
        return None

    def _squares(self, index: int) -> int:
        """What a number that is not negative is added to, if anything is."""
        node = self.graph[index]
        if node.op != "add":
            return index
        for value, more in (node.args, node.args[::-1]):
            other = self.graph[more]
            if other.op == "const" and isinstance(other.value, int | float) and other.value >= 0:
                return value
            if other.op == "param" and other.uniform and other.name in self.not_negative:
                return value
        return index

    def _is_element(self, index: int) -> bool:
        node = self.graph[index]
        return node.op == "input" and node.type is Type.REAL and node.name in self.quantized
