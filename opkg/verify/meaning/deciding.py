"""Decisions of a computation on real values: comparisons, signs, roundings to whole numbers and casts, exactly.

What a decision hangs on is computed in float64 with a bound of its error; elements whose decision that leaves open are
decided in fractions. Sums over dimensions and functions like exp are numbers of double precision.

Where float tensors take part, an implementation rounds every operation in their type, which may turn a decision: both
outcomes are right then. `nudges` moves what a decision hangs on by as much as that, up (1), down (-1) or to the point
where it changes (0); `loose` collects the decisions where this makes a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from opkg.spec.compute.tree import (
    BITWISE,
    PLACES,
    REAL_FUNCTIONS,
    Assign,
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    Const,
    Input,
    Move,
    Movement,
    Node,
    Param,
    Present,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
    asks_presence,
    children,
)
from opkg.spec.compute.types import is_whole_power
from opkg.spec.compute.walk import walk
from opkg.verify.meaning.deciding_elements import FLOOR, KINDS, SIGN, TRUNC, Elements, Kind
from opkg.verify.meaning.numbers import Array

CHUNK = 1 << 17  # elements that are worked on together
_DOUBLE = 2.0**-53
_EXACT_TERMS = 4096  # elements of 16 bits times a float32 that a double holds the sum of


def decides(statement: Assign) -> bool:
    """Whether a statement decides anything."""
    for node in walk([statement.expr]):
        if isinstance(node, Compare | Cast) or (isinstance(node, Call) and node.function in KINDS):
            return True
        if isinstance(node, Binary) and node.op in (BinaryOp.FLOOR_DIV, BinaryOp.MOD):
            return True
    return False


@dataclass(slots=True)
class Decisions:
    """The decisions of one evaluation. `of`: the value of a node; `apply`: a function or reduction of values; `to_bool`:
    whether a cast makes bools; `names`: what was assigned; `units`: roundoff by float input; `exact`: whether they
    are made exactly at all."""

    of: Callable[[Node], Array]
    apply: Callable[[Call | Reduce, list[Array]], Array]
    to_bool: Callable[[Cast], bool]
    names: Mapping[str, Node]
    units: Mapping[str, float]
    nudges: Mapping[int, int] = field(default_factory=dict)
    exact: bool = True
    loose: dict[int, None] = field(default_factory=dict)
    _kept: dict[int, Array] = field(default_factory=dict)

    def decided(self, node: Node) -> Array | None:
        """The outcome of a decision on real values; None when it is none, or doubles say it exactly. Of a comparison: its
        sign; of a cast, `//` or `%`: the whole number; of a cast to bool: the sign."""
        if id(node) in self._kept:
            return self._kept[id(node)]
        found = self._question(node)
        if found is None or not self.exact:
            return None
        kind, operands = found
        if not any(self._is_real(operand) for operand in operands) or all(self._plain(operand) for operand in operands):
            return None
        self._kept[id(node)] = outcome = self._outcome(node, kind, operands)
        return outcome

    def _question(self, node: Node) -> tuple[Kind, tuple[Node, ...]] | None:
        match node:
            case Compare():
                return SIGN, (node.left, node.right)
            case Call() if node.function in KINDS:
                return KINDS[node.function], node.args
            case Binary() if node.op in (BinaryOp.FLOOR_DIV, BinaryOp.MOD):
                return FLOOR, (node.left, node.right)
            case Cast():
                return (SIGN if self.to_bool(node) else TRUNC), (node.operand,)
        return None

    def _plain(self, node: Node) -> bool:
        """Whether a value is a number that doubles hold, by itself or by definition."""
        node = self.resolved(node)
        match node:
            case Unary():
                return self._plain(node.operand)
            case Call():
                return node.function in KINDS
            case Move():
                return all(self._plain(arg) for arg in node.args)
            case Reduce():
                return node.op in (Reduction.MIN, Reduction.MAX) and self._plain(node.operand)
        return not isinstance(node, Binary | Select)

    def _is_real(self, node: Node) -> bool:
        """Whether a value is a real number, no integer and no bool."""
        node = self.resolved(node)
        match node:
            case Const() | Input() | Param() | Cast():
                return bool(np.asarray(self.of(node)).dtype.kind == "f")
            case Compare() | Present():
                return False
            case Binary() if node.op in (BinaryOp.DIV, BinaryOp.POW):
                return not (node.op is BinaryOp.POW and is_whole_power(node.right)) or self._is_real(node.left)
            case Call() if node.function in REAL_FUNCTIONS:
                return True
            case Reduce() if node.op is Reduction.MEAN or node.op in PLACES:
                return node.op is Reduction.MEAN
            case Move():
                return any(self._is_real(arg) for arg in (node.args[:1] if node.op is Movement.TAKE else node.args))
            case Select():
                return self._is_real(node.then) or self._is_real(node.other)
        return any(self._is_real(child) for child in children(node))

    # What a decision hangs on -----------------------------------------------------------------------------------------

    def _outcome(self, node: Node, kind: Kind, operands: tuple[Node, ...]) -> Array:
        leaves = {id(leaf): leaf for operand in operands for leaf in self._leaves(operand)}
        values = {key: np.asarray(self.of(leaf)) for key, leaf in leaves.items()}
        shape = np.broadcast_shapes(*[value.shape for value in values.values()])
        found = np.empty(shape)
        size = int(found.size)
        wide = {key: np.broadcast_to(value, shape) for key, value in values.items()}
        sums = {key: self._leeway_of_sum(leaf) for key, leaf in leaves.items() if isinstance(leaf, Reduce)}
        loose = {key: np.broadcast_to(leeway, shape) for key, leeway in sums.items()}
        for start in range(0, size, CHUNK):
            part, more = (
                {key: value.flat[start : start + CHUNK] for key, value in group.items()} for group in (wide, loose)
            )
            elements = Elements(part, more, self.resolved, self.unit, self.apply)
            outcome, turns = elements.decide(node, kind, operands, self.nudges.get(id(node)))
            found.flat[start : start + CHUNK] = outcome
            if turns:
                self.loose[id(node)] = None
        return found

    def _leeway_of_sum(self, node: Reduce) -> Array:
        """How far a reduction may be off, its terms taken in any order."""
        value = np.asarray(self.of(node))
        operand, unit = np.asarray(self.of(node.operand)), self.unit(node)
        terms = operand.size // max(value.size, 1) if node.op is not Reduction.CUMSUM else operand.size
        exact = isinstance(self.resolved(node.operand), Input) and not unit and terms <= _EXACT_TERMS
        if node.op in {Reduction.MIN, Reduction.MAX, *PLACES} or exact or operand.dtype.kind != "f":
            return np.zeros(value.shape)
        size = np.abs(value) if node.op is Reduction.PROD else self.apply(node, [np.abs(operand)])
        return np.asarray(size * (terms * (unit or _DOUBLE)))

    def _leaves(self, node: Node) -> Iterator[Node]:
        node = self.resolved(node)
        if self.is_leaf(node):
            yield node
        for child in () if self.is_leaf(node) else children(node):
            yield from self._leaves(child)

    def resolved(self, node: Node) -> Node:
        """What an assigned name, or a choice by what is present, stands for."""
        while True:
            if isinstance(node, Assigned):
                node = self.names[node.name]
            elif isinstance(node, Select) and asks_presence(node.test) and self.of(node.test).ndim == 0:
                node = node.then if bool(self.of(node.test)) else node.other
            else:
                return node

    def is_leaf(self, node: Node) -> bool:
        """Whether a node enters a decision with the value that it has anyway."""
        match node:
            case Const() | Input() | Param() | Present() | Reduce() | Compare() | Cast() | Move():
                return True
            case Unary():
                return node.op is not UnaryOp.NEG
            case Binary():
                return node.op in BITWISE | {BinaryOp.AND, BinaryOp.OR, BinaryOp.FLOOR_DIV, BinaryOp.MOD}
            case Call():
                return node.function in KINDS
        return False

    def unit(self, node: Node) -> float:
        """The roundoff of the float tensors that a node is computed from; 0: none."""
        node = self.resolved(node)
        if isinstance(node, Input):
            return self.units.get(node.name, 0.0)
        return max([self.unit(child) for child in children(node)], default=0.0)
