"""What moves elements, in ONNX's ops."""

from __future__ import annotations

from collections.abc import Sequence

from opkg.models.onnx_nodes import Nodes, Unfit
from opkg.models.onnx_text import Kind, Ref, Value
from opkg.spec.compute.shaping import is_shaping
from opkg.spec.compute.tree import Move, Movement
from opkg.spec.compute.types import Type
from opkg.spec.compute.whole import REST, Calculated, Part, Range, Size, Whole, wholes

_FAR = 2**31 - 1
_OPERATORS = {"+": "Add", "-": "Sub", "*": "Mul", "%": "Mod"}


def moved(nodes: Nodes, node: Move, args: Sequence[str]) -> str:
    """The name of the result. Raises Unfit."""
    if node.op is Movement.SLICE:
        return _cut(nodes, args[0], node.parts)
    if is_shaping(node):
        return _shaped(nodes, node, args)
    if isinstance(node.axes, str) and node.axes in nodes.from_inputs:
        raise Unfit(f"'{node.axes}' numbers dimensions, so it must be an attribute")
    if node.op is Movement.TRANSPOSE:
        given: Value = Ref(node.axes) if isinstance(node.axes, str) else node.axes or ()
        if isinstance(node.axes, tuple) and min(node.axes) < 0:
            given = tuple([axis % len(node.axes) for axis in node.axes])
        return (
            nodes.emit("Transpose", args[0], perm=(Kind.INTS, given)) if node.axes else nodes.emit("Transpose", args[0])
        )
    axis: Value = Ref(node.axes) if isinstance(node.axes, str) else (node.axes or (0,))[0]
    if node.op is Movement.CONCAT:
        return nodes.emit("Concat", *args, axis=(Kind.INT, axis))
    return nodes.emit("Gather", args[0], _places(nodes, args[0], args[1], axis), axis=(Kind.INT, axis))


def _shaped(nodes: Nodes, node: Move, args: Sequence[str]) -> str:
    """A Reshape, Tile or Pad."""
    if isinstance(node.axes, str):
        flat = nodes.emit("Constant", value_ints=(Kind.INTS, (-1,)))
        line = nodes.emit("Reshape", nodes.values["param", node.axes].name, flat)
        if node.op is Movement.PAD:  # pairs, where ONNX has all numbers before and then those behind
            pairs = nodes.emit("Reshape", line, nodes.emit("Constant", value_ints=(Kind.INTS, (-1, 2))))
            line = nodes.emit("Reshape", nodes.emit("Transpose", pairs, perm=(Kind.INTS, (1, 0))), flat)
    else:
        numbers = list(wholes(node.parts))
        if node.op is Movement.PAD:
            numbers = [*numbers[::2], *numbers[1::2]]
        line = _line(nodes, numbers)
    return nodes.emit(str(node.op).capitalize(), args[0], line, *args[1:])


def _places(nodes: Nodes, table: str, indices: str, axis: Value) -> str:
    """Numbers below 0 count from the end, those beyond the ends are the nearest."""
    zero, one = nodes.number(0, Type.INTEGER), nodes.number(1, Type.INTEGER)
    which = nodes.emit("Constant", value_int=(Kind.INT, axis))
    size = nodes.emit("Gather", nodes.emit("Shape", table), which, axis=(Kind.INT, 0))
    counted = nodes.emit("Where", nodes.emit("Less", indices, zero), nodes.emit("Add", indices, size), indices)
    return nodes.emit("Clip", counted, zero, nodes.emit("Sub", size, one))


def _cut(nodes: Nodes, value: str, parts: tuple[Part, ...]) -> str:
    """A Slice; the dimensions of single places go, new ones come."""
    rest = parts.index(REST) if REST in parts else len(parts)
    dims = [part for part in parts[:rest] if part is not None], [part for part in parts[rest + 1 :] if part is not None]
    used = [*enumerate(dims[0]), *((place - len(dims[1]), part) for place, part in enumerate(dims[1]))]
    cut = [(axis, part) for axis, part in used if part != Range()]
    if any(isinstance(part, str | Size | Calculated) for _, part in cut):
        raise Unfit("what numbers one place is known in a call only: ONNX slices ranges")
    if cut:
        ends = [_ends(part) for _, part in cut]
        columns = [_line(nodes, [end[k] for end in ends]) for k in range(3)]
        value = nodes.emit("Slice", value, columns[0], columns[1], _line(nodes, [axis for axis, _ in cut]), columns[2])
    gone = [axis for axis, part in cut if isinstance(part, int)]
    if gone:
        value = nodes.emit("Squeeze", value, _line(nodes, gone))
    kept = [part for part in parts if part is None or part == REST or isinstance(part, Range)]
    behind = len(kept) - kept.index(REST) if REST in kept else 0
    new = [k if not behind or k < len(kept) - behind else k - len(kept) for k, part in enumerate(kept) if part is None]
    return nodes.emit("Unsqueeze", value, _line(nodes, new)) if new else value


def _ends(part: Part) -> tuple[Whole, Whole, Whole]:
    if isinstance(part, int):
        return part, part + 1 if part != -1 else _FAR, 1
    assert isinstance(part, Range)
    step = 1 if part.step is None else part.step
    if not isinstance(step, int) and None in (part.start, part.stop):
        raise Unfit(f"which end an open range has hangs on '{step}'")
    down = isinstance(step, int) and step < 0
    start = (_FAR if down else 0) if part.start is None else part.start
    return start, (-_FAR if down else _FAR) if part.stop is None else part.stop, step


def _line(nodes: Nodes, numbers: Sequence[Whole]) -> str:
    """A tensor of one dimension with numbers that are known in a call."""
    literals = [number for number in numbers if isinstance(number, int)]
    if len(literals) == len(numbers):
        return nodes.emit("Constant", value_ints=(Kind.INTS, tuple(literals)))
    parts = [_number(nodes, number) for number in numbers]
    return nodes.emit("Concat", *parts, axis=(Kind.INT, 0)) if len(parts) > 1 else parts[0]


def _number(nodes: Nodes, number: Whole) -> str:
    """A tensor with one number."""
    match number:
        case int():
            return nodes.emit("Constant", value_ints=(Kind.INTS, (number,)))
        case str():
            one = nodes.emit("Constant", value_ints=(Kind.INTS, (1,)))
            return nodes.emit("Reshape", nodes.values["param", number].name, one)
        case Size():
            return _size(nodes, number)
    left, right = (_number(nodes, side) for side in number.sides)
    if number.op == "//":  # of integers Div drops what Mod leaves towards 0, but Mod rounds down
        return nodes.emit("Div", nodes.emit("Sub", left, nodes.emit("Mod", left, right)), right)
    return nodes.emit(_OPERATORS[number.op], left, right)


def _size(nodes: Nodes, size: Size) -> str:
    """A tensor with the size of an input's dimension."""
    shape = nodes.emit("Shape", nodes.values["input", size.name].name)
    place = nodes.emit("Constant", value_ints=(Kind.INTS, (size.axis,)))
    return nodes.emit("Gather", shape, place, axis=(Kind.INT, 0))
