"""Whether a computation gives the same bits for int32 and uint32 elements, which HTP hands over alike and with the same zero."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Cast,
    Compare,
    CompareOp,
    Compute,
    Const,
    Input,
    Move,
    Movement,
    Node,
    Select,
    children,
)
from opkg.spec.dtypes import DType
from opkg.spec.model import Combination, Op

# Of two numbers that both have a sign, or both none, these have as many bits. Sums, products and `~` do not belong here: they
# are whole numbers beyond 32 bits, which results hold as the nearest that their type has.
_BITS = (BinaryOp.BIT_AND, BinaryOp.BIT_OR, BinaryOp.BIT_XOR)
_SAME_SIGN = 1 << 31  # numbers from 0 to below it are the same with and without a sign


@dataclass(frozen=True, slots=True)
class _Value:
    """What a value has of such elements: bits of those of the type variable `var`, or none where that is empty.

    `plain`: one number in either case, with or without a sign.
    """

    var: str = ""
    plain: bool = False


_OTHER = _Value()
_NUMBER = _Value(plain=True)


class _SignMatters(Exception):
    pass


def lost_signs(one: Combination, other: Combination) -> frozenset[str]:
    """The type variables whose elements differ in a sign that no kernel sees."""
    pairs = zip(one.types, other.types, strict=True)
    return frozenset(name for (name, a), (_, b) in pairs if _sign_is_lost(a, b))


def _sign_is_lost(one: DType, other: DType) -> bool:
    return one.integral and other.integral and one.bits == other.bits == 32 and one.signed != other.signed


def same_bits(op: Op, compute: Compute, lost: frozenset[str]) -> bool:
    """Whether signs of these variables' elements do not matter for any result."""
    known = {tensor.name: _Value(tensor.dtype.var) for tensor in op.inputs if tensor.dtype.var in lost}
    outputs = {tensor.name: tensor.dtype.var or "" for tensor in op.outputs}
    try:
        for statement in compute.statements:
            value = known[statement.name] = _value(statement.expr, known, lost)
            if not _holds(outputs.get(statement.name, value.var), value, lost):
                return False
    except _SignMatters:
        return False
    return True


def _holds(var: str, value: _Value, lost: frozenset[str]) -> bool:
    """Whether a result has the same bits of this value, whichever type its variable stands for."""
    return value.var == var or (value.plain and not value.var) if var in lost else not value.var


def _value(node: Node, known: dict[str, _Value], lost: frozenset[str]) -> _Value:
    if isinstance(node, Input | Assigned):
        return known.get(node.name, _OTHER)
    if isinstance(node, Const):
        same = type(node.value) is int and 0 <= node.value < _SAME_SIGN
        return _NUMBER if same else _OTHER
    found = [_value(child, known, lost) for child in children(node)]
    match node:
        case Move() if node.op is Movement.TAKE and not found[1].var:
            return found[0]
        case Move() if node.op is not Movement.TAKE:
            return _together(found)
        case Select() if not found[0].var:
            return _together(found[1:])
        case Binary() if node.op in _BITS:
            return _together(found)
        case Compare(op=CompareOp.EQ | CompareOp.NE):
            _together(found)
            return _OTHER
    if any(value.var for value in found) or (isinstance(node, Cast) and node.dtype in lost):
        raise _SignMatters
    return _OTHER


def _together(values: Iterable[_Value]) -> _Value:
    """What has the bits of several values: elements of one type variable, and numbers that are the same with and without a
    sign."""
    values = set(values)
    elements = {value for value in values if value.var}
    if not elements:
        return _NUMBER if values == {_NUMBER} else _OTHER
    if len(elements) > 1 or not values <= elements | {_NUMBER}:
        raise _SignMatters
    return elements.pop()
