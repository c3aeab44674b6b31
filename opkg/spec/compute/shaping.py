"""`reshape(x, (x.shape[0], -1))`, `tile(x, (1, 2))` and `pad(x, ((0, 0), (1, 2)), value)`: read, and their shapes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from opkg.spec.axis_params import PADDED_TO
from opkg.spec.compute.extents import MOST_RANK, Dim, Extent, Mismatch, is_rest
from opkg.spec.compute.read_whole import INTEGERS, literal, size, whole
from opkg.spec.compute.text import fault
from opkg.spec.compute.tree import Const, Move, Movement, Node
from opkg.spec.compute.whole import Part, Range, Whole
from opkg.spec.diagnostics import Span

if TYPE_CHECKING:
    from opkg.spec.compute.reader import Reader

FORMS = {
    "reshape": "reshape(x, (x.shape[0], -1))", "tile": "tile(x, (1, 2))", "pad": "pad(x, ((0, 0), (1, 2)), 0)",
}  # fmt: skip
_ARGUMENTS = {"reshape": ("x", "shape"), "tile": ("x", "reps"), "pad": ("x", "pad_width", "constant_values")}  # numpy's
MOST_VIEWED = 6  # dimensions of a kernel's views (kMaxRank of opkg/kernel.h)


def shaping(reader: Reader, node: ast.Call, depth: int, span: Span) -> Move:
    """A call of one of FORMS. Fault OPK142 to OPK147."""
    assert isinstance(node.func, ast.Name)
    name = node.func.id
    given = _arguments(reader, node, name, span)
    args = [reader.node(given["x"], depth)]
    if name == "pad":
        value = given.get("constant_values")
        args.append(Const(0, span) if value is None else reader.node(value, depth))
    axes, parts = _numbers(reader, name, given[_ARGUMENTS[name][1]])
    return Move(Movement(name), tuple(args), axes, parts, span)


def _arguments(reader: Reader, node: ast.Call, name: str, span: Span) -> dict[str, ast.expr]:
    """What stands in the brackets, by numpy's names."""
    wanted = _ARGUMENTS[name]
    given = dict(zip(wanted, node.args, strict=False))
    for keyword in node.keywords:
        at = reader.places.of(keyword)
        if keyword.arg not in wanted[1:]:
            raise fault("OPK143", f"{name} has no argument '{keyword.arg or '**'}'", at, FORMS[name])
        if keyword.arg in given:
            raise fault("OPK143", f"'{keyword.arg}' is given twice", at, FORMS[name])
        given[keyword.arg] = keyword.value
    if len(node.args) > len(wanted) or not given.keys() >= set(wanted[:2]):
        few = "2 operands" if len(wanted) == 2 else "2 or 3 operands"
        raise fault("OPK143", f"{name} takes {few}, not {len(node.args) + len(node.keywords)}", span, FORMS[name])
    return given


def _numbers(reader: Reader, name: str, node: ast.expr) -> tuple[str | None, tuple[Part, ...]]:
    """A tensor param with all numbers, or one part for each dimension."""
    at = reader.places.of(node)
    if isinstance(node, ast.Name):
        param = reader.names.param(node.id, INTEGERS, _ARGUMENTS[name][1], at)
        if param.shape is not None:
            return node.id, ()
    items = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    parts: tuple[Part, ...]
    if name == "reshape":
        parts = tuple([part for item in items for part in _dimensions(reader, item, item is node)])
    elif name == "pad":
        parts = tuple([_amounts(reader, item) for item in items])
    else:
        parts = tuple([_number(reader, item, 1, name) for item in items])
    if not 1 <= len(parts) <= MOST_RANK:
        raise fault("OPK147", f"there are 1 to {MOST_RANK} dimensions", at, FORMS[name])
    if parts.count(-1) > 1:
        raise fault("OPK147", "one dimension is -1, what remains", at, FORMS[name])
    return None, parts


