"""Pieces of printed torch, and what is known of values before a call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opkg.spec.compute.tree import (
    Assigned,
    Const,
    Function,
    Input,
    Move,
    Node,
    Param,
    Present,
    Reduce,
    children,
)
from opkg.spec.compute.types import Type, Types
from opkg.spec.expr import Num, ShapeList
from opkg.spec.model import Combination, Op

# How tight Python's operators bind; comparisons bind weaker than these.
PRECEDENCE = {"|": 3, "^": 4, "&": 5, "+": 6, "-": 6, "*": 7, "/": 7, "**": 8}
SIGNED, ATOM = 7, 9  # a sign or ~ in front, names and calls


@dataclass(frozen=True, slots=True)
class Printed:
    """Torch text and the precedence of its outermost operator; `number`: a Python number, not a tensor."""

    text: str
    prec: int = ATOM
    number: bool = False

    def at(self, prec: int) -> str:
        return self.text if self.prec >= prec else f"({self.text})"


class Known:
    """What is known of values before a call, in some rows of element types; `formed`: functions that stand for formulas wherever
    they are; `reals`: integer inputs are reals, too."""

    def __init__(
        self,
        op: Op,
        rows: Sequence[Combination],
        formed: frozenset[Function] = frozenset(),
        reals: bool = False,
    ) -> None:
        assert op.compute is not None
        self._reals = reals
        self.formed = formed
        self._inputs = op.inputs
        self._types = [Types(op.compute, op, row) for row in rows]
        self.scalars: set[str] = {param.name for param in op.params if param.shape is None}

    def kinds(self, node: Node) -> set[Type]:
        """Types of a node's value in all combinations."""
        found = {types[node] for types in self._types}
        is_real = self._reals and isinstance(node, Input) and Type.INTEGER in found
        return {Type.REAL} if is_real else found

    def is_column(self, node: Node) -> bool:
        """Whether a value is an input with one element in the last dimension."""
        shapes = [t.shape.tree for t in self._inputs if isinstance(node, Input) and t.name == node.name]
        return any(isinstance(tree, ShapeList) and tree.items[-1:] == (Num(1),) for tree in shapes)

    def is_scalar(self, node: Node) -> bool:
        """Whether a value is one number in every call."""
        match node:
            case Const() | Present():
                return True
            case Input() | Reduce() | Move():
                return False
            case Param() | Assigned():
                return node.name in self.scalars
            case _:
                return all(self.is_scalar(child) for child in children(node))


def double(name: str) -> str:
    """The variable of an input in float64."""
    return f"{name}_double_"


def tensor(value: Printed) -> Printed:
    """What a variable may hold: never a Python number."""
    return Printed(f"tm.number({value.text})") if value.number else value
