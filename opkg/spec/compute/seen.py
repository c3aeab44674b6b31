"""Whether all that moves elements in a computation can be views of inputs, in front of arithmetic on each element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from opkg.spec.compute.shaping import is_view
from opkg.spec.compute.tree import Assigned, Compute, Input, Move, Movement, Node, Reduce, children
from opkg.spec.compute.whole import Part

_Step = tuple[tuple[object, ...], ...]


class _NoView(Exception):
    """Something cannot be a view."""


@dataclass(frozen=True, slots=True)
class _Value:
    """`leaves`: the inputs, with what moves their elements; `joint`: the concat that a value has the parts of; `last`: no
    movement but reshape may follow; `amid`: nothing may; `sizes`: what it was reshaped to."""

    leaves: frozenset[tuple[str, _Step]]
    joint: int = 0  # its place in the text
    last: bool = False
    amid: bool = False
    sizes: tuple[Part, ...] = ()
    computed: bool = False


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
    leaves, last = _leaves(args), any(arg.last for arg in args)
    if len(joints) > 1 or (last and len(leaves) > 1) or any(arg.amid for arg in args):
        raise _NoView
    return _Value(leaves, max(joints, default=0), last, computed=True)


def _leaves(args: Sequence[_Value]) -> frozenset[tuple[str, _Step]]:
    return frozenset[tuple[str, _Step]]().union(*(arg.leaves for arg in args))


def _moved(node: Move, args: list[_Value]) -> _Value:
    leaves = _leaves(args)
    if node.op is Movement.PAD:
        if args[1].leaves:
            raise _NoView
        args = args[:1]
    if any(arg.joint or not arg.leaves or arg.amid or (arg.last and node.op is not Movement.RESHAPE) for arg in args):
        raise _NoView
    stepped = frozenset((name, (*steps, (node.op, node.axes, node.parts))) for name, steps in leaves)
    computed = any(arg.computed for arg in args)
    match node.op:
        case Movement.CONCAT:
            return _Value(leaves, id(node))
        case Movement.SLICE | Movement.TRANSPOSE:
            return _Value(stepped, computed=computed)
        case Movement.RESHAPE if len(leaves) == 1:
            whole = all(step[0] is Movement.RESHAPE for _, steps in leaves for step in steps)
            return _Value(stepped, sizes=node.parts, computed=computed) if whole else replace(args[0], last=True)
        case Movement.TILE if len(leaves) == 1 and is_view(node.parts, args[0].sizes):
            return _Value(stepped, last=True, computed=computed)
        case Movement.PAD if len(leaves) == 1 and not computed:
            return _Value(stepped, amid=True)
    raise _NoView