def _dimensions(reader: Reader, node: ast.expr, alone: bool) -> list[Part]:
    """A number of reshape, or the sizes of an input: `*x.shape`, `*x.shape[:-1]`, and `x.shape` alone."""
    starred = isinstance(node, ast.Starred)
    sizes = node.value if isinstance(node, ast.Starred) else node
    ends = slice(None)
    if starred and isinstance(sizes, ast.Subscript) and isinstance(sizes.slice, ast.Slice) and sizes.slice.step is None:
        given = (sizes.slice.lower, sizes.slice.upper)
        ends = slice(*[None if end is None else literal(end, reader.places.of(end)) for end in given])
        sizes = sizes.value
    if not isinstance(sizes, ast.Attribute) or not (starred or alone):
        return [_number(reader, node, -1, "reshape")]
    at = reader.places.of(node)
    size(reader, sizes, -1, at)  # of an input that is one tensor, and there
    rank = _rank(reader, sizes, at)
    return [size(reader, sizes, axis - rank, at) for axis in range(rank)[ends]]


def _rank(reader: Reader, node: ast.Attribute, at: Span) -> int:
    """The rank of an input all of whose sizes are asked for."""
    assert isinstance(node.value, ast.Name)
    ranks = reader.names.inputs[node.value.id].ranks
    if ranks.low != ranks.high:
        raise fault("OPK147", f"'{node.value.id}' has {ranks.low} to {ranks.high} dimensions", at, FORMS["reshape"])
    return ranks.low


def _amounts(reader: Reader, node: ast.expr) -> Range:
    items = node.elts if isinstance(node, ast.Tuple | ast.List) else []
    if len(items) != 2:
        raise fault(
            "OPK147", "there is a pair for each dimension: before, behind", reader.places.of(node), FORMS["pad"]
        )
    before, behind = (_number(reader, item, 0, "pad") for item in items)
    return Range(before, behind)


def _number(reader: Reader, node: ast.expr, least: int, name: str) -> Whole:
    """A whole number, from `least` on where it is a literal."""
    value = whole(reader, node, f"a number of {name}")
    if isinstance(value, int) and (value < least or (name == "reshape" and value == 0)):
        raise fault("OPK147", f"{value} is no number of {name}", reader.places.of(node), FORMS[name])
    return value


def shaped_extent(node: Move, extent: Extent, counts: Extent | None) -> Extent:
    """The extent of such a movement. `counts`: that of the tensor param with its numbers. Fault OPK148."""
    if node.op is Movement.RESHAPE:
        if counts is None:
            dims: tuple[Dim, ...] = tuple(
                [part if type(part) is int and part > 0 else f"?{k}" for k, part in enumerate(node.parts)]
            )
            return Extent(dims, len(dims), len(dims))
        known = counts.dims[0] if counts.dims is not None and len(counts.dims) == 1 else None
        return Extent(None, known, known) if isinstance(known, int) else Extent(None, 0, MOST_RANK)
    if counts is not None:
        return Extent(None, extent.low, extent.high)
    count = len(node.parts)
    if not extent.low <= count <= extent.high:
        raise Mismatch(
            f"numbers for {count} dimensions of a value of rank {extent.low}"
            + f" to {extent.high}" * (extent.low != extent.high)
        )
    if extent.dims is None or any(map(is_rest, extent.dims)):
        return Extent(None, count, count)
    same = 1 if node.op is Movement.TILE else Range(0, 0)
    kept: Sequence[Dim] = [
        dim if part == same else f"?{k}" for k, (dim, part) in enumerate(zip(extent.dims, node.parts, strict=True))
    ]
    return Extent(tuple(kept), count, count)


def shaped_text(node: Move, args: Sequence[str]) -> str:
    """The call as it is written."""
    parts = [f"({part.start}, {part.stop})" if isinstance(part, Range) else str(part) for part in node.parts]
    numbers = node.axes if isinstance(node.axes, str) else f"({', '.join(parts)}{',' * (len(parts) == 1)})"
    return f"{node.op}({', '.join([args[0], str(numbers), *args[1:]])})"


def is_view(times: tuple[Part, ...], sizes: tuple[Part, ...]) -> bool:
    """Whether kernels see what is tiled so often as a view: each dimension that is not 1 becomes two. `times`: of each
    dimension; `sizes`: what it was reshaped to."""
    if not times:
        return False
    ones = [size == 1 for size in sizes] or [False] * len(times)
    more = sum(part != 1 and not one for part, one in zip(times, ones, strict=True))
    return max(len(times), PADDED_TO) + more <= MOST_VIEWED


def is_shaping(node: Node) -> bool:
    return isinstance(node, Move) and node.op in (Movement.RESHAPE, Movement.TILE, Movement.PAD)
