"""Reads whole numbers in brackets and of reshape, tile and pad: `4`, `k`, `D // 2`, `x.shape[-1] - 1`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from opkg.spec.compute.text import check_depth, fault
from opkg.spec.compute.whole import Calculated, Size, Whole, calculated
from opkg.spec.diagnostics import Span, nearest
from opkg.spec.dtypes import Kind
from opkg.spec.expr import Name, Num, Rest, ShapeList
from opkg.spec.model import Op, ParamSpec, TensorSpec

if TYPE_CHECKING:
    from opkg.spec.compute.reader import Reader

INTEGERS = (Kind.INT, Kind.UINT)
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
_FORMS = "for example -1, D // 2 or x.shape[-1] // 2"
_MOST = 1 << 31


def literal(node: ast.expr, at: Span) -> int:
    """A whole number as it stands in the text; Fault OPK147."""
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    value = node.operand if isinstance(node, ast.UnaryOp) and negative else node
    if not isinstance(value, ast.Constant) or type(value.value) is not int or abs(value.value) >= _MOST:
        raise fault("OPK147", "a whole number stands here", at, "for example -1")
    return -value.value if negative else value.value


def whole(reader: Reader, node: ast.expr, what: str, depth: int = 0) -> Whole:
    """A number that is known in each call. `what`: what it is, for findings. Fault OPK142, OPK144, OPK147 or OPK149."""
    at = reader.places.of(node)
    check_depth(depth, at)
    match node:
        case ast.Name():
            return _named(reader, node.id, what, at)
        case ast.Subscript(value=ast.Attribute() as owner):
            return size(reader, owner, literal(node.slice, reader.places.of(node.slice)), at)
        case ast.UnaryOp(op=ast.USub()):
            return calculated("-", 0, whole(reader, node.operand, what, depth + 1))
        case ast.BinOp():
            return _calculated(reader, node, what, depth + 1)
        case ast.Constant(value=value) if type(value) is int and abs(value) < _MOST:
            return value
    raise fault("OPK147", "a whole number stands here", at, _FORMS)


def _calculated(reader: Reader, node: ast.BinOp, what: str, depth: int) -> Whole:
    at = reader.places.of(node)
    op = _OPERATORS.get(type(node.op))
    if op is None:
        hint = "'//' rounds down: D // 2" if isinstance(node.op, ast.Div) else "whole numbers have + - * // and %"
        raise fault("OPK147", f"'{reader.places.text_of(node)[:40]}' is no whole number", at, hint)
    left, right = whole(reader, node.left, what, depth), whole(reader, node.right, what, depth)
    if op in ("//", "%"):
        _divides(reader, right, reader.places.of(node.right))
    made = calculated(op, left, right)
    if isinstance(made, int) and abs(made) >= _MOST:
        raise fault("OPK147", "this number is too large", at)
    return made


def _divides(reader: Reader, by: Whole, at: Span) -> None:
    """A divisor is never 0: a number, a size, or a param that says so."""
    if by == 0:
        raise fault("OPK144", "division by zero", at)
    if isinstance(by, Calculated):
        raise fault("OPK147", f"'{by}' may be 0, and divides", at, "divide by a number, a size or a param")
    if isinstance(by, str) and not _is_positive(reader.names.params[by]):
        raise fault("OPK147", f"'{by}' may be 0, and divides", at, 'give the param a range: range: ">= 1"')


def _is_positive(param: ParamSpec) -> bool:
    low = param.range.low.tree if param.range is not None and param.range.low is not None else None
    opened = param.range is not None and param.range.low_open
    return isinstance(low, Num) and (low.value > 0 or (opened and low.value == 0))


def _named(reader: Reader, name: str, what: str, at: Span) -> Whole:
    names, op = reader.names, reader.op
    if name in names.params:
        if names.param(name, INTEGERS, what, at).shape is not None:
            raise fault("OPK147", f"{what} is one number, '{name}' is several", at)
        return name
    if name in op.dims:
        return _dimension(op, name, at)
    near = nearest(name, (*names.params, *op.dims))
    others = (
        f"dimensions: {', '.join(op.dims[:12])}" if op.dims else "take(x, indices, axis=0) takes places from a tensor"
    )
    hint = f"did you mean '{near}'?" if near else others
    message = f"'{name[:60]}' is no param and no dimension: {what} is a number, a param or a size"
    raise fault("OPK142", message, at, hint)


def _dimension(op: Op, name: str, at: Span) -> Size:
    """The size that a name stands for: of the first input that every call has, and that tells how far from its end it is."""
    owners = [t for t in op.inputs if isinstance(t.shape.tree, ShapeList) and Name(name) in t.shape.tree.items]
    given = [t for t in owners if not t.optional and t.variadic is None]
    places = ((t, _from_end(t, name)) for t in given)
    found = next(((t, axis) for t, axis in places if axis is not None), None)
    if found is not None:
        return Size(found[0].name, found[1], name)
    if given:
        message = f"how far '{name}' is from the end of '{given[0].name}' is not told"
        raise fault("OPK147", message, at, "give the tensor one rank, or name a dimension behind '...'")
    if owners:
        message = f"'{name}' is a dimension of '{owners[0].name}', which may be absent, or several tensors"
        raise fault("OPK149", message, at, "take the size of another input")
    raise fault("OPK142", f"'{name}' is a dimension of no input", at, "name it in the shape of one: [..., D]")


def _from_end(tensor: TensorSpec, name: str) -> int | None:
    assert isinstance(tensor.shape.tree, ShapeList)
    items = tensor.shape.tree.items
    place = items.index(Name(name))
    if not any(isinstance(item, Rest) for item in items[place:]):
        return place - len(items)
    return place - tensor.ranks.low if tensor.ranks.low == tensor.ranks.high else None


def size(reader: Reader, node: ast.Attribute, axis: int, at: Span) -> Size:
    """`x.shape[axis]`."""
    owner = node.value.id if isinstance(node.value, ast.Name) else ""
    tensor = reader.names.inputs.get(owner)
    if node.attr != "shape" or tensor is None:
        near = nearest(owner, tuple(reader.names.inputs))
        raise fault("OPK142", "a size is one of an input", at, f"{near or 'x'}.shape[-1]")
    if tensor.optional or tensor.variadic is not None:
        raise fault("OPK149", f"'{owner}' may be absent, or several tensors", at, "take the size of another input")
    low, high = tensor.ranks.low, tensor.ranks.high
    if not (-low <= axis < 0 or (low == high and 0 <= axis < low)):
        hint = "from the end, where the rank is open: x.shape[-1]"
        raise fault("OPK147", f"there may be no dimension {axis} in '{owner}'", at, hint)
    return Size(owner, axis if axis < 0 else axis - low)
