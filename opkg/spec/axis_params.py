"""Params that number dimensions, where ranks below 4 are padded in front: which are pinned, which count from the end."""

from __future__ import annotations

from opkg.spec.expr import Binary, Name, Rest, ShapeList, Tree
from opkg.spec.model import Op, ParamSpec, TensorSpec
from opkg.spec.walk_expr import names_in

PADDED_TO = 4  # the rank that kernels of HTP see for every smaller one


def fixed_rank(tensor: TensorSpec) -> int:
    """The rank when the spec leaves only one, else 0: such a tensor is handed over in its own rank."""
    tree = tensor.shape.tree
    if isinstance(tree, ShapeList) and not any(isinstance(item, Rest) for item in tree.items):
        return len(tree.items)
    return tensor.ranks.low if tensor.ranks.low == tensor.ranks.high else 0


def pinned(op: Op, param: ParamSpec) -> Tree | None:
    """The expression a constraint `axis == ...` fixes a param to, if it speaks of ranks and numbers only."""
    tensors = {tensor.name for tensor in op.tensors}
    for constraint in op.constraints:
        tree = constraint.require.tree
        if isinstance(tree, Binary) and tree.op == "==":
            for side, other in ((tree.left, tree.right), (tree.right, tree.left)):
                if side == Name(param.name) and set(names_in(other)[1]) <= tensors:
                    return other
    return None


def is_hidden(op: Op, param: ParamSpec) -> bool:
    """Whether padding hides which dimension a number from the front means: its tensor has several ranks, some below 4."""
    tensor = next((t for t in op.tensors if t.name == param.axis_of), None)
    if tensor is None or fixed_rank(tensor) or pinned(op, param) is not None:
        return False
    return tensor.ranks.low < PADDED_TO


def counts_from_end(op: Op, param: ParamSpec) -> bool:
    """Whether a call of HTP gives the param as a negative number, which padding in front leaves as it is."""
    return param.dtype.signed and is_hidden(op, param)


def from_end(number: int, rank: int) -> int:
    """The same dimension of a tensor of that rank, counted from the end."""
    return number if number < 0 else number - rank
