"""Formulas that float32 steps are proved to bear only as a whole: 1 - erf(x), exp(x) - 1, log(x / (1 - x)), what its own maximum
is taken from, a norm."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Compute,
    Const,
    Function,
    Input,
    Node,
    Param,
    Reduce,
    Reduction,
    Unary,
    UnaryOp,
)
from opkg.spec.compute.walk import walk
from opkg.targets.executorch_builder.torch_bounds import Axes

Names = Mapping[str, Node]


def seen(node: Node, names: Names) -> Node:
    """What a name stands for."""
    while isinstance(node, Assigned) and node.name in names:
        node = names[node.name]
    return node


def complement(node: Node) -> Node | None:
    """x of `1 - erf(x)`, which is torch's erfc: it does not cancel."""
    match node:
        case Binary(BinaryOp.SUB, Const(1), Call(Function.ERF, (operand,))) if has_tensors(operand):
            return operand
        case _:
            return None


def growth(node: Node) -> Node | None:
    """x of `exp(x) - 1`."""
    match node:
        case Binary(BinaryOp.SUB, Call(Function.EXP, (operand,)), Const(1)) if has_tensors(operand):
            return operand
        case _:
            return None


def steepness(node: Node) -> Node | None:
    """2 * u of `4 * sigmoid(2 * u) * sigmoid(-2 * u)`, which is 1 - tanh(u) ** 2."""
    match node:
        case Binary(
            BinaryOp.MUL, Binary(BinaryOp.MUL, Const(4), Call(Function.SIGMOID, (u,))), Call(Function.SIGMOID, (other,))
        ):
            return u if has_tensors(u) and other in (scaled(u, -1), Unary(UnaryOp.NEG, u)) else None
        case _:
            return None


def odds(node: Node) -> Node | None:
    """x of `log(x / (1 - x))`."""
    match node:
        case Call(Function.LOG, (Binary(BinaryOp.DIV, x, Binary(BinaryOp.SUB, Const(1), other)),)) if x == other:
            return x
        case _:
            return None


def operand_of(node: Node) -> Node | None:
    """The operand of a function that may enlarge its error so much that it must be float64."""
    if isinstance(node, Call) and len(node.args) == 1:
        return node.args[0]
    return complement(node) or growth(node)


def peak(node: Node, names: Names) -> tuple[bool, Axes]:
    """Whether a node is `x - max(x, ..., keepdims=True)`, and along which dimensions."""
    match seen(node, names):
        case Binary(BinaryOp.SUB, left, right):
            match seen(right, names):
                case Reduce(Reduction.MAX, inner, axes, True) if seen(inner, names) == seen(left, names):
                    return True, axes
    return False, ()


def deviation(node: Node) -> Reduce | None:
    """The mean of `x - mean(x, ..., keepdims=True)`."""
    match node:
        case Binary(BinaryOp.SUB, left, Reduce(Reduction.MEAN, inner, _, True) as mean) if inner == left:
            return mean
        case _:
            return None


def log_sum(node: Node) -> Reduce | None:
    """The sum of `log(sum(x, ...))`."""
    match node:
        case Call(Function.LOG, (Reduce(Reduction.SUM) as total,)):
            return total
        case _:
            return None


def is_norm(node: Binary, names: Names, floors: Collection[str]) -> bool:
    """Whether a product or quotient divides values by the root of the sum or mean of their squares; `floors`: params that
    are not negative."""
    if node.op is BinaryOp.DIV:
        return _is_root(node.right, Function.SQRT, node.left, names, floors)
    sides = ((node.left, node.right), (node.right, node.left))
    return node.op is BinaryOp.MUL and any(_is_root(b, Function.RSQRT, a, names, floors) for a, b in sides)


def _is_root(node: Node, function: Function, values: Node, names: Names, floors: Collection[str]) -> bool:
    match seen(node, names):
        case Call(found, (inner,)) if found is function:
            total = seen(_without_addend(inner, names, floors), names)
        case _:
            return False
    match total:
        case Reduce(Reduction.SUM | Reduction.MEAN, squares):
            square = seen(squares, names)
        case _:
            return False
    value = seen(values, names)
    match square:
        case Binary(BinaryOp.MUL, left, right):
            return seen(left, names) == value and seen(right, names) == value
        case Binary(BinaryOp.POW, base, Const(2)):
            return seen(base, names) == value
        case _:
            return False


