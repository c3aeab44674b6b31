"""Whether a computation gives the same bits for int32 and uint32 elements, which HTP hands over alike and with the same zero."""

from __future__ import annotations

from enum import IntEnum

from opkg.spec.compute.tree import (
    BITWISE,
    Assigned,
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Compute,
    Const,
    Input,
    Move,
    Movement,
    Node,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
    children,
)
from opkg.spec.dtypes import DType
from opkg.spec.model import Combination, Op

_LOW_BITS = (BITWISE - {BinaryOp.SHIFT_LEFT, BinaryOp.SHIFT_RIGHT}) | {BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL}
_LOW_SUMS = (Reduction.SUM, Reduction.PROD, Reduction.CUMSUM)
_SAME_SIGN = 1 << 31  # numbers from 0 to below it are the same with and without a sign


class Bits(IntEnum):
    """What a value has of such elements: nothing, an element as it is, 32 low bits that are right, or what depends on signs."""

    NONE = 0
    ELEMENT = 1
    LOW = 2
    SIGN = 3


def lost_signs(one: Combination, other: Combination) -> frozenset[str]:
    """The type variables whose elements differ in a sign that no kernel sees."""
    pairs = zip(one.types, other.types, strict=True)
    return frozenset(name for (name, a), (_, b) in pairs if _sign_is_lost(a, b))


def _sign_is_lost(one: DType, other: DType) -> bool:
    return one.integral and other.integral and one.bits == other.bits == 32 and one.signed != other.signed


def same_bits(op: Op, compute: Compute, lost: frozenset[str]) -> bool:
    """Whether signs of these variables' elements do not matter for any result."""
    inputs = {tensor.name for tensor in op.inputs if tensor.dtype.var in lost}
    types = {t.name: [t.dtype.of(one) for one in op.combinations] for t in op.tensors}
    assigned: dict[str, Bits] = {}
    for statement in compute.statements:
        bits = _bits(statement.expr, inputs, assigned)
        kept = all(dtype.integral and dtype.bits <= 32 for dtype in types.get(statement.name, ()))
        assigned[statement.name] = bits if kept or not bits else Bits.SIGN
    return Bits.SIGN not in assigned.values()


def _bits(node: Node, inputs: set[str], assigned: dict[str, Bits]) -> Bits:
    if isinstance(node, Input | Assigned):
        return Bits.ELEMENT if node.name in inputs else assigned.get(node.name, Bits.NONE)
    operands = children(node)
    found = [_bits(child, inputs, assigned) for child in operands]
    most = max(found, default=Bits.NONE)
    if most in (Bits.NONE, Bits.SIGN):
        return most
    plain = all(map(_same_number, operands, found))
    match node:
        case Move() if node.op is not Movement.TAKE or not found[1]:
            return Bits.ELEMENT if plain or node.op is Movement.TAKE else Bits.LOW
        case Select() if not found[0]:
            return Bits.ELEMENT if all(map(_same_number, operands[1:], found[1:])) else Bits.LOW
        case Unary(op=UnaryOp.NEG | UnaryOp.INVERT):
            return Bits.LOW
        case Binary() if node.op in _LOW_BITS:
            return Bits.LOW
        case Reduce() if node.op in _LOW_SUMS:
            return Bits.LOW
        case Compare(op=CompareOp.EQ | CompareOp.NE) if plain:
            return Bits.NONE
    return Bits.SIGN


def _same_number(node: Node, bits: Bits) -> bool:
    """Whether an operand is an element, or a number that is the same with and without a sign."""
    return bits == Bits.ELEMENT or (
        isinstance(node, Const) and type(node.value) is int and 0 <= node.value < _SAME_SIGN
    )
