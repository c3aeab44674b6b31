"""What moves elements, as calls of the generated package's `torch_math` (`tm`)."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.spec.compute.shaping import is_shaping
from opkg.spec.compute.tree import Move, Movement
from opkg.spec.compute.whole import REST, Leaf, Part, Range, Size, whole_text, wholes
from opkg.targets.executorch_builder.layout import items
from opkg.targets.executorch_builder.names import local


def moved(node: Move, args: Sequence[str]) -> str:
    """The text of a movement of tensors."""
    if node.op is Movement.SLICE:
        return f"tm.cut({args[0]}, {items([_part(part) for part in node.parts])})"
    axes = local(node.axes) if isinstance(node.axes, str) else repr(node.axes)
    if node.op is Movement.TRANSPOSE:
        return f"tm.transpose({args[0]}, {axes})"
    if is_shaping(node):
        numbers = axes if isinstance(node.axes, str) else items([_shape_part(part) for part in node.parts])
        return f"tm.{node.op}({', '.join([args[0], numbers, *args[1:]])})"
    axis = axes if isinstance(node.axes, str) else str((node.axes or (0,))[0])
    if node.op is Movement.CONCAT:
        return f"tm.concat({items(list(args))}, {axis})"
    return f"tm.take({', '.join(args)}, {axis})"


def _shape_part(part: Part) -> str:
    """A number of reshape or tile, or a pair of pad."""
    numbers = [whole_text(whole, _leaf) for whole in wholes((part,))]
    return f"({', '.join(numbers)})" if isinstance(part, Range) else numbers[0]


def _part(part: Part) -> str:
    """A part of a slice, in Python."""
    if isinstance(part, Range):
        ends = ("None" if end is None else whole_text(end, _leaf) for end in part.ends)
        return f"slice({', '.join(ends)})"
    return str(part) if part is None or part == REST else whole_text(part, _leaf)


def _leaf(leaf: Leaf) -> str:
    """A param, or an input's size."""
    return f"tm.number({local(leaf.name)}).shape[{leaf.axis}]" if isinstance(leaf, Size) else local(leaf)
