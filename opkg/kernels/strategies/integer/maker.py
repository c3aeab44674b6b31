"""What the rules of integer computations make nodes with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from opkg.kernels.graphs.graph import Node
from opkg.kernels.graphs.nodes import Nodes
from opkg.kernels.graphs.ranges import Interval
from opkg.spec.compute.types import Type

INT64 = Interval(-(1 << 63), (1 << 63) - 1)


class Cannot(Exception):
    """Why an integer snippet has no vector code here."""


class Maker(Protocol):
    """The graph in the making."""

    nodes: Nodes
    ranges: list[Interval]

    def const(self, value: bool | int | float) -> int:
        """The number of a constant."""

    def op(self, op: str, type_: Type, *args: int) -> int:
        """The number of a node, or of the constant that it always is."""

    def constant(self, at: int) -> int | None:
        """The value of a node that is a constant number."""

    def bounded(self, at: int, range_: Interval) -> int:
        """A uniform number clamped to a range."""

    def tested(self, at: int, test: str) -> int:
        """Whether a uniform number passes a test: C++ with the number as `{}`."""


Rule = Callable[[Maker, Node, list[int]], int]


def clamp(maker: Maker, at: int, low: int, high: int) -> int:
    raised = maker.op("max", Type.INTEGER, at, maker.const(low))
    return maker.op("min", Type.INTEGER, raised, maker.const(high))
