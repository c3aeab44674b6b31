"""What moves elements, as calls of the generated package's `torch_math` (`tm`)."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.spec.compute.shaping import is_shaping
from opkg.spec.compute.tree import REST, Move, Movement, Part, Range, Size
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
    if isinstance(part, Range):
        return f"({', '.join(local(end) if isinstance(end, str) else repr(end) for end in (part.start, part.stop))})"
    if isinstance(part, Size):
        return f"tm.number({local(part.name)}).shape[{part.axis}]"
    return local(part) if isinstance(part, str) else repr(part)


def _part(part: Part) -> str:
    """A part of a slice, in Python."""
    if isinstance(part, Range):
        ends = (local(end) if isinstance(end, str) else repr(end) for end in (part.start, part.stop, part.step))
        return f"slice({', '.join(ends)})"
    return "..." if part == REST else local(part) if isinstance(part, str) else repr(part)
