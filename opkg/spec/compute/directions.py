"""Whether a computation reduces different dimensions: its kernels are several passes then, with numbers between them."""

from __future__ import annotations

from opkg.spec.compute.check import Shapes
from opkg.spec.compute.extents import Extent
from opkg.spec.compute.tree import Reduce
from opkg.spec.compute.walk import walk
from opkg.spec.model import Op


def in_passes(op: Op) -> bool:
    """Whether the text says of two reductions that they go over different dimensions."""
    if op.compute is None:
        return False
    nodes = walk(statement.expr for statement in op.compute.statements)
    reductions = [node for node in nodes if isinstance(node, Reduce) and not isinstance(node.axes, str)]
    if len({node.axes for node in reductions}) < 2:
        return False
    shapes = Shapes(op.compute, op)
    return len({_places(node, shapes.of(node.operand)) for node in reductions} - {frozenset()}) > 1


def _places(node: Reduce, extent: Extent) -> frozenset[int]:
    """The dimensions of a reduction, counted from the last one; those that are counted from the front of an open rank are
    below 0."""
    if node.axes is None:
        return frozenset(range(extent.high))
    assert not isinstance(node.axes, str)
    fixed = extent.low == extent.high
    return frozenset(-1 - axis if axis < 0 else extent.low - 1 - axis if fixed else -1 - axis for axis in node.axes)
