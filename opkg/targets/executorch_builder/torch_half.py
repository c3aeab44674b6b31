"""Which ops compute in float16: what torch rounds once, at the end (docs/design/executorch.md)."""

from __future__ import annotations

import math
import struct
from enum import IntEnum

from opkg.spec.compute.tree import (
    Assigned,
    Binary,
    BinaryOp,
    Call,
    Compare,
    Const,
    Function,
    Input,
    Node,
    Reduce,
    Reduction,
    Select,
    Unary,
    UnaryOp,
)
from opkg.spec.compute.types import Type, Types
from opkg.spec.model import Combination, Op

# Functions that torch computes in float32 and rounds: measured over all float16 (0.5002 of the last place; erf: 5 places).
_ONCE = frozenset(
    {
        Function.EXP, Function.SIGMOID, Function.TANH, Function.SQRT, Function.RSQRT, Function.LOG, Function.LOG1P,
        Function.SIN, Function.COS, Function.ASIN, Function.ATAN, Function.SILU, Function.HARDSWISH, Function.SOFTPLUS,
    }
)  # fmt: skip
_WHOLE = frozenset({Function.SIGN, Function.FLOOR, Function.CEIL, Function.ROUND, Function.TRUNC})
_SAME = frozenset({Function.MIN, Function.MAX, Function.CLIP, Function.ABS}) | _WHOLE
_SUMS = (BinaryOp.ADD, BinaryOp.SUB)


class State(IntEnum):
    """A float16 value: exactly that of the computation, rounded once, or more than that."""

    EXACT, ROUNDED, OTHER = 0, 1, 2


def is_half(op: Op, combination: Combination) -> bool:
    """Whether float16 steps of all outputs round once at most."""
    if op.compute is None or any(tensor.variadic is not None for tensor in op.tensors):
        return False
    inputs = {tensor.dtype.of(combination).name for tensor in op.inputs}
    outputs = {tensor.dtype.of(combination).name for tensor in op.outputs}
    if inputs != {"float16"} or not outputs <= {"float16", "bool8"}:
        return False
    types = Types(op.compute, op, combination)
    states: dict[str, State] = {}
    for statement in op.compute.statements:
        states[statement.name] = _state(statement.expr, states, types)
    return all(states[tensor.name] is not State.OTHER for tensor in op.outputs)


def _state(node: Node, names: dict[str, State], types: Types) -> State:
    match node:
        case Const():
            return State.EXACT if _is_held(node.value) else State.ROUNDED
        case Input():
            return State.EXACT
        case Assigned():
            return names[node.name]
        case Select():
            test = _exact(node.test, names=names, types=types)
            return max(test, *(_state(each, names, types) for each in (node.then, node.other)))
        case Unary(UnaryOp.NEG | UnaryOp.NOT):
            return _state(node.operand, names, types)
        case Compare():
            return _exact(node.left, node.right, names=names, types=types)
        case Binary(BinaryOp.AND | BinaryOp.OR):
            return _exact(node.left, node.right, names=names, types=types)
        case Binary() if types[node] is Type.REAL:
            return _binary(node, names, types)
        case Call() if node.function in _SAME:
            return _exact(*node.args, names=names, types=types)
        case Call() if node.function in _ONCE:
            return max(State.ROUNDED, _exact(*node.args, names=names, types=types))
        case Reduce(Reduction.MIN | Reduction.MAX):
            return _exact(node.operand, names=names, types=types)
        case _:
            return State.OTHER


def _exact(*nodes: Node, names: dict[str, State], types: Types) -> State:
    """What a step leaves exact; a rounded operand may not go into one."""
    held = all(_state(node, names, types) is State.EXACT for node in nodes)
    return State.EXACT if held else State.OTHER


def _binary(node: Binary, names: dict[str, State], types: Types) -> State:
    """One call of torch: of numbers and tensors, a product with a sum or with a sigmoid."""
    if (gate := gated(node)) is not None:
        return max(State.ROUNDED, _exact(*gate, names=names, types=types))
    if node.op in _SUMS and (parts := _product(node)) is not None:
        held = all(_is_tensor(part) for part in parts) and _exact(*parts, names=names, types=types) is State.EXACT
        return State.ROUNDED if held else State.OTHER
    if node.op is BinaryOp.MOD and _is_tensor(node.left) and _is_tensor(node.right):
        return max(State.ROUNDED, _exact(node.left, node.right, names=names, types=types))
    if node.op is BinaryOp.POW and _is_tensor(node.left):
        held = not isinstance(node.right, Const) or (_is_held(node.right.value) and node.right.value > 0)
        return max(State.ROUNDED, _exact(node.left, node.right, names=names, types=types)) if held else State.OTHER
    if node.op not in (*_SUMS, BinaryOp.MUL, BinaryOp.DIV) or (node.op is BinaryOp.DIV and not _is_tensor(node.left)):
        return State.OTHER  # a number by a tensor is two calls
    if not (_is_tensor(node.left) or _is_tensor(node.right)):
        return State.OTHER
    scales = node.op not in _SUMS
    held = all(
        (scales and _is_ordinary(each)) or _state(each, names, types) is State.EXACT for each in (node.left, node.right)
    )
    return State.ROUNDED if held else State.OTHER


def gated(node: Node) -> tuple[Node, Node] | None:
    """x and z of `x * sigmoid(z)`, which is one step of float16 (`tm.gated`)."""
    match node:
        case Binary(BinaryOp.MUL, x, Call(Function.SIGMOID, (z,))) | Binary(
            BinaryOp.MUL, Call(Function.SIGMOID, (z,)), x
        ):
            return (x, z) if _is_tensor(x) and _is_tensor(z) else None
        case _:
            return None


def _product(node: Binary) -> tuple[Node, Node, Node] | None:
    """The operands of a call that multiplies and adds, as the printer chooses it."""
    sides = ((node.right, node.left), (node.left, node.right))
    for product, other in sides:
        if isinstance(product, Binary) and product.op is BinaryOp.MUL:
            return other, product.left, product.right
    return None


def _is_tensor(node: Node) -> bool:
    """Whether a value is no number of the text."""
    return not isinstance(node, Const) and not (isinstance(node, Unary) and not _is_tensor(node.operand))


def _is_ordinary(node: Node) -> bool:
    """A factor in float32."""
    return isinstance(node, Const) and not isinstance(node.value, bool) and 2.0**-100 <= abs(node.value) <= 2.0**100


def _is_held(value: float) -> bool:
    """Whether float16 holds a number."""
    if isinstance(value, bool):
        return True
    try:
        held: float = struct.unpack("e", struct.pack("e", value))[0]
    except OverflowError:
        return False
    return held == value or math.isnan(value)
