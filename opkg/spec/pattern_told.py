"""Which params of a `pattern:` a graph can tell: those whose number stands somewhere by itself, or scaled and shifted."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence

from opkg.spec.diagnostics import Diagnostic, error
from opkg.spec.model import Op
from opkg.spec.pattern import TorchPattern
from opkg.spec.pattern_choice import choices

_OPERATORS: dict[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip
_HINT = "let the number stand somewhere alone, or as 2 * {0}, 1 - {0}, 1 / {0}"


def untold(op: Op, pattern: TorchPattern) -> list[Diagnostic]:
    """A finding (OPK495) for each param that is read, but that no number of a graph gives."""
    numbers = {param.name for param in op.params if param.name in pattern.params and not choices(param)}
    numbers |= {place.name for place in pattern.dims}
    texts: dict[str, str] = {}
    told: set[str] = set()
    for part in _parts(pattern, numbers):
        names = {each.id for each in ast.walk(part) if isinstance(each, ast.Name)}
        for name in names & numbers:
            texts.setdefault(name, ast.unparse(part))
        if len(names) == 1 and _can_be_solved(part, *names):
            told |= names
    return [
        error("OPK495", f"no graph tells param '{name}': it stands in '{texts[name]}' only", pattern.span,
              _HINT.format(name))
        for name in pattern.params if name in texts and name not in told
    ]  # fmt: skip


def _parts(pattern: TorchPattern, numbers: set[str]) -> Iterator[ast.expr]:
    """The largest expressions of numbers alone, where they meet tensors; names of such expressions are written out."""
    known: dict[str, ast.expr] = {name: ast.Name(name, ast.Load()) for name in numbers}
    for statement in pattern.statements:
        tree = ast.parse(statement.text, mode="eval").body
        if len(statement.targets) == 1 and _is_number(tree, known):
            known[statement.targets[0]] = _written_out(tree, known)
        else:
            yield from _within(tree, known)


def _within(node: ast.AST, known: Mapping[str, ast.expr]) -> Iterator[ast.expr]:
    if isinstance(node, ast.expr) and _is_number(node, known):
        yield _written_out(node, known)
        return
    children: Sequence[ast.AST] = tuple(ast.iter_child_nodes(node))
    for child in (node.body, node.orelse) if isinstance(node, ast.IfExp) else children:
        yield from _within(child, known)


def _is_number(node: ast.AST, known: Mapping[str, ast.expr]) -> bool:
    """Whether an expression is made of numbers: of params, sizes and literals."""
    if isinstance(node, ast.Name):
        return node.id in known
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float)
    inner = isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.operator | ast.unaryop | ast.cmpop)
    return inner and all(_is_number(each, known) for each in ast.iter_child_nodes(node))


class _Written(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.known[node.id]


def _written_out(node: ast.expr, known: Mapping[str, ast.expr]) -> ast.expr:
    found = _Written(known).visit(ast.parse(ast.unparse(node), mode="eval").body)
    assert isinstance(found, ast.expr)
    return found


def _can_be_solved(node: ast.expr, name: str) -> bool:
    """Whether the expression is a line over the name, or over one by the name: each value is that of one number."""
    points = (0.375, 0.8125, 1.625, 2.875)
    try:
        values = [_value(node, {name: point}) for point in points]
    except (ArithmeticError, ValueError, TypeError, KeyError):
        return False
    return any(_is_line(each, values) for each in (points, [1 / point for point in points]))


def _is_line(points: Sequence[float], values: Sequence[float]) -> bool:
    slope = (values[1] - values[0]) / (points[1] - points[0])
    off = [values[0] + slope * (p - points[0]) - v for p, v in zip(points, values, strict=True)]
    return slope != 0 and all(abs(each) <= 1e-9 * max(1.0, *map(abs, values)) for each in off)


def _value(node: ast.AST, known: Mapping[str, float]) -> float:
    """The number that an expression of numbers is."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name):
        return known[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, known)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return float(_OPERATORS[type(node.op)](_value(node.left, known), _value(node.right, known)))
    raise ValueError(node)
