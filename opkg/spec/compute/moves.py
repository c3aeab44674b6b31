"""What moves elements in a computation: `concat`, `transpose`, `take` and `x[1:, ..., ::2]`, read, and what shapes they have."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from opkg.spec.compute.extents import MOST_RANK, Dim, Extent, Mismatch, broadcast, is_rest
from opkg.spec.compute.lengths import Dimensions, Nothing
from opkg.spec.compute.read_whole import INTEGERS, literal, whole
from opkg.spec.compute.shaping import is_shaping, shaped_extent
from opkg.spec.compute.text import fault
from opkg.spec.compute.tree import Compute, Move, Movement
from opkg.spec.compute.walk import walk
from opkg.spec.compute.whole import REST, Part, Range, Whole
from opkg.spec.diagnostics import Span

if TYPE_CHECKING:
    from opkg.spec.compute.reader import Reader

FORMS = {
    "concat": "concat(a, b, axis=-1)", "transpose": "transpose(x, (0, 2, 1))", "take": "take(x, indices, axis=0)",
}  # fmt: skip
_KEYWORDS = {"concat": "axis", "transpose": "axes", "take": "axis"}
_OPERANDS = {"concat": (2, 64), "transpose": (1, 1), "take": (2, 2)}


def movement(reader: Reader, node: ast.Call, depth: int, span: Span) -> Move:
    """A call of one of FORMS. Fault OPK142 to OPK147."""
    assert isinstance(node.func, ast.Name)
    name, keyword = node.func.id, _KEYWORDS[node.func.id]
    args, axes = list(node.args), None
    for given in node.keywords:
        if given.arg != keyword or axes is not None:
            message = (
                f"{name} has no argument '{given.arg or '**'}'"
                if given.arg != keyword
                else f"'{keyword}' is given twice"
            )
            raise fault("OPK143", message, reader.places.of(given), FORMS[name])
        axes = given.value
    if name == "transpose" and axes is None and len(args) == 2:
        axes = args.pop()
    if name == "concat" and len(args) == 1 and isinstance(args[0], ast.Tuple | ast.List):
        args = args[0].elts
    least, most = _OPERANDS[name]
    if not least <= len(args) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise fault(
            "OPK143", f"{name} takes {wanted} operand{'s' * (wanted != '1')}, not {len(args)}", span, FORMS[name]
        )
    tree = tuple([reader.node(arg, depth) for arg in args])
    return Move(Movement(name), tree, _order(reader, name, axes, span), (), span)


def _order(reader: Reader, name: str, node: ast.expr | None, span: Span) -> tuple[int, ...] | str | None:
    """The dimension, or all of them in an order."""
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        if name == "transpose":
            return None
        raise fault("OPK147", f"{name} goes along one dimension", span, FORMS[name])
    at = reader.places.of(node)
    if isinstance(node, ast.Name):
        param = reader.names.param(node.id, INTEGERS, "an axis", at)
        if (param.shape is not None) is not (name == "transpose"):
            what = (
                "the order of all dimensions is a tensor param" if name == "transpose" else "one dimension is a number"
            )
            raise fault("OPK147", f"{what}, '{node.id}' is {'none' if name == 'transpose' else 'several'}", at)
        return node.id
    items = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    axes = tuple([literal(item, reader.places.of(item)) for item in items])
    if any(not -MOST_RANK <= axis < MOST_RANK for axis in axes):
        raise fault("OPK147", f"a tensor has at most {MOST_RANK} dimensions", at)
    if name != "transpose" and len(axes) != 1:
        raise fault("OPK147", f"{name} goes along one dimension, not several", at, FORMS[name])
    if name == "transpose" and {axis % len(axes) for axis in axes} != set(range(len(axes))):
        raise fault("OPK147", f"{axes} is no order of {len(axes)} dimensions", at, "each stands once: (0, 2, 1)")
    return axes


def sliced(reader: Reader, node: ast.Subscript, depth: int, span: Span) -> Move:
    """`x[...]`: ranges, places, `None` and `...`."""
    operand = reader.node(node.value, depth)
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    parts = tuple([_part(reader, item) for item in items])
    if parts.count(REST) > 1:
        raise fault("OPK147", "'...' stands once", span)
    if not parts or len(parts) > 2 * MOST_RANK:
        raise fault("OPK147", f"there are 1 to {2 * MOST_RANK} parts in brackets", span)
    return Move(Movement.SLICE, (operand,), None, parts, span)


def _part(reader: Reader, node: ast.expr) -> Part:
    if isinstance(node, ast.Constant) and node.value in (None, ...):
        return None if node.value is None else REST
    if isinstance(node, ast.Slice):
        step = _bound(reader, node.step)
        if step == 0:
            raise fault("OPK147", "a step is not 0", reader.places.of(node.step or node))
        start, stop = _bound(reader, node.lower), _bound(reader, node.upper)
        if _is_empty(start, stop, step):
            hint = "ends are exclusive, and steps below 0 go down: x[3:0:-1]"
            raise fault("OPK147", "there is nothing in this range", reader.places.of(node), hint)
        return Range(start, stop, step)
    bound = _bound(reader, node)
    assert bound is not None
    return bound


def _is_empty(start: Whole | None, stop: Whole | None, step: Whole | None) -> bool:
    """Whether a range of literals holds nothing in any dimension."""
    if not isinstance(start, int) or not isinstance(stop, int) or not isinstance(step, int | None):
        return False
    return (start < 0) is (stop < 0) and (stop - start) * (1 if step is None else step) <= 0


def _bound(reader: Reader, node: ast.expr | None) -> Whole | None:
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return None
    return whole(reader, node, "a place")


# Shapes


def extent_of(node: Move, args: list[Extent], counts: Extent | None, dimensions: Dimensions | None = None) -> Extent:
    """The extent of what is moved; Fault OPK147 or OPK148. `counts`: of a tensor param with the numbers of dimensions;
    `dimensions`: those that hang on named ones, where they are told."""
    try:
        if is_shaping(node):
            return shaped_extent(node, args[0], counts)
        match node.op:
            case Movement.CONCAT:
                return _joined(node, args, dimensions)
            case Movement.TRANSPOSE:
                return _transposed(node, args[0])
            case Movement.TAKE:
                return _taken(node, args[0], args[1])
            case _:
                return _cut(node, args[0], dimensions)
    except Nothing as failure:
        raise fault("OPK147", str(failure), node.span, "places count from 0, and ends are exclusive") from None
    except Mismatch as failure:
        raise fault("OPK148", str(failure), node.span) from None


def _place(node: Move, extent: Extent) -> int | None:
    """The place of the axis among dimensions that are known; None when that is open. Fault when there is none."""
    if not isinstance(node.axes, tuple):
        return None
    (axis,) = node.axes
    if not -extent.high <= axis < extent.high:
        rank = str(extent.low) if extent.low == extent.high else f"{extent.low} to {extent.high}"
        message = f"there is no axis {axis} in a value of rank {rank}"
        raise fault("OPK147", message, node.span, "axes count from 0, or from the end when negative")
    if extent.dims is None or any(map(is_rest, extent.dims[axis:] if axis < 0 else extent.dims[: axis + 1])):
        return None
    return axis % len(extent.dims)


def _joined(node: Move, args: list[Extent], dimensions: Dimensions | None) -> Extent:
    low, high = max(arg.low for arg in args), min(arg.high for arg in args)
    if low > high:
        raise Mismatch(f"{' and '.join(dict.fromkeys(map(str, args)))} have different numbers of dimensions")
    if low == 0 and high == 0:
        raise Mismatch("numbers have no dimension along which they could be joined")
    places = {_place(node, arg) for arg in args}
    known = [arg.dims for arg in args if arg.dims is not None]
    if len(places) > 1 or None in places or len({len(dims) for dims in known}) > 1:
        return Extent(None, max(low, 1), high)
    at = places.pop() or 0
    result = Extent((*known[0][:at], 1, *known[0][at + 1 :]), low, high)
    for dims in known[1:]:  # but for the axis they are alike
        result = broadcast(result, Extent((*dims[:at], 1, *dims[at + 1 :]), low, high))
    if result.dims is None:
        return result
    along = [dims[at] for dims in known]
    numbers = [dim for dim in along if isinstance(dim, int)]
    total: Dim | None = sum(numbers) if len(numbers) == len(along) else None
    if total is None and dimensions is not None:
        total = dimensions.joined(along)
    joined = "?joined" if total is None else total
    return Extent((*result.dims[:at], joined, *result.dims[at + 1 :]), low, high)


def _transposed(node: Move, extent: Extent) -> Extent:
    if isinstance(node.axes, tuple):
        count = len(node.axes)
        if not extent.low <= count <= extent.high:
            message = f"an order of {count} dimensions for a value of rank {extent.low}"
            raise fault("OPK147", message + (f" to {extent.high}" if extent.high != extent.low else ""), node.span)
        extent = Extent(extent.dims, count, count)
    if extent.dims is None or any(map(is_rest, extent.dims)) or isinstance(node.axes, str):
        return Extent(None, extent.low, extent.high)
    axes = node.axes if node.axes is not None else tuple(reversed(range(len(extent.dims))))
    return Extent(tuple([extent.dims[axis] for axis in axes]), extent.low, extent.high)


def _taken(node: Move, table: Extent, indices: Extent) -> Extent:
    if table.high == 0:
        raise Mismatch("one number has no dimension to take from")
    place = _place(node, table)
    low, high = max(table.low, 1) - 1 + indices.low, table.high - 1 + indices.high
    if high > MOST_RANK and low > MOST_RANK:
        raise Mismatch(f"this has more than {MOST_RANK} dimensions")
    if place is None or table.dims is None or indices.dims is None or any(map(is_rest, indices.dims)):
        return Extent(None, low, min(high, MOST_RANK))
    return Extent((*table.dims[:place], *indices.dims, *table.dims[place + 1 :]), low, min(high, MOST_RANK))


def _cut(node: Move, extent: Extent, dimensions: Dimensions | None) -> Extent:
    used = [part for part in node.parts if part is not None and part != REST]
    if len(used) > extent.high:
        message = f"{len(used)} dimensions in brackets of a value of rank {extent.high}"
        raise fault("OPK147", message, node.span, "'...' stands for the others")
    new = node.parts.count(None) - sum(not isinstance(part, Range) for part in used)
    low, high = max(extent.low, len(used)) + new, extent.high + new
    if extent.dims is None:
        return Extent(None, low, high)
    at = node.parts.index(REST) if REST in node.parts else len(node.parts)
    front, back = node.parts[:at], node.parts[at + 1 :]
    first, last = len(front) - front.count(None), len(extent.dims) - len(back) + back.count(None)
    if first > last or any(map(is_rest, (*extent.dims[:first], *extent.dims[last:]))):
        return Extent(None, low, high)  # which dimensions it cuts hangs on how many there are
    dims = (
        *_left(extent.dims[:first], front, dimensions),
        *extent.dims[first:last],
        *_left(extent.dims[last:], back, dimensions),
    )
    return Extent(dims, low, high)


def _left(dims: Sequence[Dim], parts: Sequence[Part], dimensions: Dimensions | None) -> Iterator[Dim]:
    """What parts in brackets leave of dimensions. Raises Nothing."""
    given = iter(dims)
    for part in parts:
        if part is None:
            yield 1
        elif isinstance(part, Range):
            dim = next(given)
            left = dimensions.cut(dim, part) if dimensions is not None else None
            yield dim if part == Range() else left if left is not None else f"?{dim}[{part}]"
        elif dimensions is not None:
            dimensions.check_place(next(given), part)
        else:
            next(given)


def moves(compute: Compute | None) -> bool:
    """Whether a computation moves elements."""
    nodes = walk(statement.expr for statement in compute.statements) if compute is not None else ()
    return any(isinstance(node, Move) for node in nodes)
