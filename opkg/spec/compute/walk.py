"""All nodes of a computation's tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opkg.spec.compute.tree import Node, children


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """Some nodes and all below them, each before its operands; the last ones come first."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        todo += children(node)
