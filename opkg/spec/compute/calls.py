"""Calls in a computation: elementwise functions, casts, reductions, `where`, `pow` and `present`."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from opkg.spec.compute import moves, shaping
from opkg.spec.compute.elsewhere import written
from opkg.spec.compute.spellings import SPELLINGS, along, spelled
from opkg.spec.compute.text import fault
from opkg.spec.compute.tree import (
    PLACES,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Const,
    Function,
    Node,
    Present,
    Reduce,
    Reduction,
)
from opkg.spec.diagnostics import Span, nearest, warning
from opkg.spec.dtypes import DTYPES, FOREIGN_NAMES, Kind

if TYPE_CHECKING:
    from opkg.spec.compute.reader import Reader

MOST_AXES = 8
# Least and greatest number of operands.
_COUNTS = dict.fromkeys(Function, (1, 1)) | {
    Function.MIN: (2, 64), Function.MAX: (2, 64), Function.CLIP: (3, 3),
}  # fmt: skip
_FORMS = {
    "where": "where(test, then, else)", "pow": "pow(base, exponent)", "cast": "cast(x, float32)",
    "present": "present(x)", "clip": "clip(x, low, high)",
}  # fmt: skip
_FUNCTIONS, _REDUCTIONS = frozenset(map(str, Function)), frozenset(map(str, Reduction))
NAMES = (
    *dict.fromkeys(
        [*map(str, Function), *map(str, Reduction), "where", "pow", "cast", "present", *moves.FORMS, *shaping.FORMS]
    ),
)
KNOWN = frozenset((*NAMES, *SPELLINGS))


def call(reader: Reader, node: ast.Call, depth: int, span: Span) -> Node:
    """The tree of a call; Fault OPK141 to OPK144."""
    if not isinstance(node.func, ast.Name):
        raise reader.foreign(node.func)
    name, at = node.func.id, reader.places.of(node.func)
    if name not in NAMES and name not in SPELLINGS:
        near = nearest(name, (*NAMES, *SPELLINGS))
        hint = written(name) or (f"did you mean '{near}'?" if near else "functions: " + ", ".join(NAMES))
        raise fault("OPK143", f"no function '{name[:60]}'", at, hint)
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            raise reader.foreign(argument)
    node = spelled(node, reader.places.of)
    assert isinstance(node.func, ast.Name)
    name = node.func.id
    if name in _REDUCTIONS and (name not in _FUNCTIONS or node.keywords):
        return _reduction(reader, node, depth, span)
    if name in moves.FORMS:
        return moves.movement(reader, node, depth, span)
    if name in shaping.FORMS:
        return shaping.shaping(reader, node, depth, span)
    if node.keywords:
        keyword = node.keywords[0]
        raise fault("OPK143", f"{name} has no argument '{keyword.arg or '**'}'", reader.places.of(keyword))
    if name in _FUNCTIONS:
        _counted(reader, node, *_COUNTS[Function(name)])
        operands = tuple([reader.node(arg, depth) for arg in node.args])
        if name == "clip" and all(isinstance(end, Const) for end in operands[1:]):
            _ordered(reader, operands[1], operands[2])
        return Call(Function(name), operands, span)
    if name == "where":
        _counted(reader, node, 3, 3)
        return reader.chosen(node.args[0], node.args[1], node.args[2], depth, span)
    if name == "pow":
        _counted(reader, node, 2, 2)
        return Binary(BinaryOp.POW, reader.node(node.args[0], depth), reader.node(node.args[1], depth), span)
    return _cast(reader, node, depth, span) if name == "cast" else _present(reader, node, span)


def _ordered(reader: Reader, low: Node, high: Node) -> None:
    """Warns of a clip that always gives its upper end."""
    assert isinstance(low, Const)
    assert isinstance(high, Const)
    if low.value > high.value:
        message = f"the lower end {low.value} is above the upper end {high.value}: the result is {high.value} always"
        reader.findings.append(warning("OPK143", message, low.span, "clip(x, low, high)"))


def _counted(reader: Reader, node: ast.Call, least: int, most: int) -> None:
    count = len(node.args)
    if least <= count <= most:
        return
    assert isinstance(node.func, ast.Name)
    name = node.func.id
    wanted = str(least) if least == most else f"{least} to {most}"
    hint = _FORMS.get(name, "")
    if name in _REDUCTIONS:
        hint = f"{name}(a, b) takes the {'smaller' if name == 'min' else 'larger'}; {name}(x, axis=-1) reduces"
    message = f"{name} takes {wanted} operand{'' if wanted == '1' else 's'}, not {count}"
    raise fault("OPK143", message, reader.places.of(node), hint)


def _cast(reader: Reader, node: ast.Call, depth: int, span: Span) -> Node:
    _counted(reader, node, 2, 2)
    operand, type_ = reader.node(node.args[0], depth), node.args[1]
    at = reader.places.of(type_)
    if not isinstance(type_, ast.Name):
        raise fault("OPK143", "the second operand of cast is an element type", at, "cast(x, float32)")
    variable = next((v for v in reader.op.type_vars if v.name == type_.id), None)
    if variable is not None:
        quantized = next((dtype for dtype in variable.dtypes if dtype.quantized), None)
        if quantized is not None:
            message = f"nothing can be cast to {quantized}, which '{variable.name}' may be"
            raise fault("OPK143", message, at, "quantized tensors are real values here")
        return Cast(operand, variable.name, span)
    dtype = DTYPES.get(type_.id)
    if dtype is None:
        near = FOREIGN_NAMES.get(type_.id) or nearest(type_.id, (*DTYPES, *(v.name for v in reader.op.type_vars)))
        hint = f"did you mean '{near}'?" if near else "for example int32"
        raise fault("OPK143", f"no element type '{type_.id[:60]}'", at, hint)
    if dtype.quantized:
        hint = "quantized tensors are real values here; the output's type rounds them"
        raise fault("OPK143", f"nothing can be cast to {dtype}", at, hint)
    return Cast(operand, dtype.name, span)


def _present(reader: Reader, node: ast.Call, span: Span) -> Node:
    _counted(reader, node, 1, 1)
    argument = node.args[0]
    at = reader.places.of(argument)
    if not isinstance(argument, ast.Name):
        raise fault("OPK143", "present takes the name of an optional input", at, "present(x)")
    reader.names.optional_input(argument.id, at)
    return Present(argument.id, span)


def _reduction(reader: Reader, node: ast.Call, depth: int, span: Span) -> Node:
    assert isinstance(node.func, ast.Name)
    op = Reduction(node.func.id)
    operand, keywords = along(node, op, reader.places.of)
    tree = reader.node(operand, depth)
    axes = _axes(reader, keywords["axis"].value) if "axis" in keywords else None
    _one_axis(reader, op, axes, keywords, reader.places.of(node))
    keepdims = _keepdims(reader, keywords["keepdims"].value) if "keepdims" in keywords else False
    return Reduce(op, tree, axes, keepdims, span)


def _one_axis(
    reader: Reader,
    op: Reduction,
    axes: tuple[int, ...] | str | None,
    keywords: Mapping[str, ast.keyword],
    at: Span,
) -> None:
    """`argmax`, `argmin` and `cumsum` go along one dimension; Fault OPK147."""
    if op not in PLACES and op is not Reduction.CUMSUM:
        return
    if op is Reduction.CUMSUM and "keepdims" in keywords:
        raise fault(
            "OPK143", "cumsum has no argument 'keepdims'", reader.places.of(keywords["keepdims"]), "it keeps all"
        )
    if axes is None and op is Reduction.CUMSUM:
        raise fault("OPK147", "cumsum goes along one dimension", at, "cumsum(x, axis=-1)")
    array = isinstance(axes, str) and reader.names.params[axes].shape is not None
    if array or (isinstance(axes, tuple) and len(axes) > 1):
        raise fault("OPK147", f"{op} goes along one dimension, not several", at, f"{op}(x, axis=-1)")


def _axes(reader: Reader, node: ast.expr) -> tuple[int, ...] | str | None:
    """Whole numbers, an integer param, or None for all dimensions."""
    if isinstance(node, ast.Constant) and node.value is None:
        return None
    if isinstance(node, ast.Name):
        reader.names.param(node.id, (Kind.INT, Kind.UINT), "an axis", reader.places.of(node))
        return node.id
    items = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    if not 1 <= len(items) <= MOST_AXES:
        raise fault("OPK147", f"there are 1 to {MOST_AXES} axes", reader.places.of(node))
    axes: list[int] = []
    for item in items:
        at = reader.places.of(item)
        negative = isinstance(item, ast.UnaryOp) and isinstance(item.op, ast.USub)
        value = item.operand if isinstance(item, ast.UnaryOp) and negative else item
        if not isinstance(value, ast.Constant) or type(value.value) is not int:
            hint = "axis=-1, axis=(1, 2) or axis=NAME of an int param"
            raise fault("OPK147", "an axis is a whole number or a param", at, hint)
        axis = -value.value if negative else value.value
        if not -MOST_AXES <= axis < MOST_AXES:
            raise fault("OPK147", "a tensor has at most 8 dimensions", at)
        if axis in axes:
            raise fault("OPK147", f"axis {axis} stands twice", at, "delete one")
        axes.append(axis)
    return tuple(axes)


def _keepdims(reader: Reader, node: ast.expr) -> bool | str:
    at = reader.places.of(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.Name):
        reader.names.param(node.id, (Kind.BOOL,), "keepdims", at)
        return node.id
    raise fault("OPK147", "keepdims is True, False or a bool param", at)
