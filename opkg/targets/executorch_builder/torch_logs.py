"""Logarithms and powers in forms that float32 steps bear: log1p where 1 is added, softplus of a sigmoid, roots, 1 - cos(x)."""

from __future__ import annotations

from collections.abc import Mapping

from opkg.spec.compute.tree import Binary, BinaryOp, Call, Const, Function, Node, Unary, UnaryOp
from opkg.targets.executorch_builder.torch_formulas import has_tensors, scaled, seen


def logarithm(node: Node, known: Mapping[str, Node]) -> Node | None:
    """The better form of a logarithm whose operand has its own: `known`: what names stand for."""
    match node:
        case Call(Function.LOG, (inner,)):
            pass
        case _:
            return None
    match seen(inner, known):
        case Call(Function.SIGMOID, (u,)):
            return Unary(UnaryOp.NEG, Call(Function.SOFTPLUS, (scaled(u, -1),), span=node.span), span=node.span)
        case Binary(BinaryOp.ADD, Const(1), x) | Binary(BinaryOp.ADD, x, Const(1)) if has_tensors(x):
            return Call(Function.LOG1P, (x,), span=node.span)
        case Binary(BinaryOp.SUB, Const(1), x) if has_tensors(x):
            return Call(Function.LOG1P, (Unary(UnaryOp.NEG, x, span=x.span),), span=node.span)
        case _:
            return None


def power(node: Node) -> Node | None:
    """`x ** 0.5` and `x ** -0.5` as the roots that torch computes, `1 - cos(x)` as `2 * sin(x / 2) ** 2`."""
    match node:
        case Binary(BinaryOp.POW, x, Const(0.5)) if has_tensors(x):
            return Call(Function.SQRT, (x,), span=node.span)
        case Binary(BinaryOp.POW, x, Const(-0.5) | Unary(UnaryOp.NEG, Const(0.5))) if has_tensors(x):
            return Call(Function.RSQRT, (x,), span=node.span)
        case Binary(BinaryOp.SUB, Const(1), Call(Function.COS, (x,))) if has_tensors(x):
            return _versine(x, 2, node)
        case Binary(BinaryOp.SUB, Call(Function.COS, (x,)), Const(1)) if has_tensors(x):
            return _versine(x, -2, node)
        case _:
            return None


def _versine(x: Node, times: int, node: Node) -> Node:
    half = Call(Function.SIN, (scaled(x, 0.5),), span=node.span)
    square = Binary(BinaryOp.POW, half, Const(2), span=node.span)
    return Binary(BinaryOp.MUL, Const(times), square, span=node.span)
