"""Whether all that moves elements in a computation can be views of inputs, in front of arithmetic on each element."""

from __future__ import annotations

from dataclasses import dataclass

from opkg.spec.compute.tree import (
    Assigned,
    Compute,
    Input,
    Move,
    Movement,
    Node,
    Reduce,
    children,
)

_Step = tuple[object, ...]


class _NoView(Exception):
    """Something cannot be a view."""


@dataclass(frozen=True, slots=True)
class _Value:
    """`leaves`: the inputs, with what moves their elements; `joint`: the concat that a value has the parts of."""

    leaves: frozenset[tuple[str, _Step]]
    joint: int = 0  # its place in the text


def sees(compute: Compute) -> bool:
    """Whether kernels over parts of tensors compute everything (opkg.kernels.portable.seen, which takes some more)."""
    known: dict[str, _Value] = {}
    try:
        for statement in compute.statements:
            known[statement.name] = _value(statement.expr, known)
    except _NoView:
        return False
    return True


def _value(node: Node, known: dict[str, _Value]) -> _Value:
    match node:
        case Input(name=name):
            return _Value(frozenset([(name, ())]))
        case Assigned(name=name):
            return known[name]
        case Reduce():
            raise _NoView
        case Move():
            return _moved(node, [_value(arg, known) for arg in node.args])
    args = [_value(child, known) for child in children(node)]
    joints = {arg.joint for arg in args} - {0}
    if len(joints) > 1:
        raise _NoView
    return _Value(frozenset[tuple[str, _Step]]().union(*(arg.leaves for arg in args)), max(joints, default=0))


def _moved(node: Move, args: list[_Value]) -> _Value:
    if any(arg.joint or not arg.leaves for arg in args):
        raise _NoView
    leaves = frozenset[tuple[str, _Step]]().union(*(arg.leaves for arg in args))
    match node.op:
        case Movement.CONCAT:
            return _Value(leaves, id(node))
        case Movement.SLICE | Movement.TRANSPOSE:
            return _Value(frozenset((name, (*steps, (node.op, node.axes, node.parts))) for name, steps in leaves))
        case Movement.RESHAPE if len(leaves) == 1 and not any(steps for _, steps in leaves):
            return args[0]
    raise _NoView
