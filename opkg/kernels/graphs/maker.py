"""What simplifications of a graph are given, and what they are (opkg/kernels/graphs/rules.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from opkg.kernels.graphs.graph import Node
from opkg.kernels.graphs.signs import Signs
from opkg.spec.compute.types import Type


class Maker(Protocol):
    """What a rule may do."""

    signs: Signs

    def __getitem__(self, at: int) -> Node: ...

    def make(self, op: str, type_: Type, *args: int) -> int:
        """The number of a simplified operation."""

    def const(self, value: bool | int | float) -> int: ...

    def may_drop(self, at: int) -> bool:
        """Whether an operand can go without changing the shape of what is reduced."""


Rule = Callable[[Maker, Node], int | None]
