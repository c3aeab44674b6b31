"""numpy's other names for functions of a computation, and what is said by others: `maximum(a, b)`, `var(x, axis=-1)`."""

from __future__ import annotations

import ast

from opkg.spec.compute.text import fault
from opkg.spec.diagnostics import Span

# Elementwise functions and movements that numpy gives another name.
_SAME = {
    "maximum": "max", "minimum": "min", "absolute": "abs", "power": "pow", "rint": "round", "arcsin": "asin",
    "arctan": "atan", "concatenate": "concat",
}  # fmt: skip
_REDUCTIONS = {"amax": "max", "amin": "min"}
_SPREAD = ("var", "std")
SPELLINGS = (*_SAME, *_REDUCTIONS, *_SPREAD)


def spelled(node: ast.Call, span: Span) -> ast.Call:
    """The call by the names that the rest knows; Fault OPK143 when numpy's function takes no such arguments."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in ("maximum", "minimum") and (node.keywords or len(node.args) != 2):
        raise fault("OPK143", f"{name} takes 2 operands", span, f"{name}(a, b); {_SAME[name]}(x, axis=-1) reduces")
    if name in _SAME:
        return _call(_SAME[name], node.args, node.keywords, node)
    if name in _REDUCTIONS:
        operand, keywords = _along(node, name, span)
        return _call(_REDUCTIONS[name], [operand], keywords, node)
    return _spread(node, name, span) if name in _SPREAD else node


def _along(node: ast.Call, name: str, span: Span) -> tuple[ast.expr, list[ast.keyword]]:
    """The operand of a reduction, and its arguments with `axis` among them."""
    if not 1 <= len(node.args) <= 2:
        raise fault(
            "OPK143", f"{name} takes 1 operand, not {len(node.args)}", span, f"{name}(x, axis=-1, keepdims=True)"
        )
    keywords = list(node.keywords)
    for keyword in keywords:
        if keyword.arg not in ("axis", "keepdims"):
            raise fault("OPK143", f"{name} has no argument '{keyword.arg or '**'}'", span, "arguments: axis, keepdims")
    if len(node.args) == 2:
        keywords.insert(0, _keyword("axis", node.args[1]))
    elif not any(each.arg == "axis" for each in keywords):
        keywords.insert(0, _keyword("axis", ast.copy_location(ast.Constant(None), node)))
    return node.args[0], keywords


def _spread(node: ast.Call, name: str, span: Span) -> ast.Call:
    """`var` is the mean of the squares of what is left without the mean, `std` its root: of all elements (ddof 0)."""
    operand, keywords = _along(node, name, span)
    axes = [each for each in keywords if each.arg == "axis"]
    kept = _keyword("keepdims", ast.copy_location(ast.Constant(True), node))
    centre = _call("mean", [operand], [*axes, kept], node)
    apart = ast.copy_location(ast.BinOp(operand, ast.Sub(), centre), node)
    square = ast.copy_location(ast.BinOp(apart, ast.Mult(), apart), node)
    variance = _call("mean", [square], keywords, node)
    return variance if name == "var" else _call("sqrt", [variance], [], node)


def _keyword(name: str, value: ast.expr) -> ast.keyword:
    return ast.copy_location(ast.keyword(name, value), value)


def _call(name: str, args: list[ast.expr], keywords: list[ast.keyword], node: ast.Call) -> ast.Call:
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(name), node.func), args, keywords), node)
