"""Walks expression trees: which names an expression uses."""

from __future__ import annotations

from collections.abc import Iterator

from opkg.spec.expr import Binary, Call, Item, Member, Name, Select, ShapeList, Tree, Unary


def children(tree: Tree) -> tuple[Tree, ...]:
    """The direct operands of a node."""
    match tree:
        case Item(base, index):
            return (base, index)
        case Call(_, args):
            return args
        case Unary(_, operand):
            return (operand,)
        case Binary(_, left, right):
            return (left, right)
        case Select(test, then, other):
            return (test, then, other)
        case ShapeList(items):
            return items
    return ()


def nodes(tree: Tree) -> Iterator[Tree]:
    """The tree and everything below it, operands before nothing else in particular."""
    yield tree
    for child in children(tree):
        yield from nodes(child)


def names_in(tree: Tree) -> tuple[set[str], list[str]]:
    """Names asked for by `present()`, and all names used (tensors through members too), in order, each once."""
    asked: set[str] = set()
    used: dict[str, None] = {}
    for node in nodes(tree):
        if isinstance(node, Call) and node.function == "present" and isinstance(node.args[0], Name):
            asked.add(node.args[0].id)
        elif isinstance(node, Name):
            used[node.id] = None
        elif isinstance(node, Member):
            used[node.tensor] = None
    return asked, list(used)
