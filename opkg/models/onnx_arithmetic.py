"""Division that rounds down, and shifts, in ONNX's ops."""

from __future__ import annotations

from opkg.models.onnx_nodes import ONNX_TYPES, Nodes
from opkg.models.onnx_text import Kind
from opkg.spec.compute.tree import BinaryOp
from opkg.spec.compute.types import Type


def divided(nodes: Nodes, op: BinaryOp, left: str, right: str) -> str:
    """`//` or `%` of real numbers."""
    whole = nodes.emit("Floor", nodes.emit("Div", left, right))
    return whole if op is BinaryOp.FLOOR_DIV else nodes.emit("Sub", left, nodes.emit("Mul", whole, right))


def divided_integers(nodes: Nodes, op: BinaryOp, left: str, right: str, never_zero: bool) -> str:
    """`//` or `%`, 0 where the divisor is."""
    zero, one = nodes.number(0, Type.INTEGER), nodes.number(1, Type.INTEGER)
    none = "" if never_zero else nodes.emit("Equal", right, zero)
    divisor = nodes.emit("Where", none, one, right) if none else right
    rest = nodes.emit("Mod", left, divisor)
    value = rest if op is BinaryOp.MOD else nodes.emit("Div", nodes.emit("Sub", left, rest), divisor)
    return nodes.emit("Where", none, zero, value) if none else value


def shifted(nodes: Nodes, op: BinaryOp, value: str, count: str) -> str:
    """By less than 0 as by 0; ONNX shifts unsigned numbers only."""
    bounds = [nodes.number(end, Type.INTEGER) for end in (0, 63)]
    clipped = nodes.cast(nodes.emit("Clip", count, *bounds), ONNX_TYPES["uint64"])
    zero, minus = nodes.number(0, Type.INTEGER), nodes.number(-1, Type.INTEGER)
    if op is BinaryOp.SHIFT_LEFT:
        beyond = nodes.emit("Greater", count, bounds[1])
        return nodes.emit("Where", beyond, zero, _bits(nodes, value, clipped, "LEFT"))
    negative = nodes.emit("Less", value, zero)
    mirrored = nodes.emit("Where", negative, nodes.emit("Sub", minus, value), value)
    moved = _bits(nodes, mirrored, clipped, "RIGHT")
    return nodes.emit("Where", negative, nodes.emit("Sub", minus, moved), moved)


def _bits(nodes: Nodes, number: str, count: str, direction: str) -> str:
    unsigned = nodes.cast(number, ONNX_TYPES["uint64"])
    return nodes.cast(nodes.emit("BitShift", unsigned, count, direction=(Kind.STRING, direction)), ONNX_TYPES["int64"])
