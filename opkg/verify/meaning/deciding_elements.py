"""Decisions on real values for some elements: with bounds of the error, and in fractions where these leave them open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, isfinite, trunc
from typing import Any

import numpy as np

from opkg.spec.compute.tree import Binary, BinaryOp, Call, Compare, Const, Function, Node, Reduce, Select, Unary
from opkg.verify.meaning import nearness as near
from opkg.verify.meaning.nearness import Near
from opkg.verify.meaning.numbers import Array

Rule = Callable[[Array], Array]


@dataclass(frozen=True, slots=True)
class Kind:
    """`values`, `exact`: the outcome, of arrays and of one fraction. `edge`: it changes where x - edge is whole (None: at 0)."""

    values: Rule
    exact: Callable[[Fraction], int]
    edge: float | None

    def distance(self, x: Array) -> Array:
        """To where the outcome changes."""
        if self.edge is None:
            return np.abs(x)
        moved = x - self.edge
        return np.asarray(np.abs(moved - np.rint(moved)))


SIGN = Kind(np.sign, lambda x: (x > 0) - (x < 0), None)
FLOOR = Kind(np.floor, floor, 0.0)
TRUNC = Kind(np.trunc, trunc, 0.0)
KINDS = {
    Function.SIGN: SIGN, Function.FLOOR: FLOOR, Function.TRUNC: TRUNC, Function.CEIL: Kind(np.ceil, ceil, 0.0),
    Function.ROUND: Kind(np.rint, round, 0.5),
}  # fmt: skip
_ARITHMETIC = {BinaryOp.ADD: near.add, BinaryOp.SUB: near.sub, BinaryOp.MUL: near.mul, BinaryOp.DIV: near.div}
_FRACTIONS: dict[BinaryOp, Callable[[Any, Any], Any]] = {
    BinaryOp.ADD: lambda a, b: a + b, BinaryOp.SUB: lambda a, b: a - b, BinaryOp.MUL: lambda a, b: a * b,
    BinaryOp.DIV: lambda a, b: a / b,
}  # fmt: skip
_EXTREMES = frozenset((Function.MIN, Function.MAX, Function.CLIP))


class Elements:
    """A decision for some elements. `leaves`: their values by node; `sums`: the leeway of reductions; `resolved`: the node
    that a name stands for; `unit`: the roundoff of what is below a node; `apply`: a function's values."""

    def __init__(
        self,
        leaves: Mapping[int, Array],
        sums: Mapping[int, Array],
        resolved: Callable[[Node], Node],
        unit: Callable[[Node], float],
        apply: Callable[[Call, list[Array]], Array],
    ) -> None:
        self.leaves, self.sums = leaves, sums
        self.resolved, self.unit, self.apply = resolved, unit, apply
        self.numbers: dict[int, Array] = {}  # values of functions

    def decide(self, node: Node, kind: Kind, operands: tuple[Node, ...], way: int | None) -> tuple[Array, bool]:
        """The outcomes, and whether rounding in a less precise type turns any. `way`: how they are turned."""
        sides = [self.near(operand) for operand in operands]
        x = sides[0]
        divided = isinstance(node, Binary)
        if len(sides) == 2:
            x = near.div(*sides) if divided else near.sub(*sides)
        outcome = kind.values(x.value)
        if isinstance(node, Compare):  # infinities
            same = (sides[0].value == sides[1].value) & np.isinf(sides[0].value)
            outcome = np.where(same, 0.0, outcome)
        unsure = (x.error > 0) & (kind.distance(x.value) <= x.error + np.abs(x.value) * 2.0**-50)
        if np.any(unsure):
            outcome[unsure] = self._exactly(kind, operands, divided, unsure, outcome[unsure])
        return _turned(kind, x, outcome, way)

    def near(self, node: Node) -> Near:
        """The value of a node with its bounds."""
        node = self.resolved(node)
        if id(node) in self.leaves:
            found = near.known(self.leaves[id(node)], self.unit(node))
            return replace(found, leeway=self.sums[id(node)]) if isinstance(node, Reduce) else found
        match node:
            case Unary():
                return near.neg(self.near(node.operand))
            case Select():
                test = self.near(node.test).value != 0
                return near.select(test, self.near(node.then), self.near(node.other))
            case Binary():
                return self._binary(node)
            case Call():
                return self._call(node)
        raise TypeError(f"no number: {type(node).__name__}")

    def _binary(self, node: Binary) -> Near:
        left, right = self.near(node.left), self.near(node.right)
        if node.op is not BinaryOp.POW:
            return _ARITHMETIC[node.op](left, right)
        if _whole_power(node):
            square = near.mul(left, left)
            return square if _whole_power(node) == 2 else near.mul(square, left if _whole_power(node) == 3 else square)
        return self._number(node, near.function(np.power, left, right))

    def _call(self, node: Call) -> Near:
        args = [self.near(arg) for arg in node.args]
        if node.function is Function.ABS:
            return near.magnitude(args[0])
        if node.function is Function.CLIP:
            return near.extreme(np.minimum, near.extreme(np.maximum, args[0], args[1]), args[2])
        if node.function in _EXTREMES:
            found = args[0]
            for arg in args[1:]:
                found = near.extreme(np.minimum if node.function is Function.MIN else np.maximum, found, arg)
            return found
        if node.function is Function.SQRT:
            return self._number(node, near.square_root(args[0]))
        return self._number(node, near.function(lambda *values: self.apply(node, list(values)), *args))

    def _number(self, node: Node, found: Near) -> Near:
        self.numbers[id(node)] = found.value
        return found

    # In fractions -----------------------------------------------------------------------------------------------------

    def _exactly(self, kind: Kind, operands: tuple[Node, ...], divided: bool, where: Array, before: Array) -> Array:
        """The outcomes of some elements; those that divide by zero or hold an infinity stay as they are."""
        known = {**self.leaves, **self.numbers}
        rows = np.stack([np.broadcast_to(value, where.shape)[where].astype(np.float64) for value in known.values()], 1)
        unique, places = np.unique(rows, axis=0, return_inverse=True)
        found: list[float] = []
        for row in unique:
            try:
                values = dict(zip(known, map(_fraction, row.tolist()), strict=True))
                sides = [self._fraction(operand, values) for operand in operands]
                x = sides[0] if len(sides) == 1 else sides[0] / sides[1] if divided else sides[0] - sides[1]
                found.append(float(kind.exact(x)))
            except (ZeroDivisionError, OverflowError):
                found.append(np.nan)
        outcome = np.asarray(found)[places.reshape(-1)]
        return np.where(np.isnan(outcome), before, outcome)

    def _fraction(self, node: Node, values: Mapping[int, Fraction]) -> Fraction:
        node = self.resolved(node)
        if id(node) in values:
            return values[id(node)]
        match node:
            case Unary():
                return -self._fraction(node.operand, values)
            case Select():
                return self._fraction(node.then if self._fraction(node.test, values) else node.other, values)
            case Binary():
                left = self._fraction(node.left, values)
                if _whole_power(node):
                    return Fraction(left ** _whole_power(node))
                return Fraction(_FRACTIONS[node.op](left, self._fraction(node.right, values)))
            case Call():
                args = [self._fraction(arg, values) for arg in node.args]
                if node.function is Function.ABS:
                    return abs(args[0])
                if node.function is Function.CLIP:
                    return min(max(args[0], args[1]), args[2])
                return (min if node.function is Function.MIN else max)(args)
        raise TypeError(f"no number: {type(node).__name__}")


def _turned(kind: Kind, x: Near, outcome: Array, way: int | None) -> tuple[Array, bool]:
    free = (x.leeway > 0) & (x.leeway < 2.0**150)  # beyond what float32 holds, far below what is anywhere
    if not np.any(free):
        return outcome, False
    moved = {1: kind.values(x.value + x.leeway), -1: kind.values(x.value - x.leeway)}
    moved[0] = np.where(np.abs(x.value) <= x.leeway, 0.0, outcome) if kind is SIGN else outcome
    moved = {to: np.where(free, values, outcome) for to, values in moved.items()}
    loose = any(bool(np.any(values != outcome)) for values in moved.values())
    return outcome if way is None else moved[way], loose


def _fraction(number: float) -> Fraction:
    if not isfinite(number):
        raise OverflowError
    return Fraction(number)


def _whole_power(node: Binary) -> int:
    """2, 3 or 4 when a node is such a power, which is a product; else 0."""
    if node.op is not BinaryOp.POW or not isinstance(node.right, Const) or node.right.value not in (2, 3, 4):
        return 0
    return int(node.right.value)
