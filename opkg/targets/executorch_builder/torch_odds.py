"""log(x / (1 - x)) however it is written: through names, as a difference of logarithms, of what a `clip` bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from opkg.spec.compute.tree import Assigned, Binary, BinaryOp, Call, Const, Function, Input, Node, Unary, UnaryOp
from opkg.targets.executorch_builder.torch_formulas import seen


def odds_of(node: Node, known: Mapping[str, Node]) -> Node | None:
    """The formula as `odds` of torch_formulas knows it; None for any other node. `known`: what names stand for."""
    x = _quotient(node, known) or _difference(node, known)
    if x is None:
        return None
    match seen(x, known):
        case Call(Function.CLIP, (inner, Const(low), Const(high))) as clipped if 0 < low <= high < 1:
            whole = replace(clipped, args=(inner, Const(0), Const(1)))
            ends = (Const(math.log(low) - math.log1p(-low)), Const(math.log(high) - math.log1p(-high)))
            return replace(clipped, args=(_odds(whole), *ends))
        case _:
            return _odds(x)


def _odds(x: Node) -> Node:
    return Call(Function.LOG, (Binary(BinaryOp.DIV, x, Binary(BinaryOp.SUB, Const(1), x)),))


def _quotient(node: Node, known: Mapping[str, Node]) -> Node | None:
    """x of log(x / (1 - x))."""
    match node:
        case Call(Function.LOG, (inner,)):
            pass
        case _:
            return None
    match seen(inner, known):
        case Binary(BinaryOp.DIV, Input() | Assigned() as x, other) if _rest(seen(other, known)) == x:
            return x
        case _:
            return None


def _difference(node: Node, known: Mapping[str, Node]) -> Node | None:
    """x of log(x) - log(1 - x)."""
    match node:
        case Binary(BinaryOp.SUB, left, right):
            pass
        case _:
            return None
    match seen(left, known), seen(right, known):
        case Call(Function.LOG, (Input() | Assigned() as x,)), Call(Function.LOG, (inner,)):
            return x if _rest(seen(inner, known)) == x else None
        case Call(Function.LOG, (Input() | Assigned() as x,)), Call(Function.LOG1P, (Unary(UnaryOp.NEG, other),)):
            return x if x == other else None
        case _:
            return None


def _rest(node: Node) -> Node | None:
    """x of 1 - x."""
    match node:
        case Binary(BinaryOp.SUB, Const(1), x):
            return x
        case _:
            return None
