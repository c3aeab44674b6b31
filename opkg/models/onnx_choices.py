"""What a function knows of `then if test else other` before it runs: tests that a call decides, branches of one shape."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Const,
    Input,
    Move,
    Node,
    Param,
    Present,
    Reduce,
    Unary,
    UnaryOp,
    children,
)
from opkg.spec.expr import Member, Name, Rest, ShapeList
from opkg.spec.model import ParamSpec, TensorSpec

Extent = frozenset[object]  # shapes whose broadcast is that of a value


def known(node: Node, given: Collection[str]) -> bool | None:
    """The value of a test that presence decides, where a call has the inputs `given`; None: of any other."""
    match node:
        case Present():
            return node.name in given
        case Unary(UnaryOp.NOT, operand):
            inner = known(operand, given)
            return None if inner is None else not inner
        case Binary(BinaryOp.AND | BinaryOp.OR):
            left, right = known(node.left, given), known(node.right, given)
            short = node.op is BinaryOp.OR
            if left is short or (left is not None and right is short):
                return short
            return None if left is None else right
        case _:
            return None


def is_fixed(test: Node, params: Mapping[str, ParamSpec]) -> bool:
    """Whether a test is one bool that params alone decide."""
    if isinstance(test, Param):
        return params[test.name].shape is None
    below = children(test)
    return (
        isinstance(test, Const | Present) if not below else _is_plain(test) and all(is_fixed(n, params) for n in below)
    )


def extent(node: Node, inputs: Mapping[str, TensorSpec], params: Mapping[str, ParamSpec]) -> Extent:
    """Values with the same one have the same shape."""
    match node:
        case Input():
            return frozenset((_shape(inputs[node.name]),))
        case Param():
            return frozenset() if params[node.name].shape is None else frozenset((node,))
        case Assigned() | Reduce() | Move():
            return frozenset((node,))
        case _:
            return frozenset().union(*(extent(child, inputs, params) for child in children(node)))


def _is_plain(node: Node) -> bool:
    return not isinstance(node, Reduce | Move)


def _shape(tensor: TensorSpec) -> object:
    """What says the shape of an input: dimensions by their names, or the name of a tensor."""
    tree = tensor.shape.tree
    if isinstance(tree, Member):
        return Name(tree.tensor)
    open_ = not isinstance(tree, ShapeList) or any(isinstance(i, Rest) and not i.name for i in tree.items)
    return Name(tensor.name) if open_ else tree
