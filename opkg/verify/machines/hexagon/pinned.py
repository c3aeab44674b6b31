"""Params that a constraint pins (`axis == rank(x) - 1`): the wrappers compute them in the frame that the kernel sees."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.spec.evaluate import Env, TensorInfo
from opkg.spec.expr import Binary, Call, Item, Member, Name, Select, ShapeList, Tree, Unary
from opkg.spec.model import Op, ParamSpec
from opkg.verify.cases.case import Case
from opkg.verify.machines.hexagon.layout import view_shape


def pinned(op: Op, param: ParamSpec) -> Tree | None:
    """The expression of ranks and numbers that a constraint fixes a param to (`axis == rank(x) - 1`): the wrapper
    computes it in the padded frame instead of reading the param."""
    tensors = {tensor.name for tensor in op.tensors}
    for constraint in op.constraints:
        tree = constraint.require.tree
        if isinstance(tree, Binary) and tree.op == "==":
            for side, other in ((tree.left, tree.right), (tree.right, tree.left)):
                if side == Name(param.name) and set(_names(other)) <= tensors:
                    return other
    return None


def _names(tree: Tree) -> Iterator[str]:
    """The names in an expression."""
    match tree:
        case Name(name):
            yield name
        case Member(tensor, _):
            yield tensor
        case Item(base, index):
            yield from (*_names(base), *_names(index))
        case Call(_, args) | ShapeList(args):
            yield from (name for arg in args for name in _names(arg))
        case Unary(_, operand):
            yield from _names(operand)
        case Binary(_, left, right):
            yield from (*_names(left), *_names(right))
        case Select(test, then, other):
            yield from (*_names(test), *_names(then), *_names(other))


def frame(case: Case) -> Env:
    """What names mean inside a kernel: tensors have the shapes of their views."""
    infos: dict[str, tuple[TensorInfo, ...]] = {spec.name: () for spec in case.op.tensors}
    for tensor in case.tensors:
        if not tensor.absent:
            infos[tensor.spec.name] += (TensorInfo(view_shape(tensor), tensor.dtype),)
    return Env(tensors=infos)
