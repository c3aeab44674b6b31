"""Outputs with open shapes: what the computation leaves of them."""

from __future__ import annotations

from dataclasses import replace

from opkg.spec.check_op import names_in
from opkg.spec.compute.check import Shapes
from opkg.spec.compute.extents import SCALAR, Dim, Extent, is_rest
from opkg.spec.compute.lengths import Dimensions
from opkg.spec.compute.tree import Assigned, Compute, Reduce
from opkg.spec.compute.walk import walk
from opkg.spec.compute.whole import Calculated, Size, Whole
from opkg.spec.expr import Binary, Member, Name, Num, Rest, ShapeList, Tree, Unary
from opkg.spec.model import Op, Ranks, TensorSpec
from opkg.spec.print_expr import to_text

_OPEN = ShapeList((Rest(),))
_ONE = ShapeList((Num(1),))


def with_outputs(op: Op, compute: Compute) -> Op:
    """The op with its computation. Outputs with the shape `[...]` get the one that the computation has, as far as it is known
    before a call; all get its ranks where their shapes leave more. Of reductions to one number `[1]` is left: QNN has no
    outputs of rank 0. What computes one number without them leaves the shape to the graph, which it fills."""
    if not any(output.shape.tree == _OPEN or output.ranks.low < output.ranks.high for output in op.outputs):
        return replace(op, compute=compute)
    shapes, reduced = Shapes(compute, op), _reducing(compute)
    outputs = []
    for output in op.outputs:
        extent = shapes.assigned[output.name]
        tree = _shape(op, shapes, extent, output.name in reduced) if output.shape.tree == _OPEN else None
        if tree is not None:
            output = replace(output, shape=replace(output.shape, text=to_text(tree), tree=tree))
            extent = Extent(None, 1, 1) if tree == _ONE else extent
        low, high = max(output.ranks.low, extent.low), min(output.ranks.high, extent.high)
        outputs.append(replace(output, ranks=Ranks(low, high)) if low <= high and extent != SCALAR else output)
    return replace(op, outputs=tuple(outputs), compute=compute)


def _reducing(compute: Compute) -> set[str]:
    """Names with a reduction in what they are."""
    found: set[str] = set()
    for statement in compute.statements:
        for node in walk([statement.expr]):
            if isinstance(node, Reduce) or (isinstance(node, Assigned) and node.name in found):
                found.add(statement.name)
    return found


def _shape(op: Op, shapes: Shapes, extent: Extent, reduced: bool) -> Tree | None:
    """The shape expression of a value; None where that cannot be told."""
    if extent.dims is None or extent == SCALAR:
        return _ONE if extent == SCALAR and reduced else None
    items = [_item(dim, shapes.dimensions) for dim in extent.dims]
    named = {name for tensor in op.inputs for item in _names(tensor) for name in names_in(item)}
    if all(item is not None and set(names_in(item)) <= named for item in items):
        return ShapeList(tuple([item for item in items if item is not None]))
    known = (t.name for t in op.inputs if not t.optional and t.variadic is None)
    same = (name for name in known if shapes.inputs[name].dims == extent.dims)
    name = next(same, None)
    return Member(name, "shape") if name is not None else None


def _item(dim: Dim, dimensions: Dimensions) -> Tree | None:
    if isinstance(dim, int):
        return Num(dim)
    if (formula := dimensions.formula(dim)) is not None:
        return _tree(formula)
    if dim.startswith("?") or dim.endswith("."):
        return None
    return Rest(dim[1:]) if is_rest(dim) else Name(dim)


def _tree(whole: Whole) -> Tree:
    """A number that is calculated from a named dimension, as a spec says it."""
    match whole:
        case Calculated(op="-", left=0, right=right):
            return Unary("-", _tree(right))
        case Calculated():
            return Binary(whole.op, _tree(whole.left), _tree(whole.right))
        case int():
            return Num(whole) if whole >= 0 else Unary("-", Num(-whole))
    return Name(whole.dim if isinstance(whole, Size) else whole)


def _names(tensor: TensorSpec) -> list[Tree]:
    """Dimensions that an input of every call names."""
    tree = tensor.shape.tree
    if tensor.optional or tensor.variadic is not None or not isinstance(tree, ShapeList):
        return []
    return [item for item in tree.items if isinstance(item, Name | Rest)]
