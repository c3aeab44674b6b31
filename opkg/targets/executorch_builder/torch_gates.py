"""Gates (GELU, hard swish) and norms in forms that float32 steps bear: nothing cancels, and nothing overflows inside."""

from __future__ import annotations

from dataclasses import replace

from opkg.spec.compute.tree import Binary, BinaryOp, Call, Const, Function, Input, Node
from opkg.targets.executorch_builder.torch_formulas import has_number, scaled


def formula(node: Node) -> Node | None:
    """The better form of a node whose operands have theirs."""
    match node:
        case Call(Function.MAX, (Call(Function.SQRT, (inner,)), Const(low))) if _is_low(low):
            bounded = Call(Function.MAX, (inner, Const(low * low)), span=node.span)
            return Call(Function.SQRT, (bounded,), span=node.span)
        case Binary(BinaryOp.ADD, Const(1), Call() as function) | Binary(BinaryOp.ADD, Call() as function, Const(1)):
            return _grown(node, function)
        case Binary(BinaryOp.SUB, Const(1), Call(Function.SIGMOID, (u,)) as gate):
            return replace(gate, args=(scaled(u, -1),))
        case Binary(BinaryOp.SUB, Const(1), Call(Function.TANH, (u,)) as function):
            gate = Call(Function.SIGMOID, (scaled(u, -2),), span=function.span)
            return Binary(BinaryOp.MUL, Const(2), gate, span=node.span)
        case Binary(BinaryOp.SUB, Const(1), Binary(BinaryOp.MUL, Call(Function.TANH, (u,)) as t, other)) if t == other:
            return _slope(u, node)
        case Binary(BinaryOp.SUB, Const(1), Binary(BinaryOp.POW, Call(Function.TANH, (u,)), Const(2))):
            return _slope(u, node)
        case Binary(BinaryOp.MUL):
            return _outside(node)
        case Binary(BinaryOp.DIV, Binary(BinaryOp.MUL, left, right) as product, Const() as number):
            return _hard(product, number) or _divided(node, left, right)
        case _:
            return None


def _is_low(value: float) -> bool:
    return not isinstance(value, bool) and 2.0**-50 <= value <= 1


def _grown(node: Binary, function: Call) -> Node | None:
    """1 + tanh(u) as 2 * sigmoid(2 * u), 1 + erf(u) as 1 - erf(-u), which is one function of torch."""
    match function:
        case Call(Function.TANH, (u,)):
            gate = Call(Function.SIGMOID, (scaled(u, 2),), span=function.span)
            return Binary(BinaryOp.MUL, Const(2), gate, span=node.span)
        case Call(Function.ERF, (u,)):
            turned = Call(Function.ERF, (scaled(u, -1),), span=function.span)
            return Binary(BinaryOp.SUB, Const(1), turned, span=node.span)
        case _:
            return None


def _slope(u: Node, node: Node) -> Node:
    """1 - tanh(u) ** 2 as 4 * sigmoid(2 * u) * sigmoid(-2 * u)."""
    low, high = (Call(Function.SIGMOID, (scaled(u, factor),), span=node.span) for factor in (2, -2))
    return Binary(BinaryOp.MUL, Binary(BinaryOp.MUL, Const(4), low, span=node.span), high, span=node.span)


def _outside(node: Binary) -> Node | None:
    """The 2 of a gate goes out of a product, or into one of its numbers."""
    for gate, other in ((node.right, node.left), (node.left, node.right)):
        match gate:
            case Binary(BinaryOp.MUL, Const(2), inner) if _is_gate(inner):
                if isinstance(other, Const) and other.value == 0.5:
                    return inner
                if isinstance(other, Const) or has_number(other):
                    return _product(scaled(other, 2), inner)
                return Binary(BinaryOp.MUL, Const(2), _product(other, inner), span=node.span)
            case Binary(BinaryOp.SUB, Const(1), Call(Function.ERF)) if (parts := _number_of(other)) is not None:
                return _product(
                    parts[1], _product(parts[0], gate)
                )  # x * gate alone may be lost, and is a product with an input
            case _:
                pass
    return None


def _number_of(node: Node) -> tuple[Const, Node] | None:
    """A product of a number and something else."""
    match node:
        case Binary(BinaryOp.MUL, Const() as number, other) | Binary(BinaryOp.MUL, other, Const() as number):
            return number, other
        case _:
            return None


def _is_gate(node: Node) -> bool:
    """A sigmoid, or a product with one."""
    match node:
        case Call(Function.SIGMOID):
            return True
        case Binary(BinaryOp.MUL, left, right):
            return _is_gate(left) or _is_gate(right)
        case _:
            return False


def _product(left: Node, right: Node) -> Binary:
    return Binary(BinaryOp.MUL, left, right, span=right.span)


def _hard(product: Binary, number: Const) -> Node | None:
    """x * clip(x + 3, 0, 6) / 6 of an input, in either order."""
    for x, clip in ((product.left, product.right), (product.right, product.left)):
        match clip:
            case Call(Function.CLIP, (Binary(BinaryOp.ADD, a, b), Const(0), Const(6))) if number.value == 6:
                shifted = (a == x and b == Const(3)) or (b == x and a == Const(3))
                if shifted and isinstance(x, Input):
                    return Call(Function.HARDSWISH, (x,), span=product.span)
            case _:
                pass
    return None


def _divided(node: Binary, left: Node, right: Node) -> Node | None:
    """x * g / n as x * (g / n), where g is bounded: x * g may be too large."""
    for x, gate in ((left, right), (right, left)):
        match gate:
            case Call(Function.CLIP, (_, Const(), Const())) | Call(Function.SIGMOID):
                return _product(x, replace(node, left=gate))
            case _:
                pass
    return None
