"""A compute tree as text that reads back to the same tree."""

from __future__ import annotations

from opkg.spec.compute.shaping import is_shaping, shaped_text
from opkg.spec.compute.tree import (
    Assign,
    Binary,
    BinaryOp,
    Call,
    Cast,
    Compare,
    Compute,
    Const,
    Move,
    Movement,
    Node,
    Present,
    Reduce,
    Select,
    Unary,
    UnaryOp,
)

# How tight an operator binds; a select binds least, names, calls and numbers most.
(
    _SELECT, _OR, _AND, _NOT, _COMPARE, _BIT_OR, _BIT_XOR, _BIT_AND, _SHIFT, _SUM, _PRODUCT, _NEGATE, _POWER, _ATOM,
) = range(14)  # fmt: skip
_LEVELS = {
    BinaryOp.OR: _OR, BinaryOp.AND: _AND, BinaryOp.ADD: _SUM, BinaryOp.SUB: _SUM, BinaryOp.MUL: _PRODUCT,
    BinaryOp.DIV: _PRODUCT, BinaryOp.FLOOR_DIV: _PRODUCT, BinaryOp.MOD: _PRODUCT, BinaryOp.POW: _POWER,
    BinaryOp.BIT_OR: _BIT_OR, BinaryOp.BIT_XOR: _BIT_XOR, BinaryOp.BIT_AND: _BIT_AND, BinaryOp.SHIFT_LEFT: _SHIFT,
    BinaryOp.SHIFT_RIGHT: _SHIFT,
}  # fmt: skip


def text_of(compute: Compute) -> str:
    """One statement per line."""
    return "\n".join(_statement(statement) for statement in compute.statements)


def _statement(statement: Assign) -> str:
    return f"{statement.name} = {expression(statement.expr)}"


def expression(node: Node) -> str:
    """One expression, with no more brackets than it needs."""
    return _print(node)[0]


def _print(node: Node) -> tuple[str, int]:
    """Text, and how tight it binds."""
    match node:
        case Const():
            return _number(node.value)
        case Present():
            return f"present({node.name})", _ATOM
        case Unary():
            return _unary(node)
        case Binary():
            return _binary(node)
        case Compare():
            # A comparison as an operand of one gets brackets: without them it would be a chain.
            return f"{_inside(node.left, _BIT_OR)} {node.op} {_inside(node.right, _BIT_OR)}", _COMPARE
        case Select():
            test, then = _inside(node.test, _OR), _inside(node.then, _OR)
            return f"{then} if {test} else {_inside(node.other, _SELECT)}", _SELECT
        case Call():
            return f"{node.function}({', '.join(map(expression, node.args))})", _ATOM
        case Cast():
            return f"cast({expression(node.operand)}, {node.dtype})", _ATOM
        case Reduce():
            return _reduce(node), _ATOM
        case Move():
            return _move(node), _ATOM
        case _:
            return node.name, _ATOM


def _inside(node: Node, level: int) -> str:
    """The text of an operand, in brackets when it binds less than `level`."""
    text, own = _print(node)
    return text if own >= level else f"({text})"


def _number(value: bool | int | float) -> tuple[str, int]:
    text = repr(value)
    return text, _NEGATE if text.startswith("-") else _ATOM


def _unary(node: Unary) -> tuple[str, int]:
    if node.op is UnaryOp.NOT:
        return f"not {_inside(node.operand, _NOT)}", _NOT
    return f"{node.op}{_inside(node.operand, _NEGATE)}", _NEGATE


def _binary(node: Binary) -> tuple[str, int]:
    level = _LEVELS[node.op]
    if node.op is BinaryOp.POW:
        return f"{_inside(node.left, _ATOM)} ** {_inside(node.right, _NEGATE)}", level
    return f"{_inside(node.left, level)} {node.op} {_inside(node.right, level + 1)}", level


def _reduce(node: Reduce) -> str:
    text = expression(node.operand)
    if isinstance(node.axes, str):
        text += f", axis={node.axes}"
    elif node.axes is not None:
        axes = node.axes
        text += f", axis={axes[0] if len(axes) == 1 else axes}"
    elif node.op in ("min", "max"):
        text += ", axis=None"
    if node.keepdims is not False:
        text += f", keepdims={node.keepdims}"
    return f"{node.op}({text})"


def _move(node: Move) -> str:
    args = [expression(arg) for arg in node.args]
    if node.op is Movement.SLICE:
        return f"{_inside(node.args[0], _ATOM)}[{', '.join(map(str, node.parts))}]"
    if is_shaping(node):
        return shaped_text(node, args)
    if node.axes is not None:
        axes: object = node.axes
        if node.op is not Movement.TRANSPOSE and isinstance(node.axes, tuple):
            axes = node.axes[0]
        args.append(f"{'axis' if node.op is not Movement.TRANSPOSE else 'axes'}={axes}")
    return f"{node.op}({', '.join(args)})"
