"""numpy's other names for functions of a computation, and what is said by others: `maximum(a, b)`, `var(x, axis=-1)`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from opkg.spec.compute.elsewhere import ARGUMENTS
from opkg.spec.compute.text import fault
from opkg.spec.diagnostics import Span, nearest

Place = Callable[[ast.expr | ast.keyword], Span]

# Elementwise functions and movements that numpy gives another name.
_SAME = {
    "maximum": "max", "minimum": "min", "absolute": "abs", "power": "pow", "rint": "round", "arcsin": "asin",
    "arctan": "atan", "concatenate": "concat",
}  # fmt: skip
_REDUCTIONS = {"amax": "max", "amin": "min"}
_SPREAD = ("var", "std")
SPELLINGS = (*_SAME, *_REDUCTIONS, *_SPREAD)


def spelled(node: ast.Call, place: Place) -> ast.Call:
    """The call by the names that the rest knows; Fault OPK143 when numpy's function takes no such arguments."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in ("maximum", "minimum") and (node.keywords or len(node.args) != 2):
        hint = f"{name}(a, b); {_SAME[name]}(x, axis=-1) reduces"
        raise fault("OPK143", f"{name} takes 2 operands", place(node), hint)
    if name in _SAME:
        return _call(_SAME[name], node.args, node.keywords, node)
    if name not in _REDUCTIONS and name not in _SPREAD:
        return node
    operand, given = along(node, name, place)
    axis = given.get("axis") or _keyword("axis", ast.copy_location(ast.Constant(None), node))
    kept = [given["keepdims"]] if "keepdims" in given else []
    if name in _REDUCTIONS:
        return _call(_REDUCTIONS[name], [operand], [axis, *kept], node)
    variance = _variance(node, operand, axis, kept)
    return variance if name == "var" else _call("sqrt", [variance], [], node)


def along(node: ast.Call, name: str, place: Place) -> tuple[ast.expr, dict[str, ast.keyword]]:
    """The operand of a reduction, and its arguments by name; Fault OPK143 for others than `axis` and `keepdims`."""
    if not 1 <= len(node.args) <= 2:
        hint = f"{name}(x, axis=-1, keepdims=True)"
        raise fault("OPK143", f"{name} takes 1 operand, not {len(node.args)}", place(node), hint)
    found = {"axis": _keyword("axis", node.args[1])} if len(node.args) == 2 else {}
    for keyword in node.keywords:
        if keyword.arg not in ("axis", "keepdims"):
            near = ARGUMENTS.get(keyword.arg or "") or nearest(keyword.arg or "**", ("axis", "keepdims"))
            hint = f"did you mean '{near}'?" if near else "arguments: axis, keepdims"
            raise fault("OPK143", f"{name} has no argument '{keyword.arg or '**'}'", place(keyword), hint)
        if keyword.arg in found:
            raise fault("OPK143", f"'{keyword.arg}' is given twice", place(keyword), "delete one")
        found[keyword.arg] = keyword
    return node.args[0], found


def _variance(node: ast.Call, operand: ast.expr, axis: ast.keyword, kept: list[ast.keyword]) -> ast.Call:
    """The mean of the squares of what is left without the mean: of all elements (ddof 0)."""
    whole = _keyword("keepdims", ast.copy_location(ast.Constant(True), node))
    apart = ast.copy_location(ast.BinOp(operand, ast.Sub(), _call("mean", [operand], [axis, whole], node)), node)
    square = ast.copy_location(ast.BinOp(apart, ast.Mult(), apart), node)
    return _call("mean", [square], [axis, *kept], node)


def _keyword(name: str, value: ast.expr) -> ast.keyword:
    return ast.copy_location(ast.keyword(name, value), value)


def _call(name: str, args: list[ast.expr], keywords: list[ast.keyword], node: ast.Call) -> ast.Call:
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(name), node.func), args, keywords), node)
