"""Where the shapes of a spec's expressions come from: tensors, dimensions by their places, runs of dimensions."""

from __future__ import annotations

from opkg.spec.expr import Member, Name, Rest, ShapeList, Tree
from opkg.spec.model import Op, TensorSpec


class Unprintable(Exception):
    """Onert has no way to say this part; the message says which."""


def tensor_of(tree: Tree, op: Op) -> str | None:
    """The tensor whose shape an expression is."""
    name = (
        tree.id
        if isinstance(tree, Name)
        else tree.tensor
        if isinstance(tree, Member) and tree.member == "shape"
        else ""
    )
    return name if any(t.name == name for t in op.tensors) else None


def is_shape(tree: Tree, op: Op) -> bool:
    """Whether an expression is a shape: a list, or that of a tensor."""
    return isinstance(tree, ShapeList) or tensor_of(tree, op) is not None


def places(tensor: TensorSpec) -> list[tuple[Tree, str]]:
    """The items of a tensor's shape list but runs, with C++ of their places."""
    tree = tensor.shape.tree
    if not isinstance(tree, ShapeList):
        return []
    rest = next((i for i, item in enumerate(tree.items) if isinstance(item, Rest)), None)
    found: list[tuple[Tree, str]] = []
    for place, item in enumerate(tree.items):
        if rest is None or place < rest:
            found.append((item, str(place)))
        elif place > rest:
            found.append((item, f"{tensor.name}_shape.rank() - {len(tree.items) - place}"))
    return found


def run_of(op: Op, name: str | None) -> tuple[str, int, int]:
    """Where a run of dimensions is read: tensor, items before it, items behind it. Raises Unprintable."""
    for tensor in op.inputs:
        tree = tensor.shape.tree
        if name is not None and isinstance(tree, ShapeList) and not tensor.optional:
            for place, item in enumerate(tree.items):
                if isinstance(item, Rest) and item.name == name:
                    return tensor.name, place, len(tree.items) - 1 - place
    raise Unprintable("'...' that no input names")