def _without_addend(node: Node, names: Names, floors: Collection[str]) -> Node:
    """What a number that is not negative has been added to, or bounds from below."""
    match seen(node, names):
        case Binary(BinaryOp.ADD, left, right) | Call(Function.MAX, (left, right)):
            if _is_floor(right, floors):
                return left
            return right if _is_floor(left, floors) else node
        case other:
            return other


def _is_floor(node: Node, floors: Collection[str]) -> bool:
    match node:
        case Const(value):
            return value >= 0
        case Param(name):
            return name in floors
        case _:
            return False


def has_tensors(node: Node) -> bool:
    return any(isinstance(each, Input | Assigned) for each in walk([node]))


def is_literal(node: Node) -> bool:
    """Whether a node is a number of the text."""
    return isinstance(node, Const) or (isinstance(node, Unary) and is_literal(node.operand))


def gates(left: Node, right: Node) -> bool:
    """Whether a product is SiLU."""
    return isinstance(right, Call) and right.function is Function.SIGMOID and right.args == (left,)


def uses(compute: Compute, output: str) -> Counter[str]:
    """How often each name goes into an output, through temporaries, too."""
    found = Counter({output: 1})
    for statement in reversed(compute.statements):
        for node in walk([statement.expr]) if found[statement.name] else ():
            if isinstance(node, Input | Assigned):
                found[node.name] += found[statement.name]
    return found


def scaled(node: Node, factor: float) -> Node:
    """A multiple of a value; a power of two, or the sign, goes into a number that is a factor already."""
    exact = math.frexp(abs(factor))[0] == 0.5
    match node:
        case Const(value) if exact and not isinstance(value, bool):
            return Const(value * factor, span=node.span)
        case Binary(BinaryOp.MUL, Const(), right) if exact:
            return replace(node, left=scaled(node.left, factor)) if not _is_one(node.left, factor) else right
        case Binary(BinaryOp.MUL, left, Const()) if exact:
            return replace(node, right=scaled(node.right, factor)) if not _is_one(node.right, factor) else left
        case Binary(BinaryOp.MUL, Binary(BinaryOp.MUL) as left, right) if exact and has_number(left):
            return replace(node, left=scaled(left, factor))
        case Binary(BinaryOp.DIV, left, Const()) if factor in (-1, 2) and not isinstance(left, Const):
            return replace(node, right=Const(node.right.value / factor)) if isinstance(node.right, Const) else node
        case _ if factor == -1:
            return Unary(UnaryOp.NEG, node, span=node.span)
        case _:
            return Binary(BinaryOp.MUL, Const(factor), node, span=node.span)


def _is_one(node: Node, factor: float) -> bool:
    return isinstance(node, Const) and node.value * factor == 1


def has_number(node: Node) -> bool:
    """Whether a product has a number as a factor."""
    match node:
        case Binary(BinaryOp.MUL, left, right):
            return isinstance(left, Const) or isinstance(right, Const) or has_number(left)
        case _:
            return False


def ungrown(node: Node, least: float = 1.0) -> Node:
    """Without a factor that changes no bits: a power of two from `least` on, by which nothing gets smaller, or what is lost of
    it does not count."""
    match node:
        case Binary(BinaryOp.MUL, Const(factor), x) | Binary(BinaryOp.MUL, x, Const(factor)):
            return x if _is_power(factor) and factor >= least else node
        case Binary(BinaryOp.DIV, x, Const(factor)):
            return x if _is_power(factor) and factor <= 1 / least else node
        case _:
            return node


def unscaled(node: Node, least: float) -> Node:
    """`ungrown`, also of a negative factor."""
    match node:
        case Binary(BinaryOp.MUL, Const(factor), x) if _is_power(-factor) and -factor >= least:
            return x
        case Unary(UnaryOp.NEG, operand):
            return unscaled(operand, least)
        case _:
            return ungrown(node, least)


def _is_power(number: float) -> bool:
    return number > 0 and math.frexp(number)[0] == 0.5
